"""Several models in an order: how they are written, and the chain that they make.

Specs stand in one text, commas between them: "groq:llama-3.3-70b-versatile, ollama:qwen3#ctx=8192". `#ctx=` tells how
many tokens a model reads, where its provider does not say; what does not fit is then left out before it is refused.
`quote` may stand last, where it stands in any case. It builds what `choice` builds, and asks nobody.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from sayso.core.ports import Model
from sayso.errors import ConfigError
from sayso.models.chain import Chain, Link
from sayso.models.choice import QUOTE, build
from sayso.models.connection import Connection
from sayso.models.profiles import profile_named

_ROOM = re.compile(r"#ctx=([^#]*)$")
_OPTION = re.compile(r"#(\w+)=[^#]*$")
_LEAST_ROOM = 512  # tokens; the rules and one tool take about as much


@dataclass(frozen=True, slots=True)
class Wanted:
    """One model of an order: its spec as `choice.build` reads it, and the tokens that it reads, if told."""

    spec: str
    room: int | None = None


def split(specs: str) -> tuple[str, ...]:
    """The specs of one text, each as it was written."""
    return tuple(part.strip() for part in specs.split(",") if part.strip())


def read_order(specs: str) -> tuple[Wanted, ...]:
    """The models that a text names, without a `quote` at its end. Raises ConfigError, which says what to write."""
    wanted = tuple(_wanted(spec) for spec in split(specs))
    if not wanted:
        raise ConfigError("no model is named: write quote, or models with commas between them: groq:NAME, ollama:NAME")
    if any(one.spec == QUOTE for one in wanted[:-1]):
        raise ConfigError(f"{specs!r}: quote always answers, so nothing behind it is ever asked: write it last")
    names = [one.spec for one in wanted]
    if twice := next((name for name in names if names.count(name) > 1), ""):
        raise ConfigError(f"{twice} is named twice: asking it again right after it failed is no remedy; name it once")
    return wanted[:-1] if wanted[-1].spec == QUOTE else wanted


def build_order(
    specs: str,
    *,
    quote: Model,
    environ: Mapping[str, str],
    last: Model | None = None,
    connection: Connection | None = None,
    native_tools: Callable[[str], bool | None] = lambda _: None,
) -> Model:
    """The models of a text as one that answers; `last` (else `quote`) does where none of them can.

    `native_tools` tells by spec whether a model is asked with native tools (None: it is tried). A script alone stays
    as it is: what it says is what happens. Raises ConfigError, which says how a spec is written.
    """
    wanted = read_order(specs)
    if not wanted:
        return quote
    if len(wanted) == 1 and wanted[0].spec.startswith("scripted:"):
        return build(wanted[0].spec, quote=quote, environ=environ)
    links = [
        Link(
            build(one.spec, quote=quote, environ=environ, connection=connection, fall_back=False,
                  native_tools=native_tools(one.spec)),
            one.room,
            _provider(one.spec),
        )
        for one in wanted
    ]  # fmt: skip
    return Chain(links, last or quote)


def _wanted(spec: str) -> Wanted:
    found = _ROOM.search(spec)
    if found is None:
        other = _OPTION.search(spec)
        # At an address a name follows the first #, whatever it is.
        if other and ("://" not in spec or "#" in spec[: other.start()]):
            raise ConfigError(f"{spec!r}: {other[0]!r} is unknown; what may stand there is #ctx=TOKENS")
        return Wanted(spec)
    tokens = found.group(1)
    if not tokens.isdecimal() or not tokens.isascii() or int(tokens) < _LEAST_ROOM:
        raise ConfigError(f"{spec!r}: #ctx= takes the tokens that a model reads, {_LEAST_ROOM} at least: #ctx=8192")
    return Wanted(spec[: found.start()], int(tokens))


def _provider(spec: str) -> str:
    """Whose allowance a model draws on, where its spec names a provider; else it is known by its address."""
    kind = spec.partition(":")[0]
    return kind if profile_named(kind) else ""
