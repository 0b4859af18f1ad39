"""A script that begins anew with each question, so that each is answered by the same replies."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable

from sayso.core.messages import Role
from sayso.core.ports import Model, ModelEvent, ModelRequest
from sayso.core.prompts import EMPTY_RETRY


class Replayed:
    """`load` gives the scripted model afresh."""

    def __init__(self, load: Callable[[], Model], name: str) -> None:
        self._load, self.name = load, name
        self._model = load()

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelEvent, None]:
        if request.messages[-1].role is Role.USER and request.hint != EMPTY_RETRY:
            self._model = self._load()
        async for event in self._model.stream(request):
            yield event
