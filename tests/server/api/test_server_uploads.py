"""Uploads to the JSON API: one for one key, within limits, and nothing left of those that are refused."""

from __future__ import annotations

from contextlib import ExitStack
from types import SimpleNamespace
from typing import Any

import pytest
from desk import Desk, DeskMaker
from visiting import UPLOAD, told

from pentathlon.server.errors import ConflictError
from pentathlon.server.queue import submissions
from pentathlon.server.queue.uploads import UPLOADS_AT_ONCE


def test_an_upload_is_kept_with_its_hash_and_waits_to_be_checked(desk: Desk) -> None:
    _, token = desk.account("ada")
    with desk.web(token) as web:
        answer = web.post(f"{UPLOAD}&title=my%20agent", content=b"archive")
        view = answer.json()
        assert (answer.status_code, view["state"], view["trials_total"]) == (201, "received", 6)
        assert view["title"] == "my agent"
        assert web.get(f"/api/submissions/{view['id']}").json() == view
        assert [each["id"] for each in web.get("/api/submissions").json()] == [view["id"]]
        assert [step["state"] for step in web.get(f"/api/submissions/{view['id']}/steps").json()] == ["received"]
    assert desk.settings.upload(view["id"]).read_bytes() == b"archive"
    assert desk.queue.waiting([f"checks/{view['id']}/0"])


def test_an_upload_sent_twice_is_one_submission(desk: Desk) -> None:
    _, token = desk.account("ada")
    key = {"Idempotency-Key": "some-key-1"}
    with desk.web(token) as web:
        first, second = (web.post(UPLOAD, content=b"archive", headers=key).json() for _ in range(2))
        assert first == second
        assert len(web.get("/api/submissions").json()) == 1


@pytest.mark.parametrize("change", ["content", "title", "task"])
def test_a_key_sent_again_with_something_else_is_refused(desk: Desk, change: str) -> None:
    _, token = desk.account("ada")
    key = {"Idempotency-Key": "some-key-1"}
    path = {"title": f"{UPLOAD}&title=other", "task": UPLOAD.replace("pour", "scoop")}.get(change, UPLOAD)
    with desk.web(token) as web:
        first = web.post(UPLOAD, content=b"archive", headers=key).json()
        body = b"another" if change == "content" else b"archive"
        status, sentence = told(web.post(path, content=body, headers=key))
        assert (status, "was sent before with something else" in sentence) == (409, True)
        assert [view["id"] for view in web.get("/api/submissions").json()] == [first["id"]]
    assert [path.name for path in desk.settings.data.glob("uploads/*")] == [f"{first['id']}.archive"]


def test_a_remote_entrant_has_one_key_for_one_request(desk: Desk) -> None:
    _, token = desk.account("ada")
    wanted = {"url": "wss://policy.example", "token": "hush", "task": "act/pour-sprint-v1"}
    key = {"Idempotency-Key": "some-key-1"}
    with desk.web(token) as web:
        first, again = (web.post("/api/submissions/remote", json=wanted, headers=key).json() for _ in range(2))
        assert first["id"] == again["id"]
        for change in ({"url": "wss://policy.example:1"}, {"token": "loud"}, {"title": "other"}):
            answer = web.post("/api/submissions/remote", json={**wanted, **change}, headers=key)
            assert told(answer)[0] == 409
        assert told(web.post(UPLOAD, content=b"archive", headers=key))[0] == 409
        assert len(web.get("/api/submissions").json()) == 1


def test_a_repeated_upload_is_read_no_further_than_the_limit(desk_for: DeskMaker) -> None:
    desk = desk_for(upload_limit_bytes=1000)
    _, token = desk.account("ada")
    key = {"Idempotency-Key": "some-key-1"}
    with desk.web(token) as web:
        assert web.post(UPLOAD, content=b"archive", headers=key).status_code == 201
        assert told(web.post(UPLOAD, content=iter([b"x" * 400] * 3), headers=key))[0] == 413


@pytest.mark.parametrize("chunked", [False, True])
def test_too_large_an_upload_is_refused_and_leaves_nothing(desk_for: DeskMaker, chunked: bool) -> None:
    desk = desk_for(upload_limit_bytes=1000)
    _, token = desk.account("ada")
    body: Any = iter([b"x" * 400] * 3) if chunked else b"x" * 1200
    with desk.web(token) as web:
        status, sentence = told(web.post(UPLOAD, content=body))
        assert status == 413
        assert "larger than" in sentence
        assert web.get("/api/submissions").json() == []
    assert list(desk.settings.data.glob("uploads/*")) == []


def test_an_account_sends_so_many_at_once(desk: Desk) -> None:
    ada, token = desk.account("ada")
    with desk.web(token) as web, ExitStack() as sending:
        for _ in range(UPLOADS_AT_ONCE):
            sending.enter_context(web.app.state.office.senders.take(ada.id))  # type: ignore[attr-defined]
        status, sentence = told(web.post(UPLOAD, content=b"archive"))
        assert (status, "sending 4 archives already" in sentence) == (429, True)
        other = {"Authorization": f"Bearer {desk.account('bob')[1]}"}
        assert web.post(UPLOAD, content=b"archive", headers=other).status_code == 201
        sending.close()
        assert web.post(UPLOAD, content=b"archive").status_code == 201


def test_uploads_stop_when_others_have_filled_the_disk(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    _, token = desk.account("ada")
    looks = iter([2**40, 2**40, 2**30])
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=next(looks)))
    monkeypatch.setattr("pentathlon.server.queue.uploads.LOOK_EVERY_BYTES", 1000)
    with desk.web(token) as web:
        status, sentence = told(web.post(UPLOAD, content=(b"x" * 500 for _ in range(100))))
        assert (status, "disk is nearly full" in sentence) == (503, True)
    assert list(looks) == []
    assert list(desk.settings.data.glob("uploads/*")) == []


def test_an_upload_that_is_not_accepted_leaves_nothing(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two sendings of one account at once may both find room, and only one of them gets it."""

    def refuse(*_: Any) -> None:
        raise ConflictError("You have 10 submissions under way.")

    _, token = desk.account("ada")
    with desk.web(token) as web, monkeypatch.context() as patch:
        patch.setattr(submissions, "accept", refuse)
        assert told(web.post(UPLOAD, content=b"archive"))[0] == 409
    assert list(desk.settings.data.glob("uploads/*")) == []


def test_a_disk_that_is_nearly_full_takes_no_uploads(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    _, token = desk.account("ada")
    monkeypatch.setattr("shutil.disk_usage", lambda path: SimpleNamespace(free=2**30))
    with desk.web(token) as web:
        status, sentence = told(web.post(UPLOAD, content=b"archive"))
        assert (status, "disk is nearly full" in sentence) == (503, True)
        assert web.get("/api/submissions").json() == []
