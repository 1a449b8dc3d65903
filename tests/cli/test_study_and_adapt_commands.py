"""``pentathlon see adapt`` and ``pentathlon study see-encoders``, rehearsed for real on the cheapest world."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
import torch

from pentathlon.cli.main import main, parse
from pentathlon.core import DataError, UsageError, resolve_entrant
from pentathlon.events.see.adaptation import plain_vit, size_of
from pentathlon.events.see.commands.adapt import Adapt
from pentathlon.events.see.commands.study import Study
from pentathlon.events.see.subjects import NO_PRETRAINING, Pretraining, pretraining
from pentathlon.models.encoders.factories import pixels, random_vit
from pentathlon.models.encoders.vit import SIZES, ViT
from pentathlon.stats.charts import rank_chart

TASK = "see/dmcontrol-reacher-easy-lite-v1"


def test_commands_parse() -> None:
    adapt: Any = parse(["see", "adapt", "mae-tiny", "--task", TASK])
    assert adapt.action == Adapt("mae-tiny", TASK)
    study: Any = parse(["study", "see-encoders", "see/*-lite-v1", "--entrants", "a", "b", "--to", "x"])
    assert study.action == Study(("see/*-lite-v1",), ("a", "b"), to=Path("x"))


def test_adapt_refuses_what_masked_autoencoding_cannot_continue() -> None:
    with pytest.raises(UsageError, match="'pixels-4' is a Pixels"):
        plain_vit("pixels-4", pixels(4))
    assert size_of("x", plain_vit("x", random_vit("tiny", image_size=64))) == "tiny"
    with pytest.raises(UsageError, match="has another shape"):
        size_of("x", ViT(replace(SIZES["tiny"], image_size=32, depth=2)))


@pytest.mark.parametrize("wrong", [["--epochs", "0"], ["--epochs", "nan"], ["--batch-size", "0"]])
def test_adapt_refuses_a_training_of_no_step_before_any_work(wrong: list[str], tmp_path: Path) -> None:
    command = ["see", "adapt", "no-such-encoder", "--task", TASK, "--rehearse", "--out", str(tmp_path / "out"), *wrong]
    with pytest.raises(UsageError, match=r"Expected (more than 0 epochs|at least 1 frame per step), got"):
        parse(command).run()
    assert not any(tmp_path.iterdir())


def test_study_refuses_tasks_of_another_event(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folders = ["--out", str(tmp_path / "runs"), "--to", str(tmp_path / "study")]
    assert main(["study", "see-encoders", TASK, "act/*", "--entrants", "pixels-16", "--sizes", "tiny", *folders]) == 2
    assert "Expected tasks of see, got act/" in capsys.readouterr().err
    assert not any(tmp_path.iterdir())


def test_study_passes_tasks_in_houses_over() -> None:
    tasks = Study(("see/*-lite-v1",))._tasks()
    assert len(tasks) == 15
    assert not any("nav" in task.id or "mobilepick" in task.id for task in tasks)
    with pytest.raises(UsageError, match="Expected a control task, got see/mobilepick-lite-v1"):
        Study(("see/mobilepick-lite-v1",))._tasks()


def test_patches_over_a_grid_were_trained_on_what_their_encoder_was() -> None:
    grid, plain = resolve_entrant("grid@mae-tiny"), resolve_entrant("mae-tiny")
    assert pretraining(grid.factory, grid.options) == pretraining(plain.factory, plain.options)
    assert pretraining(grid.factory, grid.options).images > 0


def test_adapting_then_studying(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    torch.set_num_threads(1)
    out = tmp_path / "adapted"
    words = ["--task", TASK, "--rehearse", "--epochs", "1", "--batch-size", "4", "--threads", "1", "--out", str(out)]
    assert parse(["see", "adapt", "random-vit-tiny", *words]).run() == 0
    entrant = f"trained@{out / 'encoder.safetensors'}"
    assert f"pentathlon run {TASK} --entrant {entrant}" in capsys.readouterr().out
    assert (out / "attention.png").stat().st_size > 1000
    with pytest.raises(DataError, match="made with other start"):
        parse(["see", "adapt", "mae-tiny", *words]).run()
    folders = ["--out", str(tmp_path / "runs"), "--to", str(tmp_path / "study")]
    entrants = ["--entrants", "pixels-16", entrant]
    assert parse(["study", "see-encoders", TASK, *entrants, "--rehearse", "--workers", "1", *folders]).run() == 0
    figures = sorted(path.name for path in (tmp_path / "study").glob("*.svg"))
    assert figures == [
        "figure3a-size.svg",
        "figure3b-data.svg",
        "figure5-ranks-existing.svg",
        "figure6-ranks-all.svg",
        "figure6-ranks-trained.svg",
    ]
    table = (tmp_path / "study" / "study.md").read_text()
    assert f"| {entrant} | 5,499,072 | adapted on dmcontrol-reacher-easy |" in table
    assert "| pixels-16 | 0 | no pre-training |" in table
    (tmp_path / "study" / "study.md").unlink()
    assert parse(["study", "see-encoders", TASK, "--rehearse", *folders]).run() == 0
    assert (tmp_path / "study" / "study.md").read_text() == table
    assert parse(["study", "see-encoders", TASK, "--rehearse", "--limit", "1", *folders]).run() == 0
    first = [line for line in (tmp_path / "study" / "study.md").read_text().splitlines() if "pixels-16" in line]
    assert first[0].endswith(" n=1 |")
    assert "n=1 |" not in table


@pytest.mark.parametrize("name", ["blind", "mean-colour", "pixels-16", "random-vit-tiny"])
def test_what_was_never_trained_is_not_taken_for_released_weights(name: str) -> None:
    entrant = resolve_entrant(name)
    assert pretraining(entrant.factory, entrant.options) == Pretraining(NO_PRETRAINING)


def test_a_study_trains_sizes_by_mixtures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    torch.set_num_threads(1)
    for name in ("rooms", "robots"):
        frames = np.random.default_rng(0).integers(0, 256, (8, 37, 37, 3), dtype=np.uint8)
        (tmp_path / name).mkdir()
        np.save(tmp_path / name / "frames.npy", frames)
    rooms, robots = tmp_path / "rooms", tmp_path / "robots"
    words = ["--sizes", "tiny", "--mixtures", str(rooms), f"{rooms},{robots}=4", "--epochs", "1", "--image-size", "32"]
    folders = ["--out", str(tmp_path / "runs"), "--to", str(tmp_path / "study")]
    command = ["study", "see-encoders", TASK, *words, "--batch-size", "4", "--rehearse", "--workers", "1", *folders]
    assert parse(command).run() == 0
    table = (tmp_path / "study" / "study.md").read_text()
    assert "| rooms |" in table
    assert "| rooms+robots |" in table
    capsys.readouterr()
    assert parse(command).run() == 0
    assert "training mae" not in capsys.readouterr().out
    with pytest.raises(UsageError, match="sizes and mixtures together"):
        parse(["study", "see-encoders", TASK, "--sizes", "tiny", *folders]).run()


def test_equal_ranks_are_stacked_at_their_place() -> None:
    drawing = ElementTree.fromstring(rank_chart("t", {"a": [1, 1, 2], "b & c": [2, 2, 1]}))
    dots = [(dot.get("cx"), dot[0].text) for dot in drawing.iter("{http://www.w3.org/2000/svg}circle")]
    labels = [label or "" for _, label in dots]
    assert labels == ["a: rank 1", "a: rank 1", "a: rank 2", "b & c: rank 1", "b & c: rank 2", "b & c: rank 2"]
    assert len({place for place, label in dots if (label or "").endswith("1")}) == 1
