"""What each protocol insists on in a request, whatever a thread holds. Bodies only: no server."""

from __future__ import annotations

import base64
import itertools
import json
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from sayso.core.messages import ToolCall
from sayso.core.protocols.history import ChatMessage, Image
from sayso.core.tools import define_tool
from sayso.models.profiles import PROFILES, Profile
from sayso.models.providers import PROTOCOLS
from sayso.models.wires.schemas import gemini_schema
from sayso.models.wires.turns import short_id
from sayso.models.wires.wire import Asking
from small_world import SEARCH, search_people

SYSTEM = ChatMessage("system", "Be brief.")
PNG = Image("image/png", b"\x89PNG", "a.png")
CALL = ToolCall("call:odd id/1", "search_people", '{"query": "Elena"}')
WORKED = (
    ChatMessage("user", "Who is Elena?"),
    ChatMessage("assistant", "", (CALL,)),
    ChatMessage("tool", "[F1] person: Elena", call_id=CALL.id),
)
protocols = pytest.mark.parametrize("protocol", list(PROTOCOLS))


def body(protocol: str, *messages: ChatMessage, model: str = "m", profile: Profile | None = None, **more: Any) -> Any:
    values: dict[str, Any] = {"tools": (SEARCH,), "tools_open": True, "max_tokens": 100, **more}
    wire = PROTOCOLS[protocol](model, profile or Profile())
    return json.loads(wire.body(Asking((SYSTEM, *messages), **values)))


def texts(value: Any) -> list[str]:
    """Every text of a body's messages, wherever it stands."""
    if isinstance(value, dict):
        here = [value[key] for key in ("text", "content", "output", "result") if isinstance(value.get(key), str)]
        return here + [text for inner in value.values() for text in texts(inner)]
    return [text for inner in value for text in texts(inner)] if isinstance(value, list) else []


def messages_of(protocol: str, body: Any) -> list[Any]:
    return body[{"gemini": "contents", "responses": "input"}.get(protocol, "messages")]


@protocols
@pytest.mark.parametrize("text", ["", "  ", "\n"])
def test_g6_no_text_that_is_sent_is_blank(protocol: str, text: str) -> None:
    sent = body(protocol, ChatMessage("user", "Hi"), ChatMessage("assistant", "Yes"), ChatMessage("user", text))
    if protocol != "chat":  # there a space is what history itself sends for nothing
        assert all(found.strip() for found in texts(messages_of(protocol, sent)))


_MESSAGES = st.lists(
    st.one_of(
        st.text(max_size=3).map(lambda text: ChatMessage("user", text)),
        st.text(min_size=1, max_size=3).map(lambda text: ChatMessage("assistant", text)),
    ),
    min_size=1, max_size=8,
)  # fmt: skip


@pytest.mark.parametrize("protocol", ["anthropic", "gemini"])
@given(messages=_MESSAGES)
def test_roles_alternate_with_the_user_first_and_last(protocol: str, messages: list[ChatMessage]) -> None:
    roles = [turn["role"] for turn in messages_of(protocol, body(protocol, *messages))]
    assert roles[0] == roles[-1] == "user"
    assert all(a != b for a, b in itertools.pairwise(roles))


@given(messages=_MESSAGES)
def test_a_chat_has_no_two_messages_of_the_user_in_a_row(messages: list[ChatMessage]) -> None:
    roles = [message["role"] for message in body("chat", *messages)["messages"]]
    assert all(a != b for a, b in itertools.pairwise(roles))


def test_results_come_first_in_the_users_turn_and_lose_no_words() -> None:
    turns = body("anthropic", *WORKED, ChatMessage("user", "And Ilya?"))["messages"]
    assert [block["type"] for block in turns[-1]["content"]] == ["tool_result", "text"]
    parts = body("gemini", *WORKED, ChatMessage("user", "And Ilya?"))["contents"][-1]["parts"]
    assert [list(part) for part in parts] == [["functionResponse"], ["text"]]


@pytest.mark.parametrize("protocol", ["chat", "responses", "anthropic"])
def test_e2_any_call_id_goes_out_as_nine_letters_and_digits(protocol: str) -> None:
    ident = short_id(CALL.id)
    assert len(ident) == 9
    assert ident.isalnum()
    assert ident.isascii()
    assert json.dumps(body(protocol, *WORKED)).count(f'"{ident}"') == 2


