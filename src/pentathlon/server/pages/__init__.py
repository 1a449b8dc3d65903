"""The site: standings, submissions with live state, robots, tokens, and playing with a simulated robot.

Pages are rendered here and work without script where they can; they call the functions of the API, so that both say
the same.
"""

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

routers = (
    standings_page.router,
    submission_pages.router,
    submit_page.router,
    robot_pages.router,
    account_pages.router,
    people_page.router,
    reference.router,
    assets.router,
    play_page,
    play_socket,
)

__all__ = ["error_page", "routers"]
