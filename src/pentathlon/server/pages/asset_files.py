"""Where style sheets and scripts lie, and their addresses. The look is the report's, whose style sheet is used."""

from __future__ import annotations

import functools
import hashlib
from importlib.resources import files

_PLACES = {
    "style.css": ("pentathlon.report", "templates/style.css"),
    "site.css": (__package__, "static/site.css"),
    "live.js": (__package__, "static/live.js"),
    "zip.js": (__package__, "static/zip.js"),
    "submit.js": (__package__, "static/submit.js"),
    "play.js": (__package__, "static/play.js"),
    "controls.js": (__package__, "static/controls.js"),
}


def has_asset(name: str) -> bool:
    """Whether there is an asset of that name."""
    return name in _PLACES


@functools.cache
def read_asset(name: str) -> bytes:
    """Reads a style sheet or script of the package."""
    package, path = _PLACES[name]
    return files(package).joinpath(path).read_bytes()


@functools.cache
def asset_url(name: str) -> str:
    """The address of an asset; it changes with the content, so that browsers may keep it."""
    return f"/static/{name}?v={hashlib.sha256(read_asset(name)).hexdigest()[:12]}"
