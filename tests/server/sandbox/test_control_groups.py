"""Control groups of both versions, on a made-up hierarchy."""

import os
import time
from pathlib import Path

import pytest

from pentathlon.server.sandbox import cgroups
from pentathlon.server.sandbox.cgroups import create

V2_FILES = ("memory.max", "memory.swap.max", "cpu.max", "cgroup.procs")
V1_FILES = {"memory": ("memory.limit_in_bytes", "cgroup.procs"), "cpu": ("cpu.cfs_period_us", "cpu.cfs_quota_us")}


@pytest.fixture
def kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fills new folders with control files, as the kernel does."""
    mkdir = Path.mkdir

    def mkdir_with_files(self: Path, *arguments: object, **options: object) -> None:
        mkdir(self, *arguments, **options)  # type: ignore[arg-type]
        if self.name.startswith("pentathlon-"):
            names = V2_FILES if (self.parents[1] / "v2").exists() else V1_FILES[self.parent.name]
            for name in names:
                (self / name).touch()

    monkeypatch.setattr(Path, "mkdir", mkdir_with_files)


@pytest.fixture
def hierarchy(tmp_path: Path) -> Path:
    """Version 2, in which this process belongs to ``service``."""
    (tmp_path / "cgroup.controllers").touch()
    (tmp_path / "service").mkdir()
    return tmp_path


def create_in(hierarchy: Path, membership: str, memory_bytes: int, cores: int) -> cgroups.ControlGroup | None:
    """Makes a group as a process of that membership."""
    told = hierarchy / "membership"
    told.write_text(membership)
    return create(memory_bytes, cores, hierarchy=hierarchy, membership=told)


@pytest.mark.usefixtures("kernel")
def test_version_2_limits_memory_swap_and_processors(hierarchy: Path) -> None:
    (hierarchy / "v2").touch()
    group = create_in(hierarchy, "0::/service\n", 2**30, 2)
    assert group is not None
    (folder,) = group.folders
    assert folder.parent == hierarchy / "service"
    assert (folder / "memory.max").read_text() == str(2**30)
    assert (folder / "memory.swap.max").read_text() == "0"
    assert (folder / "cpu.max").read_text() == "200000 100000"
    (folder / "memory.events").write_text("low 0\nhigh 0\nmax 12\noom 3\noom_kill 2\noom_group_kill 0\n")
    assert group.memory_kills() == 2


def test_a_hierarchy_that_may_not_be_written_gives_none(hierarchy: Path) -> None:
    # Folders without control files are what a group gets whose controllers are not delegated.
    assert create_in(hierarchy, "0::/service\n", 2**30, 1) is None
    assert list((hierarchy / "service").iterdir()) == []


def test_what_a_killed_server_left_is_swept(hierarchy: Path) -> None:
    for name, age_s in (("pentathlon-old", 2 * cgroups.STALE_S), ("pentathlon-new", 0), ("neighbour", 10**6)):
        (hierarchy / name).mkdir()
        os.utime(hierarchy / name, (time.time() - age_s,) * 2)
    create_in(hierarchy, "0::/\n", 2**30, 1)
    folders = sorted(path.name for path in hierarchy.iterdir() if path.is_dir())
    assert folders == ["neighbour", "pentathlon-new", "service"]


@pytest.mark.usefixtures("kernel")
def test_version_1_limits_memory_and_processors_apart(tmp_path: Path) -> None:
    (tmp_path / "memory").mkdir()
    (tmp_path / "cpu").mkdir()
    group = create_in(tmp_path, "4:memory:/\n1:cpu,cpuacct:/\n", 2**28, 1)
    assert group is not None
    memory, cpu = group.folders
    assert (memory / "memory.limit_in_bytes").read_text() == str(2**28)
    assert (cpu / "cpu.cfs_quota_us").read_text() == "100000"
    (memory / "memory.oom_control").write_text("oom_kill_disable 0\nunder_oom 0\noom_kill 1\n")
    assert group.memory_kills() == 1


def test_a_real_group_is_removed_again() -> None:
    group = cgroups.create(2**28, 1)
    if group is None:
        pytest.skip("control groups may not be written here")
    assert group.memory_kills() == 0
    group.close()
    assert not any(folder.exists() for folder in group.folders)
