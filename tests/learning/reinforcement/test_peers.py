"""Processes that learn as one give what one process with all their worlds gives, go on together, and end together."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from pathlib import Path

import pytest
import torch
import toy_peers
from toy_peers import ToySettings

from pentathlon.core.errors import MachineError, UsageError
from pentathlon.learning.reinforcement.navigation.train_imagenav import train_policy
from pentathlon.learning.reinforcement.on_ray import train_on_ray
from pentathlon.learning.reinforcement.peers import ALONE, Peers
from pentathlon.learning.reinforcement.settings import ImageNavSettings


def start(rank: int, address: str, out: Path, rounds: int, drawn: str) -> subprocess.Popen[str]:
    out.mkdir(exist_ok=True)
    command = [sys.executable, toy_peers.__file__, str(rank), "2", address, str(out), str(rounds), drawn]
    return subprocess.Popen(command, stderr=subprocess.PIPE, text=True)


def train_two(outs: tuple[Path, Path], rounds: int, drawn: str = "told") -> list[str]:
    """Trains with two processes of this machine, and returns what they complained of."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    both = [start(rank, address, out, rounds, drawn) for rank, out in enumerate(outs)]
    errors = [process.communicate(timeout=240)[1] for process in both]
    return [error for error, process in zip(errors, both, strict=True) if process.returncode]


def weights(path: Path) -> torch.Tensor:
    state = torch.load(path, weights_only=True)
    return torch.cat([value.flatten() for value in state.values()])


def test_two_processes_learn_what_one_does_with_all_worlds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toy_peers.ppo, "choose", toy_peers.ppo.choose)
    alone = tmp_path / "alone"
    alone.mkdir()
    toy_peers.train(ToySettings(alone, rounds=3), ALONE)
    assert train_two((tmp_path, tmp_path), 3) == []
    one, first, second = (weights(path) for path in (alone / "weights-0.pt", *sorted(tmp_path.glob("weights-*.pt"))))
    assert torch.equal(first, second)
    assert (first - one).abs().max() < 1e-4  # of weights that have moved by some hundredths
    told, theirs = (json.loads((folder / "reports.json").read_text())["reports"] for folder in (alone, tmp_path))
    assert [report["frames"] for report in theirs] == [512, 1024, 1536]
    for mine, both in zip(told, theirs, strict=True):
        assert (both["ended"], both["frames"]) == (mine["ended"], mine["frames"])
        assert both["success"] == pytest.approx(mine["success"])
        assert both["reward"] == pytest.approx(mine["reward"])

    assert train_two((tmp_path, tmp_path), 5) == []  # goes on from the file
    reports = json.loads((tmp_path / "reports.json").read_text())
    assert (reports["rounds"], [report["frames"] for report in reports["reports"]]) == (5, [2048, 2560])
    assert (weights(tmp_path / "weights-0.pt") - first).abs().max() > 1e-3

    errors = train_two((tmp_path, tmp_path / "elsewhere"), 6)  # a folder that the other machine does not see
    assert len(errors) == 2
    assert all("folder that all machines share" in error for error in errors)


def test_two_processes_learn_to_remember(tmp_path: Path) -> None:
    assert train_two((tmp_path, tmp_path), 40, "drawn") == []
    success = [report["success"] for report in json.loads((tmp_path / "reports.json").read_text())["reports"]]
    assert success[0] < 0.7
    assert sum(success[-3:]) / 3 > 0.95


def test_trains_on_ray_and_says_who_was_lost(tmp_path: Path) -> None:
    ray = pytest.importorskip("ray")
    ray.init(num_cpus=2, log_to_driver=False, include_dashboard=False, object_store_memory=100_000_000)
    try:
        with pytest.raises(MachineError, match="lost a process of this training") as lost:
            train_on_ray("toy_peers:train", ToySettings(tmp_path, rounds=3, killed=1), 2, None)
        assert "\n" not in str(lost.value)
        assert not (tmp_path / "reports.json").exists()
        train_on_ray("toy_peers:train", ToySettings(tmp_path, rounds=3), 2, None)
        assert json.loads((tmp_path / "reports.json").read_text())["rounds"] == 3
        assert torch.equal(weights(tmp_path / "weights-0.pt"), weights(tmp_path / "weights-1.pt"))
        with pytest.raises(UsageError, match="Expected 3 CPUs in the cluster, got 2"):
            train_on_ray("toy_peers:train", ToySettings(tmp_path), 3, None)
    finally:
        ray.shutdown()


def test_several_gpus_need_a_cluster(tmp_path: Path) -> None:
    for wrong in ({"gpus": 2}, {"address": "there:6379"}):
        with pytest.raises(UsageError, match="Add: --on ray"):
            train_policy(ImageNavSettings(out=tmp_path, encoder="conv", **wrong))  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="as many as houses"):
        train_policy(ImageNavSettings(out=tmp_path, encoder="conv", houses=2, gpus=3, on="ray"))
    with pytest.raises(UsageError, match="rank"):
        Peers(2, 2)
