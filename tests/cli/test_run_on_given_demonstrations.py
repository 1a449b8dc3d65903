"""From CortexBench's pickle to a run that learns from it, by the commands of the docs."""

from __future__ import annotations

import pickle
import shutil
from pathlib import Path

import numpy as np
import pytest

from pentathlon.cli.main import main
from pentathlon.engine import RunFolder

TASK = "see/trifinger-reach-cube-lite-v1"


def cortexbench_file(path: Path, episodes: int) -> Path:
    generator = np.random.default_rng(0)
    paths = [
        {
            "images": np.full((5, 270, 270, 3), index, np.uint8),
            "actions": generator.uniform(-1.0, 1.0, (5, 3)),
            "rewards": np.zeros(5),
            "env_infos": {"proprio": generator.normal(size=(5, 9))},
        }
        for index in range(episodes)
    ]
    path.write_bytes(pickle.dumps(paths))
    return path


def test_a_run_learns_from_imported_demonstrations(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    pickled = cortexbench_file(tmp_path / "reach.pickle", 100)
    assert main(["data", "import", "see/trifinger-reach-cube-v1", str(pickled), "--to", "given"]) == 0
    command = ["run", TASK, "-e", "mean-colour", "--rehearse", "--workers", "1", "--demonstrations"]
    assert main([*command, "given"]) == 0
    shutil.copytree("given", "elsewhere")
    assert main([*command, "elsewhere"]) == 0
    (folder,) = Path("runs", TASK).iterdir()
    run = RunFolder.open(folder)
    assert run.info.protocol["teacher"].startswith("dataset-")
    assert [outcome.status for outcome in run.outcomes().values()] == ["ok", "ok"]
    capsys.readouterr()
    shutil.rmtree("given")
    few = cortexbench_file(tmp_path / "few.pickle", 3)
    assert main(["data", "import", "see/trifinger-reach-cube-v1", str(few), "--to", "given"]) == 0
    assert main([*command, "given"]) == 2
    assert f"holds 3 demonstrations, {TASK} learns from 100" in capsys.readouterr().err
    assert list(Path("runs", TASK).iterdir()) == [folder]


@pytest.mark.parametrize("option", [["--demonstrations", "somewhere"], ["--adapt", "e2e"]])
def test_other_events_refuse_the_options_of_see(option: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "example/cartpole-v1", "-e", "cartpole-random", *option]) == 2
    assert f"Expected a task of see for {option[0]}, got example/cartpole-v1" in capsys.readouterr().err
