"""A server on this machine that speaks OpenAI's chat protocol, well or badly, as a list of replies says."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Reply:
    """What to answer: a status and a body, after a while, or only the first bytes of it."""

    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    after_s: float = 0.0
    cut_at: int | None = None


def said(text: str | None, finish: str = "stop", refusal: str | None = None, **more: Any) -> Reply:
    """A whole answer of the model."""
    choice = {
        "index": 0,
        "finish_reason": finish,
        "message": {"role": "assistant", "content": text, "refusal": refusal},
    }
    body = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "toy",
        "choices": [choice],
        "usage": {"prompt_tokens": 1000, "completion_tokens": 100, "total_tokens": 1100},
        **more,
    }
    return Reply(body=json.dumps(body).encode())


class ChatServer:
    """Answers with ``replies`` in turn, the last one again and again; keeps what it was asked."""

    def __init__(self) -> None:
        self.replies: list[Reply] = [said("yes")]
        self.choose: Callable[[dict[str, Any]], Reply] | None = None
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str] = []
        self.at_s: list[float] = []
        self._lock = threading.Lock()
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                question = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                reply = server._next(question, self.headers.get("Authorization", ""))
                time.sleep(reply.after_s)
                self.send_response(reply.status)
                headers = {"Content-Type": "application/json", **reply.headers, "Content-Length": str(len(reply.body))}
                for name, value in headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(reply.body[: reply.cut_at])
                if reply.cut_at is not None:
                    self.close_connection = True

            def log_message(self, *words: Any) -> None:
                """Keeps quiet."""

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.api_base = f"http://127.0.0.1:{self._http.server_port}/v1"
        threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True).start()

    def _next(self, question: dict[str, Any], authorization: str) -> Reply:
        with self._lock:
            self.asked.append(question)
            self.keys.append(authorization)
            self.at_s.append(time.monotonic())
            if self.choose is not None:
                return self.choose(question)
            return self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]

    def close(self) -> None:
        self._http.shutdown()
        self._http.server_close()


@contextmanager
def chat_server() -> Iterator[ChatServer]:
    server = ChatServer()
    try:
        yield server
    finally:
        server.close()
