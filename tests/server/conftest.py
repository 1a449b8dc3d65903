from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

# The processes of a server find the stand-ins by PYTHONPATH, the tests by this.
sys.path.append(str(Path(__file__).parent))

from desk import Desk, DeskMaker
from postgresql_cluster import PostgresqlCluster


@pytest.fixture(scope="session")
def postgresql() -> Iterator[PostgresqlCluster]:
    """A PostgreSQL server of our own."""
    cluster = PostgresqlCluster()
    yield cluster
    cluster.close()


@pytest.fixture
def desk_for(tmp_path: Path) -> Iterator[DeskMaker]:
    """Makes servers without processes: a database with its tables and a queue."""
    made: list[Desk] = []

    def make(**settings: object) -> Desk:
        made.append(Desk.open(tmp_path / f"server-{len(made)}", **settings))
        return made[-1]

    yield make
    for desk in made:
        desk.close()


@pytest.fixture
def desk(desk_for: DeskMaker) -> Desk:
    return desk_for()


@pytest.fixture(params=["sqlite", "postgresql"])
def either_desk(request: pytest.FixtureRequest, desk_for: DeskMaker) -> Desk:
    """The same on SQLite and on PostgreSQL."""
    if request.param == "sqlite":
        return desk_for()
    cluster: PostgresqlCluster = request.getfixturevalue("postgresql")
    return desk_for(database=cluster.new_database())
