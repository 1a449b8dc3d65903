"""Runs on a Ray cluster of two nodes, both of this machine, one of which is killed."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest
import toy_making
from toy_process import await_success, content, finish, gated, journal_lines, open_gate, running, wait_for_lines

pytest.importorskip("ray")


@dataclass
class Cluster:
    """Two nodes with one CPU each."""

    address: str
    env: dict[str, str]
    head: subprocess.Popen[bytes]
    second: subprocess.Popen[bytes]

    @property
    def settings(self) -> dict[str, str]:
        return {"on": "ray", "address": self.address}


def start_node(env: dict[str, str], *options: str) -> subprocess.Popen[bytes]:
    common = ["--block", "--num-cpus=1", "--object-store-memory=100000000", "--disable-usage-stats"]
    command = [str(Path(sys.executable).with_name("ray")), "start", *common, *options]
    return subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def kill_node(node: subprocess.Popen[bytes]) -> None:
    """Ends the node's own processes by their ids; ``ray stop`` would end every Ray on the machine."""
    processes = psutil.Process(node.pid).children(recursive=True) if node.poll() is None else []
    for process in (node, *processes):
        try:
            process.kill()
        except psutil.NoSuchProcess:
            continue
    node.wait()
    psutil.wait_procs(processes, timeout=10)


def wait_for_port(port: int) -> None:
    deadline_s = time.monotonic() + 60
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            assert time.monotonic() < deadline_s
            time.sleep(0.1)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    # Socket paths are limited to about 100 characters, so the folder's own must be short.
    folder = tempfile.mkdtemp(prefix="ray")
    port = free_port()
    token = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": os.urandom(16).hex()}
    env = {name: value for name, value in os.environ.items() if not name.startswith("RAY_")} | token
    head = start_node(
        env,
        "--head",
        f"--port={port}",
        f"--temp-dir={folder}",
        "--include-dashboard=false",
        "--node-ip-address=127.0.0.1",
    )
    wait_for_port(port)
    second = start_node(env, f"--address=127.0.0.1:{port}", "--node-ip-address=127.0.0.1")
    try:
        yield Cluster(f"127.0.0.1:{port}", env, head, second)
    finally:
        kill_node(second)
        kill_node(head)
        shutil.rmtree(folder, ignore_errors=True)


def test_ray_gives_what_local_processes_give(cluster: Cluster, tmp_path: Path) -> None:
    options = {"trials": 30, "heat_size": 5, "faults": {"t0007": "raise", "t0012": "infinite"}}
    finish(tmp_path / "local", **options)
    finish(tmp_path / "ray", cluster.settings, cluster.env, **options)
    local, on_ray = content(tmp_path / "local"), content(tmp_path / "ray")
    assert len(local) == 30
    assert on_ray == local


def test_an_entrant_is_refused_before_the_first_trial(cluster: Cluster, tmp_path: Path) -> None:
    with running(tmp_path, {**cluster.settings, "entrant": "WrongActions"}, cluster.env) as process:
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 1
    assert "SpecMismatchError: Spec mismatch in 'action.labels'" in errors.decode()
    assert journal_lines(tmp_path) == 0


def test_a_crash_costs_one_trial_and_fills_no_terminal(cluster: Cluster, tmp_path: Path) -> None:
    with running(tmp_path, cluster.settings, cluster.env, trials=4, faults={"t0001": "exit"}) as process:
        printed, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors.decode()
    assert [trial for trial, outcome in content(tmp_path).items() if outcome.status == "error"] == ["t0001"]
    assert "raylet" not in (printed + errors).decode()


def node_workers(node: subprocess.Popen[bytes]) -> list[psutil.Process]:
    children = psutil.Process(node.pid).children(recursive=True)
    return [child for child in children if "HeatActor.run" in " ".join(child.cmdline())]


def test_a_node_killed_in_the_middle_costs_nothing(cluster: Cluster, tmp_path: Path) -> None:
    out = tmp_path / "ray"
    with running(out, cluster.settings, cluster.env, trials=60, heat_size=5, faults=gated(*range(20, 60))) as process:
        wait_for_lines(out, 20, process)
        deadline_s = time.monotonic() + 60
        while not node_workers(cluster.second):
            assert time.monotonic() < deadline_s
            time.sleep(0.1)
        kill_node(cluster.second)
        open_gate(out)
        await_success(process)
    finish(tmp_path / "local", trials=60, heat_size=5)
    assert journal_lines(out) == 60
    assert content(out) == content(tmp_path / "local")


def test_files_are_made_on_ray_as_in_one_process(cluster: Cluster, tmp_path: Path) -> None:
    settings = json.dumps({"count": 5, "workers": 2, **cluster.settings})
    subprocess.run(
        [sys.executable, toy_making.__file__, str(tmp_path / "ray"), settings], env=cluster.env, check=True, timeout=120
    )
    made = {path.name: path.read_text() for path in (tmp_path / "ray").iterdir()}
    assert made == {f"0{number}.txt": str(number**2) for number in range(5)}


DATASETS = """
import sys
from dataclasses import replace
from pathlib import Path
from pentathlon.engine import make_pool
from pentathlon.events.act.data.collect import collect
from pentathlon.events.act.data.plan import make_recipe
from pentathlon.events.see.data.demonstrations import make_demonstrations
from pentathlon.worlds.control import control_task
out, on, address = Path(sys.argv[1]), sys.argv[2], sys.argv[3] or None
pool = make_pool(2, on, address)
make_demonstrations(control_task("trifinger-push-cube"), 3, root=out / "see", pool=pool)
recipe = replace(make_recipe("pour", "sprint"), episodes=2, image_size=(24, 32), frame_every=60)
collect(recipe, out / "act", pool=pool)
"""


def test_datasets_of_see_and_act_are_the_same_on_ray(cluster: Cluster, tmp_path: Path) -> None:
    for on, address in (("ray", cluster.address), ("local", "")):
        command = [sys.executable, "-c", DATASETS, str(tmp_path / on), on, address]
        subprocess.run(command, env=cluster.env, check=True, timeout=600)
    on_ray, local = (
        {path.relative_to(tmp_path / on): path.read_bytes() for path in (tmp_path / on).rglob("*.parquet")}
        for on in ("ray", "local")
    )
    assert len(local) == 5
    assert on_ray == local
