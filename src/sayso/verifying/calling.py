"""The verifier as one call: facts and a text in, a verdict for each sentence out. It reads no file but a lexicon's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sayso.core.evidence import Evidence, Numbered
from sayso.core.facts import Fact
from sayso.core.verify.declared.lexicon import NO_LEXICON, Lexicon
from sayso.core.verify.report import Profile, Report
from sayso.core.verify.setting import Setting
from sayso.core.verify.verifier import Verifier
from sayso.errors import ConfigError
from sayso.verifying.files import read_lexicon
from sayso.verifying.reading import read_facts
from sayso.vocabulary import ordinary_words

Facts = Evidence | Iterable[Mapping[str, Any] | Fact | Numbered]


def verify(
    facts: Facts,
    text: str,
    *,
    question: str = "",
    locale: str = "en",
    now: datetime | None = None,
    profile: Profile | str = Profile.DEFAULT,
    lexicon: Lexicon | Mapping[str, Any] | Path | str | None = None,
) -> Report:
    """The verdict of each sentence of `text` against `facts`.

    `facts` are plain objects as `read_facts` takes them, facts of your own kinds, or an `Evidence`. `question` is
    what the text answers: what its asker said is not held against it. `now` (this moment, if it is not given) is
    what "tomorrow" is counted from. `profile` is "default" or "strict", which withholds what is merely unsupported.
    `lexicon` declares how the records are spoken of: a mapping, or the path of a TOML file.

    Raises FactError for what is no fact, DeclarationError for a bad lexicon, ConfigError for an unknown profile.
    """
    evidence = facts if isinstance(facts, Evidence) else read_facts(facts)
    moment = now or datetime.now(UTC)
    setting = Setting(
        moment if moment.tzinfo else moment.replace(tzinfo=UTC), locale, question, profile=_profile(profile),
        lexicon=_lexicon(lexicon), ordinary=ordinary_words(locale),
    )  # fmt: skip
    return Verifier(evidence, setting).report(text)


def _profile(name: Profile | str) -> Profile:
    try:
        return Profile(name)
    except ValueError:
        known = " or ".join(p.value for p in Profile)
        raise ConfigError(f"there is no profile {str(name)[:40]!r}: give {known}") from None


def _lexicon(given: Lexicon | Mapping[str, Any] | Path | str | None) -> Lexicon:
    if given is None:
        return NO_LEXICON
    if isinstance(given, Mapping):
        return Lexicon.from_mapping(given)
    return read_lexicon(Path(given)) if isinstance(given, str | Path) else given
