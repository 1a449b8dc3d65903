"""Remote policies of three kinds: each is tried out before it waits for a robot, and refused when another answers."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from itertools import permutations

import pytest
from desk import Desk, DeskMaker
from stand_in_policy_servers import serving
from stand_in_robot import StandInRobot

from pentathlon.core.errors import EntrantError
from pentathlon.events.act.policies import foreign
from pentathlon.events.act.protocol import make_protocol
from pentathlon.models.remote import connection
from pentathlon.server.queue.clerk import Clerk
from pentathlon.server.queue.outputs import read_log
from pentathlon.server.queue.submissions import Entry, accept
from pentathlon.server.queue.tables import RemoteSource, Submission
from pentathlon.server.robots.guard import GuardedRobot
from pentathlon.server.robots.robot_evaluation import RobotEvaluation
from pentathlon.server.workers.submitted import SERVERS, TimedPolicy

KINDS: tuple[RemoteSource, ...] = ("remote", "openpi", "vla-eval")
EXPECTED_G = [float(trial.setup.seed % 50) for trial in make_protocol("pour", "sprint").trials()]

Register = Callable[[RemoteSource, str], Submission]


@pytest.fixture
def desk(desk_for: DeskMaker, monkeypatch: pytest.MonkeyPatch) -> Desk:
    for module in (foreign, connection):
        monkeypatch.setattr(module, "HELLO_LIMIT_S", 1.0)
    return desk_for(remote_hosts=("127.0.0.1",))


@pytest.fixture
def register(desk: Desk) -> Register:
    """Registers a policy and has the clerk check it."""
    account, _ = desk.account("ada")

    def do(kind: RemoteSource, url: str) -> Submission:
        token = "hush" if kind == "remote" else ""
        entry = Entry("0" * 16, kind, "policy", "act/pour-sprint-v1", "", 6, url=url, remote_token=token)
        with desk.database.write() as session:
            submission = accept(session, desk.queue, account, entry, desk.settings.quota)
        with closing(Clerk(desk.settings)) as clerk:
            clerk.check(submission.id, 0)
        return desk.look(submission)

    return do


@pytest.mark.parametrize("kind", KINDS)
def test_a_policy_is_tried_out_and_then_evaluated(desk: Desk, register: Register, kind: RemoteSource) -> None:
    with serving(kind) as url:
        submission = register(kind, url)
        assert (submission.state, submission.reason) == ("queued", "The entrant starts and answers.")
        claims = desk.claims("robot-1")
        claim = claims.take(submission.id, 0)
        assert claim is not None
        robot = GuardedRobot(StandInRobot("robot-1", (120, 160)), lambda setup: None, keep_pictures=False)
        assert RobotEvaluation(desk.settings, desk.database, claims, claim, robot).run()
    with desk.web(desk.account("boss", role="operator")[1]) as web:
        trials = web.get(f"/api/submissions/{submission.id}/trials").json()
        assert web.get(f"/api/submissions/{submission.id}").json()["source"] == kind
    assert [trial["metrics"]["reward_g"] for trial in trials] == EXPECTED_G


@pytest.mark.parametrize(("kind", "served"), list(permutations(KINDS, 2)))
def test_another_kind_than_registered_is_refused(
    desk: Desk, register: Register, kind: RemoteSource, served: RemoteSource
) -> None:
    with serving(served) as url:
        submission = register(kind, url)
    assert submission.state == "refused"
    assert submission.reason.startswith(f"Expected {SERVERS[kind]}. The ")
    assert submission.remote_token == ""
    assert submission.reason in read_log(desk.settings.logs(submission.id), 10_000).replace("\n  | ", "\n")


def test_one_that_is_away_is_refused(register: Register) -> None:
    submission = register("openpi", "ws://127.0.0.1:1")
    assert submission.state == "refused"
    assert "Expected a server of openpi. No server answers at ws://127.0.0.1:1" in submission.reason


@pytest.mark.parametrize(
    ("fields", "status", "sentence"),
    [
        ({"source": "openpi", "url": "wss://policy.example?prompt=pour+it", "token": "key"}, 201, ""),
        ({"source": "vla-eval", "url": "wss://policy.example?camera=front"}, 201, ""),
        ({"url": "wss://policy.example/act?room=1"}, 201, ""),
        ({"source": "openpi", "url": "wss://policy.example?promt=pour"}, 400, "Did you mean 'prompt'"),
        ({"source": "vla-eval", "url": "wss://policy.example", "token": "key"}, 400, "protocol has none"),
        ({"source": "lerobot", "url": "wss://policy.example"}, 422, "source"),
    ],
)
def test_what_a_kind_does_not_have_is_refused_at_once(
    desk_for: DeskMaker, fields: dict[str, str], status: int, sentence: str
) -> None:
    desk = desk_for()
    with desk.web(desk.account("ada")[1]) as web:
        answer = web.post(
            "/api/submissions/remote", json={"task": "act/pour-sprint-v1", "challenge": "policy", **fields}
        )
    assert answer.status_code == status
    assert sentence in answer.text
    if status == 201:
        assert (answer.json()["source"], answer.json()["state"]) == (fields.get("source", "remote"), "received")


def test_all_answers_together_have_a_limit() -> None:
    class Slow:
        spec = make_protocol("pour", "sprint").spec

        def reset(self) -> None:
            pass

        def predict(self, observation: object) -> None:
            return None

    policy = TimedPolicy(Slow(), 0.0)  # type: ignore[arg-type]
    with pytest.raises(EntrantError, match="more than 0 s for all its answers"):
        policy.predict({})
