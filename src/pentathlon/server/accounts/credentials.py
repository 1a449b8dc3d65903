"""Secrets that open something: drawn here, shown once, and kept as a digest only.

A slow hash such as scrypt guards passwords that people choose; these secrets are 256 random bits, which no amount of
guessing finds, and a fast digest keeps each poll cheap. The digest is compared in constant time.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass


@dataclass(frozen=True)
class Credential:
    """What somebody shows: a kind, the id of the row that knows it, and the secret."""

    kind: str
    id: str
    secret: str

    @staticmethod
    def draw(kind: str) -> Credential:
        """Draws a new one."""
        return Credential(kind, secrets.token_hex(8), secrets.token_urlsafe(32))

    @staticmethod
    def read(presented: str) -> Credential | None:
        """Reads what was shown; ``None`` when it has not the form of one."""
        kind, _, rest = presented.partition("_")
        id, _, secret = rest.partition("_")
        return Credential(kind, id, secret) if secret and id.isascii() and id.isalnum() else None

    def __str__(self) -> str:
        return f"{self.kind}_{self.id}_{self.secret}"

    @property
    def digest(self) -> str:
        """What the database keeps of it."""
        return digest(self.secret)

    def matches(self, stored: str | None) -> bool:
        """Whether ``stored`` is its digest; none costs the same comparison as a wrong one."""
        same = hmac.compare_digest(digest("") if stored is None else stored, self.digest)
        return same and stored is not None


def digest(secret: str) -> str:
    """Hashes a secret."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
