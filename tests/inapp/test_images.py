"""Images through the assistant and through a conversation: stored, sent again, or told that nobody looked."""

from __future__ import annotations

from typing import Any

import pytest

from made_images import png
from sayso.core.events import Answer, Event, FactsFound
from sayso.core.images import MAX_IMAGES, read_attachment
from sayso.errors import ImageRefused, ImageUnfit, ModelUnreachable
from sayso.inapp.conversation import Conversation
from sayso.inapp.surroundings import LOCAL_USER
from sayso.models.chain import Chain
from sayso.models.quote import Quote
from sayso.models.scripted import Scripted, fail, say
from small_world import SEARCH

pytestmark = pytest.mark.anyio
RECEIPT = read_attachment(png(colour=b"\1\2\3"), "receipt.png")
BOARD = read_attachment(png(colour=b"\4\5\6"), "board.png")
SHOWN = "The image shows a receipt over CHF 84.10 [U{}]."


async def answered(events: Any) -> tuple[Answer, list[Event]]:
    told = [event async for event in events]
    return next(e for e in told if isinstance(e, Answer)), told


async def test_an_image_is_asked_about_stored_and_sent_again(assistant_of: Any) -> None:
    assistant = assistant_of(say(SHOWN.format(1)), say("The image also shows a date."))
    answer, events = await answered(assistant.ask("What is this?", actor=LOCAL_USER, images=(RECEIPT,)))
    assert answer.text == SHOWN.format(1)
    assert [n.fact.subject for e in events if isinstance(e, FactsFound) for n in e.facts if n.ref == "U1"] == [
        "receipt.png"
    ]
    (thread,) = await assistant.threads.list("local")
    (asked, *_) = await assistant.threads.messages("local", thread.id)
    assert [n.fact.key for n in asked.images] == [RECEIPT.digest]
    asked_again = "What else is in the image?"
    later, _ = await answered(assistant.ask(asked_again, actor=LOCAL_USER, thread_id=thread.id))
    assert later.citations == ("U1",)
    assert [set(r.images) for r in assistant.model.requests] == [{RECEIPT.digest}, {RECEIPT.digest}]


async def test_too_many_images_are_refused_before_anything_is_stored(assistant_of: Any) -> None:
    assistant = assistant_of()
    with pytest.raises(ImageUnfit, match="remove some"):
        await answered(assistant.ask("What?", actor=LOCAL_USER, images=(RECEIPT,) * (MAX_IMAGES + 1)))
    assert await assistant.threads.list("local") == ()


async def test_quote_says_that_it_sees_nothing_and_answers_the_rest_from_records(assistant_of: Any) -> None:
    assistant = assistant_of()
    ask = assistant.ask("Who is Elena Weber?", actor=LOCAL_USER, images=(RECEIPT,), model=Quote())
    answer, _ = await answered(ask)
    assert answer.text.startswith("I could not look at receipt.png: quote, which answers here, sees no images.")
    assert "SINGA Switzerland" in answer.text


async def test_in_german_it_is_said_in_german(assistant_of: Any) -> None:
    ask = assistant_of().ask("Was ist auf diesem Bild zu sehen?", actor=LOCAL_USER, images=(BOARD,), model=Quote())
    answer, _ = await answered(ask)
    assert answer.text.startswith("Ich konnte board.png nicht ansehen: quote")


async def test_a_model_that_cannot_be_reached_leaves_nobody_who_sees(assistant_of: Any) -> None:
    gone = Chain([Scripted([fail(ModelUnreachable("no model server answers"))] * 3, name="eyes")], Quote())
    ask = assistant_of().ask("Who is Elena Weber?", actor=LOCAL_USER, images=(BOARD,), model=gone)
    answer, _ = await answered(ask)
    assert "eyes did not take it (no model server answers)" in answer.text
    assert "SINGA Switzerland" in answer.text


async def test_a_conversation_in_memory_takes_images_too() -> None:
    model = Scripted([say(SHOWN.format(1)), fail(ImageRefused("text only")), say("It was a cat.")], name="small")
    conversation = Conversation((SEARCH,), model)
    first = await conversation.ask("What is this?", images=(RECEIPT, RECEIPT))
    assert [n.fact.subject for n in first.sources] == ["receipt.png"]
    second = await conversation.ask("And this?", images=(BOARD,))
    assert second.text.startswith("I could not look at board.png: small did not take it (text only).")
    assert "cat" not in second.text
    assert set(model.requests[1].images) == {RECEIPT.digest, BOARD.digest}
    with pytest.raises(ImageUnfit):
        await conversation.ask("And these?", images=(RECEIPT,) * 5)
