"""Signing in with a token and out again, new accounts, and one's own tokens."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from pentathlon.server.accounts import sign_ins
from pentathlon.server.accounts.tokens import authenticate
from pentathlon.server.api import account_routes as api
from pentathlon.server.api.dependencies import (
    SIGN_IN_COOKIE,
    MaybeSignedIn,
    Office,
    ServerOffice,
    SignedIn,
    caller_of,
)
from pentathlon.server.api.schemas import Id, MadeView, Message, NewAccount, NewToken
from pentathlon.server.errors import ServerError
from pentathlon.server.pages.forms import read_form
from pentathlon.server.pages.page_route import PageRoute, local_path
from pentathlon.server.pages.people_page import people_page
from pentathlon.server.pages.templating import render, render_form
from pentathlon.server.queue.tables import Account
from pentathlon.server.sizes import DAY_S

router = APIRouter(route_class=PageRoute)


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
    """Gives a cookie for a good token, which scripts cannot read and other sites cannot use."""
    office.limiter.check(caller_of(request))
    wanted = await read_form(request, SignIn)
    try:
        cookie = await run_in_threadpool(_sign_in, office, wanted.token.strip())
    except ServerError as error:
        return _sign_in_page(request, office, local_path(wanted.to), error)
    response = RedirectResponse(local_path(wanted.to), 303)
    _remember(request, response, cookie)
    return response


@router.post("/sign-out")
def sign_out(request: Request, office: Office) -> Response:
    """Ends the sign-in of this browser for good; the token stays."""
    with office.database.write() as session:
        sign_ins.sign_out(session, request.cookies.get(SIGN_IN_COOKIE, ""))
    office.known.forget()
    response = RedirectResponse("/", 303)
    response.delete_cookie(SIGN_IN_COOKIE)
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
        return await run_in_threadpool(people_page, request, office, viewer, error=error)
    if viewer is not None:
        return render(request, "token.html", viewer, made=made, own=False)
    cookie = await run_in_threadpool(_sign_in, office, made.token)
    account = await run_in_threadpool(office.authenticate, "cookie", cookie)
    response = render(request, "token.html", account, made=made, own=True)
    _remember(request, response, cookie)
    return response


@router.get("/account")
def show_account(request: Request, office: Office, viewer: SignedIn) -> HTMLResponse:
    """Shows your tokens."""
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
def revoke_token(request: Request, office: Office, viewer: SignedIn, token_id: Id) -> Response:
    """Makes a token worthless."""
    try:
        api.delete_token(office, viewer, token_id)
    except ServerError as error:
        return _account_page(request, office, viewer, error=error)
    return RedirectResponse("/account", 303)


def _sign_in(office: ServerOffice, presented: str) -> str:
    with office.reserved.write() as session:
        _, token = authenticate(session, presented)
        return sign_ins.sign_in(session, token)


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
    present, tokens = _present(office, request), api.get_tokens(office, viewer)
    return render_form(request, "account.html", viewer, error, tokens=tokens, present=present, made=made)


def _present(office: ServerOffice, request: Request) -> str:
    """The id of the token that this browser signed in with."""
    with office.database.read() as session:
        return sign_ins.token_of(session, request.cookies.get(SIGN_IN_COOKIE, ""))


def _remember(request: Request, response: Response, cookie: str) -> None:
    response.set_cookie(
        SIGN_IN_COOKIE,
        cookie,
        max_age=int(sign_ins.SIGN_IN_DAYS * DAY_S),
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
    )
