"""What all pages have in common: refusal of forms from other sites, and errors told as pages."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, NamedTuple
from urllib.parse import quote

from fastapi import Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import RedirectResponse
from fastapi.routing import APIRoute
from sqlalchemy.exc import DBAPIError
from starlette.exceptions import HTTPException

from pentathlon.server.api.dependencies import SIGN_IN_COOKIE
from pentathlon.server.api.origin import READING, check_same_origin
from pentathlon.server.errors import NotSignedInError, ServerError
from pentathlon.server.queue.database import is_outage

Handler = Callable[[Request], Coroutine[Any, Any, Response]]


class PageRoute(APIRoute):
    """A route that answers with a page whatever happens, and never acts on a form that another site sent."""

    def get_route_handler(self) -> Handler:
        """Wraps the route."""
        handle = super().get_route_handler()

        async def guarded(request: Request) -> Response:
            try:
                if request.method not in READING:
                    check_same_origin(request.headers)
                response = await handle(request)
            except NotSignedInError:
                response = _to_sign_in(request)
            except (ServerError, HTTPException, RequestValidationError, DBAPIError) as error:
                response = _error_page(request, _told(error))
            return response

        return guarded


def local_path(address: str) -> str:
    """Returns ``address`` if it leads to a page of this site, else the front page."""
    ours = address.startswith("/") and not address.startswith("//") and "\\" not in address and address.isprintable()
    return address if ours else "/"


class _Told(NamedTuple):
    status: int
    sentence: str


def _told(error: Exception) -> _Told:
    if isinstance(error, ServerError):
        return _Told(error.status, str(error))
    if isinstance(error, HTTPException):
        return _Told(error.status_code, f"{error.detail}.")
    if isinstance(error, RequestValidationError):
        first = error.errors()[0]
        return _Told(400, f"{'.'.join(str(part) for part in first['loc'])}: {first['msg']}.")
    assert isinstance(error, DBAPIError)
    if is_outage(error):
        return _Told(503, "The database is away for a moment; try again.")
    raise error


def _to_sign_in(request: Request) -> Response:
    """Leads to the sign-in page and back; a cookie that is no longer good is removed."""
    back = request.url.path if request.method == "GET" else "/"
    response = RedirectResponse(f"/sign-in?to={quote(back)}", 303)
    if SIGN_IN_COOKIE in request.cookies:
        response.delete_cookie(SIGN_IN_COOKIE)
    return response


def _error_page(request: Request, told: _Told) -> Response:
    from pentathlon.server.pages.templating import render

    return render(request, "error.html", None, status=told.status, sentence=told.sentence)
