"""The data command: makes, resumes, exports, refuses."""

from __future__ import annotations

from pathlib import Path

import pytest

from pentathlon.cli.data import Data
from pentathlon.core.errors import UnknownIdError, UsageError


def test_make_tells_where_and_how_good(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = Data("make", ("see/trifinger-reach-*",), demos=1, out=tmp_path)
    assert command.run() == 0
    (folder,) = tmp_path.iterdir()
    assert f"{folder}: 1 demonstrations, mean score" in capsys.readouterr().out
    assert command.run() == 0
    assert capsys.readouterr().out.splitlines()[0] == "trifinger-reach-cube: 1/1 demonstrations"


def test_export_writes_a_dataset(tmp_path: Path) -> None:
    command = Data("export", ("trifinger-reach-cube",), demos=1, out=tmp_path / "demos", to=tmp_path / "sets")
    assert command.run() == 0
    assert (tmp_path / "sets" / "trifinger-reach-cube" / "meta" / "info.json").exists()


def test_wrong_calls_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UnknownIdError, match="metaworld-hammer"):
        Data("make", ("see/metaworld-hamer-v1",), out=tmp_path).run()
    with pytest.raises(UsageError, match="at least one"):
        Data("make", ("see/metaworld-hammer-v1",), demos=0, out=tmp_path).run()
    with pytest.raises(UsageError, match="--to FOLDER with export"):
        Data("export", ("see/metaworld-hammer-v1",), out=tmp_path).run()
    assert not any(tmp_path.iterdir())
