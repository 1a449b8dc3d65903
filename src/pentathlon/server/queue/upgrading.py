"""Brings a database to the schema of this program, and the files of submissions to their places."""

from __future__ import annotations

from dataclasses import dataclass

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect, select
from sqlalchemy.orm import Session

from pentathlon.core.errors import UsageError
from pentathlon.core.registry import TASKS
from pentathlon.core.tiers import Tier
from pentathlon.server.queue.database import Database
from pentathlon.server.queue.results import read_outcome, records_of, write_run
from pentathlon.server.queue.tables import Submission
from pentathlon.server.settings import ServerSettings

FIRST = "0001"
SCRIPTS = "pentathlon.server.queue:migrations"


@dataclass(frozen=True)
class Upgrade:
    """What was done: the revision before, ``None`` where there was no database, and after."""

    before: str | None
    after: str

    def __str__(self) -> str:
        if self.before is None:
            return f"Made the database, version {self.after}."
        return f"Upgraded the database from version {self.before} to {self.after}."


def upgrade(database: Database, tier: Tier = "full", to: str = "head") -> Upgrade | None:
    """Upgrades the schema in one transaction; ``None`` when it is of this version already.

    Args:
        database: to upgrade; an empty one gets its tables.
        tier: of submissions with 36 trials that version 0001 keeps without their tier.
        to: the revision wanted; the newest when not given.

    Raises:
        UsageError: when the database is of a newer version than this program.
    """
    config = Config()
    config.set_main_option("script_location", SCRIPTS)
    config.attributes["tier"] = tier
    scripts = ScriptDirectory.from_config(config)
    with database.engine.execution_options(pentathlon_writes=True).begin() as connection:
        config.attributes["connection"] = connection
        before, after = _present(connection), scripts.as_revision_number(to)
        known = [script.revision for script in scripts.walk_revisions()]
        if before is not None and before not in known:
            raise UsageError(
                f"The database is of version {before}, this program knows versions up to {known[0]}. Update Pentathlon "
                "or give another --data or --database."
            )
        if before == after:
            return None
        if before == FIRST:
            command.stamp(config, FIRST)
        command.upgrade(config, to)
    assert isinstance(after, str)
    return Upgrade(before, after)


def adopt_files(settings: ServerSettings, database: Database) -> None:
    """Moves the videos of version 0001 into run folders, and completes those of finished submissions."""
    with database.read() as session:
        for submission in session.scalars(select(Submission)):
            _move_videos(settings, session, submission)
            if submission.state == "finished":
                _complete_run(settings, session, submission)


def _present(connection: Connection) -> str | None:
    """The revision of a database; those of the first one do not say so."""
    revision = MigrationContext.configure(connection).get_current_revision()
    if revision is None and inspect(connection).has_table("submissions"):
        return FIRST
    return revision


def _move_videos(settings: ServerSettings, session: Session, submission: Submission) -> None:
    videos = settings.folder(submission.id) / "videos"
    for record in records_of(session, submission):
        old = videos / f"{record.position}.mp4"
        if old.is_file():
            new = settings.run(submission.id) / read_outcome(record).artifacts["video"]
            new.parent.mkdir(parents=True, exist_ok=True)
            old.replace(new)
    if videos.is_dir() and not any(videos.iterdir()):
        videos.rmdir()


def _complete_run(settings: ServerSettings, session: Session, submission: Submission) -> None:
    outcomes = [read_outcome(record) for record in records_of(session, submission)]
    write_run(settings.run(submission.id), submission, TASKS.get(submission.task).make(), outcomes)
