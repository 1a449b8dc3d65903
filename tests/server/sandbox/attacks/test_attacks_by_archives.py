"""Hostile archives: each is refused with a sentence, nothing is written outside, and nothing is left."""

import stat
import zipfile
from pathlib import Path

import pytest
from hostile_archives import HOSTILE_ARCHIVES, LIMITS, MANIFEST, make_tar, tar_member

from pentathlon.server.sandbox import SandboxError
from pentathlon.server.sandbox.unpacking.archives import extract
from pentathlon.server.sandbox.unpacking.unpack import unpack


@pytest.mark.parametrize("name", HOSTILE_ARCHIVES)
def test_hostile_archive_is_refused(name: str, tmp_path: Path) -> None:
    maker, words = HOSTILE_ARCHIVES[name]
    archive = maker(tmp_path / "upload")
    folder = tmp_path / "unpacked" / "agent"
    folder.parent.mkdir()
    with pytest.raises(SandboxError) as refusal:
        unpack(archive, folder, LIMITS)
    assert refusal.value.state == "refused"
    assert any(word in str(refusal.value) for word in words.split("|")), refusal.value
    assert list(folder.parent.iterdir()) == []
    assert sorted(path.name for path in tmp_path.iterdir()) == ["unpacked", "upload"]
    assert not Path("/tmp/outside.txt").exists()


def test_unpacking_goes_on_after_a_kill_between_its_last_moves(tmp_path: Path) -> None:
    left_behind = tmp_path / ".agent.wrapper" / "entrant.json"
    left_behind.parent.mkdir()
    left_behind.write_bytes(b"old")
    extract(make_tar(tmp_path / "upload", [tar_member("my-agent/entrant.json")], MANIFEST), tmp_path / "agent", LIMITS)
    assert (tmp_path / "agent" / "entrant.json").read_bytes() == MANIFEST
    assert not left_behind.exists()


@pytest.mark.parametrize("kind", ["zip", "tar", "tar.gz"])
@pytest.mark.parametrize("wrapped", [False, True])
def test_honest_archive_is_unpacked(kind: str, wrapped: bool, tmp_path: Path) -> None:
    prefix = "my-agent/" if wrapped else ""
    path = tmp_path / f"upload.{kind}"
    if kind == "zip":
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr(f"{prefix}entrant.json", MANIFEST)
            archive.writestr(f"{prefix}code/agent.py", b"x")
    else:
        members = [tar_member(f"{prefix}entrant.json"), tar_member(f"{prefix}code/agent.py")]
        make_tar(path, members, MANIFEST, "w:gz" if kind == "tar.gz" else "w")
    unpack(path, tmp_path / "agent", LIMITS)
    assert (tmp_path / "agent" / "entrant.json").read_bytes() == MANIFEST
    assert (tmp_path / "agent" / "code" / "agent.py").is_file()
    assert stat.S_IMODE((tmp_path / "agent" / "code" / "agent.py").stat().st_mode) & 0o111 == 0
