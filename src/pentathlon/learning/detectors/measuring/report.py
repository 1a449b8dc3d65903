"""Measures a trained network on houses that it never saw, writes the numbers, and gives the network its thresholds."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import torch

from pentathlon.learning.detectors.corpus import Corpus, group_paths, house_attributes, read_corpus, read_pictures
from pentathlon.learning.detectors.measuring.findings import Finder, Findings
from pentathlon.learning.detectors.measuring.questions import KINDS, Kind, detail_questions, name_questions
from pentathlon.learning.detectors.measuring.scores import (
    best_f_threshold,
    binned_recall,
    quiet_threshold,
    success_threshold,
    summarize,
    tell_apart,
)
from pentathlon.learning.detectors.settings import ImageTextSettings
from pentathlon.learning.detectors.views import Part
from pentathlon.learning.pretraining.loop import default_device
from pentathlon.models.image_text.trained import TrainedDense, load_dense, save_dense

PIXEL_EDGES = (20, 60, 120, 250, 500, 1000, 2000, 5000, 60000)
DEPTH_EDGES_M = (0, 1, 2, 3, 4, 6, 20)
ROBOTHOR = (
    "AlarmClock", "Apple", "BaseballBat", "BasketBall", "Bowl", "GarbageCan", "HousePlant", "Laptop", "Mug",
    "SprayBottle", "Television", "Vase",
)  # fmt: skip
MOST_DETAILS = 150
RECALL_WEIGHT = 2.0
Thresholds = Mapping[str, Mapping[str, float]]


def measure_trained(weights: Path, settings: ImageTextSettings, say: Callable[[str], None] = print) -> Path:
    """Chooses thresholds on the tuning houses, writes them into the weights, and measures on the held-out houses.

    Without depth only names are asked for, and nothing when the time is up.

    Returns:
        ``measures.json`` beside the weights.
    """
    began_s, path = time.monotonic(), weights.with_name("measures.json")
    trained = load_dense(weights)
    trained.network.to(default_device()).pictures.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    tuning = find_part(trained, settings.views, "tune", depth=True)
    thresholds = choose_thresholds(tuning[1])
    save_dense(weights, trained.network, trained.history, thresholds)
    measures: dict[str, Any] = {"thresholds": thresholds}
    for name, depth in (("rgb and depth", True), ("rgb alone", False)):
        if depth or time.monotonic() - began_s < 60 * settings.measure_minutes:
            corpus, findings = find_part(trained, settings.views, "held-out", depth=depth, details=depth)
            measures[name] = report(corpus, findings, thresholds)
            path.write_text(json.dumps(measures, indent=1) + "\n")
            say(f"{name}: {measures[name]['type']}, {time.monotonic() - began_s:.0f} s")
    return path


def find_part(
    trained: TrainedDense, views: Path, part: Part, *, depth: bool, details: bool = True
) -> tuple[Corpus, Findings]:
    """Asks for all names, and with ``details`` for types with one more word, in the views of one part."""
    paths = group_paths(views, part)
    corpus = read_corpus(paths, house_attributes())
    questions = name_questions(corpus)
    if details:
        questions += detail_questions(corpus, MOST_DETAILS, np.random.default_rng(0))
    finder = Finder(trained.network, trained.pieces, corpus, questions, depth=depth)
    return corpus, finder.find(read_pictures(paths, default_device()))


def choose_thresholds(findings: Findings) -> dict[str, dict[str, float]]:
    """Returns for each kind of sentence the scores to walk by, to stop by, of rare alarms and of the best F1.

    A walk sees its target many times and looks again from near by, so that a missed target costs more than an alarm.
    """
    chosen: dict[str, dict[str, float]] = {}
    for kind in KINDS:
        places = places_of(findings, kind)
        if kind in ("kept", "uncommon") or not places:
            continue
        go = best_f_threshold(findings, places, RECALL_WEIGHT)
        chosen[kind] = {
            "go": go,
            "stop": max(go, success_threshold(findings, places)),
            "quiet": max(go, quiet_threshold(findings, places)),
            "f1": best_f_threshold(findings, places),
        }
    return chosen


def places_of(findings: Findings, kind: Kind) -> list[int]:
    """Returns the places of the questions of a kind."""
    return [i for i, question in enumerate(findings.questions) if question.kind == kind]


def report(corpus: Corpus, findings: Findings, thresholds: Thresholds) -> dict[str, Any]:
    """Returns all numbers as plain values."""
    by_type = thresholds["type"]
    types = places_of(findings, "type")
    asked = findings.questions
    small = [i for i in types if corpus.attributes.types[asked[i].type].small]
    large = [i for i in types if i not in set(small)]
    robothor = [i for i in types if asked[i].type in ROBOTHOR]
    made: dict[str, Any] = {"houses": corpus.houses, "views": findings.frames}
    for name, places in (("type", types), ("small", small), ("large", large), ("robothor", robothor)):
        made[name] = asdict(summarize(findings, places, by_type["f1"]))
        made[f"{name} at go"] = asdict(summarize(findings, places, by_type["go"]))
        made[f"{name} at stop"] = asdict(summarize(findings, places, by_type["stop"]))
        made[f"{name} within 1 m"] = {
            purpose: binned_recall(findings, places, by_type[purpose], findings.hits.floor_m, (0, 1), 20)
            for purpose in ("go", "stop", "quiet")
        }
    made["by pixels"] = binned_recall(findings, types, by_type["f1"], findings.hits.pixels, PIXEL_EDGES, 20)
    made["by depth"] = binned_recall(findings, types, by_type["f1"], findings.hits.depth_m, DEPTH_EDGES_M, 60)
    made["alarms"] = {f"{t:g}": asdict(summarize(findings, types, t)) for t in np.arange(0.0, 8.0, 1.0)}
    made["by type"] = {asked[i].type: asdict(summarize(findings, [i], by_type["f1"])) for i in types}
    for kind in KINDS[1:]:
        places = places_of(findings, kind)
        if not places:
            continue
        threshold = thresholds.get(kind, by_type)["f1"]
        made[kind] = {
            **asdict(summarize(findings, places, threshold)),
            "told apart": asdict(tell_apart(findings, places)),
        }
    kept_types = {asked[i].type for i in places_of(findings, "kept")}
    made["kept by noun"] = asdict(summarize(findings, [i for i in types if asked[i].type in kept_types], by_type["f1"]))
    return made
