"""The pages of robots: shown to all, ordered by operators."""

from __future__ import annotations

import html
import re

from desk import Desk
from visiting import text_of, visitor

from pentathlon.server.queue.results import anonymous
from pentathlon.server.queue.tables import RobotRecord


def test_robots_are_shown_to_all_and_ordered_by_operators(desk: Desk) -> None:
    ada, token = desk.account("ada")
    _, boss = desk.account("boss", role="operator")
    submission = desk.submit(ada)
    desk.add_robot(awaiting="red_cup with beans at front_left", submission_id=submission.id, heartbeat_s=4e9)
    view = desk.settings.live_view("robot-1")
    view.parent.mkdir()
    view.write_bytes(b"jpeg")
    with visitor(desk) as web:
        public = web.get("/robots/robot-1").text
        assert anonymous(submission.id) in public
        assert submission.id not in public
        assert "to see what its camera sees" in text_of(public)
        assert "Stop at once" not in public
    with visitor(desk, token) as web:
        assert f"/submissions/{submission.id}" in web.get("/robots").text
        assert 'src="/api/robots/robot-1/view"' in web.get("/robots/robot-1").text
        assert web.post("/robots/robot-1/stop").status_code == 403
    with visitor(desk, boss) as web:
        assert "red cup with beans at front left" in text_of(web.get("/robots/robot-1").text)
        stale = web.post("/robots/robot-1/confirm", params={"bench": "blue_mug with beans at front_left"})
        assert (stale.status_code, "waits for red_cup" in text_of(stale.text)) == (409, True)
        (asked,) = re.findall('action="(/robots/robot-1/confirm[^"]*)"', web.get("/robots/robot-1").text)
        web.post(html.unescape(asked))
        assert "Resume" in web.post("/robots/robot-1/stop").text
        assert web.post("/robots/robot-1/dance").status_code == 400
    with desk.database.read() as session:
        record = session.get_one(RobotRecord, "robot-1")
        assert (record.order, record.confirmed) == ("stop", "red_cup with beans at front_left")


def test_an_idle_robot_shows_its_last_picture_to_who_is_signed_in(desk: Desk) -> None:
    _, token = desk.account("ada")
    for name in ("robot-1", "robot-2"):
        desk.add_robot(name=name, heartbeat_s=4e9)
    desk.settings.live_view("robot-1").parent.mkdir()
    desk.settings.live_view("robot-1").write_bytes(b"jpeg")
    with visitor(desk, token) as web:
        pictures = re.findall(r'<img[^>]* src="(/api/robots/[^"]*)"', web.get("/robots").text)
        assert [web.get(html.unescape(address)).content for address in pictures] == [b"jpeg"]
        assert "idle" in text_of(web.get("/robots").text)
    with visitor(desk) as web:
        assert "<img" not in web.get("/robots").text
