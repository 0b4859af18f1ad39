"""A question with an image over each provider's wire: it arrives whole, or the person reads who refused it and why."""

from __future__ import annotations

import base64
from collections.abc import AsyncIterator

import pytest

from conformance.conftest import NAMES, model_at
from conformance.server.script import say
from conformance.server.stage import PROTOCOLS, Stage, staged
from conformance.server.wordings import WORDINGS, Wording
from made_images import jpeg, png
from sayso.core.images import read_attachment
from sayso.core.messages import Outcome, StopReason
from sayso.core.ports import Model
from sayso.inapp.conversation import Conversation
from sayso.models.chain import Chain
from sayso.models.quote import Quote
from small_world import SEARCH

pytestmark = pytest.mark.anyio
RECEIPT = read_attachment(png(8, 8), "receipt.png")
PHOTO = read_attachment(jpeg(), "photo.jpg")
TOLD = "The image shows a receipt over CHF 84.10 [U1]."
CAT = say("It shows a cat on a sofa.")


def holds(stage: Stage, at: int, data: bytes) -> bool:
    """Whether a request carries the image."""
    return base64.b64encode(data) in stage.asked[at].data


@pytest.fixture
async def closing() -> AsyncIterator[list[Model]]:
    made: list[Model] = []
    yield made
    for model in made:
        await model.aclose()  # type: ignore[attr-defined]


async def test_images_arrive_whole_and_again_with_the_next_question(stage: Stage, closing: list[Model]) -> None:
    stage.play(say(TOLD), say("From the shop in the image [U1]."))
    closing.append(model_at(stage.provider.protocol, stage.url))
    conversation = Conversation((SEARCH,), closing[0])
    reply = await conversation.ask("What do these come to?", images=(RECEIPT, PHOTO))
    assert (reply.text, stage.refused) == (TOLD, [])
    await conversation.ask("Where from?")
    for at in (0, 1):
        assert holds(stage, at, RECEIPT.data)
        assert holds(stage, at, PHOTO.data)


@pytest.mark.parametrize("wording", [w for w in WORDINGS if w.means == "image"], ids=lambda w: w.name)
async def test_a_refused_image_is_told_with_the_model_and_its_reason(wording: Wording, closing: list[Model]) -> None:
    async with staged(wording.protocol) as stage:
        stage.play(wording.answer, CAT)
        closing.append(model_at(wording.protocol, stage.url))
        reply = await Conversation((SEARCH,), closing[0]).ask("What is this?", images=(RECEIPT,))
        assert reply.text.startswith(f"I could not look at receipt.png: {NAMES[wording.protocol]} did not take it (")
        assert "cat" not in reply.text
        assert (reply.outcome, reply.reason) == (Outcome.ABSTAINED, StopReason.UNSEEN)
        assert [holds(stage, at, RECEIPT.data) for at in (0, 1)] == [True, False]


@pytest.mark.parametrize("protocol", PROTOCOLS)
async def test_the_next_model_that_sees_looks_at_it(protocol: str, closing: list[Model]) -> None:
    refusing = next(w for w in WORDINGS if w.means == "image" and w.protocol == "chat")
    async with staged("chat") as first, staged(protocol) as second:
        first.play(refusing.answer)
        second.play(say(TOLD))
        closing.append(Chain([model_at("chat", first.url), model_at(protocol, second.url)], Quote()))
        reply = await Conversation((SEARCH,), closing[0]).ask("What is this?", images=(RECEIPT,))
        assert reply.text == TOLD
        assert holds(second, 0, RECEIPT.data)
