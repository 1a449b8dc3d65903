"""A visitor of the site without a browser, and what is there to see."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from desk import Desk, trial_record
from fastapi.testclient import TestClient

from pentathlon.server.accounts.sign_ins import sign_in
from pentathlon.server.accounts.tokens import authenticate
from pentathlon.server.api.dependencies import SIGN_IN_COOKIE
from pentathlon.server.queue.database import Database
from pentathlon.server.queue.offers import server_task
from pentathlon.server.queue.results import read_outcome, stored_scores
from pentathlon.server.queue.tables import Account, Submission

HERE = {"Origin": "http://testserver"}
UPLOAD = "/api/submissions?task=act/pour-sprint-v1&challenge=policy"


def told(response: Any) -> tuple[int, str]:
    """The status and the one sentence of a refusal."""
    assert response.headers["content-type"] == "application/json"
    body = response.json()
    assert list(body) == ["error"]
    return response.status_code, body["error"]


def cookie_for(database: Database, token: str) -> str:
    """What a browser gets that signs in with ``token``."""
    with database.write() as session:
        return sign_in(session, authenticate(session, token)[1])


@contextmanager
def visitor(desk: Desk, token: str = "") -> Iterator[TestClient]:
    """A browser of sorts: it keeps cookies and says where its forms come from."""
    with desk.web() as client:
        client.headers.update(HERE)
        if token:
            client.cookies.set(SIGN_IN_COOKIE, cookie_for(desk.database, token))
        yield client


def add_result(desk: Desk, account: Account, rewards_g: Sequence[float], **fields: Any) -> Submission:
    """A finished submission with made-up rewards."""
    submission = desk.submit(account, **fields)
    records = [trial_record(submission, position, reward) for position, reward in enumerate(rewards_g)]
    with desk.database.write() as session:
        session.add_all(records)
        stored = session.get_one(Submission, submission.id)
        scores = server_task(desk.settings, stored.task).scores([read_outcome(record) for record in records])
        stored.state, stored.ended_s, stored.scores = "finished", stored.created_s, stored_scores(scores)
        stored.trials_done = len(records)
    return submission


def text_of(page: str) -> str:
    """What a reader sees, with single spaces."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page)).split())
