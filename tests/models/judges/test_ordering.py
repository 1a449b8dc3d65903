"""The judge that sees order: how descriptions are cut, how steps are aligned with frames, how its file is read."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
import torch

from pentathlon.core.errors import DataError
from pentathlon.models.image_text.minilm import load_minilm
from pentathlon.models.image_text.trained import MINILM
from pentathlon.models.judges.ordering.alignment import best_stretches, ordered_fit
from pentathlon.models.judges.ordering.judge import BUILTIN, make_order
from pentathlon.models.judges.ordering.network import OrderNetwork, OrderShape
from pentathlon.models.judges.ordering.steps import split_steps
from pentathlon.models.judges.ordering.trained import save_order

SMALL = OrderShape(frames=6, image_size=32, width=32, places_width=4, layers=1, vector=16, text_width=32, text_layers=1)


@pytest.mark.parametrize(
    ("description", "steps"),
    [
        ("We slice the apple", ["slice the apple"]),
        ("First, we heat the egg, and then we put the egg in the sink", ["heat the egg", "put the egg in the sink"]),
        ("First, we A b, then we C d, and finally we E f", ["A b", "C d", "E f"]),
        ("Open a box. Then take an apple; after that, close it.", ["Open a box", "take an apple", "close it"]),
        ("the person opens a door and then leaves", ["opens a door", "leaves"]),
        (
            "We put the mug in the microwave for a while, then we pick up the mug back again",
            ["put the mug in the microwave for a while, then we pick up the mug back again"],
        ),
        (
            "We go to the sink and then immediately leave without putting the cup in",
            ["go to the sink and then immediately leave without putting the cup in"],
        ),
        ("…", ["…"]),
    ],
)
def test_descriptions_are_cut_into_steps(description: str, steps: list[str]) -> None:
    assert list(split_steps(description)) == steps


def test_the_alignment_is_the_mean_over_all_ways_to_cut_the_frames() -> None:
    fits = torch.randn(7, 3, dtype=torch.float64, generator=torch.Generator().manual_seed(3))
    ways = []
    for first, second in combinations(range(1, 7), 2):
        owner = [0] * first + [1] * (second - first) + [2] * (7 - second)
        ways.append(sum(fits[time, step] for time, step in enumerate(owner)))
    expected = torch.logsumexp(torch.stack(ways), 0) - np.log(len(ways))
    found = ordered_fit(fits[None].float(), torch.tensor([3]))[0]
    assert float(found) == pytest.approx(float(expected), abs=1e-4)


def test_a_list_of_steps_gains_nothing_by_being_longer() -> None:
    same = torch.full((3, 8, 4), -2.0)
    assert ordered_fit(same, torch.tensor([1, 2, 4])).tolist() == pytest.approx([-16.0] * 3, abs=1e-4)


def test_the_best_way_gives_each_step_its_frames() -> None:
    fits = torch.full((6, 3), -5.0)
    for time, step in enumerate([0, 0, 1, 2, 2, 2]):
        fits[time, step] = 0.0
    assert best_stretches(fits) == [0, 0, 1, 2, 2, 2]


def _small(path: Path) -> Path:
    torch.manual_seed(0)
    network = OrderNetwork(SMALL, load_minilm(MINILM)[0]).eval()
    save_order(path, network, ["turn on the lamp"], torch.randn(1, SMALL.vector), {})
    return path


def test_a_saved_judge_scores_order(tmp_path: Path) -> None:
    judge = make_order(str(_small(tmp_path / "small.safetensors")))
    clip = np.random.default_rng(0).integers(0, 256, (6, 48, 48, 3), dtype=np.uint8)
    forth, back = "First, we cut a tomato, and then we wash a cup", "First, we wash a cup, and then we cut a tomato"
    scores = judge.score(clip, [forth, back, forth])
    assert scores[0] == scores[2] != scores[1]
    assert not np.allclose(scores, judge.score(clip[::-1], [forth, back, forth]))
    assert judge.remarks == {"seen": ["turn on the lamp"]}
    assert judge.spec.frames == 6


def test_broken_judges_are_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="got nothing"):
        make_order(str(tmp_path / "none.safetensors"))
    with pytest.raises(DataError, match="another file"):
        make_order(str(MINILM))
    judge = make_order(str(_small(tmp_path / "small.safetensors")))
    with pytest.raises(DataError, match="Expected 6 frames, got 4"):
        judge.score(np.zeros((4, 32, 32, 3), np.uint8), ["We wait"])


def test_the_built_in_judge_tells_one_frame_from_another_in_order() -> None:
    judge = make_order()
    clip = np.random.default_rng(0).integers(0, 256, (32, 64, 64, 3), dtype=np.uint8)
    told = ["First, we turn on the desk lamp, and then we pick up a mug from the fridge"]
    assert np.isfinite(judge.score(clip, told)).all()
    assert judge.score(clip, told) != judge.score(clip[::-1], told)
    assert BUILTIN.stat().st_size < 30e6
