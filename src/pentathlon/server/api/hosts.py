"""Whose an address is, where somebody is counted by it."""

from __future__ import annotations

import ipaddress
from typing import TypeAlias

Address: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address


def read_address(text: str) -> Address | None:
    """Reads an address, one of IPv4 also where it is written as one of IPv6; ``None`` when it is none."""
    try:
        found = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return getattr(found, "ipv4_mapped", None) or found


def host_of(text: str) -> str:
    """The name under which an address counts; whoever has one of IPv6 has 2**64 of them."""
    found = read_address(text)
    if found is None:
        return text
    return str(found) if found.version == 4 else str(ipaddress.ip_network((int(found), 64), strict=False))
