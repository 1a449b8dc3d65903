"""Rehearsals film what they judge, in every world that films several steps."""

from __future__ import annotations

from pathlib import Path

import pytest

from pentathlon.core import Tier, Workspace
from pentathlon.events.judge.baselines import OracleJudge, OrderBlindOracle
from pentathlon.events.judge.tasks import make_task


@pytest.mark.parametrize(("world", "tier"), [("blocks", "lite"), ("virtual-home", "full")])
def test_the_oracle_is_right_and_order_alone_tells_permutations_apart(tmp_path: Path, world: str, tier: Tier) -> None:
    task = make_task(f"{world}-level-2-permutation", tier, world, "permutation", 2, rehearse=True)
    found = {}
    for judge in (OracleJudge(), OrderBlindOracle()):
        (outcome,) = task.run(task.heats()[0], judge, Workspace(tmp_path))
        found[type(judge).__name__] = outcome.metrics
    assert found["OracleJudge"]["macro_f1"] == 1.0
    assert found["OrderBlindOracle"]["macro_f1"] == found["OrderBlindOracle"]["majority_f1"]
