"""Where control groups cannot be made nothing limits an upload's memory, so none is run unless the operator says so."""

from __future__ import annotations

import subprocess
import sys
from contextlib import closing

import pytest
from desk import DeskMaker
from live_server import agent_archive
from visiting import text_of

from pentathlon.server.queue.clerk import Clerk
from pentathlon.server.sandbox import cgroups
from pentathlon.server.sandbox.limits import ADDRESS_SPARE_BYTES

pytestmark = pytest.mark.sandbox


@pytest.mark.parametrize(
    ("groups", "wanted", "state"),
    [(False, False, "refused"), (False, True, "queued"), (True, False, "queued")],
)
def test_uploads_need_control_groups_or_the_operators_word(
    desk_for: DeskMaker, monkeypatch: pytest.MonkeyPatch, groups: bool, wanted: bool, state: str
) -> None:
    monkeypatch.setattr(cgroups, "works", lambda: groups)
    desk = desk_for(uploads_without_control_groups=wanted)
    ada, secret = desk.account("ada")
    submission = desk.submit(ada, "upload")
    archive = desk.settings.upload(submission.id)
    archive.parent.mkdir()
    archive.write_bytes(agent_archive())
    with closing(Clerk(desk.settings)) as clerk:
        clerk.check(submission.id, 0)
    assert desk.look(submission).state == state, desk.look(submission).reason
    assert ("may not make control groups" in desk.look(submission).reason) == (state == "refused")
    with desk.web(secret) as web:
        said = "--uploads-without-control-groups" in text_of(web.get("/submit").text)
    assert said == (state == "refused")


def test_addresses_are_limited_too() -> None:
    program = f"""
import mmap, sys
from pentathlon.server.sandbox.limits import limit_process
limit_process(2**28, 4096, 2**20)
mmap.mmap(-1, 2**30)
try:
    mmap.mmap(-1, {ADDRESS_SPARE_BYTES} + 2**28)
except OSError as error:
    sys.exit(error.strerror)
"""
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert "Cannot allocate memory" in ended.stderr, ended.stderr
