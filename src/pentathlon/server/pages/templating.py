"""Renders pages: Jinja with escaping on, and how times, grams and places in the queue are written."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment
from markupsafe import Markup

from pentathlon.core import numbers
from pentathlon.core.scores import Metric
from pentathlon.server.api.schemas import ScoreView, TrialView
from pentathlon.server.errors import ServerError
from pentathlon.server.pages.asset_files import asset_url
from pentathlon.server.queue.states import FINAL
from pentathlon.server.queue.tables import Account, Challenge, RemoteSource, Source
from pentathlon.stats import charts
from pentathlon.storage.templates import open_templates

CHALLENGES: dict[Challenge, str] = {"policy": "Agent policy", "representation": "Visual representation"}
SOURCES: dict[Source, str] = {
    "upload": "uploaded folder",
    "remote": "remote entrant",
    "openpi": "openpi policy",
    "vla-eval": "vla-eval policy",
}
REMOTES: dict[RemoteSource, str] = {"remote": "Pentathlon", "openpi": "openpi", "vla-eval": "vla-eval"}


def render(
    request: Request, template: str, viewer: Account | None, *, status: int = 200, **values: Any
) -> HTMLResponse:
    """Fills a template in; ``viewer`` is who looks at the page."""
    text = _ENVIRONMENT.get_template(template).render(viewer=viewer, path=request.url.path, **values)
    return HTMLResponse(text, status)


def render_part(template: str, **values: Any) -> Markup:
    """Fills in a part of a page, which may be kept and put into pages of several viewers."""
    return Markup(_ENVIRONMENT.get_template(template).render(**values))


def render_form(
    request: Request, template: str, viewer: Account | None, error: ServerError | None, **values: Any
) -> HTMLResponse:
    """Fills in the template of a page with a form, which tells why what was sent before was refused."""
    status = error.status if error else 200
    return render(request, template, viewer, status=status, error=str(error) if error else "", **values)


def span(seconds: float) -> str:
    """Writes a duration: ``40 s``, ``12 min``, ``3 h 5 min``."""
    if seconds < 90:
        return f"{round(seconds)} s"
    hours, minutes = divmod(round(seconds / 60), 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min"


def when(moment: datetime) -> str:
    """Writes a moment to the minute, in UTC."""
    return f"{moment:%Y-%m-%d %H:%M} UTC"


def spaced(name: str) -> str:
    """Writes the name of a thing on the bench as people say it."""
    return name.replace("_", " ")


def interval(score: ScoreView) -> str:
    """Writes the 95 % interval, ``[8.1, 12.4]``."""
    return numbers.interval(score.low, score.high, score.value)


def measured(trial: TrialView, metric: Metric) -> str:
    """Writes what one trial gave under a metric."""
    if metric.name not in trial.metrics:
        return "–" if trial.status == "ok" else "error"
    if metric.aggregation == "success":
        return "yes" if trial.metrics[metric.name] else "no"
    return f"{metric.scale * trial.metrics[metric.name]:.1f} {metric.unit}".strip()


def told(value: object) -> str:
    """Writes what a task tells of a trial as people say it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, Mapping):
        return "; ".join(f"{spaced(str(name))}: {told(each)}" for name, each in value.items()) or "none"
    if isinstance(value, list | tuple):
        return (
            ", ".join(f"({told(each)})" if isinstance(each, list | tuple) else told(each) for each in value) or "none"
        )
    return "none" if value in (None, "") else spaced(str(value))


def listed(value: object) -> bool:
    """Whether what a task tells is a list of things that each have several sides, such as questions."""
    return isinstance(value, list) and bool(value) and all(isinstance(each, Mapping) for each in value)


def along(value: float | None, most: float) -> str:
    """Where ``value`` lies on a bar from 0 to ``most``, as a percentage of its width; the end for one unknown."""
    return charts.position(charts.Axis(0.0, most or 1.0, ()), most if value is None else value)


def _environment() -> Environment:
    environment = open_templates("pentathlon.server.pages")
    environment.filters.update(
        span=span,
        when=when,
        spaced=spaced,
        interval=interval,
        quantity=numbers.metric_name,
        measured=measured,
        told=told,
    )
    environment.globals.update(asset=asset_url, along=along, listed=listed, FINAL=FINAL)
    environment.globals.update(CHALLENGES=CHALLENGES, SOURCES=SOURCES, REMOTES=REMOTES)
    return environment


_ENVIRONMENT = _environment()
