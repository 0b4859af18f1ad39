"""Providers: their address, their protocol, and how those of one protocol differ. Plain data; judges no model."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit


@dataclass(frozen=True, slots=True)
class Profile:
    """`forbids`: in the last step the tools stay, with tool_choice "none" (else they are removed).

    `start` tells a person how to start a local server that does not answer. `reasons`: models that reason are told
    how much, since a limit counts their thoughts. `extras` are more fields of each request, as JSON.
    """

    name: str = "compatible"
    base_url: str = ""
    key_variable: str = ""
    limit_field: str = "max_tokens"
    forbids: bool = True
    start: str = ""
    protocol: str = "chat"
    reasons: bool = False
    extras: str = "{}"


PROFILES: tuple[Profile, ...] = (
    Profile("openai", "https://api.openai.com/v1", "OPENAI_API_KEY", "max_completion_tokens", reasons=True),
    Profile("openai-responses", "https://api.openai.com/v1", "OPENAI_API_KEY", protocol="responses"),
    Profile("anthropic", "https://api.anthropic.com/v1", "ANTHROPIC_API_KEY", protocol="anthropic"),
    Profile("gemini", "https://generativelanguage.googleapis.com/v1beta", "GEMINI_API_KEY", protocol="gemini"),
    Profile("groq", "https://api.groq.com/openai/v1", "GROQ_API_KEY", "max_completion_tokens"),
    Profile("mistral", "https://api.mistral.ai/v1", "MISTRAL_API_KEY"),
    Profile("openrouter", "https://openrouter.ai/api/v1", "OPENROUTER_API_KEY"),
    # Where it reasons it wants its thoughts back with each call, and our transcript holds none.
    Profile("deepseek", "https://api.deepseek.com/v1", "DEEPSEEK_API_KEY", extras='{"thinking":{"type":"disabled"}}'),
    Profile("cerebras", "https://api.cerebras.ai/v1", "CEREBRAS_API_KEY", "max_completion_tokens"),
    Profile("together", "https://api.together.xyz/v1", "TOGETHER_API_KEY"),
    Profile("xai", "https://api.x.ai/v1", "XAI_API_KEY"),
    # It ignores tool_choice, so only a removed list keeps a model from calling.
    Profile("ollama", "http://127.0.0.1:11434/v1", forbids=False, start="start it with `ollama serve`"),
    Profile("lmstudio", "http://127.0.0.1:1234/v1", start="start its local server (`lms server start`)"),
    Profile("llamacpp", "http://127.0.0.1:8080/v1", start="start it with `llama-server -m MODEL.gguf --jinja`"),
    Profile("vllm", "http://127.0.0.1:8000/v1", start="start it with `vllm serve MODEL`"),
)


def profile_named(name: str) -> Profile | None:
    return next((p for p in PROFILES if p.name == name), None)


def profile_of(base_url: str) -> Profile:
    """The profile of an address: the same host, or the same port of this machine."""
    asked = urlsplit(base_url)
    host = "127.0.0.1" if asked.hostname in ("localhost", "::1") else asked.hostname
    for profile in PROFILES:
        known = urlsplit(profile.base_url)
        if (host, asked.port) == (known.hostname, known.port):
            return profile
    return Profile()
