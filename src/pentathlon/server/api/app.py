"""Makes the FastAPI application."""

from __future__ import annotations

import importlib
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import Depends, FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from sqlalchemy.exc import DBAPIError
from starlette.exceptions import HTTPException
from starlette.routing import Match

import pentathlon
from pentathlon.server.api import account_routes, leaderboard, operation, people_routes, robot_routes, submission_routes
from pentathlon.server.api.answer_headers import HEADERS, AnswerHeaders
from pentathlon.server.api.dependencies import ServerOffice, get_account
from pentathlon.server.api.schemas import Problem
from pentathlon.server.errors import ServerError
from pentathlon.server.queue.database import is_outage
from pentathlon.server.settings import ServerSettings

PAGES = "pentathlon.server.pages"

_log = logging.getLogger(__name__)
_METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE")
_PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"model": Problem, "description": meaning}
    for status, meaning in {
        400: "The request is wrong.",
        401: "A token is needed.",
        403: "Not allowed.",
        404: "Not found.",
        409: "Not in this state.",
        413: "Too large.",
        422: "A field is wrong.",
        429: "Too many.",
        503: "Not now.",
    }.items()
}


def create_app(settings: ServerSettings) -> FastAPI:
    """Makes the application of a server whose database has its tables."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.office = ServerOffice.open(settings)
        yield
        app.state.office.close()

    app = FastAPI(
        title="Pentathlon",
        version=pentathlon.__version__,
        description="Train offline, test on robots you never touch.",
        lifespan=lifespan,
        # The framework's own page runs scripts of another site in the name of whoever looks at it; pages/ has one.
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        responses=_PROBLEMS,
    )
    _include_routes(app)
    app.add_middleware(AnswerHeaders)
    app.add_exception_handler(ServerError, _tell_refusal)
    app.add_exception_handler(RequestValidationError, _tell_invalid)
    app.add_exception_handler(HTTPException, _tell_http)
    app.add_exception_handler(DBAPIError, _tell_outage)
    app.add_exception_handler(Exception, _tell_failure)
    return app


def _include_routes(app: FastAPI) -> None:
    """Adds what is asked for most first, since the framework tries one route after the other."""
    pages = importlib.import_module(PAGES)
    front, *others = pages.routers
    # Also what everybody may see counts against a rate.
    api: dict[str, Any] = {"prefix": "/api", "dependencies": [Depends(get_account)]}
    app.include_router(submission_routes.router, **api)
    app.include_router(front, include_in_schema=False)
    for module in (account_routes, people_routes, robot_routes, leaderboard, operation):
        app.include_router(module.router, **api)
    for router in others:
        app.include_router(router, include_in_schema=False)
    app.state.error_page = pages.error_page


async def _tell_refusal(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, ServerError)
    return _problem(error.status, str(error))


async def _tell_invalid(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"])
    return _problem(422, f"{where}: {first['msg']}.")


async def _tell_http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    headers = {"Allow": _allowed(request)} if error.status_code == 405 else error.headers
    sentence = f"{error.detail}."
    if request.url.path.startswith("/api/"):
        return _problem(error.status_code, sentence, headers)
    page: Response = await request.app.state.error_page(request, error.status_code, sentence)
    page.headers.update(headers or {})
    return page


def _allowed(request: Request) -> str:
    """The methods that a path takes; the framework by itself names those of the first route alone."""
    asked = {"type": "http", "path": request.scope["path"], "root_path": "", "headers": []}

    def takes(method: str) -> bool:
        matches = (route.matches({**asked, "method": method})[0] for route in request.app.router.routes)
        return Match.FULL in matches

    return ", ".join(filter(takes, _METHODS))


async def _tell_outage(_request: Request, error: Exception) -> JSONResponse:
    if isinstance(error, DBAPIError) and is_outage(error):
        _log.warning("The database is away: %s", error.orig)
        return _problem(503, "The database is away for a moment; try again.", {"Retry-After": "2"})
    raise error


async def _tell_failure(_request: Request, _error: Exception) -> JSONResponse:
    # This answer is made outside of the middleware.
    return _problem(500, "The server failed; its operator can see why in its output.", HEADERS)


def _problem(status: int, sentence: str, headers: Any = None) -> JSONResponse:
    return JSONResponse(Problem(error=sentence).model_dump(), status, headers)
