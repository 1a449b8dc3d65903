"""``pentathlon judge video`` on a film made here, with a judge that measures how red it is."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from pentathlon.cli.main import main
from pentathlon.storage.video import write_mp4

JUDGE = """
import numpy as np
from pentathlon.core import JudgeSpec

class Colours:
    spec = JudgeSpec(frames=4)

    def score(self, clip, descriptions):
        shares = clip.mean(axis=(0, 1, 2)) / 255
        return np.array([shares["red green blue".split().index(text)] for text in descriptions], np.float32)

class Lost(Colours):
    def score(self, clip, descriptions):
        return np.array([np.nan for text in descriptions])
"""


@pytest.fixture
def film(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "colour_judge.py").write_text(JUDGE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    sys.modules.pop("colour_judge", None)
    path = tmp_path / "film.mp4"
    write_mp4(path, np.full((10, 32, 32, 3), (20, 200, 90), np.uint8), fps=10)
    return path


def test_the_best_sentence_comes_first(film: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["judge", "video", str(film), "red", "green", "blue", "-e", "colour_judge:Colours"]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert [words[1] for words in lines] == ["green", "blue", "red"]
    assert float(lines[0][0]) == pytest.approx(200 / 255, abs=0.02)


@pytest.mark.parametrize("name", ["film.mp4", "./film.mp4", "video.mp4", "./video"])
def test_a_file_s_name_alone_means_a_video(film: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    for other in ("video.mp4", "video"):
        film.with_name(other).write_bytes(film.read_bytes())
    assert main(["judge", name, "red", "green", "-e", "colour_judge:Colours"]) == 0
    assert capsys.readouterr().out.splitlines()[0].endswith("green")


def test_a_command_s_name_is_never_a_file_s(film: Path, capsys: pytest.CaptureFixture[str]) -> None:
    film.with_name("films").write_bytes(film.read_bytes())
    with pytest.raises(SystemExit):
        main(["judge", "films", "red", "green", "-e", "colour_judge:Colours"])
    with pytest.raises(SystemExit):
        main(["judge", "flims", "red", "-e", "colour_judge:Colours"])
    assert "video" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["gone.mp4", "red", "-e", "colour_judge:Colours"], "Expected a video at gone.mp4, got nothing"),
        (["film.mp4", " ", "-e", "colour_judge:Colours"], "got none or an empty one"),
        (["film.mp4", "red", "-e", "pixels-16"], "Expected a judge, 'pixels-16' is of kind 'encoder'"),
        (["film.mp4", "red", "-e", "judge-oracle"], "has to be told what was done (true_labels, log, steps, share)"),
        (["film.mp4", "red", "-e", "judge-majority"], "has to be told what was done (all_true_labels)"),
        (["film.mp4", "red", "-e", "colour_judge:Lost"], "Expected 1 finite scores for film.mp4, got [nan]"),
    ],
)
def test_bad_input_gets_a_sentence(
    film: Path, capsys: pytest.CaptureFixture[str], words: list[str], complaint: str
) -> None:
    assert main(["judge", "video", *words]) == 2
    assert complaint in capsys.readouterr().err
