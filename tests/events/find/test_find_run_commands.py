"""``find paths`` and ``find categories`` on a real run: ways on plans, and numbers by category."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from pentathlon.cli.main import main
from pentathlon.core import Outcome
from pentathlon.events.find.pictures.ways import FAILED_RGB, FOUND_RGB, START_RGB, TARGET_RGB, draw_on_plan
from pentathlon.worlds.houses.house import House

TASK = "find/objectnav-sprint-v1"


def has(picture: np.ndarray, rgb: tuple[int, int, int]) -> bool:
    return bool((picture == rgb).all(axis=-1).any())


def outcome(success: bool) -> Outcome:
    path = [[5.5, 3.4, 90.0], [5.5, 2.0, 90.0], [4.6, 1.0, 180.0]]
    return Outcome(trial="a", metrics={"success": float(success)}, details={"path": path, "target": "fridge"})


def test_a_way_is_drawn_with_its_ends(small_house: House) -> None:
    found, failed = (np.asarray(draw_on_plan(small_house, [outcome(success)])) for success in (True, False))
    assert has(found, FOUND_RGB)
    assert not has(found, FAILED_RGB)
    assert has(failed, FAILED_RGB)
    assert has(found, START_RGB)
    assert has(found, TARGET_RGB)
    unknown = Outcome(trial="b", metrics={}, details={"path": [[5.5, 3.4, 0.0]], "target": "ghost"})
    assert not has(np.asarray(draw_on_plan(small_house, [unknown])), TARGET_RGB)


def test_ways_and_categories_of_a_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runs = ["--runs-folder", str(tmp_path / "runs")]
    assert main(["find", "paths", TASK, "--entrant", "find-oracle", *runs]) == 2
    assert "Expected a run of find-oracle" in capsys.readouterr().err
    limited = ["--limit", "2", "--workers", "1", "--no-videos", "-o", str(tmp_path / "runs")]
    assert main(["run", TASK, "--entrant", "find-oracle", *limited]) == 0
    assert main(["find", "paths", TASK, "--entrant", "find-oracle", *runs, "--out", str(tmp_path / "paths")]) == 0
    (picture,) = (tmp_path / "paths").iterdir()
    assert has(np.asarray(Image.open(picture)), START_RGB)
    capsys.readouterr()
    assert main(["find", "categories", TASK, "--entrant", "find-oracle", *runs]) == 0
    rows = capsys.readouterr().out.splitlines()
    assert rows[-1].startswith("| all | 100")
    assert "n=2" in rows[-1]
    assert main(["find", "categories", "see/dmcontrol-reacher-easy-lite-v1", "--entrant", "x", *runs]) == 2
    assert "Expected a task of find" in capsys.readouterr().err
