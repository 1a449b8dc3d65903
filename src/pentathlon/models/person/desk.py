"""The page, served to browsers of this machine alone; whoever opens it again goes on where the trial is."""

from __future__ import annotations

import http
import io
import threading
from collections.abc import Sequence
from contextlib import suppress
from importlib import resources
from types import TracebackType
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt
from PIL import Image
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response
from websockets.sync.server import ServerConnection, serve

from pentathlon.core.errors import MachineError
from pentathlon.models.person.views import Group, Reply, View

HOST = "127.0.0.1"
JPEG_QUALITY = 92
MOST_BYTES = 4096
TYPES = {"desk.html": "text/html", "desk.css": "text/css", "desk.js": "text/javascript"}
SEEN_AGAIN = "/shown/"


class Desk:
    """Shows one moment after the other and waits for what is chosen."""

    def __init__(self, title: str, groups: Sequence[Group], port: int = 0) -> None:
        self._hello = msgspec.json.encode({"title": title, "groups": groups}).decode()
        self._changed = threading.Condition()
        self._moment, self._view, self._jpeg = 0, "", b""
        self._reply: str | None = None
        self._left = False
        self._shown: list[bytes] = []
        try:
            self._server = serve(
                self._talk, HOST, port, process_request=self._answer, max_size=MOST_BYTES, compression=None
            )
        except OSError as error:
            raise MachineError(
                f"Expected a free port at {HOST}, got {error.strerror} at {port}. Take another: --port"
            ) from None
        self.url = f"http://{HOST}:{self._server.socket.getsockname()[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, name="desk", daemon=True)

    def __enter__(self) -> Desk:
        """Begins to serve."""
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Says goodbye to open pages and ends the server."""
        self.leave()
        self._server.shutdown()
        self._thread.join()

    def ask(self, view: View, picture: npt.NDArray[np.uint8] | None = None) -> str:
        """Shows a moment, and waits for the choice or the answer, however long it takes.

        Raises:
            KeyboardInterrupt: when the person wants to stop.
        """
        with self._changed:
            self._show(view, picture)
            self._changed.wait_for(lambda: self._reply is not None or self._left)
            if self._reply is None:
                raise KeyboardInterrupt
            return self._reply

    def _show(self, view: View, picture: npt.NDArray[np.uint8] | None) -> None:
        self._moment, self._reply = self._moment + 1, None
        self._view = msgspec.json.encode({"moment": self._moment, **_fields(view)}).decode()
        if picture is not None:
            self._jpeg = to_jpeg(picture)
        self._changed.notify_all()

    def show_again(self, jpegs: Sequence[bytes]) -> None:
        """Lets pictures be looked at again, or, without any, none."""
        self._shown = list(jpegs)

    def leave(self) -> None:
        """Ends the wait: whoever asks, now or later, is told to stop."""
        with self._changed:
            self._left = True
            self._changed.notify_all()

    def _answer(self, connection: ServerConnection, request: Request) -> Response | None:
        path = request.path.partition("?")[0]
        if path == "/socket":
            # A page of another site may open a socket to this machine, but not say that it comes from here.
            same = request.headers.get("Origin") == f"http://{request.headers.get('Host')}"
            local = request.headers.get("Host", "").partition(":")[0] in (HOST, "localhost")
            return None if same and local else connection.respond(http.HTTPStatus.FORBIDDEN, "Not from here.\n")
        if path.startswith(SEEN_AGAIN) and (number := path.removeprefix(SEEN_AGAIN)).isdigit():
            shown = self._shown
            return _file("image/jpeg", shown[int(number)]) if int(number) < len(shown) else _missing(connection)
        name = path.lstrip("/") or "desk.html"
        if name not in TYPES:
            return _missing(connection)
        return _file(TYPES[name], resources.files(__package__).joinpath("static", name).read_bytes())

    def _talk(self, connection: ServerConnection) -> None:
        with suppress(ConnectionClosed):
            connection.send(self._hello)
            hearing = threading.Thread(target=self._hear, args=(connection,), name="desk-ear", daemon=True)
            hearing.start()
            told = 0
            while hearing.is_alive():
                with self._changed:
                    self._changed.wait_for(lambda: self._moment > told or self._left or not hearing.is_alive())  # noqa: B023
                    told, view, jpeg, over = self._moment, self._view, self._jpeg, self._left
                if over or not hearing.is_alive():
                    break
                connection.send(view)
                if jpeg:
                    connection.send(jpeg)
            connection.close()

    def _hear(self, connection: ServerConnection) -> None:
        with suppress(ConnectionClosed):
            for said in connection:
                with suppress(msgspec.DecodeError):
                    self._take(msgspec.json.decode(said, type=Reply))
        with self._changed:
            self._changed.notify_all()

    def _take(self, reply: Reply) -> None:
        """Takes the first reply to the present moment; a late one to another is of no use."""
        with self._changed:
            if reply.stop:
                self._left = True
            elif reply.moment == self._moment and self._reply is None and reply.text.strip():
                self._reply = reply.text.strip()
            self._changed.notify_all()


def to_jpeg(picture: npt.NDArray[np.uint8]) -> bytes:
    """Packs ``picture[H, W, 3]``."""
    file = io.BytesIO()
    Image.fromarray(picture).save(file, "JPEG", quality=JPEG_QUALITY)
    return file.getvalue()


def _fields(view: View) -> dict[str, Any]:
    return {name: getattr(view, name) for name in view.__struct_fields__}


def _file(kind: str, data: bytes) -> Response:
    headers = Headers({"Content-Type": kind, "Content-Length": str(len(data)), "Cache-Control": "no-store"})
    return Response(http.HTTPStatus.OK, "OK", headers, data)


def _missing(connection: ServerConnection) -> Response:
    return connection.respond(http.HTTPStatus.NOT_FOUND, "No such page.\n")