def test_e1_ids_that_differ_stay_different() -> None:
    assert len({short_id(f"call_{n}") for n in range(10_000)}) == 10_000


@protocols
def test_an_image_goes_with_its_words_in_the_providers_form(protocol: str) -> None:
    data = base64.b64encode(PNG.data).decode()
    sent = messages_of(protocol, body(protocol, ChatMessage("user", "What is this?", images=(PNG,))))
    content = sent[-1].get("content") or sent[-1]["parts"]
    url = f"data:image/png;base64,{data}"
    wanted = {
        "chat": {"type": "image_url", "image_url": {"url": url}},
        "responses": {"type": "input_image", "image_url": url},
        "anthropic": {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": data}},
        "gemini": {"inlineData": {"mimeType": "image/png", "data": data}},
    }[protocol]
    assert wanted in content
    assert texts(content) == ["What is this?"]


@protocols
def test_an_image_without_words_goes_alone(protocol: str) -> None:
    sent = messages_of(protocol, body(protocol, ChatMessage("user", " ", images=(PNG,))))
    assert len(sent[-1].get("content") or sent[-1]["parts"]) == 1


@protocols
def test_a_lone_surrogate_breaks_no_request(protocol: str) -> None:
    assert "a?b" in texts(messages_of(protocol, body(protocol, ChatMessage("user", "a\ud800b"))))[-1]


@protocols
def test_text_only_requests_carry_no_tools(protocol: str) -> None:
    assert "tools" not in body(protocol, *WORKED, tools=())


@pytest.mark.parametrize(
    ("protocol", "name", "wanted"),
    [
        ("chat", "gpt-5-mini", {"max_completion_tokens": 4196, "reasoning_effort": "low"}),
        ("chat", "gpt-4o", {"max_completion_tokens": 100, "temperature": 0}),
        ("responses", "o4-mini", {"max_output_tokens": 4196, "reasoning": {"effort": "low"}}),
        ("responses", "gpt-4.1", {"max_output_tokens": 100, "temperature": 0}),
        ("anthropic", "claude-x", {"max_tokens": 100, "temperature": 0}),
        ("gemini", "gemini-3-flash", {"maxOutputTokens": 4196, "thinkingConfig": {"thinkingLevel": "low"}}),
        ("gemini", "gemini-flash-latest", {"maxOutputTokens": 4196, "thinkingConfig": {"thinkingLevel": "low"}}),
        ("gemini", "models/gemini-2.5-flash", {"maxOutputTokens": 100, "thinkingConfig": {"thinkingBudget": 0}}),
        ("gemini", "gemini-2.5-pro", {"maxOutputTokens": 4196, "thinkingConfig": {"thinkingBudget": 1024}}),
        ("gemini", "gemma-3-27b-it", {"maxOutputTokens": 100, "temperature": 0}),
    ],
)
def test_a_limit_leaves_room_for_thoughts_where_they_count(protocol: str, name: str, wanted: Any) -> None:
    sent = body(protocol, *WORKED[:1], model=name, profile=PROFILES[0])
    assert wanted.items() <= sent.get("generationConfig", sent).items()
    assert "thinking" not in sent  # never asked of Anthropic


def test_deepseek_is_told_not_to_think_since_it_wants_its_thoughts_back() -> None:
    deepseek = next(profile for profile in PROFILES if profile.name == "deepseek")
    assert body("chat", *WORKED, profile=deepseek)["thinking"] == {"type": "disabled"}


@pytest.mark.parametrize(
    ("protocol", "field"),
    [("chat", "temperature"), ("chat", "stream_options"), ("responses", "temperature"), ("anthropic", "temperature")],
)
def test_what_was_refused_is_left_out(protocol: str, field: str) -> None:
    assert field in body(protocol, *WORKED)
    assert field not in body(protocol, *WORKED, without=frozenset({field}))


def test_the_other_name_of_a_limit_is_tried_and_then_none() -> None:
    first = body("chat", *WORKED, without=frozenset({"max_tokens"}))
    assert first["max_completion_tokens"] == 100
    second = body("chat", *WORKED, without=frozenset({"max_tokens", "max_completion_tokens"}))
    assert not [key for key in second if key.startswith("max")]


def test_a_system_text_that_is_refused_stands_before_the_question() -> None:
    chat = body("chat", *WORKED, without=frozenset({"system role"}))["messages"]
    assert chat[0] == {"role": "user", "content": "Be brief.\n\nWho is Elena?"}
    gemini = body("gemini", *WORKED, without=frozenset({"systemInstruction"}))
    assert gemini["contents"][0]["parts"] == [{"text": "Be brief."}, {"text": "Who is Elena?"}]
    assert "systemInstruction" not in gemini


def test_the_system_text_stands_where_the_provider_wants_it() -> None:
    assert body("responses", *WORKED)["instructions"] == "Be brief."
    marked = body("anthropic", *WORKED)["system"]
    assert marked == [{"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral"}}]
    assert body("anthropic", *WORKED, without=frozenset({"cache_control"}))["system"] == "Be brief."
    assert body("gemini", *WORKED)["systemInstruction"] == {"parts": [{"text": "Be brief."}]}


