"""Serves style sheets and scripts."""

from __future__ import annotations

from fastapi import APIRouter, Response

from pentathlon.server.errors import NotFoundError
from pentathlon.server.pages.asset_files import has_asset, read_asset
from pentathlon.server.pages.page_route import PageRoute

router = APIRouter(route_class=PageRoute)

_TYPES = {"css": "text/css", "js": "text/javascript"}


@router.get("/static/{name}")
async def get_asset(name: str) -> Response:
    """Returns a style sheet or script."""
    if not has_asset(name):
        raise NotFoundError("There is no such file.")
    headers = {"Cache-Control": "public, max-age=31536000, immutable"}
    return Response(read_asset(name), media_type=_TYPES[name.rpartition(".")[2]], headers=headers)
