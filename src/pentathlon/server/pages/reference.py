"""The page that shows what the API takes and answers, from its own OpenAPI schema."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from pentathlon.server.api.dependencies import MaybeSignedIn
from pentathlon.server.pages.page_route import PageRoute
from pentathlon.server.pages.templating import render

router = APIRouter(route_class=PageRoute)


@dataclass(frozen=True)
class Operation:
    """One request that the API takes."""

    method: str
    path: str
    effect: str
    parameters: list[Parameter]
    body: list[Parameter]


@dataclass(frozen=True)
class Parameter:
    """A parameter, or a field of the body."""

    name: str
    place: str
    required: bool
    about: str


@router.get("/api/docs")
def show_reference(request: Request, viewer: MaybeSignedIn) -> HTMLResponse:
    """Lists the operations."""
    return render(request, "reference.html", viewer, operations=read_operations(request.app.openapi()))


def read_operations(schema: dict[str, Any]) -> list[Operation]:
    """Reads the operations of an OpenAPI schema."""
    return [
        Operation(
            method=method.upper(),
            path=path,
            effect=declared.get("description", ""),
            parameters=[_parameter(each) for each in declared.get("parameters", []) if each["in"] != "cookie"],
            body=_body(schema, declared),
        )
        for path, methods in schema["paths"].items()
        for method, declared in methods.items()
    ]


def _parameter(declared: dict[str, Any]) -> Parameter:
    about = declared.get("description", "") or _values(declared["schema"])
    return Parameter(declared["name"], declared["in"], declared.get("required", False), about)


def _body(schema: dict[str, Any], declared: dict[str, Any]) -> list[Parameter]:
    (content,) = declared.get("requestBody", {}).get("content", {"": {"schema": {}}}).values()
    name = content["schema"].get("$ref", "").rpartition("/")[2]
    if not name:
        about = declared.get("requestBody", {}).get("description", "")
        return [Parameter("", "body", True, about)] if about else []
    shape = schema["components"]["schemas"][name]
    required = shape.get("required", [])
    return [
        Parameter(field, "body", field in required, about.get("description", "") or _values(about))
        for field, about in shape["properties"].items()
    ]


def _values(declared: dict[str, Any]) -> str:
    return " or ".join(str(value) for value in declared.get("enum", ()))
