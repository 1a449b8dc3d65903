"""The secret with which a server draws its trials. It lies beside the results, since they compare under one only."""

from __future__ import annotations

import secrets
from contextlib import closing

from sqlalchemy.orm import Session

from pentathlon.server.queue.database import Database, patiently
from pentathlon.server.queue.tables import Secret

NAME = "trials"


def make_secret(session: Session) -> str:
    """Returns the secret, drawn when there was none."""
    kept = session.get(Secret, NAME)
    if kept is None:
        kept = Secret(name=NAME, value=secrets.token_hex(32))
        session.add(kept)
    return kept.value


def read_secret(database_url: str) -> str:
    """Returns the secret of a server's database."""

    def read() -> str:
        with closing(Database(database_url, pool_size=1)) as database, database.write() as session:
            return make_secret(session)

    return patiently(read)
