"""The data command: makes, resumes, exports, refuses."""

from __future__ import annotations

from pathlib import Path

import pytest

from pentathlon.cli.data import Data, Export, Get, Make, Merge
from pentathlon.cli.main import main, parse
from pentathlon.core.errors import UnknownIdError, UsageError


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("make see/*-v1 --workers 2", Make(("see/*-v1",), workers=2)),
        ("export TASK --to DIR", Export(("TASK",), to=Path("DIR"))),
        ("get act/pour-lite --to DIR", Get(("act/pour-lite",), to=Path("DIR"))),
        ("get act-server/teleop/pour-lite-1", Get(("act-server/teleop/pour-lite-1",))),
        ("merge act/pour a b --to NEW", Merge("act/pour", (Path("a"), Path("b")), Path("NEW"))),
    ],
)
def test_the_command_lines_of_the_docs_parse(line: str, action: Make | Get | Merge) -> None:
    assert parse(["data", *line.split()]) == Data(action)


def test_make_tells_where_and_how_good(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = Data(Make(("see/trifinger-reach-*",), demos=1, out=tmp_path))
    assert command.run() == 0
    (folder,) = tmp_path.iterdir()
    assert f"{folder}: 1 demonstrations, mean score" in capsys.readouterr().out
    assert command.run() == 0
    assert capsys.readouterr().out.splitlines()[0] == "trifinger-reach-cube: 1/1 demonstrations"


def test_export_writes_a_dataset(tmp_path: Path) -> None:
    command = Data(Export(("trifinger-reach-cube",), demos=1, out=tmp_path / "demos", to=tmp_path / "sets"))
    assert command.run() == 0
    assert (tmp_path / "sets" / "trifinger-reach-cube" / "meta" / "info.json").exists()


def test_wrong_calls_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(UnknownIdError, match="metaworld-hammer"):
        Make(("see/metaworld-hamer-v1",), out=tmp_path).run()
    with pytest.raises(UsageError, match="at least one demonstration, got --demos 0"):
        Make(("see/metaworld-hammer-v1",), demos=0, out=tmp_path).run()
    for action, missing in (
        (Make((), out=tmp_path), "control task"),
        (Get((), out=tmp_path), "dataset"),
        (Merge("act/pour", (), tmp_path / "new", out=tmp_path), "folder of episodes"),
    ):
        with pytest.raises(UsageError, match=f"at least one {missing}, got none"):
            action.run()
    with pytest.raises(SystemExit, match="2"):
        main(["data", "export", "see/metaworld-hammer-v1"])
    assert "--to PATH" in capsys.readouterr().err
    assert not any(tmp_path.iterdir())
