"""The OpenAPI 3.1 document, made from the endpoints: what is not declared there is not in it, nor routed.

It knows no service; it is given endpoints, and describes them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import version
from typing import Any

from pydantic import BaseModel, Field
from pydantic.json_schema import models_json_schema
from starlette.requests import Request
from starlette.responses import Response

from sayso.serving.bodies import Nothing
from sayso.serving.endpoints import Access, Endpoint, Role, described_statuses, operation_id
from sayso.serving.event_shapes import EVENTS
from sayso.serving.links import links_of

Json = dict[str, Any]
PATH = "/api/v1/openapi.json"
STREAM = "text/event-stream"
_REF = "#/components/schemas/{model}"
_PROBLEM_TYPE = "application/problem+json"
_TITLE = "Sayso"
_TOLD = (
    "An in-app assistant: every claim about your records has a source, every action has your say-so. "
    "docs/contract.md tells the same in words, with examples."
)
_STREAM_TOLD = (
    "Server-sent events, each described here as an object of its lines: an integer `id`, a name as `event`, and one "
    "line of ASCII JSON as `data`, of the schema that belongs to the name. Exactly one of `finish` and `error` comes, "
    "as the last. Comment lines keep the stream alive. After a break, ask for the run's events with `Last-Event-ID`."
)


class Problem(BaseModel):
    """A fault (RFC 9457). `code` is stable; `detail` says what to do. Some codes have further members."""

    model_config = {"extra": "allow"}

    type: str = Field(pattern="^urn:sayso:problem:")
    title: str
    status: int = Field(ge=400, le=599)
    code: str
    detail: str


def document(endpoints: Sequence[Endpoint], service: str = "") -> Json:
    """The whole document of these endpoints; `service` names the role whose they are."""
    models = _models(endpoints)
    named, definitions = models_json_schema(
        [(model, "validation") for model in models], ref_template=_REF, union_format="any_of"
    )
    schemas = {model: named[model, "validation"] for model in models}
    paths: dict[str, Json] = {}
    for endpoint in endpoints:
        paths.setdefault(_open_path(endpoint.path), {})[endpoint.method.lower()] = _operation(
            endpoint, schemas, links_of(endpoint, endpoints)
        )
    return {
        "openapi": "3.1.0",
        "info": {
            "title": _titled(service),
            "version": version("sayso"),
            "description": _TOLD,
        },
        "jsonSchemaDialect": "https://json-schema.org/draft/2020-12/schema",
        "paths": paths,
        "components": {"schemas": definitions.get("$defs", {}), "securitySchemes": _SCHEMES},
    }


def _titled(service: str) -> str:
    return f"{_TITLE}: {service}" if service else _TITLE


def describing(
    endpoints: Sequence[Endpoint], role: Role, service: str = "", access: Access = Access.SIGNED_IN
) -> list[Endpoint]:
    """The endpoints, and one more that gives the document of them all, to whoever has `access`."""
    found: list[Endpoint] = list(endpoints)

    async def openapi(request: Request) -> Response:
        return Response(text, media_type="application/json")

    found.append(Endpoint("GET", PATH, openapi, "This document", role, {200: "application/json"}, access=access))
    text = json.dumps(document(found, service), ensure_ascii=True)
    return found


_SCHEMES: Json = {
    "session": {
        "type": "apiKey", "in": "cookie", "name": "sayso_session",
        "description": "The cookie that signing in sets. A change also needs the token of its page: `csrf`.",
    },
    "csrf": {
        "type": "apiKey", "in": "header", "name": "x-sayso-csrf",
        "description": "Beside the cookie, with every method but GET and HEAD. The page holds it.",
    },
    "token": {
        "type": "http", "scheme": "bearer",
        "description": "An API token (`sayso tokens add`). It needs neither cookie nor `csrf`.",
    },
    "catalogue": {
        "type": "http", "scheme": "bearer", "bearerFormat": "JWT",
        "description": (
            "The gateway's seal of the tools of a person (`GET /api/v1/system/mcp/tools`, `seal`): the inference "
            "service keeps no users, and takes who somebody is from it."
        ),
    },
    "service": {
        "type": "http", "scheme": "bearer",
        "description": "The token that the operator of an inference service asks of every caller.",
    },
}  # fmt: skip


def _security(endpoint: Endpoint) -> list[Json]:
    match endpoint.access:
        case Access.OPEN:
            return []
        case Access.CATALOGUE:
            return [{"catalogue": []}]
        case Access.SERVICE:
            return [{"service": []}]
        case Access.SIGNED_IN:
            cookie: Json = {"session": []} if endpoint.method in ("GET", "HEAD") else {"session": [], "csrf": []}
            return [cookie, {"token": []}]


def _operation(endpoint: Endpoint, schemas: Mapping[type[BaseModel], Json], links: Json) -> Json:
    operation: Json = {
        "operationId": operation_id(endpoint),
        "summary": endpoint.summary,
        "tags": [endpoint.role.value],
        "security": _security(endpoint),
        "responses": _responses(endpoint, schemas, links),
    }
    if told := _told(endpoint):
        operation["description"] = told
    parameters = [*_in_path(endpoint), *_in_query(endpoint), *_in_headers(endpoint)]
    if parameters:
        operation["parameters"] = parameters
    if endpoint.body is not None:
        operation["requestBody"] = _body(endpoint.body, schemas)
    return operation


def _told(endpoint: Endpoint) -> str:
    needed = f"Needs the permission `{endpoint.permission}`." if endpoint.permission else ""
    return " ".join(filter(None, (endpoint.description, needed)))


def _body(body: type[BaseModel] | str, schemas: Mapping[type[BaseModel], Json]) -> Json:
    if isinstance(body, str):
        return {"required": True, "content": {body: {"schema": {"type": "string", "format": "binary"}}}}
    return {"required": body is not Nothing, "content": {"application/json": {"schema": schemas[body]}}}


def _responses(endpoint: Endpoint, schemas: Mapping[type[BaseModel], Json], links: Json) -> Json:
    found: dict[str, Json] = {}
    for status, answer in endpoint.answers.items():
        found[str(status)] = {"description": _meaning(status), **_content(answer, schemas)}
        if links and status < 300:
            found[str(status)]["links"] = links
    for status in described_statuses(endpoint):
        told = found.setdefault(str(status), {"description": _meaning(status)})
        told.setdefault("content", {})[_PROBLEM_TYPE] = {"schema": schemas[Problem]}
    return dict(sorted(found.items()))


def _content(answer: type[BaseModel] | str | None, schemas: Mapping[type[BaseModel], Json]) -> Json:
    if answer is None:
        return {}
    if not isinstance(answer, str):
        return {"content": {"application/json": {"schema": schemas[answer]}}}
    if answer == STREAM:
        return {"headers": _RUN_HEADER, "content": {STREAM: {"schema": _stream_schema(schemas)}}}
    schema: Json = {} if answer == "application/json" else {"type": "string"}
    return {"content": {answer: {"schema": schema}}}


_RUN_HEADER: Json = {"x-sayso-run": {"required": True, "description": "The run's id", "schema": {"type": "string"}}}


def _stream_schema(schemas: Mapping[type[BaseModel], Json]) -> Json:
    """Each event of a stream as an object of its three lines; the data is text that holds JSON."""
    one_of: list[Json] = []
    for name, shape in EVENTS.items():
        data = {"type": "string", "contentMediaType": "application/json", "contentSchema": schemas[shape]}
        lines: Json = {"id": {"type": "string", "pattern": "^[0-9]+$"}, "event": {"const": name}, "data": data}
        one_of.append({"type": "object", "required": ["id", "event", "data"], "properties": lines})
    return {"description": _STREAM_TOLD, "oneOf": one_of}


def _in_path(endpoint: Endpoint) -> list[Json]:
    names = re.findall(r"{(\w+)(?::\w+)?}", endpoint.path)
    schema = {"type": "string", "minLength": 1}
    return [{"name": name, "in": "path", "required": True, "schema": schema} for name in names]


def _in_query(endpoint: Endpoint) -> list[Json]:
    if endpoint.query is None:
        return []
    schema = endpoint.query.model_json_schema(ref_template="#/x/{model}")
    definitions = schema.get("$defs", {})
    required = schema.get("required", ())
    return [
        {"name": name, "in": "query", "required": name in required, "schema": _inlined(inner, definitions)}
        for name, inner in schema.get("properties", {}).items()
    ]


def _inlined(schema: Any, definitions: Mapping[str, Any]) -> Any:
    """A parameter's schema with its few references replaced: it stands on its own."""
    if isinstance(schema, list):
        return [_inlined(item, definitions) for item in schema]  # pyright: ignore[reportUnknownVariableType]
    if not isinstance(schema, dict):
        return schema
    entries: Json = schema  # pyright: ignore[reportUnknownVariableType]
    if "$ref" in entries:
        return _inlined(definitions[str(entries["$ref"]).rpartition("/")[2]], definitions)
    return {name: _inlined(value, definitions) for name, value in entries.items()}


