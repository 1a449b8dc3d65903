"""A localizer in another process, which looks for other walkers too; this one needs neither a network nor a GPU."""

from __future__ import annotations

import os
from collections.abc import Sequence
from multiprocessing.connection import Client

import numpy as np

from pentathlon.core.errors import MachineError, UsageError
from pentathlon.models.localizers.contract import Depth, Localizer, Picture, Relevance
from pentathlon.models.localizers.serving.server import ANSWERS, ENCODER, Answer, Ask, Look, SeenMap

ADDRESS = "PENTATHLON_LOCALIZERS"
"""The variable of the environment that names the server's socket."""


def server_address() -> str:
    """Returns the socket of the server that looks for this machine's walkers; empty where there is none."""
    return os.environ.get(ADDRESS, "")


def open_served(name: str, fingerprint: str, *, phrases: bool) -> Localizer:
    """Connects to the server.

    Args:
        name: of the localizer there.
        fingerprint: of what it must be made of.
        phrases: whether it looks for several things at once.

    Raises:
        MachineError: when nobody listens there.
    """
    return (ServedPhrases if phrases else Served)(name, server_address(), fingerprint)


class Served:
    """Sends sentences and pictures, and returns what comes back.

    Attributes:
        name: of the localizer there.
        device: what it looks with; empty before the first sentence.
    """

    def __init__(self, name: str, address: str, fingerprint: str) -> None:
        self.name, self.device, self._fingerprint = name, "", fingerprint
        self._beside: tuple[Relevance, ...] = ()
        try:
            self._server = Client(address, family="AF_UNIX")
        except OSError as error:
            raise MachineError(
                f"Expected a server of localizers at {address} ({ADDRESS}), got {error}. "
                "Start one: pentathlon find serve-localizers SOCKET"
            ) from error

    def describe(self, sentence: str, category: str) -> None:
        """Says what to look for.

        Raises:
            UsageError: when the server does not understand it.
            MachineError: when it has ended, or another network than this process would look with.
        """
        self._said = sentence, category
        answer = self._asked(Ask(self.name, sentence, category))
        if answer.fingerprint != self._fingerprint:
            raise MachineError(
                f"Expected a server of localizers with the weights and thresholds of this process ({self.name} "
                f"{self._fingerprint}), got others ({answer.fingerprint}). Start it anew from the same package."
            )
        self.device = f"{answer.device}, for all walkers"

    def relevance(self, rgb: Picture, depth_m: Depth) -> Relevance:
        """Shows a picture."""
        pixels, far = np.ascontiguousarray(rgb, np.uint8), np.ascontiguousarray(depth_m, np.float32)
        answer = self._asked(Look(len(pixels), pixels.shape[1], pixels.tobytes(), far.tobytes()))
        own, *others = map(_unpacked, answer.maps)
        self._beside = tuple(others)
        return own

    def _asked(self, message: Ask | Look) -> Answer:
        try:
            self._server.send_bytes(ENCODER.encode(message))
            answer = ANSWERS.decode(self._server.recv_bytes())
        except (EOFError, OSError) as error:
            raise MachineError("Expected an answer of the server of localizers, got none: it has ended.") from error
        if answer.error:
            raise UsageError(answer.error)
        if answer.fault:
            raise MachineError(f"The server of localizers failed: {answer.fault}. The same command tries again.")
        return answer


class ServedPhrases(Served):
    """The same for a localizer that looks for several things at once."""

    def describe_beside(self, phrases: Sequence[str]) -> None:
        """Lets it look for other things too."""
        self._asked(Ask(self.name, *self._said, tuple(phrases)))

    def beside(self) -> tuple[Relevance, ...]:
        """Tells where those are in the last picture."""
        return self._beside


def _unpacked(seen: SeenMap) -> Relevance:
    values = np.frombuffer(seen.values, np.float32).reshape(seen.height, seen.width)
    return Relevance(values, seen.go, seen.stop)
