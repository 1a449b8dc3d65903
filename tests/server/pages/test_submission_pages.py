"""The pages of submissions: state, place in the queue, log and trials, for their owner only."""

from __future__ import annotations

import re

from desk import Desk, trial_record
from visiting import add_result, text_of, visitor

from pentathlon.server.queue.tables import Submission


def test_the_queue_tells_place_and_estimated_start(desk: Desk) -> None:
    ada, token = desk.account("ada")
    done = add_result(desk, ada, [1.0])
    with desk.database.write() as session:
        stored = session.get_one(Submission, done.id)
        stored.started_s = stored.created_s - 1200
    desk.add_robot(heartbeat_s=4e9)
    desk.submit(ada)
    second = desk.submit(ada)
    with visitor(desk, token) as web:
        shown = text_of(web.get(f"/submissions/{second.id}").text)
    assert "place 2 in the queue, starts in about 20 min" in shown


def test_a_submission_tells_its_state_log_and_trials_to_its_owner_only(desk: Desk) -> None:
    ada, token = desk.account("ada")
    _, other = desk.account("bob")
    submission = add_result(desk, ada, [12.5, 0.0])
    log = desk.settings.logs(submission.id) / "0.txt"
    log.parent.mkdir(parents=True)
    log.write_text("\n".join(f"line {number} <script>" for number in range(500)))
    paths = [f"/submissions/{submission.id}{end}" for end in ("", "/live", "/trials/0")]
    with visitor(desk, token) as web:
        pages = [web.get(path).text for path in paths]
        assert web.get(f"/submissions/{submission.id}/trials/7").status_code == 404
    shown = text_of(pages[0])
    assert "finished" in shown
    assert "12.5 g" in shown
    assert "line 499 &lt;script&gt;" in pages[0]
    assert "line 299" not in pages[0]
    assert "data-live" not in pages[0]
    assert "data-done" in pages[1]
    assert "There is no video" in pages[2]
    with visitor(desk, other) as web:
        assert {web.get(path).status_code for path in paths} == {404}
        assert web.post(f"/submissions/{submission.id}/cancel").status_code == 404


def test_a_queued_submission_can_be_cancelled(desk: Desk) -> None:
    ada, token = desk.account("ada")
    submission = desk.submit(ada)
    with visitor(desk, token) as web:
        assert "data-live" in web.get(f"/submissions/{submission.id}").text
        page = web.post(f"/submissions/{submission.id}/cancel").text
        assert "cancelled" in text_of(page)
        assert web.post(f"/submissions/{submission.id}/cancel").status_code == 409


def test_cancelling_asks_first(desk: Desk) -> None:
    ada, token = desk.account("ada")
    submission = desk.submit(ada)
    with visitor(desk, token) as web:
        page = web.get(f"/submissions/{submission.id}").text
    (question,) = re.findall(r"<details class=\"ask\">.*?</details>", page, re.DOTALL)
    assert f'action="/submissions/{submission.id}/cancel"' in question
    assert page.count("/cancel") == 1


def test_a_long_error_is_folded_and_shown_once(desk: Desk) -> None:
    ada, token = desk.account("ada")
    submission = desk.submit(ada)
    error = "It broke. " + "x" * 1000
    claims = desk.claims("robot-1")
    claim = claims.take(submission.id, 0)
    assert claim is not None
    claims.end(claim, "failed", error)
    with visitor(desk, token) as web:
        page = web.get(f"/submissions/{submission.id}").text
    assert page.count("x" * 1000) == 1
    assert re.search(r"<details class=\"told long\">\s*<summary>It broke. x{190}…</summary>", page)


def test_what_a_task_tells_of_a_trial_is_told_as_people_say_it(desk: Desk) -> None:
    ada, token = desk.account("ada")
    submission = desk.submit(ada)
    record = trial_record(submission, 0)
    questions = [{"text": "Is there a <b>mug</b>?", "answers": ["yes", "no"], "right": [True, False]}] * 3
    path = [[1.23456, 0.5, 90.0]] * 60
    told = {"questions": questions, "path": path, "seen_step": None, "misses": ["", ""], "counts": {"a_b": 2}}
    record.outcome = {**record.outcome, "details": told}
    with desk.database.write() as session:
        session.add(record)
    with visitor(desk, token) as web:
        page = web.get(f"/submissions/{submission.id}/trials/0").text
        whole = web.get(f"/submissions/{submission.id}").text
    assert page.count("<li>text: Is there a &lt;b&gt;mug&lt;/b&gt;?; answers: yes, no; right: yes, no</li>") == 3
    assert re.search(r"<details class=\"plain long\">\s*<summary>\(1.235, 0.5, 90\), ", page)
    shown = text_of(page)
    assert "seen step none" in shown
    assert "misses none, none" in shown
    assert "counts a b: 2" in shown
    assert re.search(r'<div class="scroll"[^>]*>\s*<table class="trials list">', whole), (
        "wide tables scroll by themselves"
    )
