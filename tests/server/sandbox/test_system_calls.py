"""The list of system calls: what computes may do all it needs, and whatever is on no list is absent."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from pentathlon.server.sandbox import Limits, open_sandboxed, process, refusals
from pentathlon.server.sandbox.refusals import can_listen
from pentathlon.server.sandbox.syscalls import ABSENT, ALLOWED, FORBIDDEN
from pentathlon.worlds.tabletop.arm.robot import interaction

SPEC = interaction(8, 8)
WORKS = """
import asyncio, multiprocessing, os, select, sqlite3, subprocess, tempfile, threading
from concurrent.futures import ThreadPoolExecutor
import numpy as np
from pentathlon.worlds.tabletop.arm.robot import interaction

def net():
    import torch
    model = torch.nn.Sequential(torch.nn.Conv2d(3, 4, 3), torch.nn.ReLU(), torch.nn.Flatten(), torch.nn.LazyLinear(7))
    model(torch.zeros(2, 3, 8, 8)).sum().backward()
    with tempfile.TemporaryDirectory() as folder:
        torch.save(model.state_dict(), f"{folder}/w.pt")
        torch.load(f"{folder}/w.pt", weights_only=True, mmap=True)

def children():
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map(abs, [-1, 2]) == [1, 2]
    left, right = multiprocessing.Pipe()
    left.send("a")
    assert right.recv() == "a"
    assert subprocess.run(["/bin/sh", "-c", "ls /usr | wc -l"], capture_output=True, check=True).stdout

def files():
    with tempfile.TemporaryDirectory() as folder:
        base = sqlite3.connect(f"{folder}/a.db")
        base.execute("create table t (a)")
        base.commit()
        np.save(f"{folder}/a.npy", np.ones(4))
        assert np.load(f"{folder}/a.npy", mmap_mode="r").sum() == 4

def threads():
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(abs, [-1])) == [1]
    asyncio.run(asyncio.sleep(0.001))
    np.linalg.svd(np.random.default_rng(0).normal(size=(64, 64)))

class Policy:
    spec = interaction(8, 8)
    def reset(self): pass
    def predict(self, observation):
        for work in (net, children, files, threads):
            work()
            print("did", work.__name__)
        return observation["joints"] + 0.0

def make():
    return Policy()
"""


CURIOUS = """
import ctypes, errno
from pentathlon.worlds.tabletop.arm.robot import interaction

LIBC = ctypes.CDLL(None, use_errno=True)

class Policy:
    spec = interaction(8, 8)
    def reset(self): pass
    def predict(self, observation):
        for number in [600] * 3 + [443]:
            assert LIBC.syscall(number, 0, 0, 0) == -1 and ctypes.get_errno() == errno.ENOSYS
        return observation["joints"] + 0.0

def make():
    return Policy()
"""


HONEST = (Path(__file__).parent / "attacks" / "agents" / "honest.py").read_text().replace("(None, None)", "(8, 8)")


@pytest.mark.sandbox
@pytest.mark.parametrize("listens", [True, False])
def test_a_call_on_no_list_is_refused_and_told_to_the_operator(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, listens: bool
) -> None:
    if listens and not can_listen():
        pytest.skip("another program listens to the filters here")
    monkeypatch.setattr(process, "can_listen", lambda: listens)
    ask(tmp_path, CURIOUS)
    told = [record.getMessage() for record in caplog.records if "on no list" in record.getMessage()]
    assert [message.split("call ")[1].split(",")[0] for message in told] == (["600", "quotactl_fd"] if listens else [])


@pytest.mark.sandbox
def test_the_operator_is_not_told_without_end(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    if not can_listen():
        pytest.skip("another program listens to the filters here")
    ask(tmp_path, CURIOUS.replace("[600] * 3 + [443]", "range(1000, 1200)"))
    assert sum("on no list" in record.getMessage() for record in caplog.records) == refusals.MOST_TOLD


@pytest.mark.sandbox
def test_the_filter_without_a_listener_forbids_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "can_listen", lambda: False)
    agents = Path(__file__).parent / "attacks" / "agents"
    code = (agents / "machine_slots.py").read_text().replace("from honest import Honest, attempt", HONEST)
    log = ask(tmp_path, code)
    assert log.count("blocked") == 15
    assert "reached the kernel" not in log


def test_the_kernel_refuses_once_nobody_listens_any_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refusals, "MOST", 1)
    ask(tmp_path, CURIOUS)


def ask(folder: Path, code: str) -> str:
    """Runs a policy in the sandbox for one step and returns its log."""
    place, log = folder / "policy", folder / "log"
    place.mkdir(mode=0o755)
    manifest = {"format": "pentathlon-entrant-v1", "kind": "policy", "factory": "policy:make"}
    (place / "entrant.json").write_text(json.dumps(manifest))
    (place / "policy.py").write_text(code)
    pixels = np.zeros((8, 8, 3), np.uint8)
    seen = {"joints": np.zeros(7, np.float32), "image": pixels, "depth": np.ones((8, 8), np.float32)}
    with open_sandboxed("policy", place, limits=Limits(step_s=100), log=log, spec=SPEC) as policy:
        policy.reset()  # type: ignore[union-attr, call-arg]
        policy.predict(seen)  # type: ignore[union-attr]
    return log.read_text()


@pytest.mark.sandbox
def test_what_computes_has_the_calls_it_needs(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    assert ask(tmp_path, WORKS).count("did ") == 4
    assert "on no list" not in caplog.text


def test_the_lists_hold_each_call_once() -> None:
    assert len(set(ALLOWED)) == len(ALLOWED)
    assert len(set(FORBIDDEN)) == len(FORBIDDEN)
    assert not set(ALLOWED) & {*FORBIDDEN, *ABSENT}
