"""Each test has its own feature cache; arithmetic takes one core, since several would wait for each other."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
import torch

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pentathlon.storage.cache.default_cache_folder", lambda: tmp_path / "arrays")
    torch.set_num_threads(1)
