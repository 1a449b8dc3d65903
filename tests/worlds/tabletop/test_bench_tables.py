"""The tables hold what the protocol promises, and setups that name something else are refused."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pentathlon.core.errors import UnknownIdError, UsageError
from pentathlon.worlds.tabletop import Setup
from pentathlon.worlds.tabletop.bench.tables import JITTER_M, WORKSPACE_M, check_setup, containers, locations, materials

GOOD = Setup("pour", "red_cup", "beans", "front_left", 3)


def test_training_and_unseen_rows_are_as_many_as_in_the_paper() -> None:
    counts = {
        task: [len(rows(task, training=flag)) for rows in (containers, materials) for flag in (True, False)]
        for task in ("pour", "scoop")
    }
    assert counts == {"pour": [4, 2, 2, 1], "scoop": [3, 2, 3, 1]}
    assert [len(locations(training=flag)) for flag in (True, False)] == [6, 3]


def test_all_containers_fit_on_the_workspace_and_do_not_repeat() -> None:
    widest = max(row.rim_radius_m for task in ("pour", "scoop") for row in containers(task))
    xs, ys = zip(*((row.x_m, row.y_m) for row in locations()), strict=True)
    reach = 2 * (widest + JITTER_M)
    assert max(xs) - min(xs) + reach < WORKSPACE_M[0]
    assert max(ys) - min(ys) + reach < WORKSPACE_M[1]
    looks = [(row.profile_m, row.sides) for task in ("pour", "scoop") for row in containers(task)]
    assert len(set(looks)) == len(looks)


def test_a_good_setup_passes() -> None:
    check_setup(GOOD)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"container": "red_cap"}, "Did you mean 'red_cup'"),
        ({"container": "white_bowl"}, "Unknown container for pour 'white_bowl'"),
        ({"material": "mixed_nuts"}, "Unknown material for pour"),
        ({"location": "front_centr"}, "Did you mean 'front_centre'"),
        ({"task": "stir"}, "Unknown task 'stir'"),
    ],
)
def test_an_unknown_name_is_refused_with_the_nearest(change: dict[str, str], words: str) -> None:
    with pytest.raises(UnknownIdError, match=words):
        check_setup(replace(GOOD, **change))  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", [-1, 1.5, True, "3"])
def test_a_seed_is_a_whole_number(seed: object) -> None:
    with pytest.raises(UsageError, match="seed"):
        check_setup(replace(GOOD, seed=seed))  # type: ignore[arg-type]
