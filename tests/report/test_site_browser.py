"""The site in a real browser, opened from disk: standings → task → run → trial."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from pentathlon.engine import list_runs
from pentathlon.report import build_site

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [
    pytest.mark.browser,
    pytest.mark.xdist_group("browser"),
]


@pytest.fixture(scope="module")
def front(tmp_path_factory: pytest.TempPathFactory) -> str:
    import report_demo

    folder = tmp_path_factory.mktemp("browser")
    report_demo.make_runs(folder)
    report_demo.write_run(folder, report_demo.DemoTask("act/pour-grains-v1", 12_000), "thousands", 0.5)
    return build_site(list_runs(folder), (), folder / "report").front.as_uri()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page that fails the test on console errors, script errors and requests that leave the disk."""
    troubles: list[str] = []
    opened = browser.new_page(viewport={"width": 1280, "height": 900})
    opened.on(
        "console", lambda message: troubles.append(message.text) if message.type in ("error", "warning") else None
    )
    opened.on("pageerror", lambda error: troubles.append(str(error)))
    opened.on(
        "request", lambda request: None if request.url.startswith(("file:", "data:")) else troubles.append(request.url)
    )
    yield opened
    opened.close()
    assert troubles == []


def visit_run(page: Page, front: str, task: str = "toyworld-hammer-v1", entrant: str = "vit-tiny-mae") -> None:
    page.goto(front)
    page.get_by_role("link", name=task, exact=True).first.click()
    page.get_by_role("link", name=entrant, exact=True).first.click()


def wait_for_position(page: Page, text: str) -> None:
    """Waits until the pager says ``text``; rows come from scripts beside the page."""
    page.wait_for_function("text => document.getElementById('position').textContent === text", arg=text)


def test_from_standings_to_a_trial_and_its_video(page: Page, front: str) -> None:
    visit_run(page, front)
    assert page.locator("h1").inner_text() == "vit-tiny-mae"
    page.get_by_role("link", name="seed-0/episode-0000").click()
    video = page.locator("dialog video")
    video.wait_for()
    page.wait_for_function("document.querySelector('dialog video').readyState >= 2")
    assert video.evaluate("async v => { v.muted = true; await v.play(); return v.videoWidth; }") == 160
    page.wait_for_function("document.querySelector('dialog img').naturalWidth == 160")
    text = page.locator("dialog").inner_text()
    assert "forward, forward, left, grasp </script>" in text
    assert "then drops it." in text
    page.keyboard.press("Escape")
    assert not page.locator("dialog").is_visible()
    page.wait_for_function("!location.hash")


def test_filter_search_and_sort(page: Page, front: str) -> None:
    visit_run(page, front)
    results = page.locator("#rows td:nth-child(2)")
    page.get_by_label("error 4").check()
    wait_for_position(page, "1–4 of 4")
    assert results.all_inner_texts() == ["error"] * 4
    page.get_by_role("searchbox").fill("seed-1 valueerror")
    wait_for_position(page, "1–1 of 1")
    assert page.locator("#rows td:nth-child(1)").all_inner_texts() == ["seed-1/episode-0022"]
    page.get_by_role("searchbox").fill("no such trial")
    wait_for_position(page, "No trial matches.")
    page.get_by_role("searchbox").fill("")
    page.get_by_label("failure").check()
    wait_for_position(page, "1–18 of 18")
    page.get_by_role("button", name="distance").click()
    distances = [float(text) for text in page.locator("#rows td:nth-child(4)").all_inner_texts()]
    assert len(distances) == 18
    assert distances == sorted(distances)
    page.get_by_role("button", name="distance").click()
    assert [float(text) for text in page.locator("#rows td:nth-child(4)").all_inner_texts()] == sorted(distances)[::-1]
    assert page.locator("th[aria-sort=descending]").inner_text().startswith("distance")


def test_an_error_is_shown_as_text_and_trials_are_stepped_through(page: Page, front: str) -> None:
    visit_run(page, front)
    page.get_by_label("error 4").check()
    page.locator("#rows a").first.click()
    shown = page.locator("dialog pre.error")
    shown.wait_for()
    assert "<script>alert(1)</script>" in shown.inner_text()
    assert page.locator("#trial-title").inner_text().startswith("seed-0/episode-0039")
    page.keyboard.press("ArrowRight")
    page.wait_for_function("document.getElementById('trial-title').textContent.startsWith('seed-1/episode-0022')")
    page.reload()
    assert page.locator("#trial-title").inner_text().startswith("seed-1/episode-0022")


def test_thousands_of_trials_are_drawn_a_page_at_a_time(page: Page, front: str) -> None:
    visit_run(page, front, "pour-grains-v1", "thousands")
    wait_for_position(page, "1–50 of 12,000")
    page.get_by_role("button", name="Next", exact=True).click()
    wait_for_position(page, "51–100 of 12,000")
    assert page.locator("#rows tr").count() == 50
    page.get_by_role("searchbox").fill("episode-11999")
    wait_for_position(page, "1–1 of 1")
    assert page.locator("#rows tr").count() == 1
    page.locator("#rows a").click()
    page.locator("dialog dl").first.wait_for()
    assert page.locator("#trial-title").inner_text().startswith("seed-2/episode-11999")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_phones_need_no_sideways_scrolling_and_text_has_contrast(page: Page, front: str, scheme: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    visit_run(page, front)
    run = page.url
    task = front.replace("index.html", "task/see-toyworld-hammer-v1.html")
    for address in (front, task, run, f"{run}#trial=seed-0%2Fepisode-0000"):
        page.goto(address)
        page.wait_for_timeout(100)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        assert page.evaluate(CONTRAST) >= 4.5
    assert page.locator("dialog video").is_visible()


# The lowest WCAG contrast between any text and the background it stands on.
CONTRAST = """() => {
  const channels = (text) => text.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((c) => c / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = channels(getComputedStyle(at).backgroundColor);
      if (colour.length < 4 || colour[3] > 0) return colour;
    }
  };
  let lowest = 21;
  for (const element of document.querySelectorAll("main *, header *, footer *")) {
    const written = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    if (!written || element.closest("svg, script, :disabled, dialog:not([open])")) continue;
    const [a, b] = [light(channels(getComputedStyle(element).color)), light(behind(element))].sort((x, y) => y - x);
    lowest = Math.min(lowest, (a + 0.05) / (b + 0.05));
  }
  return lowest;
}"""