def test_a_call_of_gemini_3_carries_the_sign_of_a_call_from_elsewhere() -> None:
    called = body("gemini", *WORKED, model="gemini-3-flash")["contents"][1]["parts"][0]
    assert called["thoughtSignature"] == "skip_thought_signature_validator"
    plain = body("gemini", *WORKED, model="gemini-2.5-flash")["contents"][1]["parts"][0]
    assert "thoughtSignature" not in plain
    asked = body("gemini", *WORKED, model="tuned", without=frozenset({"thoughtSignature"}))
    assert "thoughtSignature" in asked["contents"][1]["parts"][0]


class Place(BaseModel):
    """Where."""

    city: str
    within: Place | None = None


class Odd(BaseModel):
    kind: Literal["a", "b"]
    only: Literal["x"] = "x"
    level: Literal[1, 2] = 1
    count: int | None = None
    either: int | str = 0
    tags: list[str] = []
    loose: dict[str, str] = {}
    place: Place | None = None


class Empty(BaseModel): ...


def _keys(node: Any) -> set[str]:
    if isinstance(node, dict):
        properties = node.get("properties", {})
        inner = [value for key, value in node.items() if key != "properties"] + list(properties.values())
        return set(node) | {key for value in inner for key in _keys(value)}
    return {key for value in node for key in _keys(value)} if isinstance(node, list) else set()


def test_a_schema_is_written_in_geminis_dialect() -> None:
    odd = define_tool("odd", kind="propose", description="Odd.", arguments=Odd, run=search_people,
                      example={"kind": "a"})  # fmt: skip
    schema = gemini_schema(odd.schema)
    assert schema is not None
    assert _keys(schema) <= {"type", "properties", "required", "enum", "nullable", "anyOf", "items", "description"}
    assert schema["properties"]["count"] == {"type": "integer", "nullable": True}
    assert schema["properties"]["only"] == {"type": "string", "enum": ["x"]}
    assert schema["properties"]["level"] == {"type": "integer"}
    assert schema["properties"]["either"] == {"anyOf": [{"type": "integer"}, {"type": "string"}]}
    assert schema["properties"]["loose"]["type"] == "string"
    place = schema["properties"]["place"]
    assert place["nullable"]
    assert place["properties"]["within"]["type"] == "string"
    assert schema["required"] == ["kind"]
    assert gemini_schema(Empty.model_json_schema()) is None


@pytest.mark.parametrize(
    ("schema", "wanted"),
    [
        ({"type": ["string", "null"]}, {"type": "string", "nullable": True}),
        ({"allOf": [{"type": "integer", "minimum": 1}]}, {"minimum": 1, "type": "integer"}),
        ({"type": "string", "format": "date"}, {"type": "string"}),
        ({"type": "string", "format": "date-time"}, {"type": "string", "format": "date-time"}),
        ({"type": "integer", "exclusiveMinimum": 0, "default": 3}, {"type": "integer"}),
        ({"$ref": "#/$defs/Nowhere"}, {"type": "string", "description": "A JSON object, written as text."}),
    ],
)
def test_what_geminis_dialect_lacks_is_put_otherwise(schema: Any, wanted: Any) -> None:
    whole = gemini_schema({"type": "object", "properties": {"a": schema}})
    assert whole == {"type": "object", "properties": {"a": wanted}}
