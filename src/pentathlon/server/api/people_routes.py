"""Routes of operators for the accounts of others."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel

from pentathlon.server.accounts import people
from pentathlon.server.accounts.tokens import reset_tokens
from pentathlon.server.api.dependencies import Office, SignedInOperator
from pentathlon.server.api.schemas import NAME_PATTERN, MadeView, moment
from pentathlon.server.queue.tables import NAME_LENGTH

router = APIRouter(prefix="/accounts", tags=["accounts"])

MAX_PAGE = 200

PersonName = Annotated[str, Path(max_length=NAME_LENGTH, pattern=NAME_PATTERN)]


class PersonView(BaseModel):
    """An account as operators see it."""

    name: str
    role: str
    share: int
    created: datetime
    disabled: bool
    tokens: int
    submissions: int

    @staticmethod
    def of(person: people.Person) -> PersonView:
        """Shows ``person``."""
        account = person.account
        return PersonView(
            name=account.name,
            role=account.role,
            share=account.share,
            created=moment(account.created_s),
            disabled=account.disabled_s is not None,
            tokens=person.tokens,
            submissions=person.submissions,
        )


@router.get("")
def get_accounts(
    office: Office,
    _operator: SignedInOperator,
    skip: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
    limit: Annotated[int, Query(ge=1, le=MAX_PAGE)] = MAX_PAGE,
) -> list[PersonView]:
    """Lists the accounts by name; for operators."""
    with office.database.read() as session:
        return [PersonView.of(person) for person in people.list_people(session, skip, limit)]


@router.post("/{name}/reset")
def reset_account(office: Office, _operator: SignedInOperator, name: PersonName) -> MadeView:
    """Makes all tokens of an account worthless and shows a new one this once; for operators."""
    with office.database.write() as session:
        made = reset_tokens(session, people.find_person(session, name), office.settings.token_days)
    office.known.forget()
    return MadeView.of(made)


@router.post("/{name}/disable", status_code=204)
def disable_account(office: Office, operator: SignedInOperator, name: PersonName) -> None:
    """Lets nobody in with an account and cancels its submissions; for operators."""
    with office.database.write() as session:
        people.disable(session, people.find_person(session, name), operator)
    office.known.forget()


@router.post("/{name}/enable", status_code=204)
def enable_account(office: Office, _operator: SignedInOperator, name: PersonName) -> None:
    """Lets the owner of a disabled account in again; for operators."""
    with office.database.write() as session:
        people.enable(people.find_person(session, name))


@router.delete("/{name}", status_code=202)
def delete_account(office: Office, operator: SignedInOperator, name: PersonName) -> None:
    """Removes an account with its submissions, results and files, within a minute; for operators."""
    with office.database.write() as session:
        people.mark_deleted(session, people.find_person(session, name), operator)
    office.known.forget()
