"""ImageNav: find the place of a picture, by a policy that was trained by reinforcement on an encoder's features."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors import safe_open
from safetensors.torch import load_file

from pentathlon.core.entrants import Encoder
from pentathlon.core.errors import EntrantError
from pentathlon.core.identity import derive_seed
from pentathlon.events.see.houses.policy_files import policy_files
from pentathlon.events.see.houses.protocol import HouseProtocol
from pentathlon.learning.recurrent.cloning import RecurrentPlayer
from pentathlon.learning.reinforcement.navigation.goal_encoders import GoalEncoder, PatchImageGoal, PooledImageGoal
from pentathlon.learning.reinforcement.ppo_policy import RecurrentPolicy
from pentathlon.models.encoders.checked import checked_encode
from pentathlon.models.weights import BUILTIN_FOLDER
from pentathlon.worlds.houses.bodies.navigator import ACTIONS, NavigatorSettings, Pose
from pentathlon.worlds.houses.splits import split_house
from pentathlon.worlds.houses.tasks.episodes import Course

FOVY_DEG = 90.0  # CortexBench's
_ONLY_TRAINED = "guess."  # what helps to learn and not to play


def play_house(
    protocol: HouseProtocol,
    encoder: Encoder,
    house: int,
    episodes: Sequence[int],
    seed: int,
    policies: Path | None = None,
) -> Iterator[tuple[dict[str, float], int]]:
    """Yields measures and steps of episodes in one validation house."""
    settings = NavigatorSettings(size_px=(protocol.size_px,) * 2, fovy_deg=FOVY_DEG)
    course = Course(split_house("val", house), settings, kept=True)
    policy: RecurrentPolicy | None = None
    try:
        for number in episodes:
            episode = course.draw("imagenav", protocol.episode_seed(house, number))
            assert isinstance(episode.target, Pose)
            goal = features(encoder, course.navigator.look(episode.target).rgb)
            if policy is None:
                file = find_policy(protocol, encoder, policies)
                policy = new_policy(goal) if file is None else _filled(new_policy(goal), file)
            assert isinstance(policy.encoder, GoalEncoder)
            policy.encoder.watch(goal)
            yield _play(protocol, course, episode, encoder, policy, derive_seed(seed, house, number) % 2**31)
    finally:
        course.close()


def _play(
    protocol: HouseProtocol, course: Course, episode: Any, encoder: Encoder, policy: RecurrentPolicy, seed: int
) -> tuple[dict[str, float], int]:
    navigator, player = course.navigator, RecurrentPlayer(policy, seed)
    navigator.place(episode.start, seed)
    row, success, steps = torch.zeros(1, dtype=torch.int64), False, 0
    for _ in range(protocol.steps):
        seen = features(encoder, navigator.look().rgb)
        action = ACTIONS[player.act({"features": seen, "goal_row": row})]
        navigator.act(action)
        steps += 1
        if action == "Stop":
            success = course.goal(episode).reached(navigator.pose)
            break
    longest_m = max(navigator.travelled_m, episode.length_m)
    return {"score": float(success), "spl": float(success) * episode.length_m / longest_m}, steps


def features(encoder: Encoder, rgb: Any) -> torch.Tensor:
    """Returns an encoder's patches [1, N, D] of one picture, or its pooled features [1, D]."""
    found = checked_encode(encoder, np.asarray(rgb)[None])
    return torch.from_numpy(np.array(found.pooled if found.patches is None else found.patches, np.float32))


def new_policy(goal: torch.Tensor) -> RecurrentPolicy:
    """Returns a policy that has learned nothing, for features of this shape."""
    torch.manual_seed(0)
    return RecurrentPolicy((PatchImageGoal if goal.ndim == 3 else PooledImageGoal)(goal), len(ACTIONS)).eval()


def find_policy(protocol: HouseProtocol, encoder: Encoder, folder: Path | None = None) -> Path | None:
    """Returns the file of the policy that was trained on this encoder's features; none where an untrained one plays.

    Raises:
        EntrantError: there is none, which training on a GPU mends, or it was trained to see otherwise.
    """
    if protocol.teacher == "chance" and folder is None:
        return None
    wanted = getattr(encoder, "fingerprint", None)
    view, others = {"side_px": f"{protocol.size_px}", "fovy_deg": f"{FOVY_DEG:g}"}, []
    for path in policy_files(folder or BUILTIN_FOLDER):
        with safe_open(str(path), framework="numpy") as file:
            about = file.metadata() or {}
        if wanted is None or about.get("encoder") != wanted:
            continue
        other = {name: about.get(name, "not told") for name in view if about.get(name) != view[name]}
        if not other:
            return path
        others.append(f"{other} in {path.name}")
    if others:
        raise EntrantError(
            f"Expected a policy that was trained on pictures as here ({view}), got {' and '.join(others)}. "
            "Train it with the usual side and field of view."
        )
    raise EntrantError(
        "ImageNav plays a policy that was trained on the encoder's features, and "
        f"{'this package' if folder is None else folder} has none for this one. "
        "Train it on a GPU: pentathlon train imagenav --encoder NAME --out FOLDER, and name it: --policies FOLDER."
    )


def _filled(policy: RecurrentPolicy, path: Path) -> RecurrentPolicy:
    kept = {name: value.float() for name, value in load_file(path).items() if not name.startswith(_ONLY_TRAINED)}
    shapes = {name: tuple(value.shape) for name, value in policy.state_dict().items()}
    if wrong := [name for name, shape in shapes.items() if name not in kept or tuple(kept[name].shape) != shape]:
        raise EntrantError(
            f"Expected a policy that sees pictures alone in {path.name}, got other weights ({', '.join(wrong[:3])}). "
            "Train it without --senses."
        )
    policy.load_state_dict(kept)
    return policy
