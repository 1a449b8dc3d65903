"""Policies behind servers of other projects: openpi's and vla-eval's protocols, as their own clients speak them.

Neither declares its action space in a form that can be compared, so the first action is checked instead. What these
servers call the picture, the joints and the instruction follows the address: ``ws://host:8000?prompt=pour+it``.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar
from urllib.parse import parse_qsl, urlsplit, urlunsplit

import msgspec

from pentathlon.core.entrants import Floats, Observation
from pentathlon.core.errors import DataError, EntrantError, SpecMismatchError, UnknownIdError
from pentathlon.core.specs import ArraySpec, InteractionSpec
from pentathlon.events.act.policies.numpy_maps import (
    Actions,
    Frame,
    Greeting,
    Key,
    decode_actions,
    decode_as,
    encode_map,
)
from pentathlon.models.remote.checks import checked_action
from pentathlon.models.remote.connection import HELLO_LIMIT_S, STEP_LIMIT_S, TOKEN_VARIABLE
from pentathlon.models.remote.line import Line, LostError
from pentathlon.worlds.tabletop.arm.robot import JOINTS

MAX_FRAME_BYTES = 2**20
VLA_EVAL_VERSION = 1
OPENPI_NAMES = {"image": "observation/image", "state": "observation/state", "prompt": ""}
VLA_EVAL_NAMES = {"camera": "image", "prompt": ""}

Answer = TypeVar("Answer")

SPEC = InteractionSpec(
    observations=(
        ArraySpec("joints", (JOINTS,), "float32", "rad"),
        ArraySpec("image", (None, None, 3), "uint8"),
    ),
    action=ArraySpec("joint_targets", (JOINTS,), "float32", "rad"),
)


class OpenpiPolicy:
    """A policy behind openpi's ``serve_policy``: metadata first, then one map per observation and one per chunk."""

    spec = SPEC

    def __init__(
        self,
        url: str,
        token: str = "",
        step_limit_s: float = STEP_LIMIT_S,
        addresses: Sequence[str] = (),
        *,
        quoting: bool = True,
    ) -> None:
        self._url, self._names = split_names(url, OPENPI_NAMES)
        self._addresses, self._quoting = addresses, quoting
        self._headers = {"Authorization": f"Api-Key {token}"} if token else {}
        self._step_limit_s = step_limit_s
        self._line = self._open()

    def reset(self) -> None:
        """Connects again: openpi's protocol knows no episodes, and a connection begins afresh."""
        self._line.close()
        self._line = self._open()

    def predict(self, observation: Observation) -> Floats:
        """Returns the server's chunk ``[H, 7]``."""
        question = {
            self._names["image"]: observation["image"],
            self._names["state"]: observation["joints"],
            "prompt": self._names["prompt"],
        }
        answer = self._line.ask(encode_map(question, str.encode), self._step_limit_s)
        if isinstance(answer, str):
            raise EntrantError(f"The policy at {self._url} raised{self._line.quote(f': {answer[-2000:]}') or '.'}")
        return _action(self._line, _understood(self._line, answer, Actions), str.encode)

    def close(self) -> None:
        """Hangs up."""
        self._line.close()

    def _open(self) -> Line:
        line = Line(self._url, MAX_FRAME_BYTES, self._headers, self._addresses, quoting=self._quoting)
        try:
            _understood(line, line.receive(HELLO_LIMIT_S), Greeting)
            return line
        except BaseException:
            line.close()
            raise


