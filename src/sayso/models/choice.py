"""Which model answers, and why; and the model that a spec means.

`choose` is a pure decision over what others found; it probes nothing and asks nobody.
Specs: "quote", "scripted:FILE", "gguf:PATH", "PROVIDER:NAME" (profiles.py lists them), "http://host:port/v1#NAME", the
same with a protocol before it ("anthropic+https://host/v1#NAME"), and "pydantic-ai:PROVIDER:NAME" for all others.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import urlsplit

from sayso.core.ports import Model
from sayso.errors import ConfigError
from sayso.models.chain import Chain
from sayso.models.connection import Connection
from sayso.models.local import local_model
from sayso.models.local_servers import Found
from sayso.models.profiles import PROFILES, profile_named, profile_of
from sayso.models.providers import model_at
from sayso.models.scripted import load_script
from sayso.models.through_pydantic_ai import SPEC, through_pydantic_ai

QUOTE = "quote"
# What a hosted provider is asked for when a stored yes names no model.
_USUAL: Mapping[str, str] = {
    "openai": "gpt-5-mini",
    "anthropic": "claude-haiku-4-5",
    "gemini": "gemini-flash-latest",
    "groq": "llama-3.3-70b-versatile",
    "mistral": "mistral-small-latest",
    "openrouter": "openrouter/auto",
}


@dataclass(frozen=True, slots=True)
class Choice:
    """The chosen spec, the reason in plain words, and specs that one yes would make possible."""

    spec: str
    reason: str
    offers: tuple[str, ...] = ()


def choose(
    *,
    flag: str | None = None,
    environ: Mapping[str, str],
    stored: str | None = None,
    found: Sequence[Found] = (),
    consented: Collection[str] = (),
) -> Choice:
    """Flag, SAYSO_MODEL, the stored choice, a consented key, a local server, else quoting.

    A key in the environment only makes an offer until its provider is in `consented`.
    """
    keyed = [p.name for p in PROFILES if p.name in _USUAL and environ.get(p.key_variable)]
    offers = tuple(f"{name}:{_USUAL[name]}" for name in keyed if name not in consented)
    if flag:
        return Choice(flag, "you named it with --model", offers)
    if environ.get("SAYSO_MODEL"):
        return Choice(environ["SAYSO_MODEL"], "SAYSO_MODEL names it", offers)
    if stored:
        return Choice(stored, "it was stored with `sayso models use`", offers)
    for name in keyed:
        if name in consented:
            return Choice(f"{name}:{_USUAL[name]}", f"you allowed the use of the {name} key", offers)
    for server in found:
        return Choice(f"{server.server}:{server.models[0]}", f"{server.server} runs on this machine", offers)
    return Choice(QUOTE, "no model was found; records are quoted as they are, which needs none", offers)


def build(
    spec: str,
    *,
    quote: Model,
    environ: Mapping[str, str],
    connection: Connection | None = None,
    fall_back: bool = True,
    native_tools: bool | None = None,
) -> Model:
    """The model of a spec. With `fall_back`, `quote` answers when it cannot be reached.

    `native_tools` None: tried, and given up when refused.
    Raises ConfigError, which says how a spec is written.
    """
    kind, _, name = spec.partition(":")
    if spec == QUOTE:
        return quote
    if kind == "scripted" and name:
        return load_script(Path(name))
    if kind == "gguf" and name:
        model = local_model(name, environ)
    elif kind == SPEC and name:
        model = through_pydantic_ai(name, native_tools=native_tools)
    elif kind.rpartition("+")[2] in ("http", "https"):
        model = _at_address(spec, environ, connection, native_tools)
    else:
        profile = profile_named(kind)
        if profile is not None and not name.strip():
            raise ConfigError(f"{spec!r} names no model: write its name after the colon, as in {kind}:NAME")
        if profile is None:
            raise ConfigError(
                f"unknown model {spec!r}: write quote, PROVIDER:NAME ({_names()}), gguf:FILE or http://HOST:PORT/v1#NAME"
            )
        key = environ.get(profile.key_variable) if profile.key_variable else None
        if profile.key_variable and not key:
            raise ConfigError(f"{spec} needs a key: set {profile.key_variable}")
        model = model_at(
            profile.protocol, name, profile.base_url, key,
            native_tools=native_tools, connection=connection, profile=profile,
        )  # fmt: skip
    return Chain([model], quote) if fall_back else model


def _at_address(
    spec: str, environ: Mapping[str, str], connection: Connection | None, native_tools: bool | None
) -> Model:
    """http://HOST:PORT/v1#NAME speaks chat completions; anthropic+http://... another protocol."""
    address, _, name = spec.partition("#")
    protocol, _, rest = address.partition("+") if "+" in address.partition(":")[0] else ("chat", "", address)
    parts = urlsplit(rest)
    if not name or not parts.hostname:
        raise ConfigError(f"{address!r} names no model: add it after #, as in http://127.0.0.1:8000/v1#NAME")
    if parts.username or parts.password:
        raise ConfigError("write no key or password into a model's address: set SAYSO_MODEL_KEY")
    key = environ.get("SAYSO_MODEL_KEY")
    profile = replace(profile_of(rest), protocol=protocol, key_variable="SAYSO_MODEL_KEY")
    return model_at(
        protocol, name, rest, key, native_tools=native_tools, connection=connection, profile=profile
    )  # fmt: skip


def _names() -> str:
    return ", ".join(p.name for p in PROFILES)
