"""Which episodes a dataset of act plans to record."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from pentathlon.core import Tier, UnknownIdError
from pentathlon.events.act.data.overview import PAPER
from pentathlon.events.act.data.plan import find_recipe, make_recipe, plan_episodes
from pentathlon.events.act.protocol import make_protocol
from pentathlon.worlds.tabletop.arm.robot import TaskName
from pentathlon.worlds.tabletop.experts.styles import draw_style


@pytest.mark.parametrize(
    ("task", "trials", "counts"),
    [("scoop", 1895, (777, 625, 493)), ("pour", 1003, (993, 0, 10))],
)
def test_the_full_plan_has_the_papers_counts(task: TaskName, trials: int, counts: tuple[int, ...]) -> None:
    plans = plan_episodes(make_recipe(task, "full"))
    sources = Counter(plan.source for plan in plans)
    assert (len(plans), *(sources[source] for source in ("teleop", "cloned", "replay"))) == (trials, *counts)
    for source, share in PAPER[task].shares.items():
        assert sources[source] / trials == pytest.approx(share, abs=0.005)


@pytest.mark.parametrize("task", ["pour", "scoop"])
def test_the_sprint_is_operated_throughout(task: TaskName) -> None:
    """Five operated episodes would leave locations without one to clone."""
    plans = plan_episodes(make_recipe(task, "sprint"))
    assert [plan.source for plan in plans] == ["teleop"] * 12


def test_plans_cover_every_bench_of_the_training_set_and_none_of_the_tests() -> None:
    plans = plan_episodes(make_recipe("pour", "lite"))
    benches = Counter((plan.setup.container, plan.setup.material, plan.setup.location) for plan in plans)
    assert len(benches) == 4 * 2 * 6
    assert max(benches.values()) - min(benches.values()) <= 2
    tested = make_protocol("pour", "lite")
    for plan in plans:
        assert plan.setup.container not in tested.containers
        assert plan.setup.material != tested.material
        assert plan.setup.location not in tested.unseen_locations
    assert len({plan.setup.seed for plan in plans}) == len(plans)


def test_replays_repeat_what_was_operated_at_the_same_bench() -> None:
    plans = plan_episodes(make_recipe("scoop", "lite"))
    replays = [plan for plan in plans if plan.source == "replay"]
    assert replays
    for plan in replays:
        assert plan.parent is not None
        parent = plans[plan.parent]
        assert parent.source == "teleop"
        assert replace(parent.setup, seed=0) == replace(plan.setup, seed=0)
        assert 0.0 < plan.noise_rad <= make_recipe("scoop", "lite").most_noise_rad


def test_one_operated_episode_in_ten_is_left_handed() -> None:
    def right_handed(tier: Tier) -> float:
        plans = [plan for plan in plan_episodes(make_recipe("pour", tier)) if plan.source == "teleop"]
        return float(np.mean([draw_style(np.random.default_rng(plan.style_seed)).side > 0 for plan in plans]))

    assert right_handed("full") == pytest.approx(0.9, abs=0.03)
    assert right_handed("sprint") == 1.0


def test_unknown_datasets_are_named() -> None:
    with pytest.raises(UnknownIdError, match="Did you mean 'act/pour-lite'"):
        find_recipe("act/pour-light")
