"""How providers of the same protocol differ. Plain data; says nothing about which model is good."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit


@dataclass(frozen=True, slots=True)
class Profile:
    """`forbids`: in the last step the tools stay, with tool_choice "none" (else they are removed).

    `start` tells a person how to start a local server that does not answer.
    """

    name: str = "compatible"
    base_url: str = ""
    key_variable: str = ""
    limit_field: str = "max_tokens"
    forbids: bool = True
    start: str = ""


PROFILES: tuple[Profile, ...] = (
    Profile("openai", "https://api.openai.com/v1", "OPENAI_API_KEY", "max_completion_tokens"),
    Profile("anthropic", "https://api.anthropic.com/v1", "ANTHROPIC_API_KEY"),
    Profile("groq", "https://api.groq.com/openai/v1", "GROQ_API_KEY", "max_completion_tokens"),
    Profile("mistral", "https://api.mistral.ai/v1", "MISTRAL_API_KEY"),
    Profile("openrouter", "https://openrouter.ai/api/v1", "OPENROUTER_API_KEY"),
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
