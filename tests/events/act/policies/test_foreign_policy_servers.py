"""Servers that speak openpi's and vla-eval's protocols, written here from their documentation with another codec."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import msgpack
import numpy as np
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.server import ServerConnection, serve

from pentathlon.core import EntrantError, SpecMismatchError, UnknownIdError, compare_specs
from pentathlon.events.act.policies.foreign import OpenpiPolicy, VlaEvalPolicy, split_names
from pentathlon.worlds.tabletop.arm.robot import interaction

OBSERVATION = {
    "joints": np.linspace(0.1, 0.7, 7).astype(np.float32),
    "image": np.arange(192, dtype=np.uint8).reshape(8, 8, 3),
    "depth": np.ones((8, 8), np.float32),
}


def array_codec(key: Callable[[str], Any]) -> tuple[Callable[[Any], bytes], Callable[[bytes], Any]]:
    """msgpack with arrays as maps, whose keys are bytes in openpi and text in vla-eval."""

    def default(value: Any) -> Any:
        if isinstance(value, np.ndarray):
            shape, dtype = value.shape, value.dtype.str
            return {key("__ndarray__"): True, key("data"): value.tobytes(), key("dtype"): dtype, key("shape"): shape}
        if isinstance(value, np.generic):
            return {key("__npgeneric__"): True, key("data"): value.item(), key("dtype"): value.dtype.str}
        return value

    def hook(value: dict[Any, Any]) -> Any:
        if key("__ndarray__") in value:
            return np.ndarray(buffer=value[key("data")], dtype=value[key("dtype")], shape=value[key("shape")])
        return value

    return lambda value: msgpack.packb(value, default=default), lambda data: msgpack.unpackb(data, object_hook=hook)


@contextmanager
def serving(handle: Callable[[ServerConnection], None]) -> Iterator[str]:
    def quiet(connection: ServerConnection) -> None:
        try:
            handle(connection)
        except ConnectionClosed:
            return

    with serve(quiet, "127.0.0.1", 0, compression=None, max_size=None) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"ws://127.0.0.1:{server.socket.getsockname()[1]}"
        server.shutdown()
        thread.join()


class Openpi:
    """Metadata first, then a map with ``actions`` for each observation; errors are text frames."""

    def __init__(self, actions: Any = None, error: str = "") -> None:
        self.actions, self.error = actions, error
        self.seen: list[dict[str, Any]] = []
        self.keys: list[str | None] = []

    def __call__(self, connection: ServerConnection) -> None:
        pack, unpack = array_codec(str.encode)
        assert connection.request is not None
        self.keys.append(connection.request.headers.get("Authorization"))
        connection.send(pack({"robot": "franka", "reset_pose": np.zeros(7)}))
        while True:
            self.seen.append(unpack(connection.recv()))
            if self.error:
                connection.send(self.error)
                connection.close(1011, "Internal server error. Traceback included in previous frame.")
                return
            actions = np.tile(self.seen[-1]["observation/state"], (5, 1)) if self.actions is None else self.actions
            connection.send(pack({"actions": actions, "server_timing": {"infer_ms": np.float64(1.5)}}))


class VlaEval:
    """Typed frames with a sequence number; HELLO is answered, the start of an episode is not."""

    def __init__(self, version: int = 1, fail: bool = False, seq_offset: int = 0) -> None:
        self.version, self.fail, self.seq_offset = version, fail, seq_offset
        self.seen: list[dict[str, Any]] = []

    def __call__(self, connection: ServerConnection) -> None:
        pack, unpack = array_codec(str)
        while True:
            message = unpack(connection.recv())
            assert sorted(message) == ["payload", "seq", "timestamp", "type"]
            self.seen.append(message)
            kind, payload = "action", {"actions": message["payload"].get("states")}
            if message["type"] == "hello":
                kind = "hello"
                payload = {"harness_version": "0.4.0", "protocol_version": self.version, "model_server": "Test"}
            elif message["type"] == "episode_start":
                continue
            elif self.fail:
                kind, payload = "error", {"error": "observation_failed: ValueError: no camera"}
            seq = message["seq"] + (self.seq_offset if kind == "action" else 0)
            connection.send(pack({"type": kind, "payload": payload, "seq": seq, "timestamp": time.time()}))


def test_openpi_gives_its_chunk() -> None:
    server = Openpi()
    with serving(server) as url:
        policy = OpenpiPolicy(f"{url}?prompt=pour+the+beans", token="key")
        compare_specs(interaction(480, 640), policy.spec)
        for _ in range(2):
            policy.reset()
            chunk = policy.predict(OBSERVATION)
        policy._line.close()
    np.testing.assert_array_equal(chunk, np.tile(OBSERVATION["joints"], (5, 1)))
    seen = server.seen[0]
    assert sorted(seen) == ["observation/image", "observation/state", "prompt"]
    np.testing.assert_array_equal(seen["observation/image"], OBSERVATION["image"])
    assert seen["prompt"] == "pour the beans"
    assert set(server.keys) == {"Api-Key key"}


def test_openpi_names_can_be_changed() -> None:
    server = Openpi(np.zeros((1, 7), np.float32))
    with serving(server) as url:
        policy = OpenpiPolicy(f"{url}?image=observation/exterior_image_1_left&state=observation/joint_position")
        policy.predict(OBSERVATION)
        policy._line.close()
    assert sorted(server.seen[0]) == ["observation/exterior_image_1_left", "observation/joint_position", "prompt"]


def test_openpi_errors_travel_back() -> None:
    with serving(Openpi(error="Traceback ...\nKeyError: 'wrist_image'")) as url:
        policy = OpenpiPolicy(url)
        with pytest.raises(EntrantError, match="KeyError: 'wrist_image'"):
            policy.predict(OBSERVATION)
        policy.reset()
        policy._line.close()


@pytest.mark.parametrize(
    ("actions", "words"),
    [
        (np.zeros((5, 8), np.float32), r"Expected an action \[7\] or a chunk"),
        (np.full((5, 7), np.nan), "finite"),
        (np.zeros(7, complex), "dtype"),
    ],
)
def test_openpi_actions_are_checked(actions: Any, words: str) -> None:
    with serving(Openpi(actions)) as url:
        policy = OpenpiPolicy(url)
        with pytest.raises(EntrantError, match=words):
            policy.predict(OBSERVATION)
        policy._line.close()


def test_vla_eval_gives_its_action() -> None:
    server = VlaEval()
    with serving(server) as url:
        policy = VlaEvalPolicy(f"{url}?prompt=scoop&camera=agentview")
        for _ in range(2):
            policy.reset()
            action = policy.predict(OBSERVATION)
        policy._line.close()
    np.testing.assert_array_equal(action, OBSERVATION["joints"])
    assert [message["type"] for message in server.seen] == [
        "hello",
        *("episode_start", "observation", "episode_start", "observation"),
    ]
    assert [message["seq"] for message in server.seen] == [1, 2, 3, 4, 5]
    payload = server.seen[2]["payload"]
    assert payload["task_description"] == "scoop"
    np.testing.assert_array_equal(payload["images"]["agentview"], OBSERVATION["image"])


def test_vla_eval_errors_travel_back() -> None:
    with serving(VlaEval(fail=True)) as url:
        policy = VlaEvalPolicy(url)
        policy.reset()
        with pytest.raises(EntrantError, match="observation_failed: ValueError: no camera"):
            policy.predict(OBSERVATION)
        policy._line.close()


def test_vla_eval_of_another_version_is_refused() -> None:
    with serving(VlaEval(version=2)) as url, pytest.raises(SpecMismatchError, match="'protocol_version'"):
        VlaEvalPolicy(url)


def test_vla_eval_answers_must_have_the_number_of_the_question() -> None:
    with serving(VlaEval(seq_offset=1)) as url:
        policy = VlaEvalPolicy(url)
        with pytest.raises(EntrantError, match="with the same number"):
            policy.predict(OBSERVATION)
        policy._line.close()


def test_a_misspelt_name_is_refused() -> None:
    with pytest.raises(UnknownIdError, match="Did you mean 'prompt'"):
        split_names("ws://host?promt=pour", {"prompt": ""})
