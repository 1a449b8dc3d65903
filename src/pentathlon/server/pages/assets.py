"""Style sheets and scripts. The look is that of the report, whose style sheet is served as it is."""

from __future__ import annotations

import functools
import hashlib
from importlib.resources import files

from fastapi import APIRouter, Response

from pentathlon.server.errors import NotFoundError
from pentathlon.server.pages.page_route import PageRoute

router = APIRouter(route_class=PageRoute)

_PLACES = {
    "style.css": ("pentathlon.report", "templates/style.css"),
    "site.css": (__package__, "static/site.css"),
    "live.js": (__package__, "static/live.js"),
    "submit.js": (__package__, "static/submit.js"),
    "play.js": (__package__, "static/play.js"),
    "controls.js": (__package__, "static/controls.js"),
}
_TYPES = {"css": "text/css", "js": "text/javascript"}


@functools.cache
def read_asset(name: str) -> bytes:
    """Reads a style sheet or script of the package."""
    package, path = _PLACES[name]
    return files(package).joinpath(path).read_bytes()


@functools.cache
def asset_url(name: str) -> str:
    """The address of an asset; it changes with the content, so that browsers may keep it."""
    return f"/static/{name}?v={hashlib.sha256(read_asset(name)).hexdigest()[:12]}"


@router.get("/static/{name}")
def get_asset(name: str) -> Response:
    """Returns a style sheet or script."""
    if name not in _PLACES:
        raise NotFoundError("There is no such file.")
    headers = {"Cache-Control": "public, max-age=31536000, immutable"}
    return Response(read_asset(name), media_type=_TYPES[name.rpartition(".")[2]], headers=headers)
