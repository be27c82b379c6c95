"""The OpenAPI document of the JSON API, made from the declared pages."""

import re
from collections.abc import Sequence
from typing import Any

from console.frame.page import Action, ConsolePage, Param

_KINDS: dict[str, dict[str, Any]] = {
    "text": {"type": "string"},
    "count": {"type": "integer", "minimum": 0},
    "number": {"type": "number", "minimum": 0},
    "date": {"type": "string", "format": "date"},
    "flag": {"type": "string", "enum": ["1", "0"]},
    "choice": {"type": "string"},
    "words": {"type": "string"},
    "lines": {"type": "string"},
}
_ERROR = {
    "description": "`error` describes the problem",
    "content": {"application/json": {"schema": {"type": "object"}}},
}


def document(pages: Sequence[ConsolePage], prefix: str) -> dict[str, Any]:
    """OpenAPI 3.1: a GET for each page, a POST for each decision."""
    paths: dict[str, dict[str, Any]] = {}
    for page in pages:
        paths[f"/api{page.path}"] = {"get": _read(page)}
        for action in page.actions:
            paths[f"/api{page.path}/{action.name}"] = {"post": _change(page, action)}
    paths["/api/decisions/{key}/undo"] = {"post": _operation("undo", "Take a decision back", [_in_path("key")])}
    return {
        "openapi": "3.1.0",
        "info": {"title": "topicrawl console", "version": "1"},
        "servers": [{"url": prefix or "/"}],
        "security": [{"token": []}],
        "paths": paths,
        "components": {"securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
    }


def _read(page: ConsolePage) -> dict[str, Any]:
    given = [*_in_paths(page.path), *({"in": "query", **_named(param)} for param in page.params)]
    return _operation(page.name, f"The data of the page {page.name}; needs the role {page.role}", given)


def _change(page: ConsolePage, action: Action) -> dict[str, Any]:
    fields = {param.name: _schema(param) for param in action.fields}
    body = {
        "type": "object",
        "properties": fields,
        "required": [param.name for param in action.fields if param.required],
    }
    made = _operation(
        f"{page.name}.{action.name}", f"Needs the role {action.role} and the scope decide", _in_paths(page.path)
    )
    return made | {"requestBody": {"content": {"application/x-www-form-urlencoded": {"schema": body}}}}


def _operation(name: str, summary: str, parameters: list[dict[str, Any]]) -> dict[str, Any]:
    good = {"description": "done", "content": {"application/json": {"schema": {"type": "object"}}}}
    answers = {"200": good} | {str(status): _ERROR for status in (400, 401, 403, 404)}
    return {"operationId": name, "summary": summary, "parameters": parameters, "responses": answers}


def _in_paths(path: str) -> list[dict[str, Any]]:
    return [_in_path(name) for name in re.findall(r"\{(\w+)\}", path)]


def _in_path(name: str) -> dict[str, Any]:
    return {"in": "path", "name": name, "required": True, "schema": {"type": "string"}}


def _named(param: Param) -> dict[str, Any]:
    says = {"description": param.says} if param.says else {}
    return {"name": param.name, "required": param.required, "schema": _schema(param)} | says


def _schema(param: Param) -> dict[str, Any]:
    return _KINDS[param.kind] | ({"enum": list(param.choices)} if param.choices else {})
