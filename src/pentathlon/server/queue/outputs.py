"""What the holder of a claim makes: files of its own, which take their public places only while the claim holds.

A worker that was believed dead may still write when another has taken over. So each claim has a log and a folder of
unpublished files to itself, and files are moved out of it within the transaction that finds the claim still held.
"""

from __future__ import annotations

import shutil
import time
from pathlib import Path

from pentathlon.core.trial import Outcome
from pentathlon.events.act.data.episode_files import episode_path
from pentathlon.server.queue.claims import Claim
from pentathlon.server.sandbox.log import quoted
from pentathlon.server.settings import ServerSettings


class Outputs:
    """The files of one claim.

    Args:
        settings: say where things lie.
        claim: whose files they are.
    """

    def __init__(self, settings: ServerSettings, claim: Claim) -> None:
        self._settings = settings
        self._id = claim.submission.id
        self._folder = settings.unpublished(self._id) / str(claim.number)
        self.log = settings.logs(self._id) / f"{claim.number}.txt"
        self.log.parent.mkdir(parents=True, exist_ok=True)

    @property
    def agent(self) -> Path:
        """The unpacked agent folder, until it is published."""
        return self._folder / "agent"

    @property
    def run(self) -> Path:
        """A run folder of its own, out of which artifacts are published."""
        return self._folder / "run"

    @property
    def episodes(self) -> Path:
        """The folder of episodes that are not yet published."""
        return self._folder / "episodes"

    def publish_trial(self, outcome: Outcome) -> None:
        """Puts the artifacts of a trial where they belong; to be called while the claim is known to hold.

        May be called again: what was moved already stays.
        """
        for path in outcome.artifacts.values():
            _move(self.run / path, self._settings.run(self._id) / path)

    def publish_episode(self, task: str, position: int) -> None:
        """Puts what a robot did in a trial where its operator finds it; as :meth:`publish_trial`."""
        published = self._settings.episodes(task, self._id)
        _move(episode_path(self.episodes, position), episode_path(published, position))

    def publish_agent(self) -> None:
        """Puts the unpacked agent where robots find it; to be called while the claim is known to hold."""
        if self.agent.exists():
            shutil.rmtree(self._settings.agent(self._id), ignore_errors=True)
            _move(self.agent, self._settings.agent(self._id))

    def note(self, who: str, sentence: str) -> None:
        """Adds a line to the log that the submitter reads."""
        append_log(self.log, who, sentence)

    def clear(self) -> None:
        """Removes what was not published."""
        shutil.rmtree(self._folder, ignore_errors=True)


def append_log(path: Path, who: str, sentence: str) -> None:
    """Adds a line with the time and its author to a log; the sentence may quote what a stranger's program said."""
    with path.open("a", encoding="utf-8") as file:
        file.write(f"{time.strftime('%Y-%m-%d %H:%M:%S', time.gmtime())} {who}: {quoted(sentence)}\n")


def read_log(logs: Path, most_bytes: int) -> str:
    """Returns the end of a submission's log: what each claim wrote, the earliest first."""
    read: list[bytes] = []
    for path in sorted(logs.glob("*.txt"), key=lambda path: int(path.stem), reverse=True):
        with path.open("rb") as file:
            file.seek(max(0, path.stat().st_size - most_bytes))
            read.append(file.read(most_bytes))
        most_bytes -= len(read[-1])
        if most_bytes <= 0:
            break
    return b"".join(reversed(read)).decode("utf-8", "replace")


def _move(source: Path, target: Path) -> None:
    if source.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        source.replace(target)
