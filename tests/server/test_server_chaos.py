"""Web, clerk, robots, their controllers and the database are killed at random: every accepted submission ends once."""

from __future__ import annotations

from pathlib import Path

import pytest
from chaos import run_chaos
from postgresql_cluster import PostgresqlCluster

pytestmark = [
    pytest.mark.sandbox,
    pytest.mark.xdist_group("live server"),
]


def test_nothing_is_lost_on_sqlite(tmp_path: Path) -> None:
    run_chaos(tmp_path / "data", kills=8, submissions=3, cluster=None, seed=1)


def test_nothing_is_lost_on_postgresql(tmp_path: Path, postgresql: PostgresqlCluster) -> None:
    killed = run_chaos(tmp_path / "data", kills=8, submissions=3, cluster=postgresql, seed=2)
    assert killed["database"] > 0
