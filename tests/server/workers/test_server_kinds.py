"""A whole server that offers tasks of every kind: see's, and those that another package registers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import entrant_code
import pytest
import toy_tasks
from live_server import LiveServer, built, entrant_files, live_server, pack_files

from pentathlon.cli.main import main
from pentathlon.core.entrants import Kind
from pentathlon.core.registry import TASKS
from pentathlon.engine import RunFolder
from pentathlon.models.remote.serving import open_server
from pentathlon.server.client import RefusedError

pytestmark = [
    pytest.mark.sandbox,
    pytest.mark.xdist_group("live server"),
]

SEE = "see/metaworld-drawer-open-sprint-v1"
WALK, BRIGHTNESS, SHADES = (row.id for row in toy_tasks.TABLE)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """No robot, one plain worker; the server's processes know the toy tasks by their package's entry point alone."""
    folder = tmp_path_factory.mktemp("kinds")
    toy_tasks.install(folder / "packages")
    for row in toy_tasks.TABLE:
        TASKS.register(row)
    # On a new machine a worker first compiles the eyes' kernels, and on busy cores its heart stands still for seconds.
    offered = {
        "tasks": (SEE, WALK, BRIGHTNESS, SHADES),
        "rehearse": True,
        "remote_hosts": ("127.0.0.1",),
        "lost_after_s": 15.0,
    }
    with live_server(folder / "data", (), (folder / "packages",), **offered) as server:
        yield server
    for row in toy_tasks.TABLE:
        del TASKS._rows[row.id]


def test_an_encoder_is_checked_run_in_the_sandbox_scored_ranked_and_read_by_standings(
    server: LiveServer, capsys: pytest.CaptureFixture[str]
) -> None:
    submission = server.submit(pack_files(entrant_files("encoder", entrant_code.encoder())), SEE)
    view = server.wait(submission, lambda view: view["ended"] is not None, timeout_s=300)
    assert (view["state"], view["reason"], view["worker"]) == ("finished", "", "worker-1")
    steps = [step["state"] for step in server.client.get(f"/api/submissions/{submission}/steps")]
    assert steps == ["received", "checking", "queued", "running", "finished"]
    score, *others = view["scores"]
    assert [other["metric"] for other in others] == ["held_out_score", "last_score"]
    assert (score["metric"], score["unit"], score["n"]) == ("score", "%", view["trials_total"])
    (row,) = server.client.get(f"/api/leaderboard?task={SEE}")
    assert (row["rank"], row["entry"], row["scores"]) == (1, f"entry-{submission[:10]}", view["scores"])
    trials = server.client.get(f"/api/submissions/{submission}/trials")
    assert server.client.fetch(trials[0]["video"])[4:8] == b"ftyp"
    assert row["entry"] in server.client.fetch("/?event=see").decode()

    assert main(["standings", str(server.settings.data / "runs"), "--json"]) == 0
    (table,) = [each for each in json.loads(capsys.readouterr().out)["tables"] if each["event"] == "see"]
    (cell,) = table["rows"][0]["cells"]
    assert (table["columns"][0]["task"], cell["complete"]) == (SEE, True)
    assert cell["scores"][0]["value"] == score["value"]
    assert RunFolder.open(server.settings.run(submission)).info.kind == "encoder"


@pytest.mark.parametrize(
    ("task", "kind", "code", "percent"),
    [
        (WALK, "agent", entrant_code.agent(), 100.0),
        (WALK, "agent", entrant_code.agent("'left'"), 50.0),
        (BRIGHTNESS, "judge", entrant_code.judge(), 100.0),
    ],
)
def test_tasks_of_another_package_join_by_registration_alone(
    server: LiveServer, task: str, kind: str, code: str, percent: float
) -> None:
    offered = {each["id"]: each for each in server.client.get("/api/tasks")}
    assert offered[task]["kind"] == kind
    view = server.wait_for_end(server.submit(pack_files(entrant_files(kind, code)), task))
    assert (view["state"], view["reason"]) == ("finished", "")
    assert view["scores"][0]["value"] == percent
    assert RunFolder.open(server.settings.run(view["id"])).info.task == task


def test_what_misbehaves_is_refused_or_fails_and_the_worker_goes_on(server: LiveServer) -> None:
    wrong_kind = server.submit(pack_files(entrant_files("judge", entrant_code.judge())), WALK)
    bad_label = server.submit(pack_files(entrant_files("agent", entrant_code.agent("'up'"))), WALK)
    tired = entrant_code.agent("self._way if not observation.get('goal') else 1 / 0")
    crashing = server.submit(pack_files(entrant_files("agent", tired)), WALK)
    views = [server.wait_for_end(submission) for submission in (wrong_kind, bad_label, crashing)]
    assert [view["state"] for view in views] == ["refused", "refused", "failed"]
    assert "expected an entrant of kind 'agent', got 'judge'" in views[0]["reason"]
    assert "got 'up'" in views[1]["reason"]
    assert "ZeroDivisionError" in views[2]["reason"]
    log = server.client.fetch(f"/api/submissions/{crashing}/log").decode()
    assert "ZeroDivisionError" in log
    good = server.submit(pack_files(entrant_files("agent", entrant_code.agent())), WALK)
    assert server.wait_for_end(good)["state"] == "finished"
    assert server.client.get(f"/api/leaderboard?task={WALK}")[0]["rank"] == 1


def test_a_running_submission_can_be_cancelled(server: LiveServer) -> None:
    slow = entrant_code.agent("__import__('time').sleep(5 * ('goal' in observation)) or self._way")
    submission = server.submit(pack_files(entrant_files("agent", slow)), WALK)
    server.wait(submission, lambda view: view["state"] == "running")
    assert server.post(f"/api/submissions/{submission}/cancel")["state"] == "cancelled"
    good = server.submit(pack_files(entrant_files("agent", entrant_code.agent())), WALK)
    assert server.wait_for_end(good)["state"] == "finished"


@pytest.mark.parametrize(
    ("task", "kind", "code"),
    [
        (SHADES, "encoder", entrant_code.encoder()),
        (WALK, "agent", entrant_code.agent()),
        (BRIGHTNESS, "judge", entrant_code.judge()),
    ],
)
def test_each_kind_can_be_served_by_its_owner(
    server: LiveServer, tmp_path: Path, task: str, kind: Kind, code: str
) -> None:
    with open_server(built(tmp_path, kind, code), token="hush") as url:
        wanted = {"task": task, "url": url, "token": "hush"}
        view = server.wait_for_end(server.post_json("/api/submissions/remote", wanted)["id"])
    assert (view["state"], view["reason"], view["source"]) == ("finished", "", "remote")
    assert view["scores"][0]["value"] == 100.0
    assert RunFolder.open(server.settings.run(view["id"])).info.kind == kind


def test_a_server_of_another_kind_or_another_project_is_refused(server: LiveServer, tmp_path: Path) -> None:
    with open_server(built(tmp_path, "judge", entrant_code.judge())) as url:
        wanted = {"task": WALK, "url": url}
        view = server.wait_for_end(server.post_json("/api/submissions/remote", wanted)["id"])
    assert view["state"] == "refused"
    assert f"declares something that does not fit {WALK}" in view["reason"]
    assert "'judge'" not in view["reason"]
    with pytest.raises(RefusedError, match="openpi serves policies alone"):
        server.post_json("/api/submissions/remote", {**wanted, "source": "openpi"})
    with pytest.raises(RefusedError, match="does not offer 'act/pour-v1'"):
        server.post_json("/api/submissions/remote", {**wanted, "task": "act/pour-v1"})
