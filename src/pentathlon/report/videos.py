"""Pages of single videos, for events whose trials are made of several."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from pentathlon.core.errors import UnknownIdError
from pentathlon.core.events import VideoPage
from pentathlon.core.registry import EVENTS, resolve
from pentathlon.report import pages
from pentathlon.report.owned_files import OwnedFiles
from pentathlon.report.trials import ArtifactLinks, VideoLinks

if TYPE_CHECKING:
    from pentathlon.core.trial import Outcome


def write_videos(
    files: OwnedFiles, view: pages.RunView, outcomes: Sequence[Outcome], links: ArtifactLinks
) -> dict[str, VideoLinks]:
    """Writes a page for each video of a run; returns titles and addresses by trial, relative to the run's page.

    Args:
        files: the site.
        view: the run.
        outcomes: its trials.
        links: where pages of videos find its artifacts.
    """
    list_pages = _lister(view.info.task)
    if list_pages is None:
        return {}
    found: dict[str, VideoLinks] = {}
    for number, outcome in enumerate(outcomes):
        listed = list_pages(outcome)
        names = [f"video-{number}-{place}.html" for place in range(len(listed))]
        for place, page in enumerate(listed):
            picture = links.link(outcome.artifacts[page.artifact]) if page.artifact else None
            around = (names[place - 1] if place else "", names[place + 1] if place + 1 < len(names) else "")
            files.write(f"run/{view.slug}/{names[place]}", pages.video_page(view, outcome.trial, page, picture, around))
        found[outcome.trial] = [(page.title, f"{view.slug}/{name}") for page, name in zip(listed, names, strict=True)]
    return found


def _lister(task: str) -> Callable[[Outcome], Sequence[VideoPage]] | None:
    """What lists the videos of an outcome; none where the event has no such pages or is not installed."""
    try:
        named = EVENTS.get(task.partition("/")[0]).pages
    except UnknownIdError:
        return None
    return resolve(named) if named else None
