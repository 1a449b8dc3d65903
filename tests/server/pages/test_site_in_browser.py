"""The site of a whole server in a real browser: processes, a sandboxed agent, a stand-in robot and a simulated one."""

from __future__ import annotations

import runpy
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from live_server import LiveServer, agent_archive, agent_files, live_server
from visiting import cookie_for

from pentathlon.events.act.data.dataset import open_dataset
from pentathlon.events.act.protocol import make_protocol
from pentathlon.server.api.dependencies import SIGN_IN_COOKIE
from pentathlon.server.queue.database import Database
from pentathlon.server.queue.results import anonymous
from pentathlon.server.robots.drivers import SIMULATED

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

CONTRAST = runpy.run_path(str(Path(__file__).parents[2] / "report" / "test_site_browser.py"))["CONTRAST"]

pytestmark = [
    pytest.mark.browser,
    pytest.mark.sandbox,
    pytest.mark.xdist_group("live server"),
]

STAND_IN, SIMULATION = "robot-1", "robot-2"
GRAMS = [float(trial.setup.seed % 50) for trial in make_protocol("pour", "sprint").trials()]
PATIENCE_MS = 60_000


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    data = tmp_path_factory.mktemp("site") / "data"
    with live_server(data, ("stand_in_robot:slow", SIMULATED), open_registration=True) as server:
        server.post(f"/api/robots/{SIMULATION}/pause")
        yield server


@pytest.fixture
def troubles() -> list[str]:
    return []


@pytest.fixture
def context(browser: Browser, server: LiveServer) -> Iterator[BrowserContext]:
    opened = browser.new_context(viewport={"width": 1280, "height": 900}, base_url=server.client.server)
    yield opened
    opened.close()


@pytest.fixture
def page(context: BrowserContext, server: LiveServer, troubles: list[str]) -> Iterator[Page]:
    """A page that fails the test on console errors, script errors and requests that leave the site."""
    opened = context.new_page()
    opened.on(
        "console", lambda message: troubles.append(message.text) if message.type in ("error", "warning") else None
    )
    opened.on("pageerror", lambda error: troubles.append(str(error)))
    ours = (server.client.server, "data:")
    opened.on("request", lambda request: None if request.url.startswith(ours) else troubles.append(request.url))
    yield opened
    opened.close()
    assert troubles == []


def sign_in(context: BrowserContext, server: LiveServer) -> None:
    database = Database(server.settings.database_url)
    cookie = cookie_for(database, server.client.token)
    database.close()
    context.add_cookies([{"name": SIGN_IN_COOKIE, "value": cookie, "url": server.client.server, "httpOnly": True}])


def drop_file(page: Page, name: str, size_bytes: int) -> None:
    """Drops a made-up file onto the form, as a mouse would."""
    page.evaluate(
        """([name, size]) => {
            const transfer = new DataTransfer();
            transfer.items.add(new File([new Uint8Array(size)], name));
            const event = new DragEvent("drop", { dataTransfer: transfer, bubbles: true });
            document.getElementById("drop").dispatchEvent(event);
        }""",
        [name, size_bytes],
    )


