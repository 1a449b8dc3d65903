"""Policies served over WebSocket: they act as if they were here, and every failure is a sentence."""

import http.client
import time
from contextlib import AbstractContextManager
from typing import Any

import msgspec
import numpy as np
import pytest
from websockets.sync.client import connect as raw_connect
from websockets.sync.server import ServerConnection

from pentathlon.core import EntrantError, SpecMismatchError, UsageError, resolve_entrant
from pentathlon.core.registry import ENTRANTS
from pentathlon.core.specs import ArraySpec, InteractionSpec
from pentathlon.models.remote import remote_wire as wire
from pentathlon.models.remote.arrays import PackedArray
from pentathlon.models.remote.connection import Terms
from pentathlon.models.remote.questions import Chosen, Done
from pentathlon.models.remote.remote_entrants import connect
from pentathlon.models.remote.serving import open_server
from pentathlon.models.remote.table import TABLE
from pentathlon.worlds.tabletop.arm.robot import interaction
from web_sockets import served

SPEC = interaction(8, 8)
OBSERVATION = {
    "joints": np.linspace(0.1, 0.7, 7).astype(np.float32),
    "image": np.arange(192, dtype=np.uint8).reshape(8, 8, 3),
    "depth": np.ones((8, 8), np.float32),
}


class Echo:
    """Gives the joints back with its seed added, as a chunk."""

    def __init__(self, spec: InteractionSpec = SPEC, seed: int = 0) -> None:
        self.spec, self.seed, self.episodes = spec, seed, 0

    def for_seed(self, training_seed: int) -> "Echo":
        return Echo(self.spec, training_seed)

    def reset(self) -> None:
        self.episodes += 1

    def predict(self, observation: Any) -> Any:
        assert observation["image"].sum() == OBSERVATION["image"].sum()
        return np.stack([observation["joints"] + self.seed] * 3)


class Broken(Echo):
    def for_seed(self, training_seed: int) -> "Broken":
        return self

    def predict(self, observation: Any) -> Any:
        raise ZeroDivisionError("the gripper is empty")


def scripted(*answers: bytes | str | float) -> AbstractContextManager[str]:
    """A server that answers the n-th frame with the n-th answer; a number waits that many seconds."""

    def handle(connection: ServerConnection) -> None:
        for answer in answers:
            connection.recv()
            if isinstance(answer, float):
                time.sleep(answer)
            else:
                connection.send(answer)

    return served(handle)


def hello(**changes: Any) -> bytes:
    return wire.to_bytes(msgspec.structs.replace(wire.hello("policy", SPEC), **changes))


def test_a_served_policy_acts_as_if_it_were_here() -> None:
    with open_server(Echo()) as url, connect(url, "policy", SPEC) as policy:
        assert policy.spec == SPEC
        for seed in (0, 2):
            chosen = policy.for_seed(seed)
            chosen.reset()
            np.testing.assert_array_equal(chosen.predict(OBSERVATION), [OBSERVATION["joints"] + seed] * 3)


def test_only_what_the_policy_uses_is_sent() -> None:
    blind = InteractionSpec(SPEC.observations[:1], SPEC.action)

    class Blind(Echo):
        def predict(self, observation: Any) -> Any:
            assert sorted(observation) == ["joints"]
            return observation["joints"]

        def for_seed(self, training_seed: int) -> Echo:
            return self

    with open_server(Blind(blind)) as url, connect(url, "policy", SPEC) as policy:
        assert policy.predict(OBSERVATION).shape == (7,)


def test_errors_of_the_policy_travel_back() -> None:
    with open_server(Broken()) as url, connect(url, "policy", SPEC) as policy:
        policy.reset()
        for _ in range(2):
            with pytest.raises(EntrantError, match="raised: ZeroDivisionError: the gripper is empty") as error:
                policy.predict(OBSERVATION)
            assert "Traceback" in str(error.value)


@pytest.mark.parametrize(
    ("spec", "field"),
    [
        (interaction(9, 8), "observations.image.shape"),
        (InteractionSpec((ArraySpec("wrist", (8, 8, 3), "uint8"),), SPEC.action), "observations.wrist"),
        (InteractionSpec(SPEC.observations, ArraySpec("torques", (7,), "float32", "Nm")), "action.unit"),
        (InteractionSpec(SPEC.observations, ArraySpec("joint_targets", (8,), "float32", "rad")), "action.shape"),
    ],
)
def test_a_mismatch_is_refused_with_the_field_named(spec: InteractionSpec, field: str) -> None:
    with (
        open_server(Echo(spec)) as url,
        pytest.raises(SpecMismatchError, match=f"'{field}'"),
        connect(url, "policy", SPEC),
    ):
        pytest.fail("it was connected")


def test_another_version_is_refused_by_both_sides() -> None:
    with (
        scripted(hello(protocol_version=2)) as url,
        pytest.raises(SpecMismatchError, match="'protocol_version': the task expects 1, the entrant declares 2"),
        connect(url, "policy", SPEC),
    ):
        pytest.fail("it was connected")
    with open_server(Echo()) as url, raw_connect(url) as socket:
        socket.send(hello(protocol_version=2))
        assert isinstance(wire.decode_answer(socket.recv()), wire.Hello)
        with pytest.raises(Exception, match="protocol_version"):
            socket.recv()


