"""The WebSocket of a player: checks who it is, starts a bench and passes messages on both ways."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Literal

import msgspec
from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from fastapi.concurrency import run_in_threadpool

from pentathlon.events.act.protocol import IMAGE_SIZES
from pentathlon.server.api.dependencies import SIGN_IN_COOKIE, ServerOffice, caller_of
from pentathlon.server.api.origin import check_same_origin
from pentathlon.server.api.rate_limits import RateLimiter
from pentathlon.server.errors import BadRequestError, NotSignedInError, ServerError
from pentathlon.server.pages.play.play_messages import (
    MOST_WISH_BYTES,
    BenchOrder,
    Problem,
    pack,
    read_wish,
    unpack_length,
)
from pentathlon.server.pages.play.seats import seats_of
from pentathlon.server.queue.offers import robot_image_size
from pentathlon.server.queue.tables import Account

router = APIRouter()

IDLE_S = 90.0
SESSION_S = 1800.0
GRACE_S = 2.0
WISHES_PER_SECOND, WISHES_AT_ONCE = 60.0, 120
REFUSED, ENDED = 4403, 4408

_ending: set[asyncio.Task[None]] = set()


class IdleError(ServerError):
    """The player did nothing for a while."""


@router.websocket("/play/socket")
async def play(websocket: WebSocket) -> None:
    """Lets a signed-in player of this site move a simulated robot."""
    office: ServerOffice = websocket.app.state.office
    await websocket.accept()
    try:
        check_same_origin(websocket.headers)
        account = await _sign_in(office, websocket)
        with seats_of(websocket.app, office.settings).take(account):
            async with _bench(office, account) as process, asyncio.timeout(SESSION_S):
                await _pass_on(websocket, process)
    except WebSocketDisconnect:
        return
    except TimeoutError:
        await _refuse(websocket, "The half hour is over; start again if you like.", ENDED)
    except IdleError as error:
        await _refuse(websocket, str(error), ENDED)
    except ServerError as error:
        await _refuse(websocket, str(error), REFUSED)


async def _sign_in(office: ServerOffice, websocket: WebSocket) -> Account:
    office.limiter.check(caller_of(websocket))
    cookie = websocket.cookies.get(SIGN_IN_COOKIE)
    if cookie is None:
        raise NotSignedInError("Sign in to play.")
    return await run_in_threadpool(office.authenticate, "cookie", cookie)


@asynccontextmanager
async def _bench(office: ServerOffice, account: Account) -> AsyncIterator[asyncio.subprocess.Process]:
    """Starts a bench's process, and ends it however the block is left."""
    tier: Literal["full", "lite"] = "full" if robot_image_size(office.settings) == IMAGE_SIZES["full"] else "lite"
    order = BenchOrder(tier, str(office.settings.data / "teleop"), account.id)
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-P",
        "-m",
        "pentathlon.server.pages.play.player_bench",
        msgspec.json.encode(order).decode(),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        yield process
    finally:
        # Whoever cancels this request does not cancel the end of its bench; the loop itself keeps no hold on tasks.
        end = asyncio.create_task(_end(process))
        _ending.add(end)
        end.add_done_callback(_ending.discard)
        await asyncio.shield(end)


async def _end(process: asyncio.subprocess.Process) -> None:
    """Lets a bench end by itself, as it does when nobody speaks to it any more, or ends it."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.close()
    try:
        await asyncio.wait_for(process.wait(), GRACE_S)
    except TimeoutError:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
    await process.stdout.read()


async def _pass_on(websocket: WebSocket, process: asyncio.subprocess.Process) -> None:
    """Passes messages on until one side ends."""
    assert process.stdin is not None
    assert process.stdout is not None
    sides = [
        asyncio.create_task(_pass_wishes(websocket, process.stdin)),
        asyncio.create_task(_pass_news(process.stdout, websocket)),
    ]
    try:
        done, _ = await asyncio.wait(sides, return_when=asyncio.FIRST_COMPLETED)
        for side in done:
            side.result()
    finally:
        for side in sides:
            side.cancel()
        await asyncio.gather(*sides, return_exceptions=True)


async def _pass_wishes(websocket: WebSocket, bench: asyncio.StreamWriter) -> None:
    limiter = RateLimiter(WISHES_PER_SECOND, WISHES_AT_ONCE)
    while True:
        try:
            text = await asyncio.wait_for(_next_text(websocket), IDLE_S)
        except TimeoutError as error:
            raise IdleError(f"Nothing was done for {IDLE_S:.0f} seconds, so the robot was given back.") from error
        limiter.check("player")
        try:
            if len(text) > MOST_WISH_BYTES:
                raise msgspec.DecodeError("too long")
            read_wish(text)
        except (msgspec.DecodeError, UnicodeError) as error:
            raise BadRequestError(f"The page sent something that is no wish of a player ({error}).") from error
        bench.write(pack(text.encode()))
        await bench.drain()


async def _next_text(websocket: WebSocket) -> str:
    message = await websocket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1000))
    return message.get("text") or ""


async def _pass_news(bench: asyncio.StreamReader, websocket: WebSocket) -> None:
    try:
        while True:
            message = await bench.readexactly(unpack_length(await bench.readexactly(4)))
            if message.startswith(b"{"):
                await websocket.send_text(message.decode())
            else:
                await websocket.send_bytes(message)
    except asyncio.IncompleteReadError as error:
        raise ServerError("The simulated robot ended unexpectedly; start again.") from error


async def _refuse(websocket: WebSocket, sentence: str, code: int) -> None:
    with suppress(RuntimeError, WebSocketDisconnect):
        await websocket.send_text(msgspec.json.encode(Problem(sentence)).decode())
        await websocket.close(code)
