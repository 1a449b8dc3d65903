"""What the report says of each video: every description with its scores, the true and the chosen one, and the words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pentathlon.core.events import VideoPage
from pentathlon.core.trial import Outcome
from pentathlon.events.judge.metrics import predict, softmax, standardise
from pentathlon.events.judge.pictures import artifact_name
from pentathlon.events.judge.records import Sheet

COLUMNS = ("description", "score", "share", "standardised", "")
PREFIX_COLUMNS = ("part of the film", "steps done", "score", "")
ONE_COLUMNS = ("description", "score", "")
TRUE, CHOSEN, BOTH = "true", "chosen, but not true", "true and chosen"


def video_pages(outcome: Outcome) -> list[VideoPage]:
    """Lists a page for each video of a problem set; none where the trial ended in an error."""
    if outcome.status == "error" or "scores" not in outcome.details:
        return []
    sheet, details = Sheet.read(outcome.details), outcome.details
    remarks: Sequence[object] = details.get("remarks") or [None] * len(sheet.videos)
    sentences = [details["descriptions"][label] for label in sheet.labels]
    pages = []
    for place, video in enumerate(sheet.videos):
        columns, rows = _table(sheet, sentences, place)
        name = artifact_name(place)
        shown = name if name in outcome.artifacts else ""
        pages.append(VideoPage(f"video {place + 1}: {video}", shown, columns, rows, remarks[place]))
    return pages


Rows = tuple[tuple[tuple[str, ...], bool | None], ...]


def _table(sheet: Sheet, sentences: Sequence[str], place: int) -> tuple[tuple[str, ...], Rows]:
    if sheet.progress is not None:
        return PREFIX_COLUMNS, _prefixes(sheet, sentences[0], place)
    if len(sentences) == 1:
        done = bool(sheet.truths[place, 0])
        return ONE_COLUMNS, (((sentences[0], f"{sheet.scores[place, 0]:.4f}", TRUE if done else "missed"), done),)
    shares, final = softmax(sheet.scores), standardise(sheet.scores)
    chosen = int(predict(final, sheet.scores)[place])
    rows = []
    for label in np.argsort(-final[place], kind="stable").tolist():
        true, said = bool(sheet.truths[place, label]), label == chosen
        verdict = BOTH if true and said else TRUE if true else CHOSEN if said else ""
        numbers = (sheet.scores[place, label], shares[place, label], final[place, label])
        right = None if not (true or said) else true and said
        rows.append(((sentences[label], *(f"{number:.4f}" for number in numbers), verdict), right))
    return COLUMNS, tuple(rows)


def _prefixes(sheet: Sheet, sentence: str, place: int) -> Rows:
    assert sheet.progress is not None
    count = sheet.scores.shape[1]
    return tuple(
        ((f"the first {number + 1} of {count}", f"{done:.0%}", f"{score:.4f}", sentence if number == 0 else ""), None)
        for number, (score, done) in enumerate(zip(sheet.scores[place], sheet.progress[place], strict=True))
    )
