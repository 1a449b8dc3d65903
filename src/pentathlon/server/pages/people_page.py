"""The page where operators look after the accounts of others."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from pentathlon.server.api import people_routes as api
from pentathlon.server.api.dependencies import Office, ServerOffice, SignedInOperator
from pentathlon.server.errors import ServerError
from pentathlon.server.pages.page_route import PageRoute
from pentathlon.server.pages.templating import render, render_form
from pentathlon.server.queue.tables import Account

router = APIRouter(prefix="/accounts", route_class=PageRoute)

PAGE = 50
CHANGES = {"disable": api.disable_account, "enable": api.enable_account, "delete": api.delete_account}


@router.get("")
def list_accounts(
    request: Request, office: Office, operator: SignedInOperator, skip: Annotated[int, Query(ge=0, le=1_000_000)] = 0
) -> HTMLResponse:
    """Lists the accounts, with what can be done about each."""
    return people_page(request, office, operator, skip=skip)


@router.post("/{name}/reset")
def reset_account(request: Request, office: Office, operator: SignedInOperator, name: api.PersonName) -> HTMLResponse:
    """Shows the new token of an account this once."""
    made = api.reset_account(office, operator, name)
    return render(request, "token.html", operator, made=made, own=False)


@router.post("/{name}/{change}")
def change_account(
    request: Request,
    office: Office,
    operator: SignedInOperator,
    name: api.PersonName,
    change: Literal["disable", "enable", "delete"],
) -> Response:
    """Does it and returns to the list."""
    try:
        CHANGES[change](office, operator, name)
    except ServerError as error:
        return people_page(request, office, operator, error=error)
    return RedirectResponse("/accounts", 303)


def people_page(
    request: Request, office: ServerOffice, viewer: Account, *, skip: int = 0, error: ServerError | None = None
) -> HTMLResponse:
    """Renders the list, for operators alone."""
    people = api.get_accounts(office, viewer, skip, PAGE + 1) if viewer.role == "operator" else []
    return render_form(
        request,
        "people.html",
        viewer,
        error,
        people=people[:PAGE],
        back=max(0, skip - PAGE) if skip else None,
        forth=skip + PAGE if len(people) > PAGE else None,
    )
