"""Training of the judge that sees order: films as arrays, wrong descriptions, wordings, and a few steps of training."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from pentathlon.core.errors import DataError
from pentathlon.learning.ordering.batches import LONGEST, FilmDraws
from pentathlon.learning.ordering.lessons import Kitchen, Lesson, halved, read_library, write_kitchen
from pentathlon.learning.ordering.settings import OrderSettings
from pentathlon.learning.ordering.training import Trainer, train
from pentathlon.learning.ordering.wording import reworded
from pentathlon.learning.ordering.wrong import candidates
from pentathlon.models.judges.ordering.judge import make_order
from pentathlon.models.judges.ordering.network import OrderShape

SMALL = OrderShape(frames=6, image_size=32, width=32, places_width=4, layers=1, vector=16, text_width=32, text_layers=1)
COLOURS = {"turn on the lamp": 230, "turn off the lamp": 20, "wash the cup": 120}


def _kitchen(path: Path, *films: tuple[str, ...]) -> None:
    lessons, frames = [], []
    for steps in films:
        labels = tuple(number for number in range(len(steps)) for _ in range(4))
        lessons.append(Lesson(steps, labels))
        frames.append(np.stack([np.full((32, 32, 3), COLOURS[steps[label]], np.uint8) for label in labels]))
    write_kitchen(path, Kitchen(tuple(lessons)), np.concatenate(frames))


@pytest.fixture
def films(tmp_path: Path) -> Path:
    on, off, wash = COLOURS
    for number in range(3):
        _kitchen(tmp_path / f"kitchen-{number:05d}.json", (on, off), (off, on), (wash, on, off), (wash,))
    return tmp_path


def test_frames_keep_their_steps_when_films_are_drawn(films: Path) -> None:
    library = read_library(films, torch.device("cpu"))
    draws = FilmDraws(library, frames=6, wrong=5, every=3, seed=0)
    batch = draws.draw(5)
    shown = {step: COLOURS[step] for step in draws.steps}
    for frames, labels in zip(batch.frames, batch.labels, strict=True):
        assert frames[:, 0, 0, 0].tolist() == [shown[draws.steps[int(label)]] for label in labels]
    assert (len(draws.learnt), len(draws.held_out)) == (8, 4)
    assert batch.lists.shape == (5, 6, LONGEST)


def test_wrong_descriptions_are_never_the_right_one() -> None:
    rng = np.random.default_rng(1)
    for true in ((1,), (1, 2), (3, 1, 2, 4)):
        found = candidates(true, [1, 2, 5, 6], 12, 9, rng)
        assert found[0] == true
        assert len(set(found)) == len(found)
        assert all(0 < len(steps) <= 9 for steps in found)
    assert any(sorted(steps) == [1, 2, 3, 4] for steps in found[1:])


def test_rewording_keeps_things_and_changes_words() -> None:
    rng = np.random.default_rng(0)
    said = {reworded("pick up a mug from the counter top", rng) for _ in range(40)}
    assert len(said) > 5
    assert all("mug" in one for one in said)


def test_halved_frames_are_means() -> None:
    frames = np.array([[[[0] * 3, [10] * 3], [[20] * 3, [30] * 3]]], np.uint8)
    assert halved(frames).tolist() == [[[[15, 15, 15]]]]


def test_training_lowers_the_loss_and_writes_a_judge(films: Path, tmp_path: Path) -> None:
    settings = OrderSettings(
        films=films, out=tmp_path / "out", minutes=5.0, steps=12, batch_size=4, wrong=4, held_out=3
    )
    trainer = Trainer(settings, lambda line: None, SMALL)
    before = trainer.measure()["frames"]
    trainer.run()
    assert trainer.measure()["frames"] < before
    judge = make_order(str(tmp_path / "out" / "judge-order.safetensors"))
    assert judge.spec.frames == 6


def test_a_folder_without_films_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="pentathlon data judge-lessons"):
        train(OrderSettings(films=tmp_path, out=tmp_path / "out"), lambda line: None, SMALL)
