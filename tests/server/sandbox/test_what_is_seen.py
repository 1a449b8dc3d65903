"""What a sandboxed program has around it: each thing that docs/act-sandbox.md says of it, told by one that looks."""

from __future__ import annotations

import json
import os
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import entrant_code
import pytest
from live_server import entrant_files
from plain_agent import AGENT, OBSERVATION, SPEC, seen, write_agent

import pentathlon
from pentathlon.server.sandbox import Limits, SandboxError, cgroups, open_sandboxed
from pentathlon.server.sandbox.bubblewrap import python_folders
from pentathlon.server.sandbox.limits import ADDRESS_SPARE_BYTES
from pentathlon.server.sandbox.syscalls import FORBIDDEN

LOOK = """
import json, os, resource, socket
from pathlib import Path

def is_writable(folder):
    try:
        (Path(folder) / "mark").touch()
        return True
    except OSError:
        return False

mounts = [line.split() for line in open("/proc/self/mountinfo")]
names = ("RLIMIT_AS", "RLIMIT_DATA", "RLIMIT_FSIZE", "RLIMIT_NPROC", "RLIMIT_NOFILE")
limits = {name: resource.getrlimit(getattr(resource, name))[1] for name in names}
looked = {
    "temporary": os.listdir("/tmp"),
    "root": os.listdir("/"),
    "etc": os.listdir("/etc"),
    "dev": os.listdir("/dev"),
    "mounts": {words[4]: [words[3], words[5].split(",")[0], words[words.index("-") + 1]] for words in mounts},
    "writable": [words[4] for words in mounts if is_writable(words[4])],
    "namespaces": {name: os.readlink(f"/proc/self/ns/{name}") for name in ("net", "pid", "ipc", "uts", "mnt")},
    "network": [line.split(":")[0].strip() for line in list(open("/proc/net/dev"))[2:]],
    "user": os.getuid(),
    "host": socket.gethostname(),
    "environment": sorted(os.environ),
    "limits": limits,
    "machine": [os.path.exists("/proc/cpuinfo"), os.path.exists("/proc/meminfo")],
}
print("LOOKED", json.dumps(looked))
"""


def look(folder: Path) -> dict[str, Any]:
    """Lets an agent look around and returns what it saw."""
    folder.mkdir(mode=0o755)
    agent, log = write_agent(folder / "agent", LOOK + AGENT), folder / "log.txt"
    with open_sandboxed("policy", agent, limits=Limits(), log=log, spec=SPEC):
        pass
    said = next(line for line in log.read_text().splitlines() if "LOOKED" in line)
    return dict(json.loads(said.partition("LOOKED ")[2]))


