"""The contracts: entrants, tasks, trials, scores, the registry and the error tree."""

from pentathlon.core.entrants import Agent, Briefing, Encoder, Features, Judge, Policy
from pentathlon.core.errors import (
    DataError,
    EntrantError,
    MachineError,
    MissingDependencyError,
    PentathlonError,
    RunFolderError,
    SpecMismatchError,
    UnknownIdError,
    UsageError,
)
from pentathlon.core.identity import canonical_json, content_hash, derive_seed, to_plain
from pentathlon.core.registry import (
    ENTRANTS,
    TASKS,
    EntrantEntry,
    TaskEntry,
    match_tasks,
    register_entrant,
    register_task,
    resolve_entrant,
)
from pentathlon.core.scores import Metric, PaperValue, Score
from pentathlon.core.specs import (
    ArraySpec,
    ChoiceSpec,
    EncoderSpec,
    InteractionSpec,
    JudgeSpec,
    TrainableEncoder,
    compare_specs,
)
from pentathlon.core.task import Task
from pentathlon.core.tiers import TIERS, TaskId, Tier, check_tier, tier_of
from pentathlon.core.trial import Heat, Origin, Outcome, Workspace

__all__ = [
    "ENTRANTS",
    "TASKS",
    "TIERS",
    "Agent",
    "ArraySpec",
    "Briefing",
    "ChoiceSpec",
    "DataError",
    "Encoder",
    "EncoderSpec",
    "EntrantEntry",
    "EntrantError",
    "Features",
    "Heat",
    "InteractionSpec",
    "Judge",
    "JudgeSpec",
    "MachineError",
    "Metric",
    "MissingDependencyError",
    "Origin",
    "Outcome",
    "PaperValue",
    "PentathlonError",
    "Policy",
    "RunFolderError",
    "Score",
    "SpecMismatchError",
    "Task",
    "TaskEntry",
    "TaskId",
    "Tier",
    "TrainableEncoder",
    "UnknownIdError",
    "UsageError",
    "Workspace",
    "canonical_json",
    "check_tier",
    "compare_specs",
    "content_hash",
    "derive_seed",
    "match_tasks",
    "register_entrant",
    "register_task",
    "resolve_entrant",
    "tier_of",
    "to_plain",
]
