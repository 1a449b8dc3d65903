"""What all pages have in common: refusal of forms from other sites, and errors told as pages."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, NamedTuple
from urllib.parse import quote

from fastapi import Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.exceptions import RequestValidationError
from fastapi.responses import RedirectResponse
from fastapi.routing import APIRoute
from sqlalchemy.exc import DBAPIError
from starlette.exceptions import HTTPException

from pentathlon.server.api.dependencies import SIGN_IN_COOKIE, ServerOffice
from pentathlon.server.api.origin import READING, check_same_origin
from pentathlon.server.errors import NotSignedInError, ServerError
from pentathlon.server.pages.templating import render
from pentathlon.server.queue.database import is_outage
from pentathlon.server.queue.tables import Account

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
                told = _told(error)
                response = await error_page(request, told.status, told.sentence)
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


async def error_page(request: Request, status: int, sentence: str) -> Response:
    """Tells an error as a page that looks as all others do to who is signed in."""
    viewer = await run_in_threadpool(_viewer, request)
    return render(request, "error.html", viewer, status=status, code=status, sentence=sentence)


def _viewer(request: Request) -> Account | None:
    """Who looks, as far as that can be told now."""
    office: ServerOffice = request.app.state.office
    cookie = request.cookies.get(SIGN_IN_COOKIE)
    if cookie is None:
        return None
    try:
        return office.known.get("cookie", cookie) or office.authenticate("cookie", cookie)
    except (ServerError, DBAPIError):
        return None