class VlaEvalPolicy:
    """A policy behind a vla-eval model server: typed frames with a sequence number that the answer repeats."""

    spec = SPEC

    def __init__(
        self, url: str, step_limit_s: float = STEP_LIMIT_S, addresses: Sequence[str] = (), *, quoting: bool = True
    ) -> None:
        self._url, self._names = split_names(url, VLA_EVAL_NAMES)
        self._addresses, self._quoting = addresses, quoting
        self._step_limit_s = step_limit_s
        self._number = 0
        self._line = self._open()

    def reset(self) -> None:
        """Ends the last episode and begins the next; vla-eval confirms neither."""
        task = {"task_description": self._names["prompt"]}
        try:
            self._line.send(self._frame("episode_start", task), self._step_limit_s)
        except LostError:
            self._line = self._open()
            self._line.send(self._frame("episode_start", task), self._step_limit_s)

    def predict(self, observation: Observation) -> Floats:
        """Returns the server's action ``[7]`` or chunk ``[H, 7]``."""
        payload = {
            "images": {self._names["camera"]: observation["image"]},
            "states": observation["joints"],
            "task_description": self._names["prompt"],
        }
        return _action(self._line, self._ask("observation", payload, "action", Actions), str)

    def close(self) -> None:
        """Hangs up."""
        self._line.close()

    def _open(self) -> Line:
        line = self._line = Line(self._url, MAX_FRAME_BYTES, addresses=self._addresses, quoting=self._quoting)
        ours = {"harness_version": "pentathlon", "protocol_version": VLA_EVAL_VERSION}
        try:
            got = self._ask("hello", ours, "hello", Greeting).protocol_version
            if got != VLA_EVAL_VERSION:
                raise SpecMismatchError("protocol_version", VLA_EVAL_VERSION, got)
            return line
        except BaseException:
            line.close()
            raise

    def _ask(self, kind: str, payload: dict[str, Any], expected: str, answer: type[Answer]) -> Answer:
        line = self._line
        message = _understood(line, line.ask(self._frame(kind, payload), self._step_limit_s), Frame)
        if message.type == "error":
            said = line.quote(f": {bytes(message.payload)[:2000].decode('utf-8', 'replace')}")
            raise EntrantError(f"The policy at {self._url} raised{said or '.'}")
        if message.type != expected or message.seq != self._number:
            got = line.quote(f" with {message.type[:80]!r} number {message.seq}")
            raise EntrantError(
                f"The server at {self._url} answered {kind!r} number {self._number}{got}, "
                f"expected {expected!r} with the same number."
            )
        return _understood(line, message.payload, answer)

    def _frame(self, kind: str, payload: dict[str, Any]) -> bytes:
        self._number += 1
        message = {"type": kind, "payload": payload, "seq": self._number, "timestamp": time.time()}
        return encode_map(message, str)


def make_openpi(weights: str) -> OpenpiPolicy:
    """Builds the entrant ``openpi@URL``; the API key comes from the environment."""
    return OpenpiPolicy(weights, os.environ.get(TOKEN_VARIABLE, ""))


def make_vla_eval(weights: str) -> VlaEvalPolicy:
    """Builds the entrant ``vla-eval@URL``."""
    return VlaEvalPolicy(weights)


def split_names(url: str, defaults: Mapping[str, str]) -> tuple[str, dict[str, str]]:
    """Takes the names that follow an address off it.

    Raises:
        UnknownIdError: for a name that the protocol does not have.
    """
    parts = urlsplit(url)
    given = dict(parse_qsl(parts.query, keep_blank_values=True))
    for name in given:
        if name not in defaults:
            raise UnknownIdError("name in the address", name, defaults)
    return urlunsplit(parts._replace(query="")), {**defaults, **given}


def _understood(line: Line, frame: bytes | str | msgspec.Raw, kind: type[Answer]) -> Answer:
    if isinstance(frame, str):
        said = line.quote(f": {frame[:200]!r}")
        raise EntrantError(f"The server at {line.url} sent text, expected msgpack{said}.")
    try:
        return decode_as(frame, kind)
    except DataError as error:
        said = line.quote(f" {error}")
        raise EntrantError(f"The server at {line.url} does not speak this protocol.{said}") from error


def _action(line: Line, answer: Actions, key: Callable[[str], Key]) -> Floats:
    assert isinstance(SPEC.action, ArraySpec)
    try:
        return checked_action(decode_actions(answer.actions, key), SPEC.action)
    except Exception as error:  # whatever it is, the answer is a stranger's
        raise EntrantError(f"The policy at {line.url} gave a bad action.{line.quote(f' {error}')}") from error
