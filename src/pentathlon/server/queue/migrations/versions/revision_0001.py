"""The first schema: tasks of act by name, and columns for what act measures."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Makes the tables."""
    op.create_table(
        "accounts",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("name", sa.String(64), nullable=False, unique=True),
        sa.Column("role", sa.String(16), nullable=False),
        sa.Column("share", sa.Integer(), nullable=False),
        sa.Column("created_s", sa.Double(), nullable=False),
    )
    op.create_table(
        "tokens",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("account_id", sa.String(32), sa.ForeignKey("accounts.id"), nullable=False, index=True),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("label", sa.String(64), nullable=False),
        sa.Column("created_s", sa.Double(), nullable=False),
        sa.Column("revoked_s", sa.Double()),
    )
    _create_submissions()
    op.create_table(
        "state_changes",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("submission_id", sa.String(32), sa.ForeignKey("submissions.id"), nullable=False, index=True),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("worker", sa.String(64), nullable=False),
        sa.Column("at_s", sa.Double(), nullable=False),
    )
    _create_trials()
    op.create_table(
        "robots",
        sa.Column("name", sa.String(64), primary_key=True),
        sa.Column("driver", sa.Text(), nullable=False),
        sa.Column("order", sa.String(16), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("submission_id", sa.String(32), nullable=False),
        sa.Column("awaiting", sa.String(256), nullable=False),
        sa.Column("confirmed", sa.String(256), nullable=False),
        sa.Column("heartbeat_s", sa.Double(), nullable=False),
    )


def _create_submissions() -> None:
    op.create_table(
        "submissions",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("account_id", sa.String(32), sa.ForeignKey("accounts.id"), nullable=False, index=True),
        sa.Column("request_key", sa.String(64)),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("challenge", sa.String(16), nullable=False),
        sa.Column("task", sa.String(16), nullable=False),
        sa.Column("title", sa.String(64), nullable=False),
        sa.Column("sha256", sa.String(64), nullable=False),
        sa.Column("size_bytes", sa.Integer(), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("remote_token", sa.Text(), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("priority", sa.Integer(), nullable=False),
        sa.Column("claim", sa.Integer(), nullable=False),
        sa.Column("fruitless_claims", sa.Integer(), nullable=False),
        sa.Column("worker", sa.String(64), nullable=False),
        sa.Column("heartbeat_s", sa.Double(), nullable=False),
        sa.Column("created_s", sa.Double(), nullable=False),
        sa.Column("entered_s", sa.Double(), nullable=False),
        sa.Column("started_s", sa.Double()),
        sa.Column("ended_s", sa.Double()),
        sa.Column("trials_done", sa.Integer(), nullable=False),
        sa.Column("trials_total", sa.Integer(), nullable=False),
        sa.Column("summary", sa.JSON()),
        sa.UniqueConstraint("account_id", "request_key"),
        sa.Index("submissions_by_queue", "state", "priority", "entered_s"),
    )


def _create_trials() -> None:
    op.create_table(
        "trials",
        sa.Column("submission_id", sa.String(32), sa.ForeignKey("submissions.id"), primary_key=True),
        sa.Column("trial", sa.String(128), primary_key=True),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("training_seed", sa.Integer(), nullable=False),
        sa.Column("container", sa.String(64), nullable=False),
        sa.Column("location", sa.String(64), nullable=False),
        sa.Column("seen_location", sa.Boolean(), nullable=False),
        sa.Column("reward_g", sa.Double(), nullable=False),
        sa.Column("success", sa.Boolean(), nullable=False),
        sa.Column("steps", sa.Integer(), nullable=False),
        sa.Column("wall_time_s", sa.Double(), nullable=False),
        sa.Column("robot", sa.String(64), nullable=False),
        sa.Column("recorded_s", sa.Double(), nullable=False),
    )