def test_the_token_is_asked_for() -> None:
    with open_server(Echo(), token="s3cret") as url:
        for wrong in ("", "guess"):
            with pytest.raises(EntrantError, match="status 401. Give the token"), connect(url, "policy", SPEC, wrong):
                pytest.fail("it was connected")
        with connect(url, "policy", SPEC, "s3cret") as policy:
            policy.reset()


def test_health_needs_no_token() -> None:
    with open_server(Echo(), token="s3cret") as url:
        connection = http.client.HTTPConnection(url.removeprefix("ws://"))
        connection.request("GET", "/health")
        assert connection.getresponse().status == 200
        connection.close()


def test_serving_to_others_needs_a_token() -> None:
    with pytest.raises(UsageError, match="without a token"), open_server(Echo(), "0.0.0.0"):
        pytest.fail("it was opened")


def test_a_second_evaluation_is_told_to_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pentathlon.models.remote.serving.BUSY_WAIT_S", 0.1)
    with open_server(Echo()) as url, connect(url, "policy", SPEC) as policy:
        with (
            pytest.raises(EntrantError, match="another evaluation is using"),
            connect(url, "policy", SPEC),
        ):
            pytest.fail("it was connected")
        policy.reset()


def test_a_function_serves_as_many_as_come() -> None:
    with open_server(Echo) as url, connect(url, "policy", SPEC) as first, connect(url, "policy", SPEC) as second:
        for policy in (first, second):
            policy.reset()
            assert policy.predict(OBSERVATION).shape == (3, 7)


def test_what_cannot_be_built_never_listens() -> None:
    def make() -> Echo:
        raise FileNotFoundError("weights.pt")

    with pytest.raises(FileNotFoundError), open_server(make):
        pytest.fail("it listens")


def test_a_connection_lost_between_episodes_is_made_again() -> None:
    with open_server(Echo()) as url, connect(url, "policy", SPEC) as policy:
        policy.reset()
        policy._connection.close()
        with pytest.raises(EntrantError, match="is lost"):
            policy.predict(OBSERVATION)
        policy.reset()
        assert policy.predict(OBSERVATION).shape == (3, 7)


def test_a_slow_server_is_not_waited_for() -> None:
    with (
        scripted(hello(), 1.0) as url,
        connect(url, "policy", SPEC, terms=Terms(step_limit_s=0.2)) as policy,
        pytest.raises(EntrantError, match=r"did not answer within 0\.2 s"),
    ):
        policy.reset()


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (b"\xc1", "does not speak this protocol"),
        (b"\x91" * 100_000, "does not speak this protocol"),
        ("text", "sent text, expected msgpack"),
        (wire.to_bytes(Done(1)), "expected Chosen with the same ticket"),
        (wire.to_bytes(Chosen(1, PackedArray("float32", (7,), bytes(28)))), "with the same ticket"),
        (b"\xc6" + bytes(2_000_000), "is lost"),
    ],
)
def test_a_lying_server_is_not_believed(answer: bytes | str, words: str) -> None:
    with (
        scripted(hello(), answer) as url,
        connect(url, "policy", SPEC) as policy,
        pytest.raises(EntrantError, match=words),
    ):
        policy.predict(OBSERVATION)


@pytest.mark.parametrize(
    ("packed", "words"),
    [
        (PackedArray("object", (1,), b"x" * 8), "dtype 'object'"),
        (PackedArray("float32", (7,), bytes(27)), "Got 27 bytes"),
        (PackedArray("float32", (2**40, 7), b""), "expected at most"),
        (PackedArray("float32", (-1, 7), b""), "shape"),
        (PackedArray("float32", (7,), np.full(7, np.nan, "<f4").tobytes()), "finite"),
        (PackedArray("int64", (7,), bytes(56)), "floating-point"),
    ],
)
def test_bad_arrays_are_refused(packed: PackedArray, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pentathlon.models.remote.connection._ticket", lambda: 5)
    with (
        scripted(hello(), wire.to_bytes(Chosen(5, packed))) as url,
        connect(url, "policy", SPEC) as policy,
        pytest.raises(EntrantError, match=words),
    ):
        policy.predict(OBSERVATION)


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("http://127.0.0.1:1", "like ws://host:8765"),
        ("ws://user:word@127.0.0.1:1", "without a password"),
        ("ws://127.0.0.1:1", "No server answers"),
    ],
)
def test_a_wrong_address_is_explained(url: str, words: str) -> None:
    with pytest.raises((EntrantError, UsageError), match=words), connect(url, "policy", SPEC):
        pytest.fail("it was connected")


def test_the_entrants_are_built_from_their_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PENTATHLON_REMOTE_TOKEN", "s3cret")
    for row in TABLE:
        ENTRANTS.register(row)
    with open_server(Echo(), token="s3cret") as url:
        policy = resolve_entrant(f"remote@{url}").make()
        assert policy.spec == SPEC
        policy.for_seed(1).reset()
        policy._connection.close()
