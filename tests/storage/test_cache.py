from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from pentathlon.core import UsageError, content_hash
from pentathlon.storage import ArrayCache
from pentathlon.storage.cache import Arrays, default_cache_folder

WRITER = """
import sys
from pathlib import Path
import numpy as np
from pentathlon.storage import ArrayCache
cache = ArrayCache(Path(sys.argv[1]), limit_bytes=40_000)
order = np.random.default_rng(int(sys.argv[2])).permutation(np.repeat(np.arange(20), 10))
for number in order:
    arrays = cache.get_or_compute(f"key{number}", lambda: {"a": np.full((25, 25), number, np.int64)})
    assert (arrays["a"] == number).all() and arrays["a"].shape == (25, 25)
"""


def never() -> Arrays:
    raise AssertionError("computed although kept")


def filled(number: float, size: int = 100) -> Arrays:
    return {"a": np.full(size, number, np.float32)}


def test_arrays_are_computed_once_and_come_back_the_same(tmp_path: Path) -> None:
    cache = ArrayCache(tmp_path)
    arrays = {
        "pooled": np.arange(6, dtype=np.float32).reshape(2, 3).T,
        "half": np.ones((0, 2), np.float16),
        "mask": np.array([True, False]),
        "count": np.array(3),
    }
    key = content_hash(["weights", "frames"])
    assert not cache.contains(key)
    cache.get_or_compute(key, lambda: arrays)
    assert cache.contains(key)
    kept = ArrayCache(tmp_path).get_or_compute(key, never)
    assert kept.keys() == arrays.keys()
    for name, array in arrays.items():
        assert kept[name].dtype == array.dtype
        np.testing.assert_array_equal(kept[name], array)


def test_the_least_recently_used_go_first(tmp_path: Path) -> None:
    cache = ArrayCache(tmp_path)
    for number in range(4):
        cache.get_or_compute(str(number), lambda number=number: filled(number))
        os.utime(tmp_path / f"{number}.safetensors", ns=(number, number))
    cache.get_or_compute("0", never)
    size = cache.stats().bytes // 4
    assert cache.trim(limit_bytes=2 * size) == 2 * size
    assert [cache.contains(str(number)) for number in range(4)] == [True, False, False, True]
    assert cache.stats()[1:3] == (2, 2 * size)


def test_the_limit_is_kept_while_writing(tmp_path: Path) -> None:
    cache = ArrayCache(tmp_path, limit_bytes=5_000)
    for number in range(40):
        cache.get_or_compute(str(number), lambda number=number: filled(number))
        assert cache.stats().bytes <= 5_000
    assert cache.contains("39")
    assert cache.stats().entries >= 5


def test_a_torn_entry_is_computed_again(tmp_path: Path) -> None:
    cache = ArrayCache(tmp_path)
    cache.get_or_compute("k", lambda: filled(1))
    for damage in (b"", b"x" * 9, (tmp_path / "k.safetensors").read_bytes()[:-5]):
        (tmp_path / "k.safetensors").write_bytes(damage)
        np.testing.assert_array_equal(cache.get_or_compute("k", lambda: filled(2))["a"], filled(2)["a"])
        cache.get_or_compute("k", never)


def test_a_failed_computation_leaves_nothing(tmp_path: Path) -> None:
    cache = ArrayCache(tmp_path)
    with pytest.raises(AssertionError):
        cache.get_or_compute("k", never)
    assert list(tmp_path.iterdir()) == []


def test_processes_share_a_cache_that_is_always_being_trimmed(tmp_path: Path) -> None:
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path), str(seed)]) for seed in range(4)]
    assert [writer.wait(timeout=60) for writer in writers] == [0] * 4
    assert all(path.suffix == ".safetensors" for path in tmp_path.iterdir())
    ArrayCache(tmp_path, limit_bytes=40_000).trim()
    assert 0 < ArrayCache(tmp_path).stats().bytes <= 40_000


@pytest.mark.parametrize("key", ["", "../up", "a/b", "a b"])
def test_a_key_that_is_no_file_name_is_refused(tmp_path: Path, key: str) -> None:
    with pytest.raises(UsageError, match="Expected a cache key"):
        ArrayCache(tmp_path).contains(key)


def test_the_default_folder_is_the_users_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert default_cache_folder().parts[-2:] == ("pentathlon", "arrays")
    assert ArrayCache().stats().entries == 0
