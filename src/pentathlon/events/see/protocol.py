"""The protocol of see: everything that changes a number, for the three tiers of every control task."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import Literal, get_args

from pentathlon.core import TaskId, Tier, UnknownIdError, UsageError, check_tier, derive_seed, tier_of
from pentathlon.core.eyes import Renderer
from pentathlon.learning.policies.recipes import CORTEX_MUJOCO, CORTEX_TRIFINGER, CloningRecipe
from pentathlon.worlds.control import CONTROL_TASKS, ControlTask, control_task
from pentathlon.worlds.control.experts import expert_version

Adapt = Literal["frozen", "e2e"]
Inputs = Literal["paper", "standardised"]

ENCODER_LEARNING_RATES = {"trifinger": 1e-4}
ENCODER_LEARNING_RATE = 1e-5
"""Of end-to-end fine-tuning: the paper's appendix A.12; the released TriFinger code uses its policy's rate."""

SEEDS = (100, 200, 300)
DEMONSTRATIONS = {"adroit": 100, "metaworld": 25, "dmcontrol": 100, "trifinger": 100}
EVALUATION_EPISODES = {"adroit": 25, "metaworld": 25, "dmcontrol": 10, "trifinger": 25}
"""Of the full tier, by suite: the paper's."""

LITE_HORIZON = {"metaworld": 200, "dmcontrol": 250}
"""Control steps of a lite episode where the paper's are longer; experts succeed well within them."""

LITE_LAYOUTS = {"dmcontrol-reacher-easy": (100, 50), "dmcontrol-reacher-hard": (100, 50)}
"""Demonstrations and their steps at lite where twenty are too few places: as many frames, of five times the layouts."""


@dataclass(frozen=True)
class SeeProtocol:
    """How a representation is tested on one control task.

    A policy is cloned from so many ``demonstrations`` of ``demonstration_steps`` on frozen features, evaluated every
    ``evaluate_every_epochs`` epochs and at the end on ``evaluation_episodes`` episodes; the best evaluation counts, as
    in CortexBench. This is repeated for each of ``seeds``.

    Attributes:
        task: camera, image size, history, proprioception, horizon, success rule and normaliser.
        renderer: which eyes see, and their setting.
        teacher: who demonstrates: the version of our expert; ``chance``, which acts at random, for rehearsals; or
            ``dataset-HASH``, a user's demonstrations named by their content.
        adapt: ``e2e`` trains a copy of the encoder together with the policy, at ``encoder_learning_rate``.
    """

    task: ControlTask
    tier: Tier
    renderer: Renderer
    render_setting: str
    demonstrations: int
    demonstration_steps: int
    evaluation_episodes: int
    evaluate_every_epochs: int
    seeds: tuple[int, ...]
    recipe: CloningRecipe
    teacher: str
    adapt: Adapt = "frozen"
    encoder_learning_rate: float = 0.0

    @property
    def task_id(self) -> str:
        """The versioned id."""
        return str(TaskId("see", self.task.name, self.tier))

    @property
    def shown_task(self) -> ControlTask:
        """The task as it is demonstrated, where its episodes may be shorter than those of the evaluation."""
        return replace(self.task, horizon=self.demonstration_steps)

    @property
    def episode_seeds(self) -> tuple[int, ...]:
        """The same for every entrant and every training seed, so that runs compare in pairs."""
        return tuple(derive_seed(self.task.name, "evaluation", index) for index in range(self.evaluation_episodes))


def full_id(task: ControlTask) -> str:
    """The id under which see tests ``task`` as the paper does."""
    return str(TaskId("see", task.name, "full"))


