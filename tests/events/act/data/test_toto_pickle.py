"""TOTO's parsed.pkl: there and back, images, and what is refused."""

from __future__ import annotations

import pickle
import pickletools
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from hostile_pickle import Attack
from pentathlon.core.errors import DataError
from pentathlon.events.act.data.toto_pickle import Frame, export_toto, import_toto
from pentathlon.learning.policies import Trajectory


def item(steps: int = 3, **changes: Any) -> dict[str, Any]:
    return {
        "traj_id": "2022-07-05_1",
        "observations": np.ones((steps, 7)),
        "cam0c": [f"c{step}.jpeg" for step in range(steps)],
        "cam0d": [f"d{step}.jpeg" for step in range(steps)],
        "actions": np.full((steps, 7), 2.0),
        "rewards": np.array([0.0] * (steps - 1) + [12.5]),
        "terminated": np.array([0.0] * (steps - 1) + [1.0]),
        **changes,
    }


@pytest.mark.parametrize("protocol", [2, 4, 5])
def test_toto_s_own_layout_is_read(tmp_path: Path, protocol: int) -> None:
    file = tmp_path / "parsed.pkl"
    file.write_bytes(pickle.dumps([item(), item(5, traj_id="b", embeddings=np.zeros((5, 4)))], protocol=protocol))
    first, second = import_toto(tmp_path)
    assert (first.id, len(first), first.total_reward_g, first.source) == ("2022-07-05_1", 3, 12.5, "teleop")
    assert first.facts["cam0c"] == ("c0.jpeg", "c1.jpeg", "c2.jpeg")
    assert first.actions.dtype == np.float32
    assert second.embeddings is not None
    assert second.embeddings.shape == (5, 4)
    assert [trajectory.id for trajectory in import_toto(file, source="replay")] == [first.id, second.id]


def test_there_and_back(tmp_path: Path, reaching: list[Trajectory]) -> None:
    export_toto([replace(reaching[0], embeddings=None), *reaching[1:]], tmp_path)
    for before, after in zip(reaching, import_toto(tmp_path), strict=True):
        assert after.id == before.id
        np.testing.assert_array_equal(after.joints, before.joints)
        np.testing.assert_array_equal(after.actions, before.actions)
        np.testing.assert_array_equal(after.rewards, before.rewards)
    assert import_toto(tmp_path)[0].embeddings is None
    np.testing.assert_array_equal(import_toto(tmp_path)[1].embeddings, reaching[1].embeddings)  # type: ignore[arg-type]


def test_the_file_is_what_toto_s_old_python_reads(tmp_path: Path, reaching: list[Trajectory]) -> None:
    export_toto(reaching[:1], tmp_path)
    content = (tmp_path / "parsed.pkl").read_bytes()
    words = {value for _, value, _ in pickletools.genops(content) if isinstance(value, str)}
    assert {"ndarray", "dtype"} <= words
    assert not any(word.startswith("numpy.") for word in words), "numpy 1 has no numpy._core"
    (loaded,) = pickle.loads(content)
    assert set(loaded) == {
        "traj_id",
        "observations",
        "cam0c",
        "cam0d",
        "actions",
        "rewards",
        "terminated",
        "embeddings",
    }
    assert loaded["terminated"].tolist() == [0.0] * 19 + [1.0]
    assert loaded["observations"].flags.writeable


def test_images_are_written_under_data(tmp_path: Path, counted: Callable[..., Trajectory]) -> None:
    image = np.arange(24, dtype=np.uint8).reshape(2, 4, 3)
    depth_m = np.array([[0.5, 1.2346, np.inf, 70.0], [0.0, np.nan, 2.0, 3.0]], np.float32)
    trajectory = counted(0, 2)
    export_toto([trajectory], tmp_path, frames=lambda _: [Frame(image, depth_m)] * 2)
    facts = import_toto(tmp_path)[0].facts
    folder = tmp_path / "data" / trajectory.id
    assert sorted(path.name for path in folder.iterdir()) == sorted([*facts["cam0c"], *facts["cam0d"]])
    with Image.open(folder / facts["cam0c"][1]) as colour, Image.open(folder / facts["cam0d"][1]) as depth:
        np.testing.assert_array_equal(np.asarray(colour), image)
        assert np.asarray(depth).tolist() == [[500, 1235, 0, 0], [0, 0, 2000, 3000]]
    with pytest.raises(DataError, match="2 steps but 1 frames"):
        export_toto([trajectory], tmp_path, frames=lambda _: [Frame(image, depth_m)])


def test_code_is_refused_and_not_run(tmp_path: Path) -> None:
    file, attack = tmp_path / "parsed.pkl", Attack(tmp_path / "was-here")
    file.write_bytes(pickle.dumps([item(extra=attack)]))
    with pytest.raises(DataError, match=r"asks for posix\.system, which is refused"):
        import_toto(file)
    assert not attack.marker.exists()


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "cannot be read"),
        (pickle.dumps([item()])[:-40], "cannot be read"),
        (pickle.dumps([]), "expected a list of one or more"),
        (pickle.dumps({"a": 1}), "holds dict"),
        (pickle.dumps([3]), "is int"),
        (pickle.dumps([item(traj_id=5)]), "traj_id 5"),
        (pickle.dumps([item(traj_id="../../etc")]), "lead out of the dataset"),
        (pickle.dumps([item(cam0c=["a.png", "/etc/passwd", "b.png"])]), "lead out of the dataset"),
        (pickle.dumps([item(cam0c=["a.png"])]), "1 image names for 3 steps"),
        (pickle.dumps([item(cam0c=None)]), "has NoneType for image names"),
        (pickle.dumps([{key: value for key, value in item().items() if key != "actions"}]), "lacks 'actions'"),
        (pickle.dumps([item(actions=np.ones((2, 7)))]), r"actions float32\[2, 7\]"),
        (pickle.dumps([item(observations=5.0)]), "'observations' as float64"),
        (pickle.dumps([item(rewards=np.array([0, np.nan, 1]))]), "NaN or infinity in rewards"),
        (pickle.dumps([item(rewards=np.array([0, 1e300, 1]))]), "NaN or infinity in rewards"),
        (pickle.dumps([item(actions=[[1.0], [1.0, 2.0]])]), "different lengths"),
        (pickle.dumps([item(actions=np.array([None, 1, 2]))]), "as object"),
    ],
)
def test_broken_files_are_refused_with_the_reason(tmp_path: Path, content: bytes, reason: str) -> None:
    file = tmp_path / "parsed.pkl"
    file.write_bytes(content)
    with pytest.raises(DataError, match=reason):
        import_toto(file)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="FileNotFoundError"):
        import_toto(tmp_path)


def test_ids_that_lead_out_of_the_folder_are_not_written(tmp_path: Path, counted: Callable[..., Trajectory]) -> None:
    with pytest.raises(DataError, match="lead out"):
        export_toto([replace(counted(0, 2), id="../outside")], tmp_path / "inside")
