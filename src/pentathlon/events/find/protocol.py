"""The protocol of find: everything that changes a number, for every capability, tier and version."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from pentathlon.core import TaskId, Tier, UnknownIdError, check_tier, content_hash, derive_seed
from pentathlon.core.eyes import AgentEyes
from pentathlon.core.specs import ArraySpec, ChoiceSpec, InteractionSpec
from pentathlon.events.find.episodes.files import read_capability
from pentathlon.events.find.episodes.records import CAPABILITIES, Capability, Change, FindEpisode

if TYPE_CHECKING:
    from pentathlon.worlds.houses.bodies.navigator import Action

ACTIONS: tuple[Action, ...] = ("MoveAhead", "RotateLeft", "RotateRight", "LookUp", "LookDown", "Stop")
PRIVILEGED = ("true_mask", "true_action", "true_pose")
"""Observations that no robot has; they are given only to entrants whose spec names them, and a trial tells which."""

Version = Literal[1, 2]
SIZE_PX: dict[Version, int] = {1: 224, 2: 672}
STEPS, LARGE_STEPS = 250, 500
LITE_TARGETS_PER_HOUSE = 4
SPRINT_HOUSES, SPRINT_EPISODES, SPRINT_SIZE_PX, SPRINT_STEPS = 2, 12, 128, 60


@dataclass(frozen=True)
class FindProtocol(AgentEyes):
    """How an agent is tested on one capability.

    Attributes:
        steps: after so many actions a trial ends.
        within_m: Stop succeeds when the target is visible within this distance.
        step_m: length of MoveAhead.
        turn_deg: angle of a turn.
        noisy: whether moves and turns have RoboTHOR's noise.
        bumper: whether the agent is told that its last action was blocked.
        act_limit_s: an agent that takes longer for one action ends its trial with an error.
        episodes_hash: of the episodes and what they change about their houses.
    """

    capability: Capability
    tier: Tier
    version: Version
    _: KW_ONLY
    steps: int
    within_m: float = 1.0
    step_m: float = 0.25
    turn_deg: float = 30.0
    noisy: bool = True
    fovy_deg: float = 90.0
    camera_height_m: float = 0.87
    bumper: bool = False
    act_limit_s: float = 300.0
    episodes_hash: str

    @property
    def task_id(self) -> str:
        """The versioned id."""
        return str(TaskId("find", self.capability, self.tier, self.version))

    @property
    def spec(self) -> InteractionSpec:
        """What an agent may see, the privileged observations too, and the actions."""
        size = (self.size_px, self.size_px)
        seen = [
            ArraySpec("rgb", (*size, 3), "uint8"),
            ArraySpec("depth_m", size, "float32", "m"),
            ArraySpec("true_mask", size, "uint8"),
            ArraySpec("true_action", (), "int64"),
            ArraySpec("true_pose", (4,), "float32"),
        ]
        if self.bumper:
            seen.append(ArraySpec("bumped", (), "bool"))
        return InteractionSpec(tuple(seen), ChoiceSpec(ACTIONS))


@dataclass(frozen=True)
class FindTrials:
    """The episodes of a protocol, and what its capability changes about each house."""

    episodes: tuple[FindEpisode, ...]
    changes: dict[str, Change] = field(default_factory=dict)

    @property
    def digest(self) -> str:
        """The part of the protocol's identity that lies in files."""
        houses = {episode.house for episode in self.episodes}
        changes = [repr(self.changes[house]) for house in sorted(houses & set(self.changes))]
        return content_hash([*map(repr, self.episodes), *changes])


def make_trials(capability: Capability, tier: Tier) -> FindTrials:
    """Chooses the episodes of a tier.

    ``full`` has all. ``lite`` has four targets of every house, other ones in the next house, from one start each.
    ``sprint`` has twelve of two houses, from near starts.
    """
    file = read_capability(capability)
    changes = {change.house: change for change in file.changes}
    if tier == "full":
        return FindTrials(file.episodes, changes)
    chosen = _lite(file.episodes, file.houses) if tier == "lite" else _sprint(file.episodes, file.houses)
    return FindTrials(tuple(chosen), changes)


def make_protocol(capability: Capability, tier: Tier, version: Version = 1, bumper: bool = False) -> FindProtocol:
    """Builds the protocol of a tier; version 2 is the paper's 672 pixels."""
    if capability not in CAPABILITIES:
        raise UnknownIdError("capability", capability, CAPABILITIES)
    check_tier(tier)
    brief = tier == "sprint"
    steps = LARGE_STEPS if capability == "objectnav-large" else STEPS
    return FindProtocol(
        capability=capability,
        tier=tier,
        version=version,
        size_px=SPRINT_SIZE_PX if brief else SIZE_PX[version],
        steps=SPRINT_STEPS if brief else steps,
        episodes_hash=make_trials(capability, tier).digest,
        bumper=bumper,
    )


def rehearsal(protocol: FindProtocol) -> FindProtocol:
    """Shrinks a protocol to seconds: the same code with few and small pictures."""
    return replace(protocol, size_px=32, steps=6)


def episode_seed(episode: FindEpisode) -> int:
    """The seed of an episode's noise and of its agent's randomness."""
    return derive_seed("find", episode.house, episode.id) % 2**31


def _lite(episodes: tuple[FindEpisode, ...], houses: tuple[str, ...]) -> list[FindEpisode]:
    chosen = []
    for place, house in enumerate(houses):
        of_house = _first_starts(episodes, house)
        stride = max(1, len(of_house) // LITE_TARGETS_PER_HOUSE)
        chosen += of_house[place % stride :: stride]
    return chosen


def _sprint(episodes: tuple[FindEpisode, ...], houses: tuple[str, ...]) -> list[FindEpisode]:
    chosen = []
    for house in houses[:SPRINT_HOUSES]:
        near = sorted(_first_starts(episodes, house), key=lambda episode: episode.length_m)
        chosen += near[: SPRINT_EPISODES // SPRINT_HOUSES]
    return chosen


def _first_starts(episodes: tuple[FindEpisode, ...], house: str) -> list[FindEpisode]:
    """The first episode of each target of a house."""
    first: dict[str, FindEpisode] = {}
    for episode in episodes:
        if episode.house == house:
            first.setdefault(episode.target, episode)
    return list(first.values())
