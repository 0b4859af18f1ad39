"""What an attached image shows: the user's word, told with the image's ref or as what the image shows.

No record vouches for it, so it is never supported; and nothing in it makes a false "done" or count true.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from sayso.core.verify.report import Violation, ViolationKind
from sayso.core.verify.sentence import Sentence

K = ViolationKind
_NOUN = (
    r"(?:images?|pictures?|photo(?:graph)?s?|screenshots?|snapshots?|scans?|bild(?:e?s|er|ern)?|fotos?|bildschirmfotos?"
    r"|aufnahmen?|abbildung|captures?|immagin[ei]|im[aá]gen(?:es)?|capturas?)"
)
SPEAKS_OF_IMAGE = re.compile(rf"\b{_NOUN}\b|\battach(?:ed|ments?)\b|\banhang\b|\bangeh[aä]ngt", re.IGNORECASE)
"""Whether words speak of an image at all."""

_THE = (
    r"(?:the|this|that|these|your|both|das|dies(?:es|em|er|e)|dein(?:es|em|er|e)?|dem|der|die|im|la|cette|ces|ta|tes|votre"
    r"|esta|tu|una?|questa|nella|sulla|dalla|tua)\s|\b(?:l|nell|sull|dall|d)['’]"
)
_ATTRIBUTED = re.compile(rf"\b(?:{_THE})(?:[^\W\d_]+\s){{0,2}}{_NOUN}\b", re.IGNORECASE)

_OURS = re.compile(
    r"\b(?:I|we|ich|wir|je|nous|yo|hemos|io|ho|abbiamo)\b|\bI['’]ve|\bj['’]|\bhe\s\w+[ai]do\b", re.IGNORECASE
)
_OF_RECORDS = frozenset({K.WRONG_COUNT, K.FALSE_ABSENCE, K.FALSE_ACTION})
"""True of an image only where it is said to be of one."""


def asks_of_image(message: str) -> bool:
    """Whether a message asks about an image that was there before."""
    return _ATTRIBUTED.search(message) is not None


def told_of_images(
    s: Sentence, violations: Sequence[Violation], cited: tuple[str, ...], spoken: tuple[str, ...]
) -> tuple[list[Violation], tuple[str, ...] | None]:
    """The violations that stay, and the images that vouch for the sentence; None: it is not told of one.

    `cited` are the images whose refs it has, `spoken` those of which the text before told. A sentence that
    cites a record as well is judged by that record.
    """
    if s.bound.cited:
        return list(violations), None
    attributed = _ATTRIBUTED.search(s.clean) is not None
    attached = spoken or s.setting.images
    if not cited and not (attributed and attached and not s.bound.named):
        return ([_milder(v, spoken) for v in violations] if spoken and not s.bound.named else list(violations)), None
    stays = [v for v in violations if _stays(v, s, attributed)]
    if s.bound.named and not attributed:
        words = s.clean.strip()
        stays.append(Violation(K.UNATTRIBUTED, words, 0, len(s.clean), "say that the image shows it", cited[0]))
    return stays, cited or (attached if len(attached) == 1 else ())


def _stays(v: Violation, s: Sentence, attributed: bool) -> bool:
    """An invented ref stays one, and "I have sent it" is no less false for an image that says so."""
    if v.kind is K.FALSE_ACTION and _OURS.search(s.clean):
        return True
    return v.kind is K.UNKNOWN_REF or (v.kind in _OF_RECORDS and not attributed)


def _milder(v: Violation, spoken: tuple[str, ...]) -> Violation:
    """It may be what the image shows: it is marked, and the repair says how to tell so."""
    if v.kind is K.UNKNOWN_REF or v.kind in _OF_RECORDS:
        return v
    return replace(v, kind=K.UNSUPPORTED, instruction=f"if the image shows it, end the sentence with [{spoken[0]}]")
