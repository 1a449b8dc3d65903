"""Tokens expire, browsers sign in apart from them, and accounts can be disabled and deleted."""

from __future__ import annotations

import time

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

YEAR_S = 365 * 24 * 3600.0


def upgrade() -> None:
    """Adds the columns; tokens made before hold for another year."""
    op.add_column("accounts", sa.Column("disabled_s", sa.Double()))
    op.add_column("accounts", sa.Column("deleted_s", sa.Double()))
    op.add_column("tokens", sa.Column("expires_s", sa.Double(), nullable=False, server_default="0"))
    op.execute(sa.table("tokens", sa.column("expires_s")).update().values(expires_s=time.time() + YEAR_S))
    op.create_table(
        "sign_ins",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("token_id", sa.String(32), sa.ForeignKey("tokens.id"), nullable=False, index=True),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("created_s", sa.Double(), nullable=False),
        sa.Column("expires_s", sa.Double(), nullable=False),
    )
