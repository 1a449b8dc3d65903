from __future__ import annotations

import json
from pathlib import Path

import pytest
import tyro

from pentathlon.cli.house import House
from pentathlon.core import DataError, UsageError


def run(*words: object) -> int:
    config = (tyro.conf.OmitArgPrefixes, tyro.conf.OmitSubcommandPrefixes)
    return tyro.cli(House, args=[str(word) for word in words], config=config).run()


def test_new_then_check_then_show(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    home = tmp_path / "home.json"
    assert run("new", "--seed", 7, "--rooms", 1, "-o", home) == 0
    assert "1 rooms" in capsys.readouterr().out
    assert run("check", home) == 0
    assert "ok" in capsys.readouterr().out
    assert run("show", home, "-o", tmp_path / "pictures", "--no-video") == 0
    pictures = {path.name.split("_")[0] for path in (tmp_path / "pictures").iterdir()}
    assert pictures == {"plan.png", "top.png", "dollhouse.png", "room"}


def test_check_lists_every_fault_and_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    home = tmp_path / "home.json"
    run("new", "--seed", 7, "--rooms", 3, "-o", home)
    document = json.loads(home.read_text())
    document["objects"][0]["type"] = "Nonsense"
    document["objects"][1]["position_m"] = [90.0, 90.0, 0.0]
    home.write_text(json.dumps(document))
    capsys.readouterr()
    assert run("check", home) == 1
    out = capsys.readouterr().out
    assert "$.objects[0].type" in out
    assert "$.objects[1].position_m" in out


@pytest.mark.parametrize("command", [("new", "--rooms", 1), ("sheet",)])
def test_a_missing_folder_is_told_in_a_sentence(tmp_path: Path, command: tuple[object, ...]) -> None:
    with pytest.raises(UsageError, match="missing"):
        run(*command, "-o", tmp_path / "missing" / "home.png")


def test_show_refuses_a_bad_file(tmp_path: Path) -> None:
    (tmp_path / "home.json").write_text("{}")
    with pytest.raises(DataError, match=r"home\.json"):
        run("show", tmp_path / "home.json", "-o", tmp_path / "pictures")