@pytest.fixture(scope="module")
def looked(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("look")
    folder.chmod(0o755)
    return look(folder / "one")


def test_its_namespaces_are_its_own_and_its_network_is_empty(looked: dict[str, Any]) -> None:
    for name, theirs in looked["namespaces"].items():
        assert theirs != os.readlink(f"/proc/self/ns/{name}"), name
    # Loopback comes with every namespace; a tunnel may, where the kernel makes them.
    assert {name for name in looked["network"] if not name.endswith("0")} == {"lo"}
    assert looked["host"] == "sandbox"


def test_it_sees_nothing_else_of_the_disk(looked: dict[str, Any]) -> None:
    tops = {Path(folder).parts[1] for folder in (*python_folders(), "/usr")}
    system = {"bin", "sbin", "lib", "lib32", "lib64", "libx32", "etc", "dev", "proc", "sys", "tmp", "entrant"}
    assert set(looked["root"]) <= system | tops
    assert looked["etc"] == ["ld.so.cache"]
    shown = {str(folder) for folder in python_folders()} | {"/usr", "/entrant", "/etc/ld.so.cache"}
    shown |= {f"/{name}" for name in system} | {"/sys/devices/system/cpu"}
    of_the_host = {
        place for place, (_, _, kind) in looked["mounts"].items() if kind not in ("tmpfs", "proc", "devtmpfs")
    }
    assert of_the_host - {f"/dev/{name}" for name in looked["dev"]} <= shown


def test_only_two_folders_can_be_written_and_both_lie_in_memory(looked: dict[str, Any]) -> None:
    assert sorted(looked["writable"]) == ["/dev/shm", "/tmp"]
    assert {looked["mounts"][folder][2] for folder in looked["writable"]} == {"tmpfs"}


def test_it_is_shown_no_gpu_and_no_disk(looked: dict[str, Any]) -> None:
    plain = {"null", "zero", "full", "random", "urandom", "tty", "stdin", "stdout", "stderr"}
    assert set(looked["dev"]) == plain | {"fd", "core", "shm", "pts", "ptmx"}


def test_its_environment_has_eight_variables(looked: dict[str, Any]) -> None:
    ours = {"HOME", "LANG", "PATH", "TMPDIR", "USER", "MKL_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"}
    assert set(looked["environment"]) - {"PWD"} == ours


def test_each_process_is_limited_beside_its_group(looked: dict[str, Any]) -> None:
    limits = Limits()
    assert looked["limits"] == {
        "RLIMIT_AS": limits.memory_bytes + ADDRESS_SPARE_BYTES,
        "RLIMIT_DATA": limits.memory_bytes,
        "RLIMIT_FSIZE": limits.temporary_bytes,
        "RLIMIT_NPROC": limits.processes,
        "RLIMIT_NOFILE": 512,
    }


def test_names_of_the_host_can_be_read(looked: dict[str, Any]) -> None:
    """Which the docs say; should it change, they can promise more."""
    assert looked["mounts"]["/entrant"][0].endswith("/one/agent")
    assert looked["machine"] == [True, True]


def test_the_next_sandbox_finds_nothing_of_the_last(looked: dict[str, Any], tmp_path: Path) -> None:
    after = look(tmp_path / "two")
    assert "/tmp" in looked["writable"], "the first one left a file"
    # A checkout below the temporary folder is itself to be seen there, read-only.
    own = {
        path.relative_to("/tmp").parts[0]
        for path in (Path(sys.prefix), Path(pentathlon.__file__))
        if path.is_relative_to("/tmp")
    }
    assert set(looked["temporary"]) == set(after["temporary"]) <= own
    assert not (Path(tempfile.gettempdir()) / "mark").exists()
    if os.geteuid() == 0:
        assert after["user"] != looked["user"]
        assert os.getuid() not in (after["user"], looked["user"])


@pytest.mark.skipif(not cgroups.works(), reason="control groups may not be written here")
def test_temporary_files_count_as_memory(tmp_path: Path) -> None:
    code = AGENT.replace(
        "    def predict(self, observation):\n",
        "    def predict(self, observation):\n"
        "        with open('/dev/shm/x', 'wb') as file:\n"
        "            for _ in range(400):\n"
        "                file.write(bytes(2**20))\n",
    )
    limits = Limits(memory_bytes=256 * 2**20, temporary_bytes=512 * 2**20)
    folder = write_agent(tmp_path / "agent", code)
    with (
        open_sandboxed("policy", folder, limits=limits, log=tmp_path / "log", spec=SPEC) as policy,
        pytest.raises(SandboxError, match="more than 256 MiB of memory"),
    ):
        policy.predict(OBSERVATION)  # type: ignore[union-attr]


@pytest.mark.skipif(not cgroups.works(), reason="control groups may not be written here")
def test_a_sandbox_is_in_its_group_and_has_one_core(tmp_path: Path) -> None:
    folder = write_agent(tmp_path / "agent", AGENT)
    with open_sandboxed("policy", folder, limits=Limits(), log=tmp_path / "log", spec=SPEC) as policy:
        group = policy.session._process._group
        inside = {process.pid for process in policy.session._process._inside()}
        for place in group.folders:
            assert inside <= {int(word) for word in (place / "cgroup.procs").read_text().split()}
        quotas = {"cpu.cfs_quota_us": "100000", "cpu.max": "100000 100000"}
        found = [
            (place / name).read_text().strip() == text
            for place in group.folders
            for name, text in quotas.items()
            if (place / name).exists()
        ]
        assert found == [True]


def test_what_is_dangerous_is_told_to_nobody(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    code = "import ctypes\nctypes.CDLL(None).syscall(101, 0, 0, 0, 0)\nctypes.CDLL(None).unshare(0)\n" + AGENT
    folder = write_agent(tmp_path / "agent", code)
    with open_sandboxed("policy", folder, limits=Limits(), log=tmp_path / "log", spec=SPEC):
        pass
    assert {"ptrace", "unshare"} <= set(FORBIDDEN)
    assert "on no list" not in caplog.text


def test_an_encoder_has_no_say_in_the_name_of_its_features(tmp_path: Path) -> None:
    folder = tmp_path / "encoder"
    folder.mkdir()
    code = entrant_code.encoder().replace("    spec =", "    fingerprint = 'upload-of-another'\n    spec =", 1)
    assert "upload-of-another" in code
    for name, content in entrant_files("encoder", code).items():
        (folder / name).write_text(content)
    opened = open_sandboxed(
        "encoder", folder, limits=Limits(), log=tmp_path / "log", spec=None, fingerprint="upload-of-mine"
    )
    with opened as encoder:
        assert encoder.fingerprint == "upload-of-mine"  # type: ignore[union-attr]


def test_a_sandbox_ends_with_the_thread_that_opened_it(tmp_path: Path) -> None:
    folder, log = write_agent(tmp_path / "agent", AGENT), tmp_path / "log"
    opened = open_sandboxed("policy", folder, limits=Limits(), log=log, spec=SPEC)
    thread = threading.Thread(target=opened.__enter__)
    thread.start()
    thread.join()
    deadline_s = time.monotonic() + 20
    while seen(folder) and time.monotonic() < deadline_s:
        time.sleep(0.1)
    assert not seen(folder)
    opened.__exit__(None, None, None)
