"""Hands hostile submissions in to a running server as ordinary users do, and looks at what became of them."""

from __future__ import annotations

import http.client
import os
import re
import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from unittest.mock import patch
from urllib.parse import urlsplit

import psutil
from baits import Baits, open_listeners
from hostile_agents import SUITE, TIGHT, YAML_BOMB, agent_files
from hostile_archives import HOSTILE_ARCHIVES
from hostile_archives import LIMITS as ARCHIVE_LIMITS
from live_server import LiveServer, await_that, live_server, pack_files
from live_server import agent_files as good_files

from pentathlon.events.act.protocol import make_protocol
from pentathlon.server.queue.states import FINAL

LIMITS = replace(
    TIGHT,
    start_s=30.0,
    total_s=60.0,
    archive_files=ARCHIVE_LIMITS.archive_files,
    archive_bytes=ARCHIVE_LIMITS.archive_bytes,
    archive_ratio=ARCHIVE_LIMITS.archive_ratio,
)
DRIVERS = ("stand_in_robot:StandInRobot", "stand_in_robot:StandInRobot")
# What the stand-in robot gives a good agent: a gram for each step, up to the seed modulo 50.
GOOD_G = [float(trial.setup.seed % 50) for trial in make_protocol("pour", "sprint").trials()]
CONCLUSIONS = {"refused": "Refused: ", "failed": "Failed: ", "finished": "Finished: "}
PATIENCE_S = 1200.0
POLL_EVERY_S = 0.25
POLL_TIMEOUT_S = 10.0


@dataclass(frozen=True)
class Entry:
    """One submission to hand in.

    Attributes:
        title: of the attack.
        archive: to upload.
        states: in one of which it must end.
        words: one of which its reason must hold.
        rewards_g: of its trials, where it finishes.
    """

    title: str
    archive: bytes
    states: Sequence[str]
    words: Sequence[str] = ("",)
    rewards_g: Sequence[float] = ()


@dataclass(frozen=True)
class Ended:
    """What became of an entry."""

    entry: Entry
    user: str
    state: str
    reason: str
    steps: list[str]
    log: str
    rewards_g: list[float]

    @property
    def conclusion(self) -> str:
        """The last line of the log that the server itself wrote, without time and author."""
        ours = re.findall(r"^\d{4}-\d\d-\d\d [\d:]{8} [\w-]+: (.*)", self.log, re.MULTILINE)
        return ours[-1] if ours else ""

    def problems(self, tokens: Sequence[str]) -> list[str]:
        """Says what is wrong with the way it ended."""
        entry = self.entry
        wanted = CONCLUSIONS.get(self.state, "an end") + self.reason.split("\n")[0]
        found = {
            f"ended {self.state}, expected {' or '.join(entry.states)}": self.state not in entry.states,
            f"went through {self.steps}": len(set(self.steps)) < len(self.steps) or len(FINAL & {*self.steps}) != 1,
            f"has the reason {self.reason!r}": not any(words in self.reason for words in entry.words),
            f"was ended without a reason: {self.reason!r}": bool(self.reason) == (self.state == "finished"),
            f"has a log that ends with {self.conclusion!r}": not self.conclusion.startswith(wanted),
            f"got {self.rewards_g} g": self.state == "finished" and self.rewards_g != list(entry.rewards_g),
            "succeeded with something": "SUCCEEDED" in self.log,
            "read a secret": any(token in self.log for token in tokens),
        }
        return [f"{entry.title} {problem}" for problem, holds in found.items() if holds]


class Pulse:
    """Asks a server for its health all the while, and counts what was not answered."""

    def __init__(self, server: LiveServer) -> None:
        self._address = urlsplit(server.client.server).netloc
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self.answers_s: list[float] = []
        self.failures: list[str] = []

    def __enter__(self) -> Pulse:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._ended.wait(POLL_EVERY_S):
            started_s = time.perf_counter()
            connection = http.client.HTTPConnection(self._address, timeout=POLL_TIMEOUT_S)
            try:
                connection.request("GET", "/api/health")
                if (status := connection.getresponse().status) != 200:
                    self.failures.append(f"status {status}")
                self.answers_s.append(time.perf_counter() - started_s)
            except (OSError, http.client.HTTPException) as error:
                self.failures.append(repr(error))
            finally:
                connection.close()


