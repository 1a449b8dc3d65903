"""Connects to a port of the host and to an address in the internet."""

import socket

from honest import Honest, attempt


def make(port, **_):
    attempt("connect to the host", lambda: socket.create_connection(("127.0.0.1", port), timeout=1))
    attempt("connect to the internet", lambda: socket.create_connection(("1.1.1.1", 53), timeout=1))
    attempt("resolve a name", lambda: socket.getaddrinfo("example.org", 80))
    return Honest()
