"""Runs one heat of a house task: clone a policy with one seed and play it in houses that no demonstration shows."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from pentathlon.core import Heat, Outcome, Workspace, content_hash, derive_seed
from pentathlon.core.entrants import Encoder, Floats
from pentathlon.core.errors import DataError
from pentathlon.events.see.houses.protocol import HouseProtocol, place_of
from pentathlon.events.see.houses.worlds import HouseWorld, Shown, attempts, demonstrate, open_world
from pentathlon.events.see.trial import encoder_details
from pentathlon.learning.recurrent.cloning import RecurrentPlayer, TaughtEpisode, clone_recurrent
from pentathlon.learning.reinforcement.ppo_policy import RecurrentPolicy
from pentathlon.models.encoders.crew import Crew, device_of, encode_frames
from pentathlon.storage import ArrayCache
from pentathlon.storage.files import file_digest
from pentathlon.worlds.houses.generate import GENERATOR
from pentathlon.worlds.rendering.raycaster import RAYCAST_VERSION

Played = tuple[dict[str, float], int]
MOST_SEEDS = 200
"""That an episode is looked for in a house; more, and the house is taken to have none."""


def run_heat(
    protocol: HouseProtocol, heat: Heat, encoder: Encoder, workspace: Workspace, policies: Path | None = None
) -> Iterator[Outcome]:
    """Yields the outcome of every episode of a heat."""
    details, started = {**encoder_details(encoder), **_policy_details(protocol, encoder, policies)}, time.perf_counter()
    for trial, (measures, steps) in zip(heat.trials, _played(protocol, heat, encoder, policies), strict=True):
        spent_s, started = time.perf_counter() - started, time.perf_counter()
        yield heat.stamped(Outcome(trial, measures, steps=steps, wall_time_s=spent_s, details=details))


def _played(protocol: HouseProtocol, heat: Heat, encoder: Encoder, policies: Path | None) -> Iterator[Played]:
    # A resumed or limited heat holds some of the episodes.
    seed, places = int(heat.data["seed"]), [place_of(trial) for trial in heat.trials]
    if protocol.name == "imagenav":
        from pentathlon.events.see.houses.imagenav import play_house

        for house, own in groupby(places, key=lambda place: place[0]):
            yield from play_house(protocol, encoder, house, [episode for _, episode in own], seed, policies)
        return
    with Crew() as crew, closing(open_world(protocol)) as world:
        policy = learn(protocol, encoder, world, derive_seed(protocol.name, seed), crew)
        for house, episode in places:
            yield play(protocol, world, encoder, policy, (house, protocol.episode_seed(house, episode)), crew)


def _policy_details(protocol: HouseProtocol, encoder: Encoder, policies: Path | None) -> dict[str, str]:
    """Tells which policy plays, where it was there before the run."""
    if protocol.name != "imagenav":
        return {}
    from pentathlon.events.see.houses.imagenav import find_policy

    file = find_policy(protocol, encoder, policies)
    return {} if file is None else {"policy": file_digest(file)}


def learn(protocol: HouseProtocol, encoder: Encoder, world: HouseWorld, seed: int, crew: Crew) -> RecurrentPolicy:
    """Clones a policy from demonstrations seen through the encoder."""
    cache = ArrayCache()
    taught = [
        TaughtEpisode(np.concatenate([_embedded(encoder, shown, name, cache, crew), shown.states], 1), shown.actions)
        for name, shown in demonstrations(protocol, world, cache)
    ]
    policy: RecurrentPolicy | None = None
    for epoch in clone_recurrent(taught, len(world.choices), protocol.recipe, seed % 2**31):
        policy = epoch.policy
    assert policy is not None
    return policy.eval()


def demonstrations(protocol: HouseProtocol, world: HouseWorld, cache: ArrayCache) -> Iterator[tuple[str, Shown]]:
    """Yields as many demonstrations as the protocol asks for, each with a name that follows from what made it.

    Raises:
        DataError: the demonstrator succeeds too seldom.
    """
    found, per_house = 0, -(-protocol.demonstrations // max(protocol.taught_houses, 1))
    in_house: dict[int, int] = {}
    for house, seed in attempts(protocol):
        if found == protocol.demonstrations:
            return
        if in_house.get(house, 0) == per_house:
            continue
        made_of = (protocol.name, protocol.teacher, protocol.steps, protocol.size_px, GENERATOR, RAYCAST_VERSION)
        name = content_hash(["see-house", *made_of, house, seed], length=40)
        shown = _kept(cache, name, lambda house=house, seed=seed: demonstrate(world, protocol, "train", house, seed))
        if shown is not None:
            found, in_house[house] = found + 1, in_house.get(house, 0) + 1
            yield name, shown
    if found < protocol.demonstrations:
        raise DataError(
            f"Expected {protocol.demonstrations} demonstrations of {protocol.name}, got {found}: its demonstrator "
            "failed in all other attempts. Mend the demonstrator, or give it more houses."
        )


def _kept(cache: ArrayCache, name: str, make: Any) -> Shown | None:
    """Makes a demonstration once; one that failed is kept as one without steps."""

    def compute() -> dict[str, npt.NDArray[Any]]:
        shown = make()
        return {"actions": np.zeros(0, np.int64)} if shown is None else dict(shown._asdict())

    kept = cache.get_or_compute(name, compute)
    return None if not len(kept["actions"]) else Shown(kept["frames"], kept["states"], kept["actions"])


def _embedded(encoder: Encoder, shown: Shown, name: str, cache: ArrayCache, crew: Crew) -> Floats:
    def encode() -> dict[str, Floats]:
        return {"pooled": encode_frames(encoder, shown.frames, crew)}

    fingerprint = getattr(encoder, "fingerprint", None)
    if fingerprint is None:
        return encode()["pooled"]
    key = content_hash(["see-house-features", fingerprint, device_of(encoder), name], length=40)
    embedded: Floats = cache.get_or_compute(key, encode)["pooled"]
    return embedded


def enter(protocol: HouseProtocol, world: HouseWorld, house: int, seed: int) -> int:
    """Begins an episode in a validation house and returns its seed: this one, or a later one that the house has.

    Raises:
        DataError: the house has none.
    """
    for _ in range(MOST_SEEDS):
        if world.begin("val", house, seed):
            return seed
        seed = derive_seed(protocol.name, "instead", seed) % 2**31
    raise DataError(
        f"Expected an episode of {protocol.name} in validation house {house}, got none in {MOST_SEEDS} tries."
    )


def play(
    protocol: HouseProtocol, world: HouseWorld, encoder: Encoder, policy: RecurrentPolicy, episode: tuple[int, int],
    crew: Crew,
) -> Played:  # fmt: skip
    """Plays one episode: a validation house and a seed."""
    player, steps, ended = RecurrentPlayer(policy, enter(protocol, world, *episode)), 0, False
    while not ended and steps < protocol.steps:
        seen = world.observe()
        inputs = np.concatenate([crew.encode(encoder, seen.rgb[None])[0], seen.state]).astype(np.float32)
        ended = world.act(player.act({"inputs": torch.from_numpy(inputs)[None]}))
        steps += 1
    return world.measures(), steps
