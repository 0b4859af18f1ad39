"""One model behind another: when the first cannot be asked, the second answers, and the person is told."""

from __future__ import annotations

from collections.abc import AsyncGenerator

from sayso.core.ports import Model, ModelEvent, ModelRequest, Notice
from sayso.errors import ModelError


class Fallback:
    """Asks `first`; if it fails before anything was said, tells why and asks `then`."""

    def __init__(self, first: Model, then: Model) -> None:
        self._first, self._then = first, then

    @property
    def name(self) -> str:
        return self._first.name

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelEvent, None]:
        begun = False
        source = self._first.stream(request)
        try:
            async for event in source:
                begun = begun or not isinstance(event, Notice)
                yield event
            return
        except ModelError as wrong:
            if begun:
                raise
            reason = str(wrong).rstrip(".")
        finally:
            if isinstance(source, AsyncGenerator):
                await source.aclose()
        yield Notice(f"{reason}. {self._then.name} answers instead.", model=self._then.name)
        then = self._then.stream(request)
        try:
            async for event in then:
                yield event
        finally:
            if isinstance(then, AsyncGenerator):
                await then.aclose()

    async def aclose(self) -> None:
        """Close both, as far as they can be closed."""
        for model in (self._first, self._then):
            close = getattr(model, "aclose", None)
            if close is not None:
                await close()
