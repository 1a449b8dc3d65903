"""The examples as a newcomer hands them in, and policies whose targets no robot follows in some trials."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from live_server import LiveServer, entrant_files, live_server, pack_files

from pentathlon.cli.main import main
from web_sockets import served_example

pytestmark = [pytest.mark.sandbox, pytest.mark.xdist_group("live server")]

EXAMPLES = Path(__file__).parents[3] / "examples"
WILD = """
import numpy as np
from pentathlon.worlds.tabletop.arm.robot import interaction

class Wild:
    spec = interaction(120, 160)
    episodes = 0
    def reset(self):
        self.episodes += 1
    def predict(self, observation):
        return observation["joints"] + (10 if self.episodes == 2 else 0)

def make():
    return Wild()
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    data = tmp_path_factory.mktemp("live") / "data"
    with live_server(data, ("stand_in_robot:SaggingRobot",), remote_hosts=("127.0.0.1",)) as server:
        yield server


def submitted(server: LiveServer, entrant: str, out: Path) -> str:
    """Hands an example in as its first lines say, and returns its log."""
    where = ["--to", server.client.server, "--token", server.client.token, "--out", str(out)]
    assert main(["submit", entrant, "--task", "act/pour-sprint-v1", *where]) == 0
    (log,) = out.glob("*/log.txt")
    return log.read_text()


def test_the_folder_passes_its_check_and_finishes(server: LiveServer, tmp_path: Path) -> None:
    log = submitted(server, str(EXAMPLES / "03_policy_folder"), tmp_path)
    assert log.count("0.0003 rad outside of the joint's limits and was moved to them") == 1
    assert main(["check-entrant", str(EXAMPLES / "03_policy_folder"), "--task", "act/pour-sprint-v1"]) == 0


def test_the_served_policy_finishes(server: LiveServer, tmp_path: Path) -> None:
    with served_example() as url:
        submitted(server, f"remote@{url}", tmp_path)


def test_a_wild_target_costs_its_trial_alone(server: LiveServer) -> None:
    submission = server.submit(pack_files(entrant_files("policy", WILD)))
    view = server.wait_for_end(submission)
    assert view["state"] == "finished", view["reason"]
    trials: list[dict[str, Any]] = server.client.get(f"/api/submissions/{submission}/trials")
    statuses = [trial["status"] for trial in trials]
    assert len(statuses) == 6
    assert 0 < statuses.count("error") < 6
    assert statuses[1] == "error"
    assert "Expected a joint target within" in trials[1]["error"]
    assert view["scores"][0]["errors"] == statuses.count("error")
    log = server.client.fetch(f"/api/submissions/{submission}/log").decode()
    assert "Trial 2 of 6" in log
    assert "error: PolicyError: Expected a joint target within" in log
