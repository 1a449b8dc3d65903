"""What is written is on disk when it is said to be: files, and the folders that name them."""

from __future__ import annotations

from pathlib import Path

from pentathlon.storage.files import make_folder, sync_below, write_durably


def test_every_folder_that_gets_a_new_name_is_synced(tmp_path: Path, synced: list[Path]) -> None:
    (tmp_path / "runs").mkdir()
    make_folder(tmp_path / "runs" / "see" / "task")
    assert set(synced) == {tmp_path / "runs", tmp_path / "runs" / "see"}
    synced.clear()
    make_folder(tmp_path / "runs" / "see" / "task")
    assert synced == []


def test_a_file_is_synced_before_its_folder(tmp_path: Path, synced: list[Path]) -> None:
    write_durably(tmp_path / "run.json", b"{}")
    assert synced[0].name.startswith(".run.json.")
    assert synced[1:] == [tmp_path]


def test_artifacts_are_synced_with_the_folders_between(tmp_path: Path, synced: list[Path]) -> None:
    video = tmp_path / "artifacts" / "trial" / "video.mp4"
    video.parent.mkdir(parents=True)
    video.write_bytes(b"frames")
    sync_below(tmp_path, [video, tmp_path / "missing.mp4"])
    assert synced[0] == video
    assert set(synced[1:]) == {tmp_path, tmp_path / "artifacts", tmp_path / "artifacts" / "trial"}
