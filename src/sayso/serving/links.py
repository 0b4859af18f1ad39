"""What an answer leads to, as the OpenAPI document tells it: which operations take the ids that are in it.

It knows paths and names of members, and no service.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from sayso.serving.endpoints import Endpoint, Leads, operation_id

_PARAMETER = re.compile(r"{(\w+)(?::\w+)?}")


def links_of(endpoint: Endpoint, endpoints: Iterable[Endpoint]) -> dict[str, Any]:
    """The links of an endpoint's answers to those of `endpoints` whose path all of them can be said of."""
    leads = endpoint.leads
    if leads is None:
        return {}
    return {
        operation_id(other): _link(leads, other)
        for other in endpoints
        if other is not endpoint
        and other.path.startswith(leads.path)
        and set(_PARAMETER.findall(other.path)) <= set(leads.parameters)
    }


def _link(leads: Leads, target: Endpoint) -> dict[str, Any]:
    members = getattr(target.body, "model_fields", {})
    body = {name: _in_answer(place) for name, place in leads.body.items() if name in members}
    named = _PARAMETER.findall(target.path)
    parameters = {name: _in_answer(place) for name, place in leads.parameters.items() if name in named}
    link: dict[str, Any] = {"operationId": operation_id(target), "parameters": parameters}
    return {**link, "requestBody": body} if body else link


def _in_answer(place: str) -> str:
    return f"$response.{place}"
