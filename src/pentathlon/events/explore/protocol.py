"""The protocol of explore: everything that changes a number, for both sets of houses and every tier."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, replace
from typing import Literal, get_args

from pentathlon.core import DataError, TaskId, Tier, UnknownIdError, UsageError, check_tier, derive_seed
from pentathlon.core.eyes import AgentEyes
from pentathlon.core.specs import ArraySpec, ChoiceSpec, InteractionSpec

Suite = Literal["generated", "architect"]
SUITES: tuple[Suite, ...] = get_args(Suite)
MOVES: tuple[str, ...] = (
    "MoveAhead", "MoveBack", "RotateLeft", "RotateRight", "LookUp", "LookDown", "RaiseArm", "LowerArm",
    "GripperAhead", "GripperBack", "GripperLeft", "GripperRight", "GripperUp", "GripperDown",
    "ShoulderLeft", "ShoulderRight", "ShoulderUp", "ShoulderDown", "ElbowUp", "ElbowDown",
    "ForearmLeft", "ForearmRight", "WristUp", "WristDown", "WristLeft", "WristRight", "Release", "Open", "Close",
)  # fmt: skip
FORCE_STEP_KGF, FORCE_STEPS = 0.05, 100
GRASPS: tuple[str, ...] = tuple(f"Grasp {FORCE_STEP_KGF * step:.2f}" for step in range(1, FORCE_STEPS + 1))
ACTIONS: tuple[str, ...] = (*MOVES, *GRASPS, "Done")
"""The arm agent's actions; a grasp names its force in kilogram-force."""

PRIVILEGED = ("true_objects", "true_pose", "true_sight", "true_hand", "true_plans", "true_programs")
"""What no robot has; it is given only to entrants whose spec names it, and a trial tells which."""

STEPS, QUESTIONS = 2500, 20
MOST_REENTRY_STEPS = 5000
GENERATOR = "explore-questions-v2"
"""Changes whenever the same house and seed would give other questions."""
ENERGY = 5.0e-4
"""The paper's k, which it does not print: what its two human rows of Table 2 imply, 5.2e-4 and 5.0e-4."""
GENERATED_HOUSES: dict[Tier, int] = {"full": 1000, "lite": 20, "sprint": 1}
LITE_ARCHITECT, SPRINT_SIZE_PX, SPRINT_STEPS, SPRINT_QUESTIONS = 3, 128, 300, 10
SPRINT_HOUSE = 11_003
ARCHITECT_PREFIX = "architect-"


@dataclass(frozen=True)
class ExploreProtocol(AgentEyes):
    """How an agent is tested on one set of houses.

    Attributes:
        steps: of phase I; Done ends it before.
        questions: asked after it, and again at the end.
        most_reentry_steps: phase III ends with Done, and here at the latest.
        energy: k of ExQA (eq. 1), for each step of phase III.
        act_limit_s: an agent that takes longer for one action or answer ends its trial with an error.
        cover_m: floor so near to where the agent has been counts as covered.
        seen_px: an object counts as seen with so many pixels of a picture of 224 by 224.
        questions_digest: of a file of questions that are asked in place of the generated ones.
        generator: which questions are drawn for the same house and seed.
    """

    suite: Suite
    tier: Tier
    version: int = 1
    _: KW_ONLY
    steps: int = STEPS
    questions: int = QUESTIONS
    most_reentry_steps: int = MOST_REENTRY_STEPS
    energy: float = ENERGY
    act_limit_s: float = 300.0
    cover_m: float = 1.0
    seen_px: int = 12
    questions_digest: str = ""
    generator: str = GENERATOR
    size_px: int = 224
    fovy_deg: float = 83.6
    camera_height_m: float = 1.38

    @property
    def task_id(self) -> str:
        """The versioned id."""
        return str(TaskId("explore", self.suite, self.tier, self.version))

    @property
    def spec(self) -> InteractionSpec:
        """What an agent may see, the privileged observations too, and its actions."""
        return InteractionSpec(_observations(self.size_px), ChoiceSpec(ACTIONS), answers=True)


