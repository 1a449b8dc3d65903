"""Policy servers of each kind that a submission may name; all turn the first joint and hold the others."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import msgpack
import numpy as np
from websockets.sync.server import ServerConnection, serve

from pentathlon.events.act.policies.numpy_maps import encode_map
from pentathlon.models.remote.serving import open_server
from pentathlon.worlds.tabletop.arm.robot import interaction


class Turning:
    """A policy of ours."""

    spec = interaction(120, 160)

    def reset(self) -> None:
        pass

    def predict(self, observation: Any) -> Any:
        return _turn(observation["joints"])


@contextmanager
def serving(kind: str) -> Iterator[str]:
    """Serves the policy as ``kind`` does and gives its address."""
    if kind == "remote":
        with open_server(Turning(), token="hush") as url:
            yield url
        return
    with serve(_quiet(_speak_openpi if kind == "openpi" else _speak_vla_eval), "127.0.0.1", 0) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"ws://127.0.0.1:{server.socket.getsockname()[1]}"
        server.shutdown()
        thread.join()


def _turn(joints: Any) -> Any:
    chunk = np.tile(np.asarray(joints, np.float32), (50, 1))
    chunk[:, 0] = 0.2
    return chunk


def _speak_openpi(connection: ServerConnection) -> None:
    connection.send(encode_map({"robot": "franka"}, str.encode))
    while True:
        asked = _decoded(connection.recv(), str.encode)
        connection.send(encode_map({"actions": _turn(asked["observation/state"])}, str.encode))


def _speak_vla_eval(connection: ServerConnection) -> None:
    while True:
        asked = _decoded(connection.recv(), str)
        if asked["type"] == "episode_start":
            continue
        answer = {"type": "hello", "payload": {"protocol_version": 1}}
        if asked["type"] == "observation":
            answer = {"type": "action", "payload": {"actions": _turn(asked["payload"]["states"])}}
        connection.send(encode_map({**answer, "seq": asked["seq"], "timestamp": time.time()}, str))


def _decoded(frame: str | bytes, key: Callable[[str], Any]) -> Any:
    def array(value: dict[Any, Any]) -> Any:
        if key("__ndarray__") not in value:
            return value
        return np.frombuffer(value[key("data")], value[key("dtype")]).reshape(value[key("shape")])

    return msgpack.unpackb(frame, object_hook=array)


def _quiet(speak: Callable[[ServerConnection], None]) -> Callable[[ServerConnection], None]:
    def handle(connection: ServerConnection) -> None:
        try:
            speak(connection)
        except Exception:  # what another kind of client says makes no sense here
            connection.close()

    return handle
