"""The page of a trial: its walk on the plan, what was seen, lifted and opened when, and questions with answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from markupsafe import Markup, escape

from pentathlon.core import Outcome, Workspace
from pentathlon.events.explore.pictures.plans import LEGEND, draw_trial
from pentathlon.stats.charts import Mark, Series, line_chart
from pentathlon.worlds.houses.house import House

STYLE = (
    "body{font:14px sans-serif;max-width:1100px;margin:1em auto}table{border-collapse:collapse}"
    "td,th{padding:.2em .6em;border-bottom:1px solid #ddd;text-align:left}.right{color:#176b2c}.wrong{color:#b3261e}"
    "img,svg{max-width:100%}"
)


def save_page(outcome: Outcome, house: House, workspace: Workspace) -> dict[str, str]:
    """Writes the page and its picture; returns them as an outcome names them."""
    picture, page = (workspace.artifact(outcome.trial, name) for name in ("plan.png", "trial.html"))
    draw_trial(house, outcome.details["phases"]).save(picture)
    page.write_text(page_html(outcome), encoding="utf-8")
    return {"page": workspace.relative(page), "plan": workspace.relative(picture)}


def page_html(outcome: Outcome) -> str:
    """Writes the page of a trial."""
    phases: Mapping[str, Any] = outcome.details["phases"]
    numbers = ", ".join(f"{name} {value:.3g}" for name, value in outcome.metrics.items())
    parts = [
        Markup("<!doctype html><meta charset=utf-8><title>{}</title>").format(outcome.trial),
        Markup("<style>{}</style>").format(Markup(STYLE)),
        Markup("<h1>{}</h1><p>{}</p>").format(outcome.trial, numbers),
        Markup('<p><img src="plan.png" alt="walk on the plan"></p><p>{}</p>').format(LEGEND),
        Markup(coverage_chart(phases)),
        Markup("<h2>Questions</h2>"),
        _questions(outcome.details["questions"]),
        *(_happened(name, phase) for name, phase in phases.items()),
    ]
    return str(Markup("\n").join(parts))


def coverage_chart(phases: Mapping[str, Any]) -> str:
    """Draws the share of the floor covered over the steps of each phase."""
    curves = [
        Series(name, tuple(_mark(step, 100.0 * share) for step, share in phase["coverage"]))
        for name, phase in phases.items()
        if len(phase["coverage"]) > 1
    ]
    return line_chart("Floor covered", "step", "%", curves, y_range=(0.0, 100.0)) if curves else ""


def _mark(x: float, y: float) -> Mark:
    return Mark(x, y, y, y)


def _questions(questions: list[Mapping[str, Any]]) -> Markup:
    titles = ("question", "family", "touch", "truth", "phase II", "phase IV")
    head = Markup("<tr>{}</tr>").format(Markup("").join(Markup("<th>{}</th>").format(title) for title in titles))
    return Markup("<table>{}{}</table>").format(head, Markup("").join(map(_question, questions)))


def _question(question: Mapping[str, Any]) -> Markup:
    answers = Markup("").join(
        Markup('<td class="{}">{}</td>').format("right" if right else "wrong", answer)
        for answer, right in zip(question["answers"], question["right"], strict=True)
    )
    touch = "needed" if question["needs_touch"] else ""
    row = Markup("<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td>{}</tr>")
    return row.format(question["text"], question["family"], touch, question["truth"], answers)


def _happened(name: str, phase: Mapping[str, Any]) -> Markup:
    """Lists what was lifted, opened and seen, in the order of steps."""
    told = [(step, f"{thing} lifted with {force:.2f} kgf") for thing, (step, force) in phase["lifted"].items()]
    told += [(step, f"{thing} opened") for thing, step in phase["opened"].items()]
    told += [(step, f"{thing} seen") for thing, step in phase["seen"].items()]
    lines = Markup("<br>").join(escape(f"step {step}: {what}") for step, what in sorted(told))
    summary = f"{name}: {phase['steps']} steps, ended by {phase['ended']}"
    return Markup("<details><summary>{}</summary>{}</details>").format(summary, lines)
