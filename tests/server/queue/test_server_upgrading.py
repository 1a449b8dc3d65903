"""Databases of former versions are upgraded, with their rows and files; newer ones are refused."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from desk import TRIALS
from postgresql_cluster import PostgresqlCluster

from pentathlon.cli.main import main
from pentathlon.core.errors import UsageError
from pentathlon.engine import RunFolder
from pentathlon.server.accounts.tokens import make_account
from pentathlon.server.queue.database import Database
from pentathlon.server.queue.results import leaderboard, read_outcome, read_scores, records_of
from pentathlon.server.queue.tables import Base, Submission
from pentathlon.server.queue.upgrading import FIRST, upgrade
from pentathlon.server.settings import ServerSettings
from pentathlon.server.supervisor import prepare

GRAMS = [float(position) for position in range(6)]
NUMBER = {"value": 2.5, "low": 1.0, "high": 4.0, "n": 6}
SUMMARY = {
    **{f"{part}{metric}": NUMBER for part in ("", "seen_") for metric in ("reward_g", "success")},
    **{f"unseen_{metric}": None for metric in ("reward_g", "success")},
}


@pytest.fixture(params=["sqlite", "postgresql"])
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> ServerSettings:
    url = ""
    if request.param == "postgresql":
        cluster: PostgresqlCluster = request.getfixturevalue("postgresql")
        url = cluster.new_database()
    return ServerSettings(tmp_path, url, tasks=("act/*-lite-v1",))


@pytest.fixture
def database(settings: ServerSettings) -> Iterator[Database]:
    opened = Database(settings.database_url)
    yield opened
    opened.close()


def fill(database: Database, submission: str, trials: int, **fields: Any) -> None:
    """Adds a submission as the first version kept it: tasks by name, no tier, a column for each number."""
    row = {
        "id": submission,
        "account_id": "a",
        "request_key": None,
        "kind": "upload",
        "challenge": "policy",
        "task": "pour",
        "title": "",
        "sha256": "ff",
        "size_bytes": 1,
        "url": "",
        "remote_token": "",
        "reason": "",
        "state": "finished",
        "priority": 60,
        "claim": 0,
        "fruitless_claims": 0,
        "worker": "robot-1",
        "heartbeat_s": 1.0,
        "created_s": 1.0,
        "entered_s": 1.0,
        "started_s": 1.0,
        "ended_s": 2.0,
        "trials_done": 6,
        "trials_total": trials,
        "summary": json.dumps(SUMMARY),
        **fields,
    }
    with database.write() as session:
        _insert(session, "submissions", row)
        for position, trial in enumerate(TRIALS):
            _insert(session, "trials", _old_trial(submission, position, trial))


def _old_trial(submission: str, position: int, trial: Any) -> dict[str, Any]:
    return {
        "submission_id": submission,
        "trial": trial.id,
        "position": position,
        "training_seed": 0,
        "container": trial.setup.container,
        "location": trial.setup.location,
        "seen_location": trial.seen_location,
        "reward_g": GRAMS[position],
        "success": position > 0,
        "steps": 10,
        "wall_time_s": 0.5,
        "robot": "robot-1",
        "recorded_s": 3.0,
    }


def _insert(session: Any, table: str, row: dict[str, Any]) -> None:
    columns = ", ".join(row)
    session.execute(sa.text(f"INSERT INTO {table} ({columns}) VALUES (:{', :'.join(row)})"), row)


def old_database(database: Database) -> None:
    """A database as the first version left it, which knew nothing of revisions."""
    upgrade(database, to=FIRST)
    with database.write() as session:
        session.execute(sa.text("DROP TABLE alembic_version"))
        _insert(session, "accounts", {"id": "a", "name": "ada", "role": "user", "share": 1, "created_s": 1.0})
    fill(database, "0" * 16, 6)
    fill(database, "1" * 16, 36, task="scoop", state="queued", summary=None, ended_s=None)


def test_rows_of_the_first_version_are_kept(settings: ServerSettings, database: Database) -> None:
    old_database(database)
    video = settings.folder("0" * 16) / "videos" / "3.mp4"
    video.parent.mkdir(parents=True)
    video.write_bytes(b"video")
    said: list[str] = []
    assert prepare(settings, said.append) is not None
    assert said == ["Upgraded the database from version 0001 to 0004."]
    with database.read() as session:
        done, waiting = (session.get_one(Submission, digit * 16) for digit in "01")
        assert (done.task, done.source, waiting.task) == ("act/pour-sprint-v1", "upload", "act/scoop-lite-v1")
        outcomes = [read_outcome(record) for record in records_of(session, done)]
        ((rank, row),) = leaderboard(session, done.task, "policy")
    assert [outcome.metrics["reward_g"] for outcome in outcomes] == GRAMS
    assert [outcome.trial for outcome in outcomes] == [trial.id for trial in TRIALS]
    assert [outcome.cluster for outcome in outcomes] == [trial.cluster for trial in TRIALS]
    assert (rank, row.id) == (1, done.id)
    assert [score.metric for score in row.scores] == [
        *("reward_g", "success", "reward_g, seen locations", "success, seen locations")
    ]
    assert done.scores is not None
    assert read_scores(done.scores)[0].value == 2.5
    run = RunFolder.open(settings.run(done.id))
    assert list(run.outcomes().values()) == outcomes
    assert (run.path / outcomes[3].artifacts["video"]).read_bytes() == b"video"
    assert not video.parent.exists()
    assert prepare(settings, said.append) is None
    assert len(said) == 1


def test_a_new_and_an_upgraded_database_have_the_tables_of_this_version(database: Database) -> None:
    old_database(database)
    assert str(upgrade(database)) == "Upgraded the database from version 0001 to 0004."
    with database.engine.connect() as connection:
        # SQLite keeps the length that a text column was made with, and enforces none.
        context = MigrationContext.configure(connection, opts={"compare_type": not database.sqlite})
        assert compare_metadata(context, Base.metadata) == []
    with database.write() as session:
        make_account(session, "bob")


def test_a_database_of_a_newer_version_is_refused_in_a_sentence(
    settings: ServerSettings, database: Database, capsys: pytest.CaptureFixture[str]
) -> None:
    upgrade(database)
    with database.write() as session:
        session.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(UsageError, match="is of version 9999, this program knows versions up to 0004"):
        upgrade(database)
    words = ["serve", "--data", str(settings.data), "--database", settings.database, "--tasks", "act/*-sprint-v1"]
    assert main(words) == 2
    assert "Update Pentathlon" in capsys.readouterr().err


def test_names_that_differ_in_case_alone_become_different(database: Database) -> None:
    upgrade(database, to="0003")
    with database.write() as session:
        for number, name in enumerate(["Ada", "ada", "ADA", "Bob"]):
            account = {"id": f"{number}" * 16, "name": name, "role": "user", "share": 1, "created_s": float(number)}
            _insert(session, "accounts", account)
    upgrade(database)
    with database.read() as session:
        names = list(session.scalars(sa.text("SELECT name FROM accounts ORDER BY created_s")))
    assert names == ["ada", "ada-11111111", "ada-22222222", "bob"]