def make_protocol(
    name: str, tier: Tier, renderer: Renderer = "raycast", adapt: Adapt = "frozen", inputs: Inputs = "paper"
) -> SeeProtocol:
    """Builds the protocol of a tier.

    ``full`` is the paper's. ``lite`` keeps its learner and rules with fewer demonstrations, fewer and shorter episodes
    and fewer evaluations. ``sprint`` shows within seconds that everything works; its numbers are coarse.
    """
    check_tier(tier)
    for what, value, known in (("adaptation", adapt, get_args(Adapt)), ("inputs", inputs, get_args(Inputs))):
        if value not in known:
            raise UnknownIdError(what, value, known)
    if (adapt, inputs) == ("e2e", "standardised"):
        raise UsageError(
            "Expected --inputs paper with --adapt e2e, got standardised: what an encoder that is being trained gives "
            "has no fixed mean and spread. Leave one of the two out."
        )
    task = control_task(name)
    # Appendix A.2 trains push-cube ten times as long as all others; the released code tests it every 25 epochs.
    epochs, every = (1000, 25) if name == "trifinger-push-cube" else (100, 5)
    recipe = CORTEX_TRIFINGER if task.suite == "trifinger" else CORTEX_MUJOCO
    tuned_at = ENCODER_LEARNING_RATES.get(task.suite, ENCODER_LEARNING_RATE)
    full = SeeProtocol(
        task=task,
        tier="full",
        renderer=renderer,
        render_setting="fast-v1",
        demonstrations=DEMONSTRATIONS[task.suite],
        demonstration_steps=task.horizon,
        evaluation_episodes=EVALUATION_EPISODES[task.suite],
        evaluate_every_epochs=every,
        seeds=SEEDS,
        recipe=replace(recipe, epochs=epochs, standardise_input=inputs == "standardised"),
        teacher=expert_version(task),
        adapt=adapt,
        encoder_learning_rate=tuned_at if adapt == "e2e" else 0.0,
    )
    return {"full": full, "lite": _lite(full), "sprint": _sprint(full)}[tier]


def _lite(full: SeeProtocol) -> SeeProtocol:
    if full.task.suite == "trifinger":
        # Episodes have five or ten steps: fewer demonstrations would leave too little to learn from, and save nothing.
        recipe = replace(full.recipe, epochs=100)
        return replace(full, tier="lite", evaluation_episodes=10, evaluate_every_epochs=50, recipe=recipe)
    horizon = min(full.task.horizon, LITE_HORIZON.get(full.task.suite, full.task.horizon))
    demonstrations, steps = LITE_LAYOUTS.get(full.task.name, (min(full.demonstrations, 20), horizon))
    return replace(
        full,
        tier="lite",
        task=replace(full.task, horizon=horizon),
        demonstrations=demonstrations,
        demonstration_steps=steps,
        evaluation_episodes=10,
        evaluate_every_epochs=20,
        recipe=replace(full.recipe, epochs=40),
    )


def _sprint(full: SeeProtocol) -> SeeProtocol:
    return replace(
        full,
        tier="sprint",
        task=replace(full.task, horizon=min(full.task.horizon, 100)),
        demonstrations=8,
        demonstration_steps=min(full.task.horizon, 100),
        evaluation_episodes=6,
        evaluate_every_epochs=30,
        seeds=SEEDS[:1],
        recipe=replace(full.recipe, epochs=30),
    )


def rehearsal(protocol: SeeProtocol) -> SeeProtocol:
    """Shrinks a protocol to seconds: the same code with a few steps and, if none is given, a random teacher."""
    return replace(
        protocol,
        task=replace(protocol.task, horizon=min(protocol.task.horizon, 4)),
        demonstrations=2,
        demonstration_steps=min(protocol.demonstration_steps, 4),
        evaluation_episodes=2,
        seeds=protocol.seeds[:1],
        recipe=replace(protocol.recipe, epochs=1),
        teacher="chance" if protocol.teacher == expert_version(protocol.task) else protocol.teacher,
    )


def match_protocols(patterns: Sequence[str]) -> list[SeeProtocol]:
    """The protocols that any of ``patterns`` names, in the table's order; a tier other than full must be named.

    Args:
        patterns: ids or patterns of them, such as ``see/metaworld-*-lite-v1``, or names of control tasks.

    Raises:
        UsageError: when there is none.
        UnknownIdError: when one names nothing.
    """
    if not patterns:
        raise UsageError("Expected at least one control task, got none. Name one, such as see/metaworld-hammer-v1.")
    found: dict[str, SeeProtocol] = {}
    for pattern in patterns:
        protocols = [make_protocol(task.name, tier_of(pattern)) for task in CONTROL_TASKS]
        named = [one for one in protocols if fnmatchcase(one.task_id, pattern) or one.task.name == pattern]
        if not named:
            raise UnknownIdError("control task", pattern, (protocol.task_id for protocol in protocols))
        found |= {protocol.task_id: protocol for protocol in named}
    order = [task.name for task in CONTROL_TASKS]
    return sorted(found.values(), key=lambda protocol: order.index(protocol.task.name))
