"""A draft while it streams: what of it may be released already, and its report at the end.

Released text is final. It begins to flow when it is clearly an answer (a supported sentence, or
more than a preamble would say), and stops at the first sentence that does not hold.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from sayso.core.protocols.hiding import ProseStream
from sayso.core.verify import Verifier
from sayso.core.verify.report import Judged, Report, Verdict

_MORE_THAN_A_PREAMBLE = 3, 280  # sentences, characters


class Draft:
    """One reply's text on its way to an answer. `released` holds what earlier steps let through."""

    def __init__(self, verifier: Verifier, tool_names: Iterable[str], *, released: tuple[Judged, ...] = ()) -> None:
        self._verifier = verifier
        self._prose = ProseStream(tool_names)
        self._sentences = verifier.stream()
        self._fed = ""
        self._before = "".join(s.text for s in released)
        self._judged: list[Judged] = list(self._sentences.feed(self._before)) if self._before else []
        self._flowing = bool(released)
        self._blocked = False
        self._waiting: list[Judged] = []
        self.released: list[Judged] = list(released)

    def hold(self) -> None:
        """Release nothing from here on."""
        self._blocked = True

    def feed(self, chunk: str) -> str:
        """Take a chunk; give the text that is released by it."""
        prose = self._prose.feed(chunk)
        if not self._fed:
            prose = self._joined(prose.lstrip())
        if not prose:
            return ""
        self._fed += prose
        return self._release(self._sentences.feed(prose))

    def finish(self, prose: str) -> Report:
        """The report on the whole answer so far, given the reply's prose as it was finally read."""
        whole = self._joined(prose.strip())
        if not whole.startswith(self._fed.rstrip()):
            return self._afresh(whole)
        rest = whole[len(self._fed) :]
        judged = (*self._judged, *self._sentences.feed(rest), *self._sentences.end())
        return Report(judged, self._verifier.profile)

    def _joined(self, prose: str) -> str:
        """A space between what earlier steps released and this reply."""
        return f" {prose}" if prose and self._before and not self._before[-1].isspace() else prose

    def _afresh(self, whole: str) -> Report:
        """The final reading differs from what streamed (a call stood in the middle): judge it again.

        What was released stays, and is not said twice.
        """
        told = {s.text.strip() for s in self.released}
        judged = list(self.released)
        for sentence in self._verifier.report(whole).sentences:
            if sentence.text.strip() not in told:
                judged.append(replace(sentence, start=judged[-1].end if judged else 0))
        return Report(tuple(judged), self._verifier.profile)

    def _release(self, judged: tuple[Judged, ...]) -> str:
        self._judged.extend(judged)
        if self._blocked:
            return ""
        for sentence in judged:
            if sentence.start < len(self._before):
                continue  # released by an earlier step already
            if sentence.verdict in (Verdict.CONTRADICTED, Verdict.UNSUPPORTED):
                self._blocked = True
                break
            self._waiting.append(sentence)
            self._flowing = self._flowing or (sentence.verdict is Verdict.SUPPORTED and bool(sentence.refs))
        return self._flow()

    def _flow(self) -> str:
        sentences, characters = _MORE_THAN_A_PREAMBLE
        text = "".join(s.text for s in self._waiting)
        if not (self._flowing or len(self._waiting) >= sentences or len(text) > characters):
            return ""
        self._flowing = True
        self.released.extend(self._waiting)
        self._waiting.clear()
        return text
