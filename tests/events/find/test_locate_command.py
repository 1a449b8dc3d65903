"""``pentathlon find locate`` on a picture of one's own."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

sys.path.append(str(Path(__file__).parents[2] / "models" / "localizers"))

from random_models import clip_tokenizer, picture, small_clip

from pentathlon.cli import main


def test_it_draws_the_relevance(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    clip_tokenizer(tmp_path).save_pretrained(str(tmp_path))
    small_clip().save_pretrained(str(tmp_path))
    source, out = tmp_path / "room.png", tmp_path / "out.png"
    Image.fromarray(picture(48, 64)).save(source)
    words = ["find", "locate", str(source), "red mug", "--localizer", f"clip-patch-photo:{tmp_path}", "-o", str(out)]
    assert main(words) == 0
    drawn = np.asarray(Image.open(out)).astype(int)
    assert drawn.shape == (48, 64, 3)
    best = [int(word.strip(",;")) for word in capsys.readouterr().out.split() if word.strip(",;").isdigit()]
    column, row = best[0], best[1]
    warmth = drawn[..., 0] - drawn[..., 2]
    assert warmth[row, column] >= warmth.max() - 1  # rounding
    assert warmth.min() < 0


def test_what_is_no_picture_and_says_nothing_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    clip_tokenizer(tmp_path).save_pretrained(str(tmp_path))
    small_clip().save_pretrained(str(tmp_path))
    name = f"clip-grad-photo:{tmp_path}"
    assert main(["find", "locate", str(tmp_path / "config.json"), "mug", "--localizer", name]) == 2
    assert "Expected a picture file, got" in capsys.readouterr().err
    source = tmp_path / "room.png"
    Image.fromarray(picture(48, 64)).save(source)
    assert main(["find", "locate", str(source), " ", "--localizer", name]) == 2
    assert "Expected a description such as" in capsys.readouterr().err
