"""Connections to SQLite or PostgreSQL, with transactions that either read or write."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.orm import Session

from pentathlon.core.errors import UsageError
from pentathlon.server.disk import is_full

Result = TypeVar("Result")
Reader = Session | Connection

BUSY_TIMEOUT_MS = 30_000
PATIENCE_S = 600.0


class Database:
    """The server's database; safe to use from several threads and processes at once."""

    def __init__(self, url: str, *, pool_size: int = 10, busy_timeout_ms: int = BUSY_TIMEOUT_MS) -> None:
        backend = make_url(url).get_backend_name()
        if backend not in ("sqlite", "postgresql"):
            raise UsageError(f"Expected a database URL that begins with sqlite or postgresql, got {backend!r}.")
        self.url = url
        self.sqlite = backend == "sqlite"
        self.engine = _sqlite_engine(url, busy_timeout_ms) if self.sqlite else _postgresql_engine(url, pool_size)
        self._writing = self.engine.execution_options(pentathlon_writes=True)
        # Reads are single statements; on PostgreSQL a transaction around each would double the round trips.
        self._reading = self.engine if self.sqlite else self.engine.execution_options(isolation_level="AUTOCOMMIT")

    @contextmanager
    def read(self) -> Iterator[Session]:
        """Opens a session that sees what is committed; it never waits for writers."""
        with Session(self._reading, expire_on_commit=False) as session:
            yield session

    def look(self) -> Connection:
        """Opens a connection that reads rows as they stand, which takes a third of what a session does."""
        return self._reading.connect()

    @contextmanager
    def write(self) -> Iterator[Session]:
        """Opens a transaction that is committed on leaving and rolled back on an exception."""
        with Session(self._writing, expire_on_commit=False) as session, session.begin():
            yield session

    def close(self) -> None:
        """Closes all connections."""
        self.engine.dispose()


def is_outage(error: BaseException) -> bool:
    """Whether ``error`` means that the database was away or busy, so that trying again may help."""
    if isinstance(error, DBAPIError) and error.connection_invalidated:
        return True
    return isinstance(error, OperationalError | InterfaceError)


def patiently(work: Callable[[], Result], patience_s: float = PATIENCE_S) -> Result:
    """Does ``work``, again and again while the database is away.

    A connection may break after a commit took hold, so ``work`` must bear to be done twice. Room on a full disk is
    waited for however long it takes, since nothing can be told to anybody before.
    """
    deadline = time.monotonic() + patience_s
    pause_s = 0.05
    while True:
        try:
            return work()
        except DBAPIError as error:
            impatient = time.monotonic() > deadline and not is_full(error)
            if not is_outage(error) or impatient:
                raise
        time.sleep(pause_s)
        pause_s = min(2 * pause_s, 2.0)


def _postgresql_engine(url: str, pool_size: int) -> Engine:
    return create_engine(url, pool_size=pool_size, max_overflow=pool_size, pool_pre_ping=True)


def _sqlite_engine(url: str, busy_timeout_ms: int) -> Engine:
    engine = create_engine(url, connect_args={"timeout": busy_timeout_ms / 1000})

    @event.listens_for(engine, "connect")
    def configure(connection: Any, _record: Any) -> None:
        # The driver would begin transactions late, and readers could then not turn into writers.
        connection.isolation_level = None
        connection.execute(f"PRAGMA busy_timeout={busy_timeout_ms}")
        connection.execute("PRAGMA journal_mode=WAL")
        # An accepted submission must survive a power cut, so every commit is synced.
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("PRAGMA foreign_keys=ON")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        writes = connection.get_execution_options().get("pentathlon_writes", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine
