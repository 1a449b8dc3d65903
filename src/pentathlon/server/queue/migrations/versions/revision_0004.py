"""A secret to draw trials with, and names of accounts that differ in more than their case."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

NAME_LENGTH = 64


def upgrade() -> None:
    """Adds the table; of accounts whose names would now be the same, the later ones get a part of their id."""
    op.create_table(
        "secrets",
        sa.Column("name", sa.String(64), primary_key=True),
        sa.Column("value", sa.String(64), nullable=False),
    )
    accounts = sa.table("accounts", *(sa.column(name) for name in ("id", "name", "created_s")))
    first: dict[str, str] = {}
    later: dict[str, str] = {}
    for row in op.get_bind().execute(sa.select(accounts).order_by(accounts.c.created_s)).all():
        name = row.name.lower()
        if name in first.values():
            later[row.id] = f"{name[: NAME_LENGTH - 9]}-{row.id[:8]}"
        else:
            first[row.id] = name
    # The later ones give their names up before the first ones take them.
    for account, name in {**later, **first}.items():
        op.execute(accounts.update().where(accounts.c.id == account).values(name=name))