def test_a_newcomer_hands_in_an_agent_and_finds_it_in_the_standings(page: Page, tmp_path: Path) -> None:
    archive = tmp_path / "agent.zip"
    archive.write_bytes(agent_archive())
    page.goto("/submit")
    page.get_by_label("Name of the account").fill("ada")
    page.get_by_role("button", name="Create an account").click()
    token = page.locator(".secret code").inner_text()
    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("link", name="Submit", exact=True).click()
    page.get_by_label("Your token").fill(token)
    page.get_by_role("button", name="Sign in").click()

    upload = page.get_by_role("form", name="Upload a folder")
    upload.get_by_label("Archive of the folder").set_input_files(archive)
    upload.get_by_label("Title").fill("My <first> agent")
    upload.get_by_role("button", name="Upload").click()
    page.get_by_role("heading", name="My <first> agent").wait_for()
    entry = anonymous(page.url.rpartition("/")[2])
    # The page follows by itself.
    page.locator("#live .state.finished").first.wait_for(timeout=PATIENCE_MS)
    assert page.locator("#spoken").inner_text() == "finished"
    assert page.locator("#live table tbody tr").count() == 6
    rewards = page.locator("#live tbody td.number:nth-child(3)").all_inner_texts()
    assert [float(text.split()[0]) for text in rewards] == GRAMS
    assert "Trial 6 of 6" in page.get_by_role("region", name="Log").inner_text()

    page.get_by_role("link", name="Video of trial 2").click()
    video = page.locator("video")
    page.get_by_role("heading", name="Trial 2 of 6").wait_for()
    assert video.evaluate("async v => { v.muted = true; await v.play(); return v.videoWidth; }") == 160
    page.get_by_role("link", name="Trial 3").click()
    page.get_by_role("heading", name="Trial 3 of 6").wait_for()

    page.get_by_role("link", name="Standings").click()
    row = page.get_by_role("row", name=entry)
    assert "yours" in row.inner_text()
    assert f"{np.mean(GRAMS):.1f} g" in row.inner_text()
    page.get_by_role("link", name="Visual representation").click()
    page.get_by_text("Nobody has finished here yet").first.wait_for()
    assert page.get_by_role("row", name=entry).count() == 0


def test_an_agent_is_handed_in_and_followed_without_script(
    browser: Browser, server: LiveServer, tmp_path: Path
) -> None:
    archive = tmp_path / "agent.zip"
    archive.write_bytes(agent_archive())
    context = browser.new_context(base_url=server.client.server, java_script_enabled=False)
    page = context.new_page()
    page.goto("/sign-in?to=/submit")
    page.get_by_label("Your token").fill(server.client.token)
    page.get_by_role("button", name="Sign in").click()
    upload = page.get_by_role("form", name="Upload a folder")
    upload.get_by_label("Archive of the folder").set_input_files(archive)
    upload.get_by_role("button", name="Upload").click()
    page.locator(".headline .state.finished").wait_for(timeout=PATIENCE_MS)
    context.close()


def test_dropping_files_and_what_the_server_says_of_them(
    page: Page, context: BrowserContext, server: LiveServer, troubles: list[str]
) -> None:
    sign_in(context, server)
    page.goto("/submit")
    drop_file(page, "empty.zip", 0)
    assert page.locator("#archive").evaluate("input => input.files[0].name") == "empty.zip"
    page.keyboard.press("Enter")
    page.get_by_role("alert").get_by_text("got an empty one").wait_for()
    # Chromium notes every refusal by the server in the console.
    assert [trouble for trouble in troubles if "status of 400" in trouble] == troubles
    troubles.clear()
    drop_file(page, "junk.zip", 100)
    page.get_by_role("button", name="Upload").click()
    page.locator("#live .state.refused").first.wait_for(timeout=PATIENCE_MS)
    assert page.locator("#live p.told").inner_text()


def test_a_folder_is_packed_in_the_browser_and_runs(
    page: Page, context: BrowserContext, server: LiveServer, tmp_path: Path
) -> None:
    sign_in(context, server)
    folder = tmp_path / "my agent"
    (folder / "__pycache__").mkdir(parents=True)
    for name, content in {**agent_files(), "notes/häßlich.txt": "x" * 100_000, "__pycache__/a.pyc": "old"}.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(content)
    page.goto("/submit")
    page.locator("#folder").set_input_files(folder)
    page.get_by_text("The folder my agent is packed: 0.1 MiB.").wait_for()
    page.get_by_role("button", name="Upload").click()
    page.locator("#live .state.finished").first.wait_for(timeout=PATIENCE_MS)
    with zipfile.ZipFile(server.settings.upload(page.url.rpartition("/")[2])) as packed:
        assert packed.namelist() == ["agent.py", "entrant.json", "notes/häßlich.txt"]
        assert packed.testzip() is None


