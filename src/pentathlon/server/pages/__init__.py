"""The site: standings, submissions with live state, robots, tokens, and playing with a simulated robot.

Pages are rendered here and work without script where they can; they call the functions of the API, so that both say
the same.
"""

from fastapi import APIRouter

from pentathlon.server.pages import (
    account_pages,
    assets,
    people_page,
    reference,
    robot_pages,
    standings_page,
    submission_pages,
    submit_page,
)
from pentathlon.server.pages.page_route import error_page
from pentathlon.server.pages.play.page import router as play_page
from pentathlon.server.pages.play.socket import router as play_socket

router = APIRouter()
for _module in (
    standings_page,
    submission_pages,
    submit_page,
    robot_pages,
    account_pages,
    people_page,
    reference,
    assets,
):
    router.include_router(_module.router)
router.include_router(play_page)
router.include_router(play_socket)

__all__ = ["error_page", "router"]
