"""Assets on disk: read as they were built, to the last bit, and built again when the disk fails."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from pathlib import Path

import numpy as np
import pytest

from pentathlon.worlds.houses.assets.asset import Asset
from pentathlon.worlds.houses.assets.asset_store import AssetStore
from pentathlon.worlds.houses.assets.catalogue import object_type_named


def build(type_name: str) -> Asset:
    return object_type_named(type_name).build(np.random.default_rng(5))


def not_needed() -> Asset:
    raise AssertionError("built although it is kept")


def same(one: object, other: object) -> bool:
    if isinstance(one, np.ndarray):
        return isinstance(other, np.ndarray) and one.dtype == other.dtype and np.array_equal(one, other)
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if is_dataclass(one):
        return all(same(getattr(one, field.name), getattr(other, field.name)) for field in fields(one))
    return one == other


@pytest.mark.parametrize("type_name", ["Apple", "Dresser", "FloorLamp", "Painting", "TeddyBear"])
def test_read_as_built(type_name: str, tmp_path: Path) -> None:
    built = AssetStore(tmp_path).get_or_build("it", lambda: build(type_name))
    read = AssetStore(tmp_path).get_or_build("it", not_needed)
    assert same(built, read)
    assert same(build(type_name), read)
    assert [part.mesh.measures for part in built.parts] == [part.mesh.measures for part in read.parts]
    assert [part.look.key for part in built.parts] == [part.look.key for part in read.parts]


def test_a_size_measures_the_same_from_disk_and_fresh(tmp_path: Path) -> None:
    built = AssetStore(tmp_path).get_or_build("it", lambda: build("Mug")).scaled(0.83)
    read = AssetStore(tmp_path).get_or_build("it", not_needed).scaled(0.83)
    assert built.mass_kg == read.mass_kg
    anew = [
        type(part.mesh)(part.mesh.vertices_m, part.mesh.faces, part.mesh.normals, part.mesh.uvs) for part in read.parts
    ]
    for part, mesh in zip(read.parts, anew, strict=True):
        assert part.mesh.volume_m3 == pytest.approx(mesh.volume_m3, rel=1e-9)
        assert part.mesh.area_m2 == pytest.approx(mesh.area_m2, rel=1e-9)
        assert part.mesh.centroid_m == pytest.approx(mesh.centroid_m, abs=1e-9)


def test_a_torn_or_missing_file_is_built_again(tmp_path: Path) -> None:
    AssetStore(tmp_path).get_or_build("it", lambda: build("Painting"))
    for path in tmp_path.glob("asset-*"):
        path.write_bytes(path.read_bytes()[:1000])
    assert same(AssetStore(tmp_path).get_or_build("it", lambda: build("Painting")), build("Painting"))
    for path in tmp_path.glob("picture-*"):
        path.unlink()
    assert same(AssetStore(tmp_path).get_or_build("it", lambda: build("Painting")), build("Painting"))


def test_a_folder_that_cannot_be_made_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    store = AssetStore(tmp_path / "file" / "folder")
    assert same(store.get_or_build("it", lambda: build("Apple")), build("Apple"))
