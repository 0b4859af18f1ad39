"""What stands between a stored or named model and an answer of it, and who gets to read the records for it.

Only this machine's own servers are asked; a hosted one is sent nothing before there is a question.
"""

from __future__ import annotations

from collections.abc import Sequence
from ipaddress import ip_address
from urllib.parse import urlsplit

from sayso.models.local_servers import find_local
from sayso.models.profiles import profile_named

_LISTED = ("chat", "responses")  # the protocols whose servers tell their models


async def trouble_with(spec: str) -> str:
    """Why this machine's server cannot give a model now; empty where it can, or where the model is elsewhere."""
    kind, _, name = spec.partition(":")
    profile = profile_named(kind)
    if profile is not None and profile.start:
        missing = f"{kind} does not answer at {profile.base_url} now: {profile.start}."
        return await _lacking(kind, profile.base_url, name, missing)
    protocol, address, name = _address(spec)
    if protocol not in _LISTED or not _is_here(address):
        return ""
    version = "" if urlsplit(address).path.strip("/") else " (is /v1 missing?)"
    missing = f"no model server tells its models at {address}/models: start it, or check the address{version}."
    return await _lacking(address, address, name, missing)


async def _lacking(server: str, address: str, name: str, missing: str) -> str:
    found = await find_local({server: address}, seconds=2.0)
    if not found:
        return missing
    has = found[0].models
    if name in has or any(one.startswith(f"{name}:") for one in has):
        return ""
    return f"{server} runs, and has no model {name!r}; it has {', '.join(has)}."


def sent_to(specs: Sequence[str]) -> tuple[str, ...]:
    """The providers and hosts beyond this machine that are sent records with each question."""
    return tuple(dict.fromkeys(where for spec in specs if (where := _elsewhere(spec))))


def _elsewhere(spec: str) -> str:
    kind, _, rest = spec.partition(":")
    profile = profile_named(kind)
    if profile is not None:
        return "" if profile.start else kind
    if kind == "pydantic-ai":
        return rest.partition(":")[0]
    address = _address(spec)[1]
    return urlsplit(address).hostname or "" if address and not _is_here(address) else ""


def _address(spec: str) -> tuple[str, str, str]:
    """The protocol, the address and the model's name of an address with a name; empty for other specs."""
    address, _, name = spec.partition("#")
    scheme = address.partition(":")[0]
    if scheme.rpartition("+")[2] not in ("http", "https"):
        return "", "", ""
    protocol, _, rest = address.partition("+") if "+" in scheme else ("chat", "", address)
    return protocol, rest.rstrip("/"), name


def _is_here(address: str) -> bool:
    host = urlsplit(address).hostname or ""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False
