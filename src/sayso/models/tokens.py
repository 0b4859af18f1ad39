"""How many tokens a text is for one model: an estimate that learns from what its provider counts.

No tokenizer: a model's own is seldom known, and a provider's count is the one that it bills and refuses by.
"""

from __future__ import annotations

from dataclasses import dataclass

_UNKNOWN = 3.0  # characters a token: English has more, JSON about as many
_CAREFUL = 2.5  # the same where nothing has been counted yet and a request is to fit
_LEAST, _MOST = 0.7, 8.0
_SMALL = 64  # tokens; a shorter request says little
_SURE = 0.95  # what of its room a request may fill: other requests have other words
_UNSURE = 0.8  # the same after a refusal
_AGREE = 0.3  # weight of a count that is more generous than what is known


@dataclass(slots=True)
class Scale:
    """Characters a token, for one model. `learned` once a provider has counted or refused, `sure` once it answered."""

    per_token: float = _UNKNOWN
    learned: bool = False
    sure: bool = False

    def tokens(self, characters: int) -> int:
        return round(characters / self.per_token)

    def characters(self, tokens: int) -> int:
        """How many characters fit into so many tokens, by what is known."""
        if not self.learned:
            return int(tokens * _CAREFUL)
        return int(tokens * self.per_token * _SURE)

    def counted(self, characters: int, tokens: int) -> None:
        """A provider counted a request of so many characters, and answered it."""
        if tokens < _SMALL or characters <= 0:
            return
        found = _bounded(characters / tokens)
        if self.learned and found > self.per_token:
            found = self.per_token * (1 - _AGREE) + found * _AGREE
        self.per_token, self.learned, self.sure = found, True, True

    def refused(self, characters: int, limit: int, tokens: int | None = None) -> None:
        """A request of so many characters has `tokens`, or at least more than `limit`.

        It only ever makes us more careful: what is left of a long request has more of the tools and less of the talk
        in it, and so fewer characters a token than the whole.
        """
        counted = max(tokens or 0, limit)
        if counted < _SMALL or characters <= 0:
            return
        known = self.per_token if self.sure else _CAREFUL
        self.sure = False
        if (found := _bounded(characters / counted) * _UNSURE) < known:
            self.per_token, self.learned = found, True


def _bounded(per_token: float) -> float:
    return min(max(per_token, _LEAST), _MOST)
