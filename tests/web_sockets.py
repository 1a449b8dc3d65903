"""WebSocket servers that tests start, on a free port of this machine."""

from __future__ import annotations

import re
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from websockets.sync.server import ServerConnection, serve


@contextmanager
def served(handle: Callable[[ServerConnection], None]) -> Iterator[str]:
    """Answers connections with ``handle`` and gives the address."""
    with serve(handle, "127.0.0.1", 0) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"ws://127.0.0.1:{server.socket.getsockname()[1]}"
        server.shutdown()
        thread.join()


@contextmanager
def served_example() -> Iterator[str]:
    """Starts the example of a served policy as its first lines say, and gives the address it prints."""
    example = Path(__file__).parents[1] / "examples" / "02_serve_a_policy.py"
    with subprocess.Popen([sys.executable, str(example), "--port", "0"], stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            found = re.search(r"ws://[^;\s]+", server.stdout.readline())
            assert found is not None
            yield found[0]
        finally:
            server.kill()