def _in_headers(endpoint: Endpoint) -> list[Json]:
    return [
        {"name": name, "in": "header", "required": False, "description": told, "schema": _HEADERS.get(name, _TEXT)}
        for name, told in endpoint.headers.items()
    ]


_TEXT: Json = {"type": "string"}
_HEADERS: Mapping[str, Json] = {"Last-Event-ID": {"type": "string", "pattern": "^[0-9]{1,9}$"}}


def _models(endpoints: Iterable[Endpoint]) -> list[type[BaseModel]]:
    """Every model that has a schema of its own, each once, in the order in which they come."""
    found: list[type[BaseModel]] = [Problem]
    for endpoint in endpoints:
        found += [a for a in (endpoint.body, *endpoint.answers.values()) if a is not None and not isinstance(a, str)]
        if STREAM in endpoint.answers.values():
            found += EVENTS.values()
    return list(dict.fromkeys(found))


def _open_path(path: str) -> str:
    """Starlette's path as OpenAPI writes it: without the converter's name."""
    return re.sub(r"{(\w+):\w+}", r"{\1}", path)


def _meaning(status: int) -> str:
    return _MEANINGS.get(status, "It went well" if status < 300 else "A fault")


_MEANINGS: Mapping[int, str] = {
    200: "It went well",
    201: "It was made",
    204: "Done; there is nothing to say",
    303: "Go there",
    400: "The request cannot be read",
    401: "Not signed in",
    403: "Not allowed; `detail` names the rule",
    404: "There is no such thing, or it is somebody else's",
    405: "The path takes other methods",
    409: "It has moved on, or was decided otherwise",
    410: "It has expired",
    413: "The body is too large",
    415: "The body is of another type",
    421: "This host name is not served here",
    422: "The content is wrong; `detail` says where",
    429: "Too many requests; `Retry-After` says when to come again",
    500: "A fault of ours",
    503: "Busy; `Retry-After` says when to come again",
}
