"""``pentathlon submit``: hand an entrant in to a server and wait for its results."""

from __future__ import annotations

import os
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import tyro

from pentathlon.core import DataError, UsageError
from pentathlon.core.numbers import interval, number, with_unit

if TYPE_CHECKING:
    from pentathlon.server.client import Client

TOKEN_VARIABLE = "PENTATHLON_TOKEN"
# That of `pentathlon run --entrant remote@...`, whose module needs more than the standard library.
REMOTE_TOKEN_VARIABLE = "PENTATHLON_REMOTE_TOKEN"
_REMOTE = re.compile(r"(?P<source>remote|openpi|vla-eval)@(?P<url>wss?://.+)")


@dataclass(frozen=True)
class Submit:
    """Hand an encoder, agent, policy or judge in to a server, follow it and fetch its results."""

    entrant: tyro.conf.Positional[str]
    """Folder of the entrant or its archive; or one you serve: remote@ws://HOST:PORT, also openpi@ and vla-eval@."""
    to: str
    """Address of the server, such as http://host:8000."""
    token: str = ""
    """Your token; taken from PENTATHLON_TOKEN when not given."""
    task: str = ""
    """Id of the task, such as act/pour-hidden-v1; may be left out where the server offers one only."""
    challenge: Literal["representation", "policy", ""] = ""
    """Which leaderboard of the task it enters, where there are two; policy when not given."""
    title: str = ""
    """What you call it; only you and the operator see it."""
    out: Path = Path("submissions")
    """Folder for the log and the videos."""
    wait: bool = True
    """Wait for the results."""

    def run(self) -> int:
        """Uploads, follows and fetches; returns 0 when the submission finished, 1 otherwise."""
        from pentathlon.server.client import Client

        token = self.token or os.environ.get(TOKEN_VARIABLE, "")
        if not token:
            raise UsageError(f"Expected a token: give --token or set {TOKEN_VARIABLE}. The operator makes them.")
        client = Client(self.to.rstrip("/"), token)
        task = self.task or _only_task(client)
        remote = _REMOTE.fullmatch(self.entrant)
        accepted = (
            self._register(client, task, remote["source"], remote["url"]) if remote else self._upload(client, task)
        )
        print(f"Accepted as {accepted['id']}.", flush=True)
        if not self.wait:
            return 0
        view, said = accepted, ""
        for view in client.follow(accepted["id"]):
            if (line := _line(view)) != said:
                print(line, flush=True)
                said = line
        folder_out = _fetch(client, view, self.out)
        print(_results(view, folder_out))
        return 0 if view["state"] == "finished" else 1

    def _upload(self, client: Client, task: str) -> dict[str, Any]:
        from pentathlon.server.client import pack
        from pentathlon.server.sizes import MEBIBYTE

        if "://" in self.entrant:
            raise UsageError(
                f"Expected a folder, its archive, or remote@, openpi@ or vla-eval@ws://HOST:PORT, got {self.entrant!r}."
            )
        given = Path(self.entrant)
        with tempfile.TemporaryDirectory() as folder:
            archive = given if given.is_file() else Path(folder) / "entrant.zip"
            if archive is not given:
                pack(given, archive)
            print(f"Uploading {archive.stat().st_size / MEBIBYTE:.1f} MiB to {self.to} ...", flush=True)
            return client.submit(archive, task=task, challenge=self.challenge, title=self.title)

    def _register(self, client: Client, task: str, source: str, url: str) -> dict[str, Any]:
        token = os.environ.get(REMOTE_TOKEN_VARIABLE, "")
        return client.register(url, source=source, token=token, task=task, challenge=self.challenge, title=self.title)


def _only_task(client: Client) -> str:
    offered = [str(task["id"]) for task in client.get("/api/tasks")]
    if len(offered) != 1:
        raise UsageError(f"Expected --task with one of those that the server offers: {', '.join(offered)}.")
    return offered[0]


def _line(view: dict[str, Any]) -> str:
    """Says in a line where a submission stands."""
    match view["state"]:
        case "queued" if view["position"] is not None:
            wait_s = view["starts_in_s"]
            start = "" if wait_s is None else f", starts in about {_duration(wait_s)}"
            return f"queued: number {view['position']}{start}"
        case "running":
            return f"running on {view['worker']}: {view['trials_done']} of {view['trials_total']} trials"
        case state:
            return f"{state}: {view['reason']}" if view["reason"] else str(state)


def _results(view: dict[str, Any], folder: Path) -> str:
    lines = []
    for score in view["scores"] or ():
        value, low, high = score["value"], score["low"], score["high"]
        written = with_unit(number(value, low, high), score["unit"])
        lines.append(f"{score['metric']}: {written} {interval(low, high, value)} n={score['n']}")
    lines.append(f"log: {folder / 'log.txt'}")
    if any((folder / "videos").iterdir()):
        lines.append(f"videos: {folder / 'videos'}")
    return "\n".join(lines)


def _fetch(client: Any, view: dict[str, Any], out: Path) -> Path:
    """Fetches log and videos into a folder of the submission's own."""
    folder = out / _plain(view["id"])
    (folder / "videos").mkdir(parents=True, exist_ok=True)
    (folder / "log.txt").write_bytes(client.fetch(f"/api/submissions/{view['id']}/log"))
    for trial in client.get(f"/api/submissions/{view['id']}/trials"):
        if trial["video"]:
            name = f"{trial['position']:02d}-{_plain(trial['trial'])}.mp4"
            (folder / "videos" / name).write_bytes(client.fetch(trial["video"]))
    return folder


def _plain(name: str) -> str:
    """Returns what a server called something when it can name a file, and cannot lead out of the folder."""
    if not re.fullmatch(r"[A-Za-z0-9_-][A-Za-z0-9._-]*", name):
        raise DataError(f"Expected a plain name from the server, got {name[:80]!r}. Nothing is written under it.")
    return name


def _duration(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"
