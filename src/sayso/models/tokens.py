"""How many tokens a text is for one model: an estimate that learns from what its provider counts.

No tokenizer: a model's own is seldom known, and a provider's count is the one that it bills and refuses by.
"""

from __future__ import annotations

from dataclasses import dataclass

_UNKNOWN = 3.0  # characters a token: English has more, what is refused is learned
_LEAST, _MOST = 0.7, 8.0
_SMALL = 64  # tokens; a shorter request says little
_MARGIN = 0.95  # a request is fitted a little below what it may have
_AGREE = 0.3  # weight of the newest count


@dataclass(slots=True)
class Scale:
    """Characters a token, for one model. `learned` once a provider has counted or refused."""

    per_token: float = _UNKNOWN
    learned: bool = False

    def tokens(self, characters: int) -> int:
        return round(characters / self.per_token)

    def characters(self, tokens: int) -> int:
        """How many characters surely fit into so many tokens, by what is known."""
        return int(tokens * self.per_token * _MARGIN)

    def counted(self, characters: int, tokens: int) -> None:
        """A provider counted a request of so many characters."""
        if tokens < _SMALL or characters <= 0:
            return
        found = _bounded(characters / tokens)
        self.per_token = found if not self.learned else self.per_token * (1 - _AGREE) + found * _AGREE
        self.learned = True

    def refused(self, characters: int, limit: int) -> None:
        """A request of so many characters has more than `limit` tokens: each has fewer characters than was thought."""
        if limit >= _SMALL and characters / limit < self.per_token:
            self.per_token = _bounded(characters / limit)
            self.learned = True


def _bounded(per_token: float) -> float:
    return min(max(per_token, _LEAST), _MOST)
