"""What a process of the server runs: the web, the clerk, one robot or a plain worker. Started by the supervisor."""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Callable

from pentathlon.server.settings import ServerSettings

SETTINGS_VARIABLE = "PENTATHLON_SERVER_SETTINGS"
PARENT_POLL_S = 0.5


def main(arguments: list[str]) -> None:
    """Runs the part that ``arguments`` name: ``web HOST PORT``, ``clerk``, ``robot NAME DRIVER`` or ``worker NAME``."""
    logging.basicConfig(level=logging.WARNING, format=f"%(asctime)s {' '.join(arguments[:2])}: %(message)s")
    settings = ServerSettings.from_json(os.environ[SETTINGS_VARIABLE])
    match arguments:
        case ["web", host, port]:
            _end_with_parent(lambda: None)
            _serve_web(settings, host, int(port))
        case ["clerk"]:
            from pentathlon.server.queue.clerk import Clerk

            _end_with_parent(lambda: None)
            Clerk(settings).run()
        case ["robot", name, driver]:
            from pentathlon.server.robots.robot_worker import RobotWorker

            worker = RobotWorker(settings, name, driver)
            _end_with_parent(worker.stop_robot)
            signal.signal(signal.SIGTERM, lambda _signal, _frame: _end(worker.stop_robot))
            worker.run()
        case ["worker", name]:
            from pentathlon.server.workers.task_worker import TaskWorker

            _end_with_parent(lambda: None)
            TaskWorker(settings, name).run()
        case _:
            sys.exit(f"Expected web HOST PORT, clerk, robot NAME DRIVER or worker NAME, got {arguments}.")


def _serve_web(settings: ServerSettings, host: str, port: int) -> None:
    import uvicorn

    from pentathlon.server.api.app import create_app
    from pentathlon.server.api.listening import configure

    uvicorn.Server(configure(create_app(settings), settings, host, port)).run()


def _end_with_parent(farewell: Callable[[], None]) -> None:
    """Ends this process when the supervisor is gone, however it went."""
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(PARENT_POLL_S)
        _end(farewell)

    threading.Thread(target=watch, name="parent", daemon=True).start()


def _end(farewell: Callable[[], None]) -> None:
    """Ends at once: all that matters is in the database already."""
    try:
        farewell()
    finally:
        os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1:])
