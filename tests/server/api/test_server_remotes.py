"""Which addresses a robot's computer may connect to."""

import socket
from typing import Any

import pytest

from pentathlon.server.errors import BadRequestError, NotAllowedError
from pentathlon.server.sandbox.remotes import find_addresses


def answer_with(monkeypatch: pytest.MonkeyPatch, *addresses: str) -> None:
    def look_up(*_: Any, **__: Any) -> list[Any]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 0)) for address in addresses]

    monkeypatch.setattr(socket, "getaddrinfo", look_up)


@pytest.mark.parametrize(
    "inside",
    [
        *("127.0.0.1", "10.1.2.3", "169.254.169.254", "100.64.0.1", "0.0.0.0", "::1", "fe80::1%eth0", "fd00::1"),
        *("64:ff9b::a01:203", "64:ff9b:1::1", "2002:0a01:0203::1", "fec0::1", "224.0.0.5", "ff0e::1", "::ffff:8.8.8.8"),
        *("::7f00:1", "::8.8.8.8", "::ffff:0:7f00:1", "192.88.99.1", "5f00::1", "3fff::1", "2001:0:1::1"),
    ],
)
def test_an_address_inside_is_refused_also_among_public_ones(monkeypatch: pytest.MonkeyPatch, inside: str) -> None:
    answer_with(monkeypatch, "8.8.8.8", inside)
    with pytest.raises(NotAllowedError, match="is not at a public address") as refusal:
        find_addresses("wss://policy.example", ["*"])
    assert inside not in str(refusal.value)


def test_a_host_with_many_addresses_is_not_tried_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    answer_with(monkeypatch, *(f"8.8.8.{number // 2}" for number in range(100)))
    assert find_addresses("wss://policy.example", ["*"]) == ("8.8.8.0", "8.8.8.1", "8.8.8.2", "8.8.8.3")


def test_what_was_found_is_what_is_connected_to(monkeypatch: pytest.MonkeyPatch) -> None:
    answer_with(monkeypatch, "8.8.8.8", "1.1.1.1")
    assert find_addresses("wss://policy.example", ["*"]) == ("8.8.8.8", "1.1.1.1")
    answer_with(monkeypatch, "10.1.2.3")
    assert find_addresses("wss://policy.example", ["policy.example"]) == ("10.1.2.3",)


def test_a_host_may_be_named_with_its_port(monkeypatch: pytest.MonkeyPatch) -> None:
    answer_with(monkeypatch, "10.1.2.3")
    assert find_addresses("ws://policy.example:9000", ["policy.example:9000"]) == ("10.1.2.3",)
    assert find_addresses("wss://policy.example", ["policy.example:443"]) == ("10.1.2.3",)
    for url in ("ws://policy.example:9001", "ws://policy.example"):
        with pytest.raises(NotAllowedError, match="not among those"):
            find_addresses(url, ["policy.example:9000"])


def test_a_host_that_is_not_named_or_not_there_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise socket.gaierror("unknown")

    monkeypatch.setattr(socket, "getaddrinfo", fail)
    with pytest.raises(NotAllowedError, match="not among those"):
        find_addresses("wss://other.example", ["policy.example"])
    with pytest.raises(BadRequestError, match="not found"):
        find_addresses("wss://policy.example", ["policy.example"])
