"""A whole server: processes, queue, sandboxed agents and stand-in robots."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np
import pytest
from live_server import LiveServer, agent_archive, agent_files, await_that, live_server

from pentathlon.cli.main import main
from pentathlon.core import DataError
from pentathlon.events.act.data.collect import EPISODES_FOLDER, RECIPE_PATH
from pentathlon.events.act.data.dataset import open_dataset
from pentathlon.events.act.data.episode_files import read_episode, write_episode
from pentathlon.events.act.data.merging import merge
from pentathlon.events.act.protocol import make_protocol
from pentathlon.events.act.trial import WATCH_EVERY_STEPS
from pentathlon.models.remote.serving import open_server
from pentathlon.server.client import RefusedError
from pentathlon.storage.video import read_mp4

pytestmark = [
    pytest.mark.sandbox,
    pytest.mark.xdist_group("live server"),
]

DRIVERS = ("stand_in_robot:slow", "stand_in_robot:CarefulRobot")
PLAIN, CAREFUL = "robot-1", "robot-2"
# What the stand-in robot gives: a gram for each step, up to the seed modulo 50.
PROTOCOL = make_protocol("pour", "sprint")
EXPECTED_G = [float(trial.setup.seed % 50) for trial in PROTOCOL.trials()]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("live") / "data", DRIVERS, remote_hosts=("127.0.0.1",)) as server:
        server.post(f"/api/robots/{CAREFUL}/pause")
        yield server


def grams(server: LiveServer, submission: str) -> list[float]:
    return [trial["metrics"]["reward_g"] for trial in server.client.get(f"/api/submissions/{submission}/trials")]


def test_submit_follows_an_agent_to_its_results(
    server: LiveServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    agent = tmp_path / "my_agent"
    agent.mkdir()
    for name, content in agent_files().items():
        (agent / name).write_text(content)
    where = ["--to", server.client.server, "--token", server.client.token, "--out", str(tmp_path / "out")]
    assert main(["submit", str(agent), "--task", "act/pour-sprint-v1", *where]) == 0
    said = capsys.readouterr().out
    assert f"reward_g: {sum(EXPECTED_G) / 6:.1f} g [" in said
    assert "success: 100.0 % [" in said
    (folder,) = (tmp_path / "out").iterdir()
    assert "Trial 6 of 6" in (folder / "log.txt").read_text()
    videos = sorted((folder / "videos").iterdir())
    assert len(videos) == 6
    assert read_mp4(videos[0]).shape == (-(-PROTOCOL.horizon_steps // WATCH_EVERY_STEPS), 120, 160, 3)
    assert grams(server, folder.name) == EXPECTED_G
    (row,) = server.client.get("/api/leaderboard?task=act/pour-sprint-v1")
    assert row["entry"] == f"entry-{folder.name[:10]}"
    check_merged(server.settings.data / "episodes" / "pour-sprint-v1", tmp_path)


def test_standings_compare_and_report_read_finished_submissions(
    server: LiveServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    submissions = [server.submit(agent_archive()) for _ in range(2)]
    assert {server.wait_for_end(submission)["state"] for submission in submissions} == {"finished"}
    runs = tmp_path / "runs"
    for submission in submissions:
        shutil.copytree(server.settings.run(submission), runs / submission)
    assert main(["standings", str(runs), "--json"]) == 0
    (table,) = json.loads(capsys.readouterr().out)["tables"]
    assert table["tier"] == "sprint"
    assert {row["entrant"] for row in table["rows"]} == {f"entry-{submission[:10]}" for submission in submissions}
    for row in table["rows"]:
        (cell,) = row["cells"]
        assert cell["complete"]
        assert cell["scores"][0]["value"] == pytest.approx(sum(EXPECTED_G) / 6)
    assert main(["compare", *(str(runs / submission) for submission in submissions)]) == 0
    assert "reward_g" in capsys.readouterr().out
    assert main(["report", str(runs), "--out", str(tmp_path / "site")]) == 0
    pages = [path.read_text() for path in (tmp_path / "site").rglob("*.html")]
    assert any(f"entry-{submissions[0][:10]}" in page for page in pages)
    assert (runs / submissions[0] / "artifacts" / PROTOCOL.trials()[0].id / "video.mp4").is_file()


def check_merged(recorded: Path, folder: Path) -> None:
    """What the robot did can be merged into a new version of a dataset, as `pentathlon data merge` does."""
    (submission,) = recorded.iterdir()
    first = read_episode(submission, 0)
    write_episode(folder / "base" / EPISODES_FOLDER, 0, first)
    about = {
        "task": "pour",
        "tier": "sprint",
        "image_size": [120, 160],
        "frame_every": WATCH_EVERY_STEPS,
        "episodes": 1,
    }
    (folder / "base" / RECIPE_PATH).parent.mkdir(parents=True)
    (folder / "base" / RECIPE_PATH).write_text(json.dumps(about))
    merged = merge(open_dataset(folder / "base"), [submission], folder / "merged").trajectories()
    assert [trajectory.total_reward_g for trajectory in merged] == [EXPECTED_G[0], *EXPECTED_G]
    assert {trajectory.source for trajectory in merged} == {"submitted"}
    assert {len(trajectory) for trajectory in merged} == {PROTOCOL.horizon_steps}


def test_a_broken_agent_fails_with_its_traceback_and_a_bad_archive_is_refused(server: LiveServer) -> None:
    tired, junk = server.submit(agent_archive(calls=12)), server.submit(b"no archive")
    view = server.wait_for_end(junk)
    assert view["state"] == "refused"
    assert view["reason"]
    view = server.wait_for_end(tired)
    assert view["state"] == "failed"
    assert view["trials_done"] == 1
    log = server.client.fetch(f"/api/submissions/{tired}/log").decode()
    assert "AssertionError: tired of it" in log


class Steady:
    """Turns the first joint and holds the others."""

    spec = PROTOCOL.spec

    def reset(self) -> None:
        pass

    def predict(self, observation: Any) -> Any:
        chunk = np.tile(observation["joints"], (50, 1))
        chunk[:, 0] = 0.2
        return chunk


def test_a_remote_policy_is_run_where_it_is_and_one_that_is_away_is_refused(server: LiveServer) -> None:
    wanted = {"task": "act/pour-sprint-v1", "challenge": "representation", "token": "hush", "title": "remote"}
    with open_server(Steady(), token="hush") as url:
        there = server.post_json("/api/submissions/remote", {**wanted, "url": url})["id"]
        away = server.post_json("/api/submissions/remote", {**wanted, "url": "ws://127.0.0.1:1"})["id"]
        assert server.wait_for_end(there)["state"] == "finished"
    assert grams(server, there) == EXPECTED_G
    view = server.wait_for_end(away)
    assert view["state"] == "refused"
    assert "127.0.0.1:1" in view["reason"]


def enter(who: LiveServer, wanted: dict[str, str]) -> str:
    """Submits and waits until it is queued: checks run beside each other, so the next one could overtake it."""
    submission: str = who.post_json("/api/submissions/remote", wanted)["id"]
    who.wait(submission, lambda view: view["state"] == "queued")
    return submission


def test_accounts_take_turns(server: LiveServer) -> None:
    server.post(f"/api/robots/{PLAIN}/pause")
    await_that(lambda: server.robot(PLAIN), lambda robot: robot["state"] == "paused")
    # A beat later the worker no longer listens to the queue either.
    time.sleep(1)
    tokens = [server.post_json("/api/accounts", {"name": name})["token"] for name in ("ada", "bob")]
    ada, bob = (replace(server, client=replace(server.client, token=token)) for token in tokens)
    with open_server(Steady()) as url:
        wanted = {"task": "act/scoop-sprint-v1", "challenge": "policy", "url": url}
        entered = [(who, enter(who, wanted)) for who in (ada, ada, bob)]
        assert [who.look(submission)["position"] for who, submission in entered] == [1, 3, 2]
        server.post(f"/api/robots/{PLAIN}/resume")
        started = [who.wait_for_end(submission)["started"] for who, submission in entered]
    assert started[0] < started[2] < started[1]


def test_too_large_an_agent_is_not_even_sent(server: LiveServer, tmp_path: Path) -> None:
    archive = tmp_path / "large.zip"
    with archive.open("wb") as file:
        file.truncate(server.settings.upload_limit_bytes + 1)
    with pytest.raises(DataError, match="the server takes 512 MiB"):
        server.client.submit(archive, task="act/pour-sprint-v1", challenge="policy", title="")


def test_a_stopped_robot_gives_its_submission_back_and_continues(server: LiveServer) -> None:
    submission = server.submit(agent_archive())
    server.wait(submission, lambda view: view["trials_done"] >= 1)
    server.post(f"/api/robots/{PLAIN}/stop")
    view = server.wait(submission, lambda view: view["state"] == "queued")
    done = server.client.get(f"/api/submissions/{submission}/trials")
    assert 1 <= len(done) < 6
    assert server.robot(PLAIN)["state"] == "stopped"
    server.post(f"/api/robots/{PLAIN}/resume")
    view = server.wait_for_end(submission)
    assert view["state"] == "finished"
    assert grams(server, submission) == EXPECTED_G
    assert server.client.get(f"/api/submissions/{submission}/trials")[: len(done)] == done


def test_cancelling_ends_a_running_submission_and_frees_the_robot(server: LiveServer) -> None:
    submission = server.submit(agent_archive())
    server.wait(submission, lambda view: view["state"] == "running")
    assert server.post(f"/api/submissions/{submission}/cancel")["state"] == "cancelled"
    await_that(lambda: server.robot(PLAIN), lambda robot: robot["state"] == "idle")
    assert server.look(submission)["state"] == "cancelled"


def test_a_careful_robot_waits_for_a_person_before_each_trial(server: LiveServer) -> None:
    server.post(f"/api/robots/{PLAIN}/pause")
    server.post(f"/api/robots/{CAREFUL}/resume")
    submission = server.submit(agent_archive())
    for trial in PROTOCOL.trials():
        wanted = f"{trial.setup.container} with {trial.setup.material} at {trial.setup.location}"
        await_that(lambda: server.robot(CAREFUL), lambda robot, wanted=wanted: robot["awaiting"] == wanted)
        server.post(f"/api/robots/{CAREFUL}/confirm?bench={quote(wanted)}")
    assert server.wait_for_end(submission)["worker"] == CAREFUL
    with pytest.raises(RefusedError, match="waits for nobody"):
        server.post(f"/api/robots/{CAREFUL}/confirm?bench=any")
