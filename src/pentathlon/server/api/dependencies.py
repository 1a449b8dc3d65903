"""What the routes share: the office (database, queue, settings) and who is asking."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from anyio import CapacityLimiter
from anyio.to_thread import run_sync
from fastapi import Depends, Request, Security
from fastapi.security import APIKeyCookie, HTTPBearer
from starlette.requests import HTTPConnection

from pentathlon.server.accounts.known import KnownVisitors, Shown
from pentathlon.server.accounts.sign_ins import who_signed_in
from pentathlon.server.accounts.tokens import authenticate
from pentathlon.server.api.boards import Boards
from pentathlon.server.api.hosts import host_of
from pentathlon.server.api.origin import READING, check_same_origin
from pentathlon.server.api.rate_limits import RateLimiter
from pentathlon.server.errors import NotAllowedError, NotSignedInError
from pentathlon.server.queue.database import Database
from pentathlon.server.queue.forecast import Forecaster
from pentathlon.server.queue.jobs import JobQueue
from pentathlon.server.queue.tables import Account
from pentathlon.server.queue.uploads import Senders
from pentathlon.server.settings import ServerSettings

# Uploads wait for the disk and for the database's lock; they must not take all threads from those who poll.
UPLOAD_THREADS = 4
# However many look at the site, these are left to whoever shows a token and to operators, who may have to stop an arm.
RESERVED_THREADS = 4
# Readers of SQLite wait only where somebody died and his work is being undone.
HURRY_MS = 100
SIGN_IN_COOKIE = "pentathlon_sign_in"

_bearer = HTTPBearer(auto_error=False, description="The token of your account.")
_cookie = APIKeyCookie(name=SIGN_IN_COOKIE, auto_error=False, description="What a browser got for a token.")


@dataclass(frozen=True)
class ServerOffice:
    """What every route needs; one per web process.

    Visitors can take all threads and connections but the ``reserved`` ones: threads to look tokens up, threads for
    ``operators``, and a database with connections of its own for both. The event loop itself reads from ``at_hand``:
    readers of SQLite wait for nobody, and a change of threads costs more than a row; of PostgreSQL there is none.
    """

    settings: ServerSettings
    database: Database
    reserved: Database
    at_hand: Database | None
    queue: JobQueue
    boards: Boards
    forecaster: Forecaster
    limiter: RateLimiter
    known: KnownVisitors
    uploads: CapacityLimiter
    doors: CapacityLimiter
    operators: CapacityLimiter
    senders: Senders

    @staticmethod
    def open(settings: ServerSettings) -> ServerOffice:
        """Connects to the database, which must have its tables."""
        database = Database(settings.database_url)
        return ServerOffice(
            settings=settings,
            database=database,
            reserved=Database(settings.database_url, pool_size=RESERVED_THREADS),
            at_hand=Database(settings.database_url, busy_timeout_ms=HURRY_MS) if database.sqlite else None,
            boards=Boards(database),
            queue=JobQueue(settings.database_url),
            forecaster=Forecaster(settings),
            limiter=RateLimiter(settings.requests_per_second, settings.request_burst),
            known=KnownVisitors(),
            uploads=CapacityLimiter(UPLOAD_THREADS),
            doors=CapacityLimiter(RESERVED_THREADS),
            operators=CapacityLimiter(RESERVED_THREADS),
            senders=Senders(),
        )

    def authenticate(self, shown: Shown, presented: str) -> Account:
        """Looks a token or cookie up and remembers it for a while."""
        with self.reserved.read() as session:
            account = authenticate(session, presented)[0] if shown == "token" else who_signed_in(session, presented)
        self.known.add(shown, presented, account)
        return account

    def close(self) -> None:
        """Closes all connections."""
        self.queue.close()
        for database in (self.reserved, self.at_hand, self.database):
            if database is not None:
                database.close()


# What follows does not wait for anything, or hands the waiting to a thread: a coroutine spares a change of threads.


async def get_office(request: Request) -> ServerOffice:
    """Returns the office of the application."""
    office: ServerOffice = request.app.state.office
    return office


Office = Annotated[ServerOffice, Depends(get_office)]


def caller_of(connection: HTTPConnection) -> str:
    """Whom a request counts to that comes without a good token."""
    return f"host {host_of(connection.client.host)}" if connection.client else "unknown"


async def get_account(request: Request) -> Account | None:
    """Returns the account whose token came with the request, ``None`` when there came none.

    Every request counts against its account's rate, or against its host's when it has no good token. A browser sends
    the cookie by itself, so with it only a page of this site may change anything.
    """
    # Not as a dependency: each one of them costs every request, and this one is asked for by all.
    office: ServerOffice = request.app.state.office
    host = caller_of(request)
    shown, presented = _read_credential(request)
    if presented is None:
        office.limiter.check(host)
        return None
    if shown == "cookie" and request.method not in READING:
        check_same_origin(request.headers)
    account = office.known.get(shown, presented)
    if account is None:
        try:
            account = await run_sync(office.authenticate, shown, presented, limiter=office.doors)
        except NotSignedInError:
            office.limiter.check(host)
            raise
    office.limiter.check(f"account {account.id}")
    return account


def _read_credential(request: Request) -> tuple[Shown, str | None]:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and token.strip():
        return "token", token.strip()
    return "cookie", request.cookies.get(SIGN_IN_COOKIE)


MaybeSignedIn = Annotated[Account | None, Depends(get_account)]


async def require_account(
    account: MaybeSignedIn,
    _token: Annotated[object, Security(_bearer)],
    _sign_in: Annotated[object, Security(_cookie)],
) -> Account:
    """Refuses a request without a token; only such routes are declared as needing one."""
    if account is None:
        raise NotSignedInError("This needs a token: send it as 'Authorization: Bearer TOKEN'.")
    return account


SignedIn = Annotated[Account, Depends(require_account)]


async def require_operator(account: SignedIn) -> Account:
    """Refuses a request of anybody but an operator."""
    if account.role != "operator":
        raise NotAllowedError("Only an operator may do this.")
    return account


SignedInOperator = Annotated[Account, Depends(require_operator)]
