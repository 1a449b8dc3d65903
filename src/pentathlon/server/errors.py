"""The errors of the server, each with the HTTP status that tells it."""

from __future__ import annotations

from pentathlon.core.errors import PentathlonError


class ServerError(PentathlonError):
    """Something the server was asked cannot be done."""

    status = 400

    def __init_subclass__(cls, status: int = 400) -> None:
        """Takes the status beside the base's name."""
        cls.status = status


class BadRequestError(ServerError):
    """The request itself is wrong."""


class NotSignedInError(ServerError, status=401):
    """The request needs a token that the server knows."""


class NotAllowedError(ServerError, status=403):
    """The account may not do this."""


class NotFoundError(ServerError, status=404):
    """There is no such thing, or it belongs to somebody else."""


class ConflictError(ServerError, status=409):
    """The thing is in a state that does not allow this."""


class TooLargeError(ServerError, status=413):
    """More bytes than the server takes."""


class TooManyError(ServerError, status=429):
    """More requests or submissions than one account may have."""


class UnavailableError(ServerError, status=503):
    """This server cannot do it now."""
