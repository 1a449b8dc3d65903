"""Web, clerk, robots, their controllers and the database are killed or frozen: every accepted submission ends once."""

from __future__ import annotations

from pathlib import Path

import pytest
from chaos import VICTIMS, run_chaos
from postgresql_cluster import PostgresqlCluster

pytestmark = [
    pytest.mark.sandbox,
    pytest.mark.xdist_group("live server"),
]


# A robot's controller may not be there when its turn comes.
MUST_HAVE_MET = set(VICTIMS) - {"controller"}


def test_nothing_is_lost_on_sqlite(tmp_path: Path) -> None:
    killed = run_chaos(tmp_path / "data", kills=len(VICTIMS), submissions=3, cluster=None, seed=1)
    assert set(killed) >= MUST_HAVE_MET


def test_nothing_is_lost_on_postgresql(tmp_path: Path, postgresql: PostgresqlCluster) -> None:
    killed = run_chaos(tmp_path / "data", kills=len(VICTIMS), submissions=3, cluster=postgresql, seed=2)
    assert set(killed) >= MUST_HAVE_MET