def test_a_dropped_folder_is_walked_through(page: Page, context: BrowserContext, server: LiveServer) -> None:
    """Scripts cannot drop a folder, so the entries that a browser would give are made up."""
    sign_in(context, server)
    page.goto("/submit")
    assert page.evaluate(WALK.replace("DO", WALKED)) == ["a.txt", "deep/er/c.txt"]
    page.evaluate(WALK.replace("DO", DROPPED))
    page.get_by_text("The folder root is packed").wait_for(timeout=PATIENCE_MS)


# The reader gives a few entries at a time, and nothing at the end.
WALK = """async () => {
  const file = (name) => ({ name, isDirectory: false, file: (take) => take(new File(["x"], name)) });
  const folder = (name, ...entries) => ({ name, isDirectory: true, createReader: () => {
    const batches = [...entries.map((entry) => [entry]), []];
    return { readEntries: (take) => take(batches.shift()) };
  } });
  const root = folder("root", file("a.txt"), folder(".git", file("b")), folder("deep", folder("er", file("c.txt"))));
  DO
}"""
WALKED = "return (await Zip.walk(root)).map(({ path }) => path);"
DROPPED = """const dropped = new Event("drop", { bubbles: true, cancelable: true });
  dropped.dataTransfer = { items: [{ webkitGetAsEntry: () => root }], files: [new File([], "root")] };
  document.getElementById("drop").dispatchEvent(dropped);"""


def test_cancelling_asks_and_the_question_stays_open(page: Page, context: BrowserContext, server: LiveServer) -> None:
    sign_in(context, server)
    server.post(f"/api/robots/{STAND_IN}/pause")
    try:
        page.goto(f"/submissions/{server.submit(agent_archive())}")
        page.locator("#live .state.queued").first.wait_for(timeout=PATIENCE_MS)
        page.locator(".ask summary").click()
        page.wait_for_timeout(5000)
        page.get_by_role("button", name="Cancel it").click()
        page.locator("#live .state.cancelled").first.wait_for(timeout=PATIENCE_MS)
    finally:
        server.post(f"/api/robots/{STAND_IN}/resume")


def test_everything_can_be_done_by_keyboard(page: Page, server: LiveServer) -> None:
    page.goto("/sign-in?to=/account")
    page.keyboard.press("Tab")
    assert page.locator(":focus").inner_text() == "Skip to the content"
    assert page.locator(":focus").bounding_box()["x"] >= 0  # type: ignore[index]
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.type(server.client.token)
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="operator", exact=True).wait_for()
    label = page.get_by_label("What is it for?")
    for _ in range(30):
        if label.evaluate("element => element === document.activeElement"):
            break
        page.keyboard.press("Tab")
    page.keyboard.type("by keyboard")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Your new token").wait_for()
    assert page.locator(".rows li", has_text="by keyboard").count() == 1
    page.goto("/submit")
    tasks = page.get_by_role("form", name="Upload a folder").get_by_label("Task")
    tasks.focus()
    page.keyboard.press("ArrowDown")
    assert tasks.input_value() == "act/pour-sprint-v1 representation"


def test_an_operator_watches_and_orders_a_robot(page: Page, context: BrowserContext, server: LiveServer) -> None:
    sign_in(context, server)
    server.wait_for_end(server.submit(agent_archive()))
    page.goto("/robots")
    page.get_by_role("link", name=STAND_IN).click()
    assert page.locator("#view").evaluate("async image => { await image.decode(); return image.naturalWidth; }") == 160
    page.get_by_role("button", name="Pause after this submission").click()
    page.locator(".state.paused").wait_for(timeout=PATIENCE_MS)
    page.get_by_role("button", name="Resume").click()
    page.locator(".state.idle").wait_for(timeout=PATIENCE_MS)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_phones_need_no_sideways_scrolling_and_text_has_contrast(
    page: Page, context: BrowserContext, server: LiveServer, troubles: list[str], scheme: str
) -> None:
    sign_in(context, server)
    page.set_viewport_size({"width": 360, "height": 780})
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    submission = server.submit(agent_archive(calls=12))
    server.wait_for_end(submission)
    paths = ["/", "/submit", "/submissions", f"/submissions/{submission}", "/robots", f"/robots/{STAND_IN}", "/play"]
    for path in (
        *paths,
        f"/submissions/{submission}/trials/0",
        "/account",
        "/accounts",
        "/nosuch",
        "/sign-in",
        "/?event=act&challenge=representation",
        "/api/docs",
    ):
        page.goto(path)
        if path == "/nosuch":
            troubles.clear()  # Chromium notes the status in the console.
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, path
        assert page.evaluate(CONTRAST) >= 4.5, path
        small = page.locator("main button:visible, main input:visible:not([type=radio]), main select:visible")
        heights = [(box or {"height": 0})["height"] for box in (each.bounding_box() for each in small.all())]
        assert all(height >= 38 for height in heights), path


