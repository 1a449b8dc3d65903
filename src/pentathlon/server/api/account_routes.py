"""Routes of accounts and tokens."""

from __future__ import annotations

from fastapi import APIRouter

from pentathlon.server.accounts.tokens import make_account, make_token, revoke_token, tokens_of
from pentathlon.server.api.dependencies import MaybeSignedIn, Office, SignedIn
from pentathlon.server.api.schemas import AccountView, Id, MadeView, NewAccount, NewToken, TokenView
from pentathlon.server.errors import NotAllowedError

router = APIRouter(tags=["accounts"])


# An operator shows a token here, and a newcomer has none.
@router.post("/accounts", status_code=201, openapi_extra={"security": [{}, {"HTTPBearer": []}, {"APIKeyCookie": []}]})
def post_account(office: Office, asking: MaybeSignedIn, wanted: NewAccount) -> MadeView:
    """Makes an account; its token is shown this once."""
    operator = asking is not None and asking.role == "operator"
    if not operator and not office.settings.open_registration:
        raise NotAllowedError("Accounts are made by the operator here; ask for one.")
    if not operator and (wanted.role != "user" or wanted.share != 1):
        raise NotAllowedError("Only an operator may give a role or a share.")
    with office.database.write() as session:
        return MadeView.of(make_account(session, wanted.name, wanted.role, wanted.share, office.settings.token_days))


@router.get("/account")
def get_own_account(account: SignedIn) -> AccountView:
    """Shows whose token this is."""
    return AccountView.of(account)


@router.get("/account/tokens")
def get_tokens(office: Office, account: SignedIn) -> list[TokenView]:
    """Lists your tokens, without their secrets."""
    with office.database.read() as session:
        return [TokenView.of(token) for token in tokens_of(session, account)]


@router.post("/account/tokens", status_code=201)
def post_token(office: Office, account: SignedIn, wanted: NewToken) -> MadeView:
    """Makes a further token; it is shown this once."""
    with office.database.write() as session:
        return MadeView.of(make_token(session, account, wanted.label, office.settings.token_days))


@router.delete("/account/tokens/{token_id}", status_code=204)
def delete_token(office: Office, account: SignedIn, token_id: Id) -> None:
    """Makes one of your tokens worthless, with the sign-ins made by it; the last one stays."""
    with office.database.write() as session:
        revoke_token(session, account, token_id)
    office.known.forget()
