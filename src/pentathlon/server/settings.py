"""What an operator decides about a server; plain values that travel to its processes as JSON."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from pentathlon.core.errors import UsageError
from pentathlon.server.sandbox.limits import Limits
from pentathlon.server.sizes import MEBIBYTE

SPARE_BYTES = 2048 * MEBIBYTE
"""Of the disk; uploads and played episodes leave them to the results of what was accepted."""


@dataclass(frozen=True)
class Quota:
    """What one account may hand in; the two of a day do not hold for operators.

    Attributes:
        unfinished: submissions under way at once.
        submissions: in any 24 hours, however they ended.
        upload_bytes: of their archives together.
    """

    unfinished: int
    submissions: int
    upload_bytes: int


@dataclass(frozen=True)
class ServerSettings:
    """Settings of one server.

    Attributes:
        data: folder of uploads, logs, videos and, by default, the database.
        database: SQLAlchemy URL; empty for an SQLite file in ``data``.
        tasks: patterns of the ids of the tasks that are offered, such as ``act/*-sprint-v1``.
        public_trials: offer the trials whose seeds everybody knows, in place of those that the server draws in secret
            where a task allows it.
        drivers: ``module:factory`` of each robot, called as ``factory(name, image_size)``.
        workers: processes that run the tasks that need no robot.
        open_registration: whether anybody may make an account; otherwise only operators make them.
        remote_hosts: hosts that remote entrants may be on; ``*`` allows any public address.
        uploads_without_control_groups: run uploads also where nothing limits the memory of all their processes.
        upload_limit_bytes: size of the largest archive taken.
        unfinished_limit: submissions of one account that may be under way at once.
        submissions_per_day: of one account, in any 24 hours; operators may hand in more.
        upload_bytes_per_day: of one account's archives together, likewise.
        archives_kept_s: after a submission has finished or failed; those refused or cancelled go at once.
        trusted_proxies: addresses or networks of proxies, whose word counts for who asks.
        connections_per_host: at once; those of proxies that are trusted are not counted.
        keep_days: after which logs, videos and trials of what has ended go; places on the leaderboard stay.
        token_days: after which a token expires.
        requests_per_second: of one account, on average.
        request_burst: requests that one account may make at once.
        heartbeat_s: how often workers tell that they live.
        lost_after_s: silence after which a worker counts as lost and its submission is taken over.
        fruitless_claims_limit: workers that may be lost in a row over the same trial before the submission fails.
        keep_trajectories: whether workers keep joints, actions and pictures for the operator to merge into a dataset.
        rehearse: run each task's rehearsal, which takes seconds and whose numbers mean nothing, to try a server out.
        limits: what an uploaded entrant may use; ``total_s`` holds for remote entrants too.
    """

    data: Path
    database: str = ""
    tasks: tuple[str, ...] = ("act/*-v1",)
    public_trials: bool = False
    drivers: tuple[str, ...] = ()
    workers: int = 1
    open_registration: bool = False
    remote_hosts: tuple[str, ...] = ()
    uploads_without_control_groups: bool = False
    upload_limit_bytes: int = 512 * MEBIBYTE
    unfinished_limit: int = 10
    submissions_per_day: int = 20
    upload_bytes_per_day: int = 4096 * MEBIBYTE
    archives_kept_s: float = 30 * 24 * 3600.0
    trusted_proxies: tuple[str, ...] = ()
    connections_per_host: int = 500
    keep_days: int = 365
    token_days: int = 365
    requests_per_second: float = 10.0
    request_burst: int = 60
    heartbeat_s: float = 1.0
    lost_after_s: float = 15.0
    fruitless_claims_limit: int = 5
    keep_trajectories: bool = True
    rehearse: bool = False
    limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        for proxy in self.trusted_proxies:
            try:
                ipaddress.ip_network(proxy, strict=False)
            except ValueError as error:
                raise UsageError(
                    f"Expected the address of a proxy, such as 127.0.0.1 or 10.0.0.0/8, got {proxy!r}."
                ) from error

    @property
    def quota(self) -> Quota:
        """What one account may hand in."""
        return Quota(self.unfinished_limit, self.submissions_per_day, self.upload_bytes_per_day)

    @property
    def database_url(self) -> str:
        """The URL to connect to; PostgreSQL always by psycopg 3."""
        if not self.database:
            return f"sqlite:///{(self.data / 'pentathlon.db').absolute()}"
        for prefix in ("postgres://", "postgresql://"):
            if self.database.startswith(prefix):
                return "postgresql+psycopg://" + self.database.removeprefix(prefix)
        return self.database

    def upload(self, submission: str) -> Path:
        """Where the archive of a submission lies."""
        return self.data / "uploads" / f"{submission}.archive"

    def folder(self, submission: str) -> Path:
        """Where a submission's unpacked folder and logs lie, and what is not yet published."""
        return self.data / "submissions" / submission

    def logs(self, submission: str) -> Path:
        """The logs that the submitter may read, one for each claim."""
        return self.folder(submission) / "logs"

    def unpublished(self, submission: str) -> Path:
        """What the holders of claims make before it is known to count, a folder for each."""
        return self.folder(submission) / "unpublished"

    def agent(self, submission: str) -> Path:
        """The unpacked agent folder, there while it is needed."""
        return self.folder(submission) / "agent"

    def episodes(self, task: str, submission: str) -> Path:
        """What the robot did in each trial, for the operator only; apart by task, as datasets are."""
        return self.data / "episodes" / task / submission

    def run(self, submission: str) -> Path:
        """The run folder: artifacts from the first trial on, all else once the submission has finished."""
        return self.data / "runs" / submission

    def live_view(self, robot: str) -> Path:
        """The newest picture of a robot's bench."""
        return self.data / "live" / f"{robot}.jpg"

    def to_json(self) -> str:
        """Writes the settings for a process to read."""
        return msgspec.json.encode(self, enc_hook=str).decode()

    @staticmethod
    def from_json(text: str) -> ServerSettings:
        """Reads what :meth:`to_json` wrote."""
        return msgspec.json.decode(text, type=ServerSettings, dec_hook=lambda kind, value: kind(value))
