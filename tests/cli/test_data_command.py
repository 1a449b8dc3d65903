"""The data command: makes, resumes, exports, imports, refuses."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pentathlon.cli.events.runs import EventRuns
from pentathlon.cli.frames import Frames
from pentathlon.cli.main import main, parse
from pentathlon.core.errors import DataError, UnknownIdError, UsageError
from pentathlon.events.act.commands.datasets import Get, Merge
from pentathlon.events.see.commands.demonstrations import Export, Import, Make
from pentathlon.events.see.commands.experts import Experts
from pentathlon.events.see.protocol import make_protocol, match_protocols
from pentathlon.storage.lerobot import read_columns, read_episode_rows, read_frames, read_info


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("make see/*-v1 --workers 2", Make(("see/*-v1",), workers=2)),
        ("export TASK --to DIR", Export(("TASK",), to=Path("DIR"))),
        ("import see/adroit-pen-v1 FILE --to DIR", Import("see/adroit-pen-v1", Path("FILE"), Path("DIR"))),
        ("get act/pour-lite --to DIR", Get(("act/pour-lite",), to=Path("DIR"))),
        ("get act-server/teleop/pour-lite-1", Get(("act-server/teleop/pour-lite-1",))),
        ("merge act/pour a b --to NEW", Merge("act/pour", (Path("a"), Path("b")), Path("NEW"))),
        ("frames worlds --out FRAMES --houses 3 --on ray", Frames("worlds", Path("FRAMES"), houses=3, on="ray")),
        ("frames act/pour-lite -o FRAMES", Frames("act/pour-lite", Path("FRAMES"))),
        ("experts adroit-relocate --episodes 20 -w 2", Experts(("adroit-relocate",), episodes=20, workers=2)),
    ],
)
def test_the_command_lines_of_the_docs_parse(line: str, action: Make | Import | Get | Merge | Frames | Experts) -> None:
    parsed: Any = parse(["data", *line.split()])
    assert parsed.action == action


def test_make_tells_where_and_how_good(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = Make(("see/trifinger-reach-*",), demonstrations=1, out=tmp_path)
    assert command.run(EventRuns()) == 0
    (folder,) = tmp_path.iterdir()
    assert f"{folder}: 1 demonstrations, mean score" in capsys.readouterr().out
    assert command.run(EventRuns()) == 0
    assert capsys.readouterr().out.splitlines()[0] == "trifinger-reach-cube: 1/1 demonstrations"


def test_a_tier_s_demonstrations_are_those_that_its_runs_take() -> None:
    def wanted(*patterns: str) -> list[tuple[str, int, int]]:
        return [(row.task.name, row.task.horizon, row.demonstrations) for row in match_protocols(patterns)]

    assert wanted("see/metaworld-hammer-lite-v1") == [("metaworld-hammer", 200, 20)]
    assert wanted("see/metaworld-hammer-v1", "metaworld-hammer") == [("metaworld-hammer", 500, 25)]
    assert wanted("see/metaworld-h*-sprint-v1", "see/adroit-pen-v1") == [
        ("adroit-pen", 100, 100),
        ("metaworld-hammer", 100, 8),
    ]
    assert len(wanted("see/*-v1")) == len(wanted("see/*-lite-v1")) == 15
    (lite,) = match_protocols(("see/metaworld-hammer-lite-v1",))
    assert lite == make_protocol("metaworld-hammer", "lite")


def test_export_writes_a_dataset(tmp_path: Path) -> None:
    command = Export(("trifinger-reach-cube",), demonstrations=1, out=tmp_path / "made", to=tmp_path / "sets")
    assert command.run(EventRuns()) == 0
    assert (tmp_path / "sets" / "trifinger-reach-cube" / "meta" / "info.json").exists()


def test_import_writes_what_a_pickle_of_cortexbench_holds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    images = np.random.default_rng(0).integers(0, 256, (3, 32, 48, 3), dtype=np.uint8)
    path = {"images": images, "actions": np.ones((3, 2)), "rewards": np.arange(3.0), "env_infos": {}}
    file, folder = tmp_path / "reacher.pickle", tmp_path / "set"
    file.write_bytes(pickle.dumps([path, path]))
    assert main(["data", "import", "see/dmcontrol-reacher-easy-v1", str(file), "--to", str(folder)]) == 0
    assert f"{folder}: LeRobotDataset v3 with 2 episodes" in capsys.readouterr().out
    lite = tmp_path / "lite"
    assert Import("see/dmcontrol-reacher-easy-lite-v1", file, lite).run(EventRuns()) == 0
    assert read_info(lite) == read_info(folder)
    with pytest.raises(UsageError, match=r"Expected one control task, got 'see/adroit-\*', which names 2"):
        Import("see/adroit-*", file, tmp_path / "many").run(EventRuns())
    second = read_episode_rows(folder)[1]
    assert read_info(folder)["fps"] == 50
    np.testing.assert_array_equal(np.stack(list(read_frames(folder, second))), images)
    columns = read_columns(folder, second)
    np.testing.assert_array_equal(columns["action"], path["actions"])
    np.testing.assert_array_equal(columns["next.reward"], path["rewards"])
    with pytest.raises(UsageError, match="not empty"):
        Import("dmcontrol-reacher-easy", file, folder).run(EventRuns())
    file.write_bytes(pickle.dumps([path, {**path, "images": images[:, :16]}]))
    with pytest.raises(DataError, match="expected one size"):
        Import("dmcontrol-reacher-easy", file, tmp_path / "other").run(EventRuns())
    assert not (tmp_path / "other").exists()


def test_wrong_calls_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(UnknownIdError, match="metaworld-hammer"):
        Make(("see/metaworld-hamer-v1",), out=tmp_path).run(EventRuns())
    with pytest.raises(UsageError, match="at least one demonstration, got --demonstrations 0"):
        Make(("see/metaworld-hammer-v1",), demonstrations=0, out=tmp_path).run(EventRuns())
    for action, missing in (
        (Make((), out=tmp_path), "control task"),
        (Get((), out=tmp_path), "dataset"),
        (Merge("act/pour", (), tmp_path / "new", out=tmp_path), "folder of episodes"),
    ):
        with pytest.raises(UsageError, match=f"at least one {missing}, got none"):
            action.run(EventRuns())
    with pytest.raises(SystemExit, match="2"):
        main(["data", "export", "see/metaworld-hammer-v1"])
    assert "--to PATH" in capsys.readouterr().err
    assert not any(tmp_path.iterdir())
