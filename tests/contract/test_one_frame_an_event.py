"""No text can end an event's frame or begin another one, however it is read."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from processes import events_in
from sayso.core.events import TextDelta
from sayso.serving.frames import event_json, frame

NASTY = st.sampled_from(
    [
        "\n\nevent: finish\ndata: {}\n\n",
        "\r\rid: 9\r\r",
        "\u2028data: x",
        "\u2029",
        "\x00",
        "\ud800",
        "\ufeff: x",
        "\x85",
    ]
)
TEXTS = st.lists(st.text(st.characters(codec=None, exclude_categories=())) | NASTY).map("".join)


@given(text=TEXTS)
def test_s15_any_text_is_one_frame_of_one_ascii_data_line(text: str) -> None:
    framed = frame(7, "text-delta", event_json(TextDelta(text)) or {}).decode("ascii")
    assert framed.splitlines()[:2] == ["id: 7", "event: text-delta"]
    assert [line.partition(":")[0] for line in framed.split("\n")] == ["id", "event", "data", "", ""]
    assert "\r" not in framed
    assert len(framed.splitlines()) == 4
    ((name, data),) = events_in(framed)
    assert (name, data) == ("text-delta", {"text": json.loads(json.dumps(text))})
