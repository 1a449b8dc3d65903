"""Sends datagrams, opens raw sockets and connects to an abstract Unix socket of the host."""

import socket

from honest import Honest, attempt


def unix(name):
    opened = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    opened.connect(b"\0" + name.encode())
    return opened


def make(port, abstract, **_):
    attempt(
        "send a datagram", lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", port))
    )
    attempt("open a raw socket", lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP))
    attempt("open a packet socket", lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW))
    attempt("reach an abstract socket", lambda: unix(abstract))
    return Honest()
