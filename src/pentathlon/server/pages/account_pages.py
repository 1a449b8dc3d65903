"""Signing in with a token, accounts and tokens."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from pentathlon.server.api import account_routes as api
from pentathlon.server.api.dependencies import TOKEN_COOKIE, MaybeSignedIn, Office, ServerOffice, SignedIn
from pentathlon.server.api.schemas import Id, MadeView, Message, NewAccount, NewToken
from pentathlon.server.errors import ServerError
from pentathlon.server.pages.forms import read_form
from pentathlon.server.pages.page_route import PageRoute, local_path
from pentathlon.server.pages.templating import render, render_form
from pentathlon.server.queue.tables import Account

router = APIRouter(route_class=PageRoute)

COOKIE_S = 30 * 24 * 3600


class SignIn(Message):
    """The sign-in form."""

    token: str = ""
    to: str = "/"


@router.get("/sign-in")
def show_sign_in(request: Request, office: Office, to: Annotated[str, Query()] = "/") -> HTMLResponse:
    """Shows the sign-in form, also to those whose cookie is no longer good."""
    return _sign_in_page(request, office, local_path(to))


@router.post("/sign-in")
async def sign_in(request: Request, office: Office) -> Response:
    """Keeps a good token in a cookie that scripts cannot read and other sites cannot use."""
    office.limiter.check(f"host {request.client.host if request.client else 'unknown'}")
    wanted = await read_form(request, SignIn)
    token = wanted.token.strip()
    try:
        await run_in_threadpool(office.authenticate, token)
    except ServerError as error:
        return _sign_in_page(request, office, local_path(wanted.to), error)
    response = RedirectResponse(local_path(wanted.to), 303)
    _remember(request, response, token)
    return response


@router.post("/sign-out")
def sign_out() -> Response:
    """Forgets the token in this browser; it stays good elsewhere."""
    response = RedirectResponse("/", 303)
    response.delete_cookie(TOKEN_COOKIE)
    return response


@router.post("/accounts")
async def make_account(request: Request, office: Office, viewer: MaybeSignedIn) -> Response:
    """Makes an account and shows its token once; who had none is signed in."""
    try:
        wanted = await read_form(request, NewAccount)
        made = await run_in_threadpool(api.post_account, office, viewer, wanted)
    except ServerError as error:
        if viewer is None:
            return _sign_in_page(request, office, "/", error)
        return await run_in_threadpool(_account_page, request, office, viewer, error=error)
    if viewer is not None:
        return render(request, "token.html", viewer, made=made, own=False)
    account = await run_in_threadpool(office.authenticate, made.token)
    response = render(request, "token.html", account, made=made, own=True)
    _remember(request, response, made.token)
    return response


@router.get("/account")
def show_account(request: Request, office: Office, viewer: SignedIn) -> HTMLResponse:
    """Shows your tokens; operators can make accounts here."""
    return _account_page(request, office, viewer)


@router.post("/account/tokens")
async def make_token(request: Request, office: Office, viewer: SignedIn) -> HTMLResponse:
    """Makes a token and shows it once."""
    try:
        wanted = await read_form(request, NewToken)
    except ServerError as error:
        return await run_in_threadpool(_account_page, request, office, viewer, error=error)
    made = await run_in_threadpool(api.post_token, office, viewer, wanted)
    return await run_in_threadpool(_account_page, request, office, viewer, made=made)


@router.post("/account/tokens/{token_id}/revoke")
def revoke_token(office: Office, viewer: SignedIn, token_id: Id) -> RedirectResponse:
    """Makes a token worthless."""
    api.delete_token(office, viewer, token_id)
    return RedirectResponse("/account", 303)


def _sign_in_page(request: Request, office: ServerOffice, to: str, error: ServerError | None = None) -> HTMLResponse:
    open_registration = office.settings.open_registration
    return render_form(request, "sign_in.html", None, error, to=to, open_registration=open_registration)


def _account_page(
    request: Request,
    office: ServerOffice,
    viewer: Account,
    *,
    made: MadeView | None = None,
    error: ServerError | None = None,
) -> HTMLResponse:
    present = request.cookies.get(TOKEN_COOKIE, "").split("_")[1:2]
    tokens = api.get_tokens(office, viewer)
    return render_form(request, "account.html", viewer, error, tokens=tokens, present=present, made=made)


def _remember(request: Request, response: Response, token: str) -> None:
    secure = request.url.scheme == "https"
    response.set_cookie(TOKEN_COOKIE, token, max_age=COOKIE_S, httponly=True, samesite="strict", secure=secure)
