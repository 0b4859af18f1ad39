"""What providers say when they refuse, in their own words, and what is understood."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sayso.core.ports import FinishReason
from sayso.errors import (
    ContextOverflow,
    ImageRefused,
    ModelBusy,
    ModelError,
    ModelGone,
    ModelRefused,
    QuotaSpent,
    ToolsRejected,
)
from sayso.models.profiles import Profile
from sayso.models.providers import PROTOCOLS
from sayso.models.refusals import Asked, CallUnread, ServerFailed, Spoken, Unsupported, refusal
from sayso.models.waits import retry_after, seconds_said

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
WIRES = {name: build("m", Profile()) for name, build in PROTOCOLS.items()}
ALL = Asked("m", tools=True, images=True, optional=WIRES["chat"].optional)


def openai(message: str, **more: Any) -> dict[str, Any]:
    return {"error": {"message": message, "type": "invalid_request_error", "param": None, "code": None, **more}}


def anthropic(kind: str, message: str) -> dict[str, Any]:
    return {"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_1"}


def gemini(code: int, status: str, message: str, *details: Any) -> dict[str, Any]:
    return {"error": {"code": code, "message": message, "status": status, "details": list(details)}}


def told(status: int, body: Any, asked: Asked = ALL, **more: Any) -> ModelError:
    text = body if isinstance(body, str) else json.dumps(body)
    return refusal(status, text, asked, now=NOW, **more)


TPM = "Request too large for model `x` in organization `o` on tokens per minute (TPM): Limit 6000, Requested 7231"
TOO_LARGE = [
    (400, openai("This model's maximum context length is 4097 tokens. However, your messages resulted in 5000 tokens.",
                 code="context_length_exceeded"), 4097),
    (400, openai("Your input exceeds the context window of this model.", code="context_length_exceeded"), None),
    (400, openai("Please reduce the length of the messages or completion.", code="context_length_exceeded"), None),
    (413, openai(TPM, type="tokens", code="rate_limit_exceeded"), 6000),
    (429, openai("Request too large for gpt-x on tokens per min (TPM): Limit 30000, Requested 45000. The input or "
                 "output tokens must be reduced.", type="tokens", code="rate_limit_exceeded"), 30000),
    (400, anthropic("invalid_request_error", "prompt is too long: 215000 tokens > 200000 maximum"), 200000),
    (400, anthropic("invalid_request_error", "input length and `max_tokens` exceed context limit: 190000 + 20000 > "
                    "200000, decrease input length"), 200000),
    (413, anthropic("request_too_large", "Request exceeds the maximum size"), None),
    (400, gemini(400, "INVALID_ARGUMENT", "The input token count (1200000) exceeds the maximum number of tokens "
                 "allowed (1048576)."), 1048576),
    (400, {"error": {"code": 400, "message": "the request exceeds the available context size, try increasing it",
                     "type": "exceed_context_size_error", "n_prompt_tokens": 5000, "n_ctx": 4096}}, 4096),
    (400, {"error": {"code": 400, "message": "request (5000 tokens) exceeds the available context size (4096 tokens)",
                     "type": "exceed_context_size_error"}}, 4096),
    (400, {"object": "error", "message": "This model's maximum context length is 2048 tokens and your request has "
           "3000 input tokens", "type": "BadRequestError", "code": 400}, 2048),
    (400, {"object": "error", "message": "The decoder prompt (length 5000) is longer than the maximum model length of "
           "4096.", "type": "BadRequestError", "code": 400}, 4096),
    (400, {"object": "error", "message": "Prompt contains 40000 tokens and 0 draft tokens, too large for model with "
           "32768 maximum context length", "type": "invalid_request_prompt"}, 32768),
    (400, {"error": "Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded "
           "with context length of only 4096 tokens"}, 4096),
    (400, {"code": "c", "error": "This model's maximum prompt length is 131072 but the request contains 200000."},
     131072),
]  # fmt: skip


@pytest.mark.parametrize(("status", "body", "limit"), TOO_LARGE)
def test_m17_too_large_is_told_with_its_limit(status: int, body: Any, limit: int | None) -> None:
    wrong = told(status, body)
    assert type(wrong) is ContextOverflow
    assert wrong.limit == limit


_QUOTA = {"@type": "type.googleapis.com/google.rpc.QuotaFailure"}
_RETRY = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "38s"}
_PER_DAY = {**_QUOTA, "violations": [{"quotaId": "GenerateRequestsPerDayPerProjectPerModel-FreeTier"}]}
_PER_MINUTE = {**_QUOTA, "violations": [{"quotaId": "GenerateRequestsPerMinutePerProjectPerModel-FreeTier"}]}
_SPENT = "You exceeded your current quota, please check your plan and billing details."
SPENT = [
    (429, openai("Rate limit reached for model `x` on tokens per day (TPD): Limit 100000, Used 97050, Requested 3619. "
                 "Please try again in 9m38.016s.", type="tokens", code="rate_limit_exceeded"), 578.016),
    (429, openai("Rate limit reached for gpt-x on requests per day (RPD): Limit 200, Used 200, Requested 1. Please "
                 "try again in 7m12s."), 432.0),
    (429, openai(_SPENT, type="insufficient_quota", code="insufficient_quota"), None),
    (429, gemini(429, "RESOURCE_EXHAUSTED", _SPENT, _PER_DAY, _RETRY), 82800.0),  # midnight in California
    (429, [gemini(429, "RESOURCE_EXHAUSTED", _SPENT + " limit: 0, model: gemini-3-pro\nPlease retry in 4.5s.")], 4.5),
    (402, openai("This request requires more credits, or fewer max_tokens.", code=402), None),
    (402, openai("Insufficient Balance"), None),
    (400, anthropic("invalid_request_error", "Your credit balance is too low to access the Anthropic API."), None),
    (400, anthropic("invalid_request_error", "You have reached your specified API usage limits. You will regain "
                    "access on 2026-12-01 at 00:00 UTC."), 54000.0),
    (429, {"error": {"message": "Rate limit exceeded: free-models-per-day", "code": 429, "metadata": {
        "headers": {"X-RateLimit-Limit": "50", "X-RateLimit-Reset": str(int(NOW.timestamp() + 3600) * 1000)}}}},
     3600.0),
]  # fmt: skip


@pytest.mark.parametrize(("status", "body", "seconds"), SPENT)
def test_a_days_allowance_that_is_spent_is_told_with_its_reset(status: int, body: Any, seconds: float | None) -> None:
    wrong = told(status, body)
    assert type(wrong) is QuotaSpent
    assert wrong.seconds == (None if seconds is None else pytest.approx(seconds))


BUSY = [
    (429, openai("Rate limit reached for model `x` on tokens per minute (TPM): Limit 12000, Used 4437, Requested "
                 "9854. Please try again in 11.455s.", type="tokens", code="rate_limit_exceeded"), 11.455),
    (429, anthropic("rate_limit_error", "This request would exceed your organization's rate limit of 30,000 input "
                    "tokens per minute"), None),
    (429, gemini(429, "RESOURCE_EXHAUSTED", _SPENT, _PER_MINUTE, _RETRY), 38.0),
    (429, "Too Many Requests", None),
    (529, anthropic("overloaded_error", "Overloaded"), None),
    (503, gemini(503, "UNAVAILABLE", "The model is overloaded. Please try again later."), None),
    (503, {"error": {"code": 503, "message": "Loading model", "type": "unavailable_error"}}, None),
    (0, openai("Error code: 429 - too many requests"), None),
]  # fmt: skip


@pytest.mark.parametrize(("status", "body", "seconds"), BUSY)
def test_too_many_at_once_is_busy_and_no_spent_allowance(status: int, body: Any, seconds: float | None) -> None:
    wrong = told(status, body)
    assert type(wrong) is ModelBusy
    assert wrong.seconds == seconds


GONE = [
    (404, openai("The model `x` does not exist or you do not have access to it.", code="model_not_found")),
    (400, openai("The model `x` has been decommissioned and is no longer supported.", code="model_decommissioned")),
    (404, anthropic("not_found_error", "model: claude-x")),
    (404, gemini(404, "NOT_FOUND", "models/x is not found for API version v1beta, or is not supported for "
                 "generateContent.")),
    (404, {"error": 'model "x" not found, try pulling it first'}),
    (404, openai("No endpoints found for x.", code=404)),
    (400, openai("x is not a valid model ID", code=400)),
]  # fmt: skip


@pytest.mark.parametrize(("status", "body"), GONE)
def test_a_model_that_is_gone_is_named(status: int, body: Any) -> None:
    assert type(told(status, body)) is ModelGone


@pytest.mark.parametrize(
    "body",
    ["", "<html>404</html>", "404 page not found", "Not Found", {"detail": "Not Found"}, {"error": "Not Found"},
     "Cannot POST /models/chat/completions", openai("Invalid URL (POST /v1/model)"),
     anthropic("not_found_error", "Not Found"), "<!DOCTYPE html><p>the model does not exist</p>"],
)  # fmt: skip
def test_a_404_that_speaks_of_no_model_is_a_wrong_address(body: Any) -> None:
    asked = Asked("m", address="http://127.0.0.1:8000/chat/completions")
    wrong = told(404, body, asked)
    assert type(wrong) is ModelRefused
    assert "nothing answers at http://127.0.0.1:8000/chat/completions (404)" in str(wrong)
    assert str(wrong).endswith("is /v1 missing?")
    assert "<" not in str(wrong)


def test_a_404_at_an_address_with_its_version_asks_to_check_it() -> None:
    assert str(told(404, "", Asked("m", address="http://h/v1/x"))).endswith("(404): check the address.")


def test_m3_a_refused_key_is_named_by_its_variable() -> None:
    wrong = told(401, "<html>401 Authorization Required</html>", Asked("m", key_variable="GROQ_API_KEY"))
    assert str(wrong) == "m: the key was not accepted: check GROQ_API_KEY"


NO_TOOLS = [
    (400, {"error": "registry.ollama.ai/library/x does not support tools"}),
    (404, openai("No endpoints found that support tool use. Try disabling \"search_people\".", code=404)),
    (400, {"object": "error", "message": '"auto" tool choice requires --enable-auto-tool-choice and '
           "--tool-call-parser to be set", "code": 400}),
    (500, {"error": {"code": 500, "message": "tools param requires --jinja flag", "type": "server_error"}}),
    (400, gemini(400, "INVALID_ARGUMENT", "Function calling is not enabled for models/gemma-3-27b-it")),
    (400, gemini(400, "INVALID_ARGUMENT", "Invalid JSON payload received. Unknown name \"$defs\" at "
                 "'tools[0].function_declarations[0].parameters': Cannot find field.")),
    (422, {"detail": [{"type": "extra_forbidden", "loc": ["body", "tools"], "msg": "Extra inputs are not permitted"}]}),
]  # fmt: skip


@pytest.mark.parametrize(("status", "body"), NO_TOOLS)
def test_native_tools_that_are_rejected_are_no_other_refusal(status: int, body: Any) -> None:
    assert type(told(status, body)) is ToolsRejected
    assert not isinstance(told(status, body, Asked("m")), ToolsRejected)


NO_IMAGE = [
    (404, openai("No endpoints found that support image input", code=404)),
    (400, openai("Invalid content type. image_url is only supported by certain models.")),
    (500, {"error": {"code": 500, "message": "image input is not supported - hint: if this is unexpected, you may "
                     "need to provide the mmproj", "type": "server_error"}}),
    (400, anthropic("invalid_request_error", "messages.0.content.0.image.source.base64: image exceeds 5 MB maximum")),
    (400, gemini(400, "INVALID_ARGUMENT", "Unable to process input image.")),
    (400, openai("'messages.1' : for 'role:user' the following must be satisfied[('messages.1.content' : value must "
                 "be a string)]: messages[1].content must be a string")),
    (422, openai("unknown variant `image_url`, expected `text`")),
]  # fmt: skip


@pytest.mark.parametrize(("status", "body"), NO_IMAGE)
def test_an_image_that_is_refused_is_told_only_where_one_was_sent(status: int, body: Any) -> None:
    assert type(told(status, body)) is ImageRefused
    assert not isinstance(told(status, body, Asked("m")), ImageRefused)


GENERATED = '<function=search_people{"query": "Elena"}</function>'
_FAILED = {"message": "Failed to call a function.", "type": "invalid_request_error", "code": "tool_use_failed"}
WRAPPED = json.dumps({"error": {**_FAILED, "failed_generation": GENERATED}}).replace("<", "\\u003c")


@pytest.mark.parametrize(
    "body",
    [
        {"error": {**_FAILED, "failed_generation": GENERATED}},
        {"error": {"message": f"litellm.BadRequestError: GroqException - {WRAPPED}", "type": None, "code": "400"}},
        {"error": {"message": f"{{odd}} Provider returned: {json.dumps({'error': WRAPPED})}", "code": 400}},
        {"error": {"message": "Provider returned error", "code": 400, "metadata": {"raw": WRAPPED}}},
    ],
)
def test_the_text_of_a_failed_tool_use_is_handed_on_like_a_reply(body: Any) -> None:
    wrong = told(400, body)
    assert isinstance(wrong, Spoken)
    assert (wrong.text, wrong.reason) == (GENERATED, FinishReason.STOP)


@pytest.mark.parametrize("more", [{}, {"failed_generation": ""}, {"failed_generation": None}])
def test_a_failed_tool_use_without_its_text_asks_as_text_this_once(more: Any) -> None:
    assert type(told(400, {"error": {**_FAILED, **more}})) is CallUnread


def test_a_filtered_prompt_is_an_end_and_no_fault() -> None:
    wrong = told(400, openai("The response was filtered", code="content_filter"))
    assert isinstance(wrong, Spoken)
    assert wrong.reason is FinishReason.CONTENT_FILTER


@pytest.mark.parametrize(
    ("protocol", "message", "field"),
    [
        ("chat", "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' "
         "instead.", "max_tokens"),
        ("chat", "Unsupported value: 'temperature' does not support 0 with this model.", "temperature"),
        ("chat", "Function tools with reasoning_effort are not supported for this model.", "reasoning_effort"),
        ("chat", "System role not supported", "system role"),
        ("chat", "max_tokens is too large: 2048. This model supports at most 1024 completion tokens", "max_tokens"),
        ("responses", "Unsupported parameter: 'reasoning.effort' is not supported with this model.", "reasoning"),
        ("anthropic", "`temperature` is deprecated for this model.", "temperature"),
        ("anthropic", "system.0.cache_control: Extra inputs are not permitted", "cache_control"),
        ("gemini", "Budget 0 is invalid. This model only works in thinking mode.", "thinkingConfig"),
        ("gemini", "Developer instruction is not enabled for models/gemma-3-27b-it", "systemInstruction"),
        ("gemini", "Function call is missing a thought_signature in functionCall parts.", "thoughtSignature"),
    ],
)  # fmt: skip
def test_a_field_that_we_can_do_without_is_named(protocol: str, message: str, field: str) -> None:
    wrong = told(400, openai(message), Asked("m", tools=True, optional=WIRES[protocol].optional))
    assert isinstance(wrong, Unsupported)
    assert wrong.field == field


@pytest.mark.parametrize(
    ("status", "body", "words"),
    [
        (401, openai("Incorrect API key provided", code="invalid_api_key"), "key was not accepted"),
        (400, gemini(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.",
                     {"reason": "API_KEY_INVALID"}), "key was not accepted"),
        (403, openai("no"), "may not use"),
        (302, "", "redirects"),
        (418, "", "refused with 418"),
    ],
)  # fmt: skip
def test_m3_m4_what_asking_again_cannot_mend_says_what_to_do(status: int, body: Any, words: str) -> None:
    wrong = told(status, body)
    assert type(wrong) is ModelRefused
    assert words in str(wrong)


@pytest.mark.parametrize("status", [0, 408, 500, 502, 504])
def test_m3_a_servers_own_fault_may_pass(status: int) -> None:
    assert type(told(status, "")) is ServerFailed


def test_m1_m2_the_header_wins_over_the_words_and_an_absurd_one_counts_for_nothing() -> None:
    busy = openai("Please try again in 20s.")
    assert [told(429, busy, after=after).seconds for after in (3.0, None, 7200.0)] == [3.0, 20.0, None]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("value", "seconds"),
    [("1", 1.0), ("0.5", 0.5), ("-7", None), ("soon", None), ("inf", None), ("nan", None), ("", None), ("1e99", None),
     ("Mon, 30 Nov 2026 09:00:30 GMT", 30.0), ("Mon, 30 Nov 2026 08:59:30 GMT", 0.0),
     ("Mon, 30 Nov 2020 08:59:30 GMT", None)],
)  # fmt: skip
def test_m1_m2_retry_after_is_seconds_or_a_date(value: str, seconds: float | None) -> None:
    assert retry_after({"Retry-After": value}, NOW) == seconds


def test_m1_milliseconds_are_more_exact() -> None:
    assert retry_after({"Retry-After": "1", "Retry-After-Ms": "250"}, NOW) == 0.25


@pytest.mark.parametrize(
    ("words", "seconds"),
    [("Please try again in 20ms.", 0.02), ("try again in 1h2m3.5s", 3723.5), ("Please retry in 38.8s", 38.8),
     ("try again in 2 minutes", 120.0), ("wait 1 day", 86400.0), ("try again later", None)],
)  # fmt: skip
def test_m1_a_wait_in_words_is_read(words: str, seconds: float | None) -> None:
    assert seconds_said(words) == seconds


@given(st.integers(0, 600), st.text() | st.recursive(st.none() | st.integers() | st.text(), lambda inner: (
    st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["error", "message", "code", "status", "detail",
                                                                   "failed_generation", "type"]), inner, max_size=4)
)).map(json.dumps))  # fmt: skip
def test_any_body_is_some_refusal_that_is_fit_for_a_terminal(status: int, body: str) -> None:
    wrong = refusal(status, body, ALL, now=NOW)
    assert isinstance(wrong, ModelError)
    assert str(wrong).isprintable()
