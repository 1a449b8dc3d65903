"""The page, served to browsers of this machine alone; whoever opens it again goes on where the trial is."""

from __future__ import annotations

import http
import io
import json
import os
import socket
import struct
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

from pentathlon.core.errors import MachineError, UsageError
from pentathlon.models.person.views import Group, Reply, View

HOST = "127.0.0.1"
JPEG_QUALITY = 92
MOST_BYTES = 4096
TYPES = {"desk.html": "text/html", "desk.css": "text/css", "desk.js": "text/javascript"}
# A page that reads nothing any more must not keep the others, or the end, waiting.
PATIENCE_S = 3


class Desk:
    """Shows one moment after the other and waits for what is chosen."""

    def __init__(self, title: str, groups: Sequence[Group], port: int = 0) -> None:
        self._hello = msgspec.json.encode({"title": title, "groups": groups}).decode()
        self._changed = threading.Condition()
        self._moment, self._told, self._view, self._jpeg = 0, 0, "", b""
        self._pictured = 0
        self._reply: str | None = None
        self._left = False
        self._shown: list[bytes] = []
        if not 0 <= port < 2**16:
            raise UsageError(f"Expected a port from 0 to {2**16 - 1}, got {port}. Change: --port")
        try:
            self._server = serve(
                *(self._talk, HOST, port),
                process_request=self._answer,
                max_size=MOST_BYTES,
                compression=None,
                open_timeout=PATIENCE_S,
                close_timeout=PATIENCE_S,
            )
        except OSError as error:
            why = os.strerror(error.errno or 0)
            raise MachineError(f"Expected a free port at {HOST}, got {port}: {why}. Take another: --port") from None
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

    def tell(self, text: str) -> None:
        """Says what goes on while there is nothing to choose."""
        with self._changed:
            self._announce(json.dumps({"status": text}))

    def show_again(self, jpegs: Sequence[bytes]) -> None:
        """Lets pictures be looked at again, or, without any, none."""
        self._shown = list(jpegs)

    def leave(self, text: str = "Stopped. The same command goes on from here.") -> None:
        """Ends the wait: whoever asks, now or later, is told to stop; pages are told why."""
        with self._changed:
            if not self._left:
                self._left = True
                self._announce(json.dumps({"status": text}))

    def _show(self, view: View, picture: npt.NDArray[np.uint8] | None) -> None:
        self._moment, self._reply = self._moment + 1, None
        if picture is not None:
            self._jpeg, self._pictured = to_jpeg(picture), self._told + 1
        self._announce(msgspec.json.encode({"moment": self._moment, **_fields(view)}).decode())

    def _announce(self, text: str) -> None:
        self._told, self._view = self._told + 1, text
        self._changed.notify_all()

    def _answer(self, connection: ServerConnection, request: Request) -> Response | None:
        # A name of another site may be made to lead here, and a page of one may open a socket to this machine; neither
        # can say that it is this page.
        hosts, origins = request.headers.get_all("Host"), request.headers.get_all("Origin")
        if len(hosts) != 1 or hosts[0].partition(":")[0] not in (HOST, "localhost"):
            return connection.respond(http.HTTPStatus.FORBIDDEN, "Not from here.\n")
        path = request.path.partition("?")[0]
        if path == "/socket":
            same = origins == [f"http://{hosts[0]}"]
            return None if same else connection.respond(http.HTTPStatus.FORBIDDEN, "Not from here.\n")
        number = path.removeprefix("/shown/")
        if path.startswith("/shown/") and number.isascii() and number.isdigit() and len(number) < 7:
            shown = self._shown
            return _file("image/jpeg", shown[int(number)]) if int(number) < len(shown) else _missing(connection)
        name = path.lstrip("/") or "desk.html"
        if name not in TYPES:
            return _missing(connection)
        return _file(TYPES[name], resources.files(__package__).joinpath("static", name).read_bytes())

    def _talk(self, connection: ServerConnection) -> None:
        patience = struct.pack("ll", PATIENCE_S, 0)
        connection.socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, patience)
        with suppress(ConnectionClosed, OSError):
            connection.send(self._hello)
            hearing = threading.Thread(target=self._hear, args=(connection,), name="desk-ear", daemon=True)
            hearing.start()
            told = pictured = 0
            while hearing.is_alive():
                with self._changed:
                    self._changed.wait_for(lambda: self._told > told or not hearing.is_alive())  # noqa: B023
                    told, view, over = self._told, self._view, self._left
                    jpeg = self._jpeg if self._pictured > pictured else b""
                    pictured = self._pictured
                connection.send(view)
                if jpeg:
                    connection.send(jpeg)
                if over:
                    break
            connection.close()

    def _hear(self, connection: ServerConnection) -> None:
        with suppress(ConnectionClosed, OSError):
            for said in connection:
                try:
                    taken = self._take(msgspec.json.decode(said, type=Reply))
                except (msgspec.MsgspecError, UnicodeDecodeError):
                    taken = False
                if not taken and self._view:
                    connection.send(self._view)
        with self._changed:
            self._changed.notify_all()

    def _take(self, reply: Reply) -> bool:
        """Takes the first reply to the present moment; a late one to another is of no use."""
        with self._changed:
            usable = reply.stop or bool(reply.text.strip())
            if reply.moment == self._moment and self._reply is None and usable and not reply.stop:
                self._reply = reply.text.strip()
                self._changed.notify_all()
        if reply.stop:
            self.leave()
        return usable


def to_jpeg(picture: npt.NDArray[np.uint8]) -> bytes:
    """Packs ``picture[H, W, 3]``."""
    file = io.BytesIO()
    Image.fromarray(picture).save(file, "JPEG", quality=JPEG_QUALITY)
    return file.getvalue()


def _fields(view: View) -> dict[str, Any]:
    return {name: getattr(view, name) for name in view.__struct_fields__}


def _file(kind: str, data: bytes) -> Response:
    headers = Headers({"Content-Type": kind, "Content-Length": str(len(data)), "Cache-Control": "no-store"})
    headers.update({"X-Frame-Options": "DENY", "X-Content-Type-Options": "nosniff"})
    return Response(http.HTTPStatus.OK, "OK", headers, data)


def _missing(connection: ServerConnection) -> Response:
    return connection.respond(http.HTTPStatus.NOT_FOUND, "No such page.\n")
