"""One model of a chain, with what was learned of it while the process ran: its room, its tokens, its rests."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from urllib.parse import urlsplit

from sayso.core.ports import Model, ModelRequest
from sayso.core.protocols.fitting import LeftOut, fit, size
from sayso.models.tokens import Scale

_REPLY_SHARE = 4  # a model's room is for the request and its reply: at most a quarter is kept for the latter
_MOST_ROOM = 1_000_000_000  # tokens; whoever names more names no limit
_GUESS = 0.5  # of a request that was too large by nobody knows how much


@dataclass(frozen=True, slots=True)
class Link:
    """A model and what the operator knows of it: `room` in tokens, `provider` whose allowance it draws on."""

    model: Model
    room: int | None = None
    provider: str = ""


@dataclass(slots=True)
class Member:
    """`rests_until` is on the chain's clock. `gone` holds the provider's words once a model is dropped."""

    link: Link
    limit: int | None = None
    scale: Scale = field(default_factory=Scale)
    rests_until: float = 0.0
    gone: str = ""

    def __post_init__(self) -> None:
        known = self.link.room or getattr(self.link.model, "context_limit", None)
        self.limit = known if isinstance(known, int) and 0 < known <= _MOST_ROOM else None

    @property
    def model(self) -> Model:
        return self.link.model

    @property
    def name(self) -> str:
        return self.link.model.name

    @property
    def provider(self) -> str:
        """Whose allowance it draws on: what was said, else the address that it is asked at."""
        said = self.link.provider or getattr(self.model, "provider", "")
        return said or urlsplit(getattr(self.model, "base_url", "")).netloc or self.name

    @property
    def sees(self) -> bool | None:
        """Whether it reads images; None where nobody knows."""
        return getattr(self.model, "sees", None)

    def fitted(self, request: ModelRequest) -> tuple[ModelRequest, LeftOut] | None:
        """The request as this model may read it; None where even its shortest form is surely too large."""
        if self.limit is None:
            return request, LeftOut()
        reply = min(request.max_output_tokens, max(self.limit // _REPLY_SHARE, 1))
        room = self.scale.characters(self.limit - reply)
        sent, left = fit(replace(request, max_output_tokens=reply), room)
        surely = self.scale.sure and self.scale.tokens(size(sent)) > self.limit
        return None if surely else (sent, left)

    def overflowed(self, sent: ModelRequest, limit: int | None, tokens: int | None = None) -> None:
        """It refused a request of so many `tokens` as too large: its limit is the one that it names, or a guess below
        the request."""
        characters = size(sent)
        if limit is not None and 0 < limit <= _MOST_ROOM:
            self.limit = limit
            self.scale.refused(characters, limit - min(sent.max_output_tokens, limit // 2), tokens)
            return
        known = self.limit or self.scale.tokens(characters)
        self.limit = max(int(min(known, self.scale.tokens(characters)) * _GUESS), 1)
