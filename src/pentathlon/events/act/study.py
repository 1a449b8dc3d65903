"""The paper's Tables II, III and IV: which policies they need, and how their runs are laid out."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from pentathlon.core import Outcome, Score, Tier, UsageError, content_hash
from pentathlon.core.entrant_folder import MANIFEST
from pentathlon.core.numbers import number
from pentathlon.events.act.data.plan import make_recipe as make_data_recipe
from pentathlon.events.act.metrics import REWARD, SUCCESS, reward_statistics, score_trials
from pentathlon.events.act.protocol import TASK_NAMES, make_protocol
from pentathlon.learning.policies.recipes import BcRecipe, DtRecipe, IqlRecipe, OfflineRecipe, VinnRecipe
from pentathlon.learning.policies.trajectories import Selection
from pentathlon.worlds.tabletop.arm.robot import TaskName

TableName = Literal["features", "learners", "sizes"]

FEATURE_ROWS = ("byol", "moco", "moco-generic", "resnet50", "r3m")
"""Rows of Table II: the first two are trained on the dataset's pictures, the others are not."""
TITLES = {
    "byol": "BYOL (in-domain)",
    "moco": "MoCo (in-domain)",
    "moco-generic": "MoCo (generic)",
    "resnet50": "ResNet-50",
    "r3m": "R3M",
}
SIZES: tuple[tuple[str, Selection], ...] = (
    ("5 %", 0.05),
    ("25 %", 0.25),
    ("50 %", 0.5),
    ("successes", "successful"),
    ("100 %", 1.0),
)
"""Rows of Table IV: shares of the data with the highest reward."""
LEARNER_FEATURES = {"bc": "moco", "vinn": "byol", "iql": "moco", "dt": "moco"}
"""Section V-B: VINN looks with BYOL, the others with MoCo trained on the data."""
RECIPES: dict[str, OfflineRecipe] = {"bc": BcRecipe(), "vinn": VinnRecipe(), "iql": IqlRecipe(), "dt": DtRecipe()}


@dataclass(frozen=True)
class Cell:
    """One policy of a table.

    Attributes:
        row: heading of its row.
        features: encoder reference; empty when the study was not given one.
        data: name or folder of the dataset that it learns from.
    """

    row: str
    task: TaskName
    tier: Tier
    learner: str
    recipe: OfflineRecipe
    features: str
    data: str

    @property
    def task_id(self) -> str:
        """The task that tests it."""
        return make_protocol(self.task, self.tier).task_id

    def folder(self, root: Path) -> Path:
        """Where its policy lies; what it was trained with names it: files by content, datasets by recipe."""
        weights = Path(self.features.partition("@")[2])
        digest = hashlib.sha256(weights.read_bytes()).hexdigest() if weights.is_file() else ""
        recorded = make_data_recipe(self.task, self.tier)
        key = content_hash([self.data, recorded, self.learner, self.recipe, self.features, digest], length=8)
        return root / f"{self.task}-{self.tier}-{self.learner}-{key}"


@dataclass(frozen=True)
class Study:
    """What a study varies and with which encoders.

    Attributes:
        features: encoder references by row of Table II.
        recipes: by learner; the paper's where none is given.
        data: names or folders of datasets by task; those of the tier where none is given.
    """

    table: TableName
    tasks: tuple[TaskName, ...]
    tier: Tier
    features: Mapping[str, str]
    recipes: Mapping[str, OfflineRecipe]
    data: Mapping[str, str]

    def cells(self) -> Iterator[Cell]:
        """Lists the policies, task by task, in the order of the table's rows.

        Raises:
            UsageError: when features or data are given for what is not in the table.
        """
        for what, given, known in (("features", self.features, FEATURE_ROWS), ("data", self.data, TASK_NAMES)):
            if unknown := sorted(set(given) - set(known)):
                raise UsageError(f"Expected {what} named {', '.join(known)}, got {unknown[0]!r}.")
        for task in self.tasks:
            yield from (self._cell(task, *row) for row in self._rows())

    def _rows(self) -> Iterator[tuple[str, str, OfflineRecipe, str]]:
        recipes = {**RECIPES, **self.recipes}
        if self.table == "features":
            yield from ((TITLES[name], "bc", recipes["bc"], name) for name in FEATURE_ROWS)
        elif self.table == "learners":
            for learner, features in LEARNER_FEATURES.items():
                yield f"{learner.upper()} + {TITLES[features]}", learner, recipes[learner], features
        else:
            bc = recipes["bc"]
            assert isinstance(bc, BcRecipe)
            yield from ((title, "bc", replace(bc, selection=share), "moco") for title, share in SIZES)

    def _cell(self, task: TaskName, row: str, learner: str, recipe: OfflineRecipe, features: str) -> Cell:
        data = self.data.get(task) or make_data_recipe(task, self.tier).name
        return Cell(row, task, self.tier, learner, recipe, self.features.get(features, ""), data)


def run_study(
    study: Study,
    policies: Path,
    train: Callable[[Cell, Path], None],
    test: Callable[[Cell, Path], Sequence[Outcome]],
) -> str:
    """Trains and tests what is missing and returns the table; rows without an encoder stay visible and empty.

    Args:
        study: what is varied.
        policies: folder for them.
        train: writes the cell's policy into a folder.
        test: runs the cell's task with the policy in a folder, or reads its records, and returns the outcomes.
    """
    results: dict[tuple[str, TaskName], Sequence[Outcome]] = {}
    for cell in study.cells():
        if not cell.features:
            continue
        folder = cell.folder(policies)
        if not (folder / MANIFEST).exists():
            train(cell, folder)
        results[cell.row, cell.task] = test(cell, folder)
    return table(study, results)


def table(study: Study, results: Mapping[tuple[str, TaskName], Sequence[Outcome]]) -> str:
    """Lays the outcomes out as the paper does, with intervals, and the two kinds of location apart."""
    columns = ("Reward (g)", "variance (g²)", "Success (%)", "seen", "unseen")
    lines = [
        "| | " + " | ".join(f"{task}: {name}" for task in study.tasks for name in columns) + " |",
        "|---" * (1 + len(columns) * len(study.tasks)) + "|",
    ]
    for row in dict.fromkeys(cell.row for cell in study.cells()):
        cells = [text for task in study.tasks for text in _texts(study, task, results.get((row, task)))]
        lines.append(f"| {row} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _texts(study: Study, task: TaskName, outcomes: Sequence[Outcome] | None) -> list[str]:
    if not outcomes:
        return ["—"] * 5
    seen = {trial.id: trial.seen_location for trial in make_protocol(task, study.tier).trials()}
    scores = {score.metric: score for score in score_trials((REWARD, SUCCESS), outcomes, seen)}
    variance = reward_statistics(outcomes).variance_g2
    shown = ("success", "success, seen locations", "success, unseen locations")
    return [_text(scores["reward_g"]), f"{variance:.1f}", *(_text(scores[name]) for name in shown)]


def _text(score: Score) -> str:
    return f"{number(score.value, score.low, score.high)} {score.interval_text}"
