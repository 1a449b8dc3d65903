"""The page on which people play."""

from __future__ import annotations

import secrets
from typing import get_args

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from pentathlon.server.api.dependencies import Office, SignedIn
from pentathlon.server.pages.page_route import PageRoute
from pentathlon.server.pages.play.seats import seats_of
from pentathlon.server.pages.templating import render
from pentathlon.worlds.tabletop.arm.robot import TaskName
from pentathlon.worlds.tabletop.bench.tables import containers, locations, materials

router = APIRouter(route_class=PageRoute)

_TASKS: tuple[TaskName, ...] = get_args(TaskName)


@router.get("/play")
async def show_play(request: Request, office: Office, viewer: SignedIn) -> HTMLResponse:
    """Shows what can be set up (what training may see), the picture and the controls."""
    seats = seats_of(request.app, office.settings)
    return render(
        request,
        "play.html",
        viewer,
        benches=[(task, containers(task, training=True), materials(task, training=True)) for task in _TASKS],
        locations=locations(training=True),
        seed=secrets.randbelow(1000),
        seats=seats,
    )
