"""Which addresses a remote entrant may have.

A worker's computer connects to an address that a stranger gives, from inside the lab's network. So no address is
allowed unless the operator names its host (``--remote-hosts``), and ``*`` allows public addresses only. The worker
looks the address up once and connects to what it found; it follows no redirect.
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Collection
from urllib.parse import urlsplit

from pentathlon.core.errors import UnknownIdError
from pentathlon.events.act.policies.foreign import OPENPI_NAMES, VLA_EVAL_NAMES, split_names
from pentathlon.server.errors import BadRequestError, NotAllowedError
from pentathlon.server.queue.tables import RemoteSource

ANY_PUBLIC_HOST = "*"
# Each may take seconds to be found silent.
MOST_ADDRESSES = 4
TRANSLATED = ("64:ff9b::/96", "64:ff9b:1::/48", "::ffff:0:0:0/96", "::/96", "192.88.99.0/24")
"""Addresses that translators and tunnels turn into IPv4 ones, whichever those are."""
RESERVED = ("3fff::/20", "5f00::/16")
"""Addresses that are nobody's; not every Python knows."""
_NOT_PUBLIC = tuple(ipaddress.ip_network(prefix) for prefix in (*TRANSLATED, *RESERVED))


def check_url(url: str, allowed_hosts: Collection[str]) -> None:
    """Refuses an address that is malformed or not allowed; asks no name server.

    Raises:
        BadRequestError: when it is no WebSocket address.
        NotAllowedError: when the operator does not allow its host.
    """
    host = _host(url)
    if not allowed_hosts:
        raise NotAllowedError("This server runs no remote entrants; upload the folder instead.")
    if not _is_named(url, allowed_hosts) and ANY_PUBLIC_HOST not in allowed_hosts:
        raise NotAllowedError(f"The host {host!r} is not among those that the operator allows for remote entrants.")


def find_addresses(url: str, allowed_hosts: Collection[str]) -> tuple[str, ...]:
    """Looks the host up and refuses one inside the network, unless the operator named it.

    Raises:
        NotAllowedError: when a named host is needed and this one is not, or an address is private.
        BadRequestError: when it is not found.
    """
    check_url(url, allowed_hosts)
    host = _host(url)
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except OSError as error:
        raise BadRequestError(f"The host {host!r} was not found ({error}).") from error
    addresses = tuple(dict.fromkeys(str(place[0]) for *_, place in found))[:MOST_ADDRESSES]
    for address in addresses:
        if not _is_named(url, allowed_hosts) and not _is_public(address):
            # Which one it is would tell strangers how the lab's network is laid out.
            raise NotAllowedError(f"The host {host!r} is not at a public address.")
    return addresses


def _is_named(url: str, allowed_hosts: Collection[str]) -> bool:
    """Whether the operator named the host, with any port or with this one."""
    host, parts = _host(url), urlsplit(url)
    port = parts.port or (443 if parts.scheme == "wss" else 80)
    return host in allowed_hosts or f"{host}:{port}" in allowed_hosts


def _is_public(address: str) -> bool:
    """Whether an address leads out of the lab; one that is translated may lead back in."""
    found = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(found, ipaddress.IPv6Address):
        inner = found.ipv4_mapped or found.sixtofour or found.teredo
        if inner or found.is_site_local:
            return False
    return found.is_global and not found.is_multicast and not any(found in network for network in _NOT_PUBLIC)


def check_names(source: RemoteSource, url: str, token: str) -> None:
    """Refuses what a source does not have: names after its address, or a token.

    Raises:
        BadRequestError: saying which.
    """
    if source == "vla-eval" and token:
        raise BadRequestError("Expected no token, because vla-eval's protocol has none, got one; leave it out.")
    if source != "remote":
        try:
            split_names(url, OPENPI_NAMES if source == "openpi" else VLA_EVAL_NAMES)
        except UnknownIdError as error:
            raise BadRequestError(str(error)) from error


def _host(url: str) -> str:
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError as error:
        raise BadRequestError(f"Expected an address such as wss://host:8000, got a malformed one ({error}).") from error
    if parts.scheme not in ("ws", "wss") or not host or parts.username is not None:
        raise BadRequestError("Expected an address such as wss://host:8000, without a user name.")
    return host