def any_size(*names: str) -> tuple[ArraySpec, ...]:
    """What an agent declares to use, by name, that takes pictures of any size."""
    return tuple(array for array in _observations(None) if array.name in names)


def _observations(size_px: int | None) -> tuple[ArraySpec, ...]:
    size = (size_px, size_px)
    return (
        ArraySpec("rgb", (*size, 3), "uint8"),
        ArraySpec("depth_m", size, "float32", "m"),
        ArraySpec("acted", (), "bool"),
        ArraySpec("touch", (), "int64"),
        ArraySpec("hand_m", (3,), "float32", "m"),
        ArraySpec("posture", (7,), "float32"),
        ArraySpec("true_objects", size, "int32"),
        ArraySpec("true_pose", (4,), "float32"),
        ArraySpec("true_sight", (), "object"),
        ArraySpec("true_hand", (), "object"),
        ArraySpec("true_plans", (), "object"),
        ArraySpec("true_programs", (), "object"),
    )


def make_protocol(
    suite: Suite,
    tier: Tier,
    *,
    steps: int | None = None,
    reentry_steps: int | None = None,
    size_px: int | None = None,
    questions_digest: str = "",
) -> ExploreProtocol:
    """Builds the protocol of a tier; other budgets and sizes of pictures are protocols of their own.

    Raises:
        UsageError: when a budget or a size is no positive number.
    """
    if suite not in SUITES:
        raise UnknownIdError("set of houses", suite, SUITES)
    check_tier(tier)
    for name, value in (("steps", steps), ("reentry-steps", reentry_steps)):
        if value is not None and value < 1:
            raise UsageError(f"Expected at least one step for --{name}, got {value}.")
    if size_px is not None and size_px < 1:
        raise UsageError(f"Expected at least one pixel for --explore-px, got {size_px}.")
    protocol = ExploreProtocol(suite, tier, questions_digest=questions_digest)
    if tier == "sprint":
        protocol = replace(
            protocol,
            size_px=SPRINT_SIZE_PX,
            steps=SPRINT_STEPS,
            questions=SPRINT_QUESTIONS,
            most_reentry_steps=SPRINT_STEPS,
        )
    return replace(
        protocol,
        size_px=size_px or protocol.size_px,
        steps=steps or protocol.steps,
        most_reentry_steps=reentry_steps or protocol.most_reentry_steps,
    )


def rehearsal(protocol: ExploreProtocol) -> ExploreProtocol:
    """Shrinks a protocol to seconds: the same code with few and small pictures."""
    return replace(protocol, size_px=48, steps=6, questions=3, most_reentry_steps=6)


def house_names(suite: Suite, tier: Tier) -> tuple[str, ...]:
    """Names the houses of a tier: those of the test split by their seeds, or the hand-designed ones."""
    if suite == "architect":
        from pentathlon.worlds.houses.architect import TEST

        chosen = TEST if tier == "full" else TEST[:: len(TEST) // LITE_ARCHITECT] if tier == "lite" else TEST[-2:-1]
        return tuple(ARCHITECT_PREFIX + name for name in chosen)
    from pentathlon.worlds.houses.splits import split_seeds

    seeds = split_seeds("test")
    if tier == "sprint":
        return (f"house-{SPRINT_HOUSE}",)
    count = GENERATED_HOUSES[tier]
    return tuple(f"house-{seed}" for seed in seeds[:: len(seeds) // count][:count])


def seed_of_house(name: str) -> int:
    """Returns the seed of a generated house by its name.

    Raises:
        DataError: when the name is not that of one.
    """
    word, _, number = name.partition("-")
    if word != "house" or not number.isdigit():
        raise DataError(f"Expected a generated house such as 'house-11003', got {name!r}.")
    return int(number)


def trial_seed(house: str) -> int:
    """The seed of a trial: of its start, its questions and its agent's randomness."""
    return derive_seed("explore", house) % 2**31
