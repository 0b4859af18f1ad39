"""Refusals as providers word them, by what they mean and what has to come of them.

Each line is one provider's own status, headers and body; several servers speak the chat protocol, and each of them
words the same refusal differently.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from conformance.server.http import Answer, refusing

Meaning = Literal["overflow", "day", "busy", "key", "gone", "down", "tools", "image", "forbidden"]


@dataclass(frozen=True, slots=True)
class Wording:
    """`limit` and `seconds` are what the wording tells, where it tells any."""

    protocol: str
    vendor: str
    means: Meaning
    answer: Answer
    limit: int | None = None
    seconds: float | None = None

    @property
    def name(self) -> str:
        return f"{self.protocol}-{self.vendor}-{self.means}-{self.answer.status}"


def _openai(
    message: str, kind: str = "invalid_request_error", code: str | None = None, **more: Any
) -> Mapping[str, Any]:
    return {"error": {"message": message, "type": kind, "param": None, "code": code, **more}}


def _vllm(message: str, kind: str, code: int) -> Mapping[str, Any]:
    return {"object": "error", "message": message, "type": kind, "param": None, "code": code}


def _claude(kind: str, message: str) -> Mapping[str, Any]:
    return {"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_011"}


def _google(code: int, status: str, message: str, *details: Any) -> Mapping[str, Any]:
    told: dict[str, Any] = {"code": code, "message": message, "status": status}
    if details:
        told["details"] = list(details)
    return {"error": told}


def _quota(*ids: str) -> Mapping[str, Any]:
    metric = "generativelanguage.googleapis.com/generate_content_free_tier_requests"
    return {"@type": "type.googleapis.com/google.rpc.QuotaFailure",
            "violations": [{"quotaMetric": metric, "quotaId": ident, "quotaValue": "20"} for ident in ids]}  # fmt: skip


def _retry_in(delay: str) -> Mapping[str, Any]:
    return {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": delay}


_GROQ = "for model `llama-3.1-8b-instant` in organization `org_01` service tier `on_demand` on"
_UPGRADE = "Need more tokens? Upgrade to Dev Tier today at https://console.groq.com/settings/billing"
_LENGTH = (
    "This model's maximum context length is 8192 tokens. However, your messages resulted in 9021 tokens. "
    "Please reduce the length of the messages."
)
_QUOTA = (
    "You exceeded your current quota, please check your plan and billing details. For more information on this error, "
    "read the docs: https://platform.openai.com/docs/guides/error-codes/api-errors."
)
_MODEL = "The model `gpt-9` does not exist or you do not have access to it."
_GOOGLE_QUOTA = (
    "You exceeded your current quota, please check your plan and billing details. For more information on this error, "
    "head to: https://ai.google.dev/gemini-api/docs/rate-limits."
)

WORDINGS: tuple[Wording, ...] = (
    # --- the request is too large ---
    Wording("chat", "openai", "overflow", refusing(400, _openai(_LENGTH, code="context_length_exceeded")), limit=8192),
    Wording("chat", "groq", "overflow", refusing(413, _openai(
        f"Request too large {_GROQ} tokens per minute (TPM): Limit 6000, Requested 8012, please reduce your message "
        f"size and try again. {_UPGRADE}", "tokens", "rate_limit_exceeded")), limit=6000),
    Wording("chat", "groq-length", "overflow", refusing(400, _openai(
        "Please reduce the length of the messages or completion.", code="context_length_exceeded"))),
    Wording("chat", "openai-minute", "overflow", refusing(429, _openai(
        "Request too large for gpt-4o in organization org-1 on tokens per min (TPM): Limit 30000, Requested 34238. The "
        "input or output tokens must be reduced in order to run successfully.", "tokens", "rate_limit_exceeded")), limit=30000),
    Wording("chat", "vllm", "overflow", refusing(400, _vllm(
        "This model's maximum context length is 4096 tokens. However, you requested 5048 tokens (3000 in the messages, "
        "2048 in the completion). Please reduce the length of the messages or completion.", "BadRequestError", 400)), limit=4096),
    Wording("chat", "llamacpp", "overflow", refusing(400, {"error": {
        "code": 400, "message": "request (14429 tokens) exceeds the available context size (8192 tokens), try increasing it",
        "type": "exceed_context_size_error", "n_prompt_tokens": 14429, "n_ctx": 8192}}), limit=8192),
    Wording("chat", "llamacpp-older", "overflow", refusing(500, {"error": {
        "code": 500, "message": "the request exceeds the available context size. try increasing the context size or enable context shift",
        "type": "exceed_context_size_error", "n_prompt_tokens": 1407, "n_ctx": 256}}), limit=256),
    Wording("chat", "ollama", "overflow", refusing(400, _openai("the input length exceeds the context length", "api_error"))),
    Wording("chat", "mistral", "overflow", refusing(400, {
        "object": "error", "message": "Prompt contains 40012 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
        "type": "invalid_request_prompt", "param": None, "code": "3051"}), limit=32768),
    Wording("chat", "openrouter", "overflow", refusing(400, {"error": {
        "message": "This endpoint's maximum context length is 32768 tokens. However, you requested about 40211 tokens. "
        "Please reduce the length of either one, or use the \"middle-out\" transform to compress your prompt automatically.",
        "code": 400}}), limit=32768),
    Wording("chat", "lmstudio", "overflow", refusing(400, {"error": "Trying to keep the first 5021 tokens when context the overflows. "
        "However, the model is loaded with context length of only 4096 tokens, which is not enough."}), limit=4096),
    Wording("responses", "openai", "overflow", refusing(400, _openai(
        "Your input exceeds the context window of this model. Please adjust your input and try again.", code="context_length_exceeded"))),
    Wording("anthropic", "anthropic", "overflow", refusing(400, _claude(
        "invalid_request_error", "prompt is too long: 209275 tokens > 200000 maximum")), limit=200000),
    Wording("anthropic", "anthropic-sum", "overflow", refusing(400, _claude("invalid_request_error",
        "input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length or "
        "`max_tokens` and try again")), limit=200000),
    Wording("anthropic", "anthropic-bytes", "overflow", refusing(413, _claude(
        "request_too_large", "Request exceeds the maximum size"))),
    Wording("gemini", "google", "overflow", refusing(400, _google(400, "INVALID_ARGUMENT",
        "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).")), limit=1048576),
    # --- the allowance of a day (or the money) is used up ---
    Wording("chat", "groq-tokens", "day", refusing(429, _openai(
        f"Rate limit reached {_GROQ} tokens per day (TPD): Limit 100000, Used 99336, Requested 1520. Please try again "
        f"in 12m19.5s. {_UPGRADE}", "tokens", "rate_limit_exceeded"), Retry_After="740"), seconds=740),
    Wording("chat", "groq-requests", "day", refusing(429, _openai(
        f"Rate limit reached {_GROQ} requests per day (RPD): Limit 1000, Used 1000, Requested 1. Please try again in "
        "1m26.4s. Visit https://console.groq.com/docs/rate-limits", "requests", "rate_limit_exceeded")), seconds=86.4),
    Wording("chat", "openai", "day", refusing(429, _openai(_QUOTA, "insufficient_quota", "insufficient_quota"))),
    Wording("chat", "openrouter", "day", refusing(429, {"error": {
        "message": "Rate limit exceeded: free-models-per-day. Add 10 credits to unlock 1000 free model requests per day",
        "code": 429, "metadata": {"headers": {"X-RateLimit-Limit": "50", "X-RateLimit-Remaining": "0"}}}})),
    Wording("responses", "openai", "day", refusing(429, _openai(_QUOTA, "insufficient_quota", "insufficient_quota"))),
    Wording("gemini", "google", "day", refusing(429, _google(429, "RESOURCE_EXHAUSTED", _GOOGLE_QUOTA,
        _quota("GenerateRequestsPerDayPerProjectPerModel-FreeTier"), _retry_in("36s")))),
    # --- too many at once ---
    Wording("chat", "groq", "busy", refusing(429, _openai(
        f"Rate limit reached {_GROQ} tokens per minute (TPM): Limit 6000, Used 5747, Requested 1251. Please try again "
        f"in 9.977s. {_UPGRADE}", "tokens", "rate_limit_exceeded"), Retry_After="10"), seconds=10),
    Wording("chat", "openai", "busy", refusing(429, _openai(
        "Rate limit reached for gpt-4o in organization org-1 on requests per min (RPM): Limit 3, Used 3, Requested 1. "
        "Please try again in 20s. Visit https://platform.openai.com/account/rate-limits to learn more.",
        "requests", "rate_limit_exceeded")), seconds=20),
    Wording("chat", "mistral", "busy", refusing(429, {"message": "Service tier capacity exceeded for this model.",
        "object": "error", "type": "service_tier_capacity_exceeded", "param": None, "code": "3505"})),
    Wording("chat", "ollama", "busy", refusing(503, _openai("server busy, please try again. maximum pending requests exceeded", "api_error"))),
    Wording("responses", "openai", "busy", refusing(429, _openai(
        "Rate limit reached for gpt-5 in organization org-1 on tokens per min (TPM): Limit 30000, Used 29000, Requested "
        "2000. Please try again in 2s.", "tokens", "rate_limit_exceeded"), Retry_After="2"), seconds=2),
    Wording("anthropic", "anthropic", "busy", refusing(429, _claude("rate_limit_error",
        "This request would exceed the rate limit for your organization of 40,000 input tokens per minute."),
        retry_after="12"), seconds=12),
    Wording("anthropic", "anthropic-overloaded", "busy", refusing(529, _claude("overloaded_error", "Overloaded"))),
    Wording("gemini", "google-minute", "busy", refusing(429, _google(429, "RESOURCE_EXHAUSTED", _GOOGLE_QUOTA,
        _quota("GenerateRequestsPerMinutePerProjectPerModel-FreeTier"), _retry_in("7.5s"))), seconds=7.5),
    Wording("gemini", "google-overloaded", "busy", refusing(503, _google(503, "UNAVAILABLE",
        "The model is overloaded. Please try again later."))),
    # --- the key ---
    Wording("chat", "openai", "key", refusing(401, _openai(
        "Incorrect API key provided: sk-secret. You can find your API key at https://platform.openai.com/account/api-keys.",
        code="invalid_api_key"))),
    Wording("chat", "openrouter", "key", refusing(402, {"error": {"message": "Insufficient credits. Add more using https://openrouter.ai/settings/credits", "code": 402}})),
    Wording("responses", "openai", "key", refusing(401, _openai("Incorrect API key provided: sk-secret.", code="invalid_api_key"))),
    Wording("anthropic", "anthropic", "key", refusing(401, _claude("authentication_error", "invalid x-api-key"))),
    Wording("anthropic", "anthropic-credit", "key", refusing(400, _claude("invalid_request_error",
        "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits."))),
    Wording("gemini", "google", "key", refusing(400, _google(400, "INVALID_ARGUMENT",
        "API key not valid. Please pass a valid API key.", {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID"}))),
    # --- not allowed ---
    Wording("chat", "openai", "forbidden", refusing(403, _openai("Project `proj_1` does not have access to model `gpt-4o`", code="model_not_found"))),
    Wording("responses", "openai", "forbidden", refusing(403, _openai("Country, region, or territory not supported", "request_forbidden", "unsupported_country_region_territory"))),
    Wording("anthropic", "anthropic", "forbidden", refusing(403, _claude("permission_error", "Your API key does not have permission to use the specified resource."))),
    Wording("gemini", "google", "forbidden", refusing(403, _google(403, "PERMISSION_DENIED", "Your project has been denied access. Please contact support."))),
    # --- no such model, or no longer ---
    Wording("chat", "openai", "gone", refusing(404, _openai(_MODEL, code="model_not_found"))),
    Wording("chat", "groq", "gone", refusing(400, _openai(
        "The model `gemma-7b-it` has been decommissioned and is no longer supported. Please refer to "
        "https://console.groq.com/docs/deprecations for a recommendation on which model to use instead.", code="model_decommissioned"))),
    Wording("chat", "ollama", "gone", refusing(404, _openai("model \"qwen9\" not found, try pulling it first", "api_error"))),
    Wording("chat", "vllm", "gone", refusing(404, _vllm("The model `m` does not exist.", "NotFoundError", 404))),
    Wording("chat", "mistral", "gone", refusing(400, {"object": "error", "message": "Invalid model: mistral-tiny-1", "type": "invalid_model", "param": None, "code": "1500"})),
    Wording("chat", "openrouter", "gone", refusing(400, {"error": {"message": "foo/bar is not a valid model ID", "code": 400}})),
    Wording("responses", "openai", "gone", refusing(404, _openai(_MODEL, code="model_not_found"))),
    Wording("anthropic", "anthropic", "gone", refusing(404, _claude("not_found_error", "model: claude-2.0"))),
    Wording("gemini", "google", "gone", refusing(404, _google(404, "NOT_FOUND",
        "models/gemini-1.0-pro is not found for API version v1beta, or is not supported for generateContent. Call "
        "ListModels to see the list of available models and their supported methods."))),
    # --- it fails ---
    Wording("chat", "openai", "down", refusing(500, _openai("The server had an error while processing your request. Sorry about that!", "server_error"))),
    Wording("chat", "proxy", "down", refusing(502, "<html><head><title>502 Bad Gateway</title></head></html>")),
    Wording("chat", "llamacpp", "down", refusing(503, {"error": {"code": 503, "message": "Loading model", "type": "unavailable_error"}})),
    Wording("responses", "openai", "down", refusing(500, _openai("The server had an error while processing your request.", "server_error"))),
    Wording("anthropic", "anthropic", "down", refusing(500, _claude("api_error", "Internal server error"))),
    Wording("gemini", "google", "down", refusing(500, _google(500, "INTERNAL", "An internal error has occurred. Please retry or report."))),
    Wording("gemini", "google-deadline", "down", refusing(504, _google(504, "DEADLINE_EXCEEDED", "Deadline expired before operation could complete."))),
    # --- no native tools ---
    Wording("chat", "ollama", "tools", refusing(400, _openai("registry.ollama.ai/library/gemma:latest does not support tools", "api_error"))),
    Wording("chat", "vllm", "tools", refusing(400, _vllm(
        "\"auto\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set", "BadRequestError", 400))),
    Wording("chat", "llamacpp", "tools", refusing(500, {"error": {"code": 500, "message": "tools param requires --jinja flag", "type": "server_error"}})),
    Wording("chat", "openrouter", "tools", refusing(404, {"error": {
        "message": "No endpoints found that support tool use. To learn more about provider routing, visit: https://openrouter.ai/docs/provider-routing", "code": 404}})),
    Wording("chat", "groq", "tools", refusing(400, _openai("`tool calling` is not supported with this model", code="invalid_request_error"))),
    Wording("chat", "groq-empty", "tools", refusing(400, _openai(
        "Failed to call a function. Please adjust your prompt. See 'failed_generation' for more details.",
        code="tool_use_failed", failed_generation=""))),
    Wording("responses", "openai", "tools", refusing(400, _openai("The following tools are not supported with this model: function. Tool use is not supported."))),
    Wording("gemini", "google", "tools", refusing(400, _google(400, "INVALID_ARGUMENT", "Function calling is not enabled for models/gemma-3-27b-it"))),
    # --- no images ---
    Wording("chat", "openai", "image", refusing(400, _openai("Invalid content type. image_url is only supported by certain models."))),
    Wording("chat", "groq", "image", refusing(400, _openai("messages[1].content must be a string"))),
    Wording("chat", "deepseek", "image", refusing(400, _openai(
        "Failed to deserialize the JSON body into the target type: messages[1]: unknown variant `image_url`, expected `text` at line 1 column 70"))),
    Wording("chat", "vllm", "image", refusing(400, _vllm("m is not a multimodal model", "BadRequestError", 400))),
    Wording("chat", "llamacpp", "image", refusing(500, {"error": {"code": 500,
        "message": "image input is not supported - hint: if this is unexpected, you may need to provide the mmproj", "type": "server_error"}})),
    Wording("chat", "openrouter", "image", refusing(404, {"error": {"message": "No endpoints found that support image input", "code": 404}})),
    Wording("responses", "openai", "image", refusing(400, _openai("Invalid content type. image_url is only supported by certain models."))),
    Wording("anthropic", "anthropic", "image", refusing(400, _claude("invalid_request_error", "messages.0.content.1.image.source.base64: Could not process image"))),
    Wording("gemini", "google", "image", refusing(400, _google(400, "INVALID_ARGUMENT", "Image input modality is not enabled for models/gemma-3-1b-it"))),
    Wording("gemini", "google-unreadable", "image", refusing(400, _google(400, "INVALID_ARGUMENT", "Unable to process input image. Please retry or report in https://developers.generativeai.google/guide/troubleshooting"))),
)  # fmt: skip


def meaning(*wanted: Meaning) -> tuple[Wording, ...]:
    return tuple(wording for wording in WORDINGS if wording.means in wanted)


def too_long(protocol: str, tokens: int, limit: int) -> Answer:
    """The refusal of a request of so many tokens, in the words of the protocol's own provider."""
    said = {
        "chat": (400, _openai(
            f"This model's maximum context length is {limit} tokens. However, your messages resulted in {tokens} tokens. "
            "Please reduce the length of the messages.", code="context_length_exceeded")),
        "responses": (400, _openai(
            "Your input exceeds the context window of this model. Please adjust your input and try again.",
            code="context_length_exceeded")),
        "anthropic": (400, _claude("invalid_request_error", f"prompt is too long: {tokens} tokens > {limit} maximum")),
        "gemini": (400, _google(400, "INVALID_ARGUMENT",
            f"The input token count ({tokens}) exceeds the maximum number of tokens allowed ({limit}).")),
    }  # fmt: skip
    return refusing(*said[protocol])
