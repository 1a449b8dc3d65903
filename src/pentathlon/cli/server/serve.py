"""``pentathlon serve``: a server that takes submissions and runs them on robots."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pentathlon.core import MissingDependencyError

if TYPE_CHECKING:
    from pentathlon.server.settings import ServerSettings


@dataclass(frozen=True)
class Serve:
    """Take submissions over the web and run them on robots; Ctrl-C ends it, and the same command continues."""

    robots: int = 1
    """Simulated robots to run for the tasks of act."""
    workers: int = 1
    """Processes that run the tasks that need no robot."""
    data: Path = Path("act-server")
    """Folder of uploads, logs, videos and the database."""
    database: str = ""
    """Database URL, such as postgresql://user:secret@host/name; an SQLite file in the data folder when not given."""
    host: str = "127.0.0.1"
    """Address to listen on; 0.0.0.0 lets other machines in."""
    port: int = 8000
    """Port to listen on."""
    tasks: tuple[str, ...] = ("act/*-v1",)
    """Tasks that are offered, as patterns of their ids: 'act/*-sprint-v1' 'see/*-sprint-v1'."""
    public_trials: bool = False
    """Offer act's trials as everybody can run them, who can then plan them without looking; else this server draws its
    own in secret."""
    driver: tuple[str, ...] = ()
    """Drivers of real robots as module:factory, one each; they come before the simulated ones."""
    open_registration: bool = False
    """Let anybody make an account; otherwise only operators do."""
    remote_hosts: tuple[str, ...] = ()
    """Hosts whose remote entrants may be run; '*' stands for any public address."""
    uploads_without_control_groups: bool = False
    """Run uploads also where no control group can be made: nothing then limits the memory of all their processes."""
    upload_limit_mib: int = 512
    """Size of the largest upload."""
    submissions_per_day: int = 20
    """Submissions of one account in any 24 hours; operators are not limited."""
    upload_mib_per_day: int = 4096
    """Size of all uploads of one account in any 24 hours; operators are not limited."""
    keep_archives_days: float = 30.0
    """How long archives stay after their submission finished or failed; those refused or cancelled go at once."""
    trusted_proxy: tuple[str, ...] = ()
    """Addresses of proxies before this server, such as 127.0.0.1; who asks is what they say, and nobody else's word."""
    keep_days: int = 365
    """Days after which logs, videos and trials of what has ended are removed; places on the leaderboard stay."""
    token_days: int = 365
    """Days after which a token expires."""
    new_operator_token: bool = False
    """Print a new token of the operator, because the old one was lost; the former ones stop working."""

    def run(self) -> int:
        """Serves until interrupted."""
        try:
            from pentathlon.server.queue.offers import offers
            from pentathlon.server.robots.drivers import SIMULATED
            from pentathlon.server.settings import ServerSettings
            from pentathlon.server.sizes import MEBIBYTE
            from pentathlon.server.supervisor import check_data, check_port, only_server
        except ModuleNotFoundError as error:
            raise MissingDependencyError(str(error.name), "pip install 'pentathlon[server]'") from error

        settings = ServerSettings(
            data=self.data.absolute(),
            database=self.database,
            tasks=self.tasks,
            public_trials=self.public_trials,
            drivers=self.driver + (SIMULATED,) * self.robots,
            workers=self.workers,
            open_registration=self.open_registration,
            remote_hosts=self.remote_hosts,
            uploads_without_control_groups=self.uploads_without_control_groups,
            upload_limit_bytes=self.upload_limit_mib * MEBIBYTE,
            submissions_per_day=self.submissions_per_day,
            upload_bytes_per_day=self.upload_mib_per_day * MEBIBYTE,
            archives_kept_s=self.keep_archives_days * 24 * 3600,
            trusted_proxies=self.trusted_proxy,
            keep_days=self.keep_days,
            token_days=self.token_days,
        )

        def tell(sentence: str) -> None:
            print(sentence, flush=True)

        offered = offers(settings)
        check_data(settings)
        check_port(self.host, self.port)
        with only_server(settings):
            return self._serve(settings, offered, tell)

    def _serve(self, settings: ServerSettings, offered: Iterable[str], tell: Callable[[str], None]) -> int:
        from pentathlon.server.sandbox.bubblewrap import upload_problem
        from pentathlon.server.supervisor import Supervisor, prepare

        token = prepare(settings, tell, new_operator_token=self.new_operator_token)
        if token is not None:
            print(f"The operator's token, shown this once: {token}", flush=True)
        if (problem := upload_problem(self.uploads_without_control_groups)) is not None:
            print(f"Uploads cannot be run here and will be refused: {problem}", flush=True)
        supervisor = Supervisor(settings, self.host, self.port, tell)
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda _number, _frame: supervisor.end())
        print(f"Offering {', '.join(offered)}.", flush=True)
        print(f"Serving http://{self.host}:{self.port} on {len(settings.drivers)} robot(s); Ctrl-C ends.", flush=True)
        supervisor.run()
        return 0
