"""Task ids with their tier, outcomes in place of act's columns, and the tasks' own scores."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import context, op

revision = "0002"
down_revision = "0001"

SPRINT_TRIALS = 6

_UNITS = {"reward_g": "g", "success": "%"}
_PARTS = {"": "", "seen_": ", seen locations", "unseen_": ", unseen locations"}


def upgrade() -> None:
    """Moves on from revision 0001. Its rows do not tell ``full`` from ``lite``, so whoever calls alembic does."""
    _change_submissions(context.config.attributes.get("tier", "full"))
    _change_trials()


def _change_submissions(tier: str) -> None:
    op.alter_column("submissions", "kind", new_column_name="source")
    if op.get_bind().dialect.name != "sqlite":  # which neither enforces lengths nor changes them
        op.alter_column("submissions", "task", type_=sa.String(128))
    op.add_column("submissions", sa.Column("scores", sa.JSON()))
    table = sa.table(
        "submissions",
        *(sa.column(name) for name in ("id", "task", "trials_total")),
        sa.column("summary", sa.JSON()),
        sa.column("scores", sa.JSON()),
    )
    for row in op.get_bind().execute(sa.select(table)).all():
        task = _task_id(row.task, "sprint" if row.trials_total == SPRINT_TRIALS else tier)
        changes: dict[str, Any] = {"task": task}
        if row.summary is not None:
            changes["scores"] = _scores(row.summary)
        op.execute(table.update().where(table.c.id == row.id).values(**changes))
    op.drop_column("submissions", "summary")


def _change_trials() -> None:
    op.rename_table("trials", "old_trials")
    op.create_table(
        "trials",
        sa.Column("submission_id", sa.String(32), sa.ForeignKey("submissions.id"), primary_key=True),
        sa.Column("trial", sa.String(256), primary_key=True),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("outcome", sa.JSON(), nullable=False),
        sa.Column("worker", sa.String(64), nullable=False),
        sa.Column("recorded_s", sa.Double(), nullable=False),
    )
    names = ("submission_id", "trial", "position", "recorded_s", "robot", "container", "location", "training_seed")
    numbers = ("reward_g", "success", "seen_location", "steps", "wall_time_s")
    old = sa.table("old_trials", *(sa.column(name) for name in (*names, *numbers)))
    new = sa.table("trials", *(sa.column(name) for name in (*names[:4], "worker")), sa.column("outcome", sa.JSON()))
    for row in op.get_bind().execute(sa.select(old)).all():
        same = {name: getattr(row, name) for name in names[:4]}
        op.execute(new.insert().values(**same, worker=row.robot, outcome=_outcome(row)))
    op.drop_table("old_trials")


def _task_id(task: str, tier: str) -> str:
    return f"act/{task}-v1" if tier == "full" else f"act/{task}-{tier}-v1"


def _outcome(row: Any) -> dict[str, Any]:
    return {
        "trial": row.trial,
        "metrics": {"reward_g": row.reward_g, "success": float(row.success)},
        "status": "ok",
        "error": "",
        "cluster": f"{row.container}-{row.location}",
        "steps": row.steps,
        "wall_time_s": row.wall_time_s,
        "artifacts": {"video": f"artifacts/{row.trial}/video.mp4"},
        "details": {
            "container": row.container,
            "location": row.location,
            "seen_location": bool(row.seen_location),
            "training_seed": row.training_seed,
        },
    }


def _scores(summary: dict[str, Any]) -> list[dict[str, Any]]:
    found = [
        (f"{metric}{part}", unit, summary.get(f"{prefix}{metric}"))
        for prefix, part in _PARTS.items()
        for metric, unit in _UNITS.items()
    ]
    common = {"errors": 0, "higher_is_better": True, "paper": None, "ceiling": None}
    return [{"metric": name, "unit": unit, **number, **common} for name, unit, number in found if number is not None]
