"""``pentathlon tune-localizer`` from a folder of weights to a file beside them."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[1] / "models" / "localizers"))

from random_models import clip_tokenizer, small_clip

from pentathlon.cli import main
from pentathlon.models.localizers import open_localizer


def test_thresholds_are_found_and_used(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    clip_tokenizer(tmp_path).save_pretrained(str(tmp_path))
    small_clip().save_pretrained(str(tmp_path))
    name = f"clip-patch-photo:{tmp_path}"
    words = ["tune-localizer", name, "--images", "6", "--size-px", "96", "--targets", "Television", "Sofa", "Bed"]
    assert main(words) == 0
    printed = capsys.readouterr().out
    assert "F1" in printed
    assert "Kept in" in printed
    rows = json.loads((tmp_path / "localizer-thresholds.json").read_text())["localizers"]
    assert rows["clip-patch-photo"]["images"] == 6
    assert 0 < rows["clip-patch-photo"]["go"] < 1
    assert open_localizer(name)._thresholds.go == rows["clip-patch-photo"]["go"]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["nothing:x"], "Unknown localizer 'nothing'."),
        (["owl:x", "--images", "0"], "Expected images and a size of at least 1"),
        (["owl:x", "--targets", "Mugg"], "Did you mean 'Mug'?"),
        (["owl"], "Expected weights after owl"),
    ],
)
def test_wrong_words_are_told(words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tune-localizer", *words]) == 2
    assert sentence in capsys.readouterr().err