@dataclass(frozen=True)
class Siege:
    """A server that is about to be attacked, and what its attackers are after."""

    server: LiveServer
    baits: Baits
    targets: dict[str, Any]
    processes: dict[str, int]

    def attack(self, title: str, *, asleep: bool = False) -> Entry:
        """A hostile agent; one that sleeps attacks the robot's process, the others that of the clerk."""
        hostile = SUITE[title]
        targets = {**self.targets, **hostile.options}
        files = (
            agent_files("sleeper", attack=hostile.agent, **targets) if asleep else agent_files(hostile.agent, **targets)
        )
        name = f"{title}, asleep" if asleep else title
        if hostile.is_harmless or hostile.costs_trials:
            return Entry(name, pack_files(files), ["finished"], rewards_g=[0.0] * len(GOOD_G))
        passes = asleep or hostile.passes_check
        states = ["failed"] if passes else ["refused", "failed"] if hostile.races else ["refused"]
        return Entry(name, pack_files(files), states, hostile.words)

    def hand_in(self, entries: Sequence[Entry], users: int) -> list[Ended]:
        """Lets so many ordinary users hand entries in at once; returns when all have ended."""
        names = [f"user-{number}" for number in range(users)]
        tokens = [self.server.post_json("/api/accounts", {"name": name})["token"] for name in names]
        servers = [replace(self.server, client=replace(self.server.client, token=token)) for token in tokens]
        with ThreadPoolExecutor(users) as threads:
            shares = [entries[number::users] for number in range(users)]
            return [ended for each in threads.map(_hand_in, servers, names, shares) for ended in each]

    def problems(self, ended: Sequence[Ended], pulse: Pulse) -> list[str]:
        """Says what is wrong with the submissions, with the host and with the server."""
        await_that(self._strays, lambda strays: not strays)
        now = {part.name: part.process.pid for part in self.server.supervisor.parts if part.process and part.running}
        died = [f"the process {name!r} died" for name, number in self.processes.items() if now.get(name) != number]
        unanswered = [f"a poll was not answered: {failure}" for failure in pulse.failures]
        submissions = [problem for each in ended for problem in each.problems(self.baits.tokens)]
        return submissions + self.baits.problems() + died + unanswered

    def _strays(self) -> list[psutil.Process]:
        """Processes that sandboxes have left; the last ones may be about to end."""
        return [child for pid in self.processes.values() for child in psutil.Process(pid).children(recursive=True)]


@contextmanager
def besieged(folder: Path) -> Iterator[Siege]:
    """Starts a server with two robots, short limits and a finished submission of somebody's."""
    baits = Baits(folder)
    # The limits of users are the usual ones, those of agents short.
    usual = {
        "requests_per_second": 10.0,
        "request_burst": 60,
        "lost_after_s": 15.0,
        "submissions_per_day": 60,
        "connections_per_host": 100,
    }
    with (
        patch.dict(os.environ, baits.environment),
        open_listeners() as listeners,
        live_server(folder / "data", DRIVERS, limits=LIMITS, keep_trajectories=False, **usual) as server,
    ):
        processes = {part.name: part.process.pid for part in server.supervisor.parts if part.process}
        neighbour = pack_files({**good_files(), "weights.txt": baits.upload_token})
        submission = server.submit(neighbour)
        assert server.wait_for_end(submission)["state"] == "finished"
        upload = server.settings.upload(submission)
        baits.watch(upload)
        yield Siege(server, baits, baits.targets(upload, processes["web"], listeners), processes)


def good_entry() -> Entry:
    """A well-behaved agent."""
    return Entry("good", pack_files(good_files()), ["finished"], rewards_g=GOOD_G)


def yaml_bomb() -> Entry:
    """A configuration that takes all memory when it is read."""
    return Entry("yaml_bomb", pack_files({"hydra.yaml": YAML_BOMB}), ["refused"], (" MiB of memory", "took more than"))


def hostile_archive(title: str, folder: Path) -> Entry:
    """An archive that must not be unpacked."""
    make, words = HOSTILE_ARCHIVES[title]
    return Entry(title, make(folder / "upload").read_bytes(), ["refused"], words.split("|"))


def _hand_in(server: LiveServer, user: str, entries: Sequence[Entry]) -> list[Ended]:
    accepted: deque[tuple[Entry, str]] = deque()
    ended = []
    for entry in entries:
        if len(accepted) == server.settings.unfinished_limit:
            ended.append(_ended(server, user, *accepted.popleft()))
        accepted.append((entry, server.submit(entry.archive)))
    return ended + [_ended(server, user, *each) for each in accepted]


def _ended(server: LiveServer, user: str, entry: Entry, submission: str) -> Ended:
    def look() -> Any:
        time.sleep(1.0)
        return server.look(submission)

    view = await_that(look, lambda view: view["state"] in FINAL, PATIENCE_S)
    path = f"/api/submissions/{submission}"
    return Ended(
        entry,
        user,
        view["state"],
        view["reason"],
        [step["state"] for step in server.client.get(f"{path}/steps")],
        server.client.fetch(f"{path}/log").decode(),
        [trial["metrics"].get("reward_g", 0.0) for trial in server.client.get(f"{path}/trials")],
    )