def test_grams_and_success_fit_a_phone(page: Page, context: BrowserContext, server: LiveServer) -> None:
    sign_in(context, server)
    server.wait_for_end(server.submit(agent_archive()))
    page.set_viewport_size({"width": 390, "height": 780})
    page.goto("/")
    for column in (2, 3):
        for row in ("thead th", "tbody td"):
            cell = page.locator(f".ranked {row}:nth-child({column})").first.bounding_box()
            assert cell is not None
            assert cell["x"] + cell["width"] <= 390, (column, row)


def test_playing_moves_the_arm_and_saves_an_episode(page: Page, context: BrowserContext, server: LiveServer) -> None:
    sign_in(context, server)
    page.add_init_script("navigator.getGamepads = () => window.pads || [];")
    page.goto("/play")
    page.get_by_label("Scooping").check(force=True)
    page.get_by_label("Bowl").select_option("blue_bowl")
    page.get_by_label("Pouring").check(force=True)
    page.get_by_label("Cup").select_option("blue_mug")
    page.get_by_label("Seed").fill("5")
    page.get_by_role("button", name="Start").click()
    stage = page.locator("#stage")
    page.locator("#stage[data-state=ready]").wait_for(timeout=PATIENCE_MS)
    for key in ("KeyD", "ArrowUp"):
        page.keyboard.down(key)
        page.locator("#stage[data-state=playing]").wait_for(timeout=PATIENCE_MS)
        page.wait_for_timeout(1000)
        page.keyboard.up(key)
    by_keys = float(page.locator("#tilt").inner_text())
    assert by_keys > 5
    button = page.get_by_role("button", name="Tilt over")
    box = button.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 10, box["y"] + 10)
    page.mouse.down()
    page.wait_for_timeout(700)
    page.mouse.up()
    page.wait_for_timeout(500)
    by_hand = float(page.locator("#tilt").inner_text())
    assert by_hand > by_keys + 3
    page.evaluate("window.pads = [{ connected: true, axes: [0, 0, 0, 1], buttons: [] }]")
    page.wait_for_timeout(700)
    page.evaluate("window.pads = []")
    page.wait_for_timeout(500)
    assert float(page.locator("#tilt").inner_text()) < by_hand - 3
    assert int(stage.get_attribute("data-frames") or 0) > 5
    assert page.locator("#picture").evaluate(COLOURS) > 100
    page.get_by_role("button", name="Finish and weigh").click()
    page.get_by_role("button", name="Save the episode").click(timeout=PATIENCE_MS)
    page.get_by_text("Saved as episode 0 of pour-lite-1").wait_for(timeout=PATIENCE_MS)

    dataset = open_dataset(server.settings.data / "teleop" / "pour-lite-1")
    (trajectory,) = dataset.trajectories()
    assert (trajectory.source, trajectory.facts["container"], trajectory.facts["seed"]) == ("teleop", "blue_mug", 5)
    moved = np.abs(trajectory.joints[-1] - trajectory.joints[0])
    assert moved.max() > 0.1
    assert np.abs(trajectory.joints[1:] - trajectory.actions[:-1]).max() < 0.3
    assert dataset.frame_every == 3
    pictures = list(dataset.pictures(0))
    assert pictures[0].shape == (240, 320, 3)
    assert len(pictures) == -(-len(trajectory.joints) // 3)
    assert (pictures[0] != pictures[-1]).any()


# How many different colours the canvas shows.
COLOURS = """canvas => {
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  return new Set(new Uint32Array(data.buffer)).size;
}"""
