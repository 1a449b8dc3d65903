"""Refusal of what another site makes a browser send with our cookie."""

from __future__ import annotations

from urllib.parse import urlsplit

from starlette.datastructures import Headers

from pentathlon.server.errors import NotAllowedError

READING = ("GET", "HEAD", "OPTIONS")
"""Methods that change nothing."""


def check_same_origin(headers: Headers) -> None:
    """Refuses a request that a page of another origin made.

    The cookie is ``SameSite=Strict`` already; this also holds against other ports and names of the same site.

    Raises:
        NotAllowedError: when the browser says so, or says nothing.
    """
    site = headers.get("sec-fetch-site")
    origin = urlsplit(headers.get("origin", ""))
    ours = site == "same-origin" if site is not None else origin.netloc != "" and origin.netloc == headers.get("host")
    if not ours:
        raise NotAllowedError("This was not sent from this site; open the page here and try again.")
