"""Control groups of both versions: on made-up hierarchies, and for real as far as this machine has them."""

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from made_up_cgroups import MadeUpGroups

from pentathlon.server.sandbox import cgroups
from pentathlon.server.sandbox.cgroups import ControlGroup, create

V1_FILES = {"memory": ("memory.limit_in_bytes", "cgroup.procs"), "cpu": ("cpu.cfs_period_us", "cpu.cfs_quota_us")}


def create_in(hierarchy: Path, membership: str, memory_bytes: int, cores: int) -> ControlGroup | None:
    """Makes a group as a process of that membership."""
    told = hierarchy.with_name("membership")
    told.write_text(membership)
    return create(memory_bytes, cores, hierarchy=hierarchy, membership=told)


@pytest.fixture
def groups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> MadeUpGroups:
    """Version 2 with all controllers, as a machine that has just started."""
    (tmp_path / "v2").mkdir()
    return MadeUpGroups(tmp_path / "v2", "cpu memory pids", monkeypatch)


def delegate(groups: MadeUpGroups) -> Path:
    """A service as systemd starts it with ``Delegate=yes`` and ``DelegateSubgroup=server``."""
    (groups.root / "cgroup.subtree_control").write_text("+cpu +memory +pids")
    service = groups.put("service")
    groups.put("service/server", os.getpid())
    return service


def test_version_2_limits_memory_swap_and_processors(groups: MadeUpGroups) -> None:
    service = delegate(groups)
    group = create_in(groups.root, "0::/service/server\n", 2**30, 2)
    assert group is not None
    (folder,) = group.folders
    assert folder.parent == service
    assert (folder / "memory.max").read_text() == str(2**30)
    assert (folder / "memory.swap.max").read_text() == "0"
    assert (folder / "cpu.max").read_text() == "200000 100000"
    (folder / "memory.events").write_text("low 0\nhigh 0\nmax 12\noom 3\noom_kill 2\noom_group_kill 0\n")
    assert group.memory_kills() == 2
    group.close()
    assert not folder.exists()


def test_version_2_passes_on_what_systemd_leaves_to_the_service(groups: MadeUpGroups) -> None:
    service = delegate(groups)
    assert (service / "cgroup.subtree_control").read_text() == ""
    assert create_in(groups.root, "0::/service/server\n", 2**30, 1) is not None
    assert (service / "cgroup.subtree_control").read_text() == "cpu memory"


def test_version_2_of_a_machine_without_systemd(groups: MadeUpGroups) -> None:
    (groups.root / "cgroup.procs").write_text(f"{os.getpid()}\n")
    group = create_in(groups.root, "0::/\n", 2**30, 1)
    assert group is not None
    assert (group.folders[0] / "memory.max").read_text() == str(2**30)


@pytest.mark.parametrize("controllers", ["", "cpu pids"])
def test_version_2_without_its_memory_controller_gives_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, controllers: str
) -> None:
    (tmp_path / "v2").mkdir()
    groups = MadeUpGroups(tmp_path / "v2", controllers, monkeypatch)
    (groups.root / "cgroup.subtree_control").write_text(controllers.replace("cpu pids", "+cpu +pids"))
    service = groups.put("service")
    groups.put("service/server", os.getpid())
    assert create_in(groups.root, "0::/service/server\n", 2**30, 1) is None
    assert [path.name for path in service.iterdir() if path.is_dir()] == ["server"]


def test_version_2_in_a_group_that_holds_processes_gives_none(groups: MadeUpGroups) -> None:
    # A container sees its own group as the root, and is not excepted as the real root is.
    (groups.root / "cgroup.subtree_control").write_text("+cpu +memory")
    groups.put("container", os.getpid())
    inside = groups.root / "container"
    told = groups.root.with_name("membership")
    told.write_text("0::/\n")
    assert create(2**30, 1, hierarchy=inside, membership=told) is None
    assert not any(path.is_dir() for path in inside.iterdir())


def test_what_a_killed_server_left_is_swept(tmp_path: Path) -> None:
    (tmp_path / "cgroup.controllers").touch()
    for name, age_s in (("pentathlon-old", 2 * cgroups.STALE_S), ("pentathlon-new", 0), ("neighbour", 10**6)):
        (tmp_path / name).mkdir()
        os.utime(tmp_path / name, (time.time() - age_s,) * 2)
    told = tmp_path / "membership"
    told.write_text("0::/\n")
    create(2**30, 1, hierarchy=tmp_path, membership=told)
    assert sorted(path.name for path in tmp_path.iterdir() if path.is_dir()) == ["neighbour", "pentathlon-new"]


def test_version_1_limits_memory_and_processors_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mkdir = Path.mkdir

    def mkdir_with_files(folder: Path, *arguments: object, **options: object) -> None:
        mkdir(folder, *arguments, **options)  # type: ignore[arg-type]
        if folder.name.startswith("pentathlon-"):
            for name in V1_FILES[folder.parent.name]:
                (folder / name).touch()

    monkeypatch.setattr(Path, "mkdir", mkdir_with_files)
    for name in ("v1", "v1/memory", "v1/cpu"):
        (tmp_path / name).mkdir()
    group = create_in(tmp_path / "v1", "4:memory:/\n1:cpu,cpuacct:/\n", 2**28, 1)
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


@pytest.fixture
def real_v2() -> Iterator[Path]:
    """A group of the kernel's own version 2, which this machine may have beside version 1, without controllers."""
    mounts = [line.split() for line in Path("/proc/self/mounts").read_text().splitlines()]
    place = next((Path(words[1]) for words in mounts if words[2] == "cgroup2"), None)
    if place is None or not os.access(place, os.W_OK):
        pytest.skip("no control groups of version 2 may be written here")
    folder = place / f"pentathlon-test-{os.getpid()}"
    folder.mkdir()
    yield folder
    for each in (*folder.iterdir(), folder):
        if each.is_dir():
            each.rmdir()


def test_a_real_version_2_takes_processes_in_and_ends_them(real_v2: Path) -> None:
    (folder := real_v2 / "pentathlon-one").mkdir()
    group = ControlGroup((folder,), folder / "memory.events")
    command = ["/bin/sh", "-c", 'echo $$ > "$0"; exec sleep 60', str(group.doors[0])]
    with subprocess.Popen(command) as process:
        deadline_s = time.monotonic() + 20
        while not group.processes() and time.monotonic() < deadline_s:
            time.sleep(0.02)
        assert group.processes()
        assert group.memory_kills() == 0
        group.close()
        assert not folder.exists()
        assert process.wait(20) == -signal.SIGKILL


def test_a_real_version_2_without_its_memory_controller_gives_none(real_v2: Path, tmp_path: Path) -> None:
    if "memory" in (real_v2 / "cgroup.controllers").read_text():
        pytest.skip("here it has one")
    (real_v2 / "server").mkdir()
    told = tmp_path / "membership"
    told.write_text(f"0::/{real_v2.name}/server\n")
    assert create(2**28, 1, hierarchy=real_v2.parent, membership=told) is None
    assert [path.name for path in real_v2.iterdir() if path.is_dir()] == ["server"]
