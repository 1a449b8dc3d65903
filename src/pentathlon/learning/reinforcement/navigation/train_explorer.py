"""Trains an explorer in generated houses on a GPU, and measures it beside a random walk in houses that it never saw."""

from __future__ import annotations

import json
import time
from typing import Any

import numpy as np
import torch
from safetensors.torch import load_file, save_file

from pentathlon.learning.reinforcement.navigation.explorer import SIDE_PX, ExplorerWorlds, make_explorer
from pentathlon.learning.reinforcement.navigation.house_stream import HouseStream
from pentathlon.learning.reinforcement.ppo import Learner, LearnerSettings, choose
from pentathlon.learning.reinforcement.ppo_policy import RecurrentPolicy
from pentathlon.learning.reinforcement.settings import ExplorerSettings
from pentathlon.stats.intervals import mean_interval
from pentathlon.storage.files import replacing
from pentathlon.worlds.houses.bodies.navigator import NavigatorSettings
from pentathlon.worlds.houses.gpu.houses import HouseSet
from pentathlon.worlds.houses.gpu.team import TeamRules

SAVED_EVERY_S = 20.0
GROWTH = 1.25


def train_explorer(settings: ExplorerSettings, learning: LearnerSettings | None = None) -> None:
    """Trains for so many minutes; writes explorer.safetensors, curve.jsonl and result.json into `settings.out`."""
    settings.out.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(settings.seed)
    policy = make_explorer()
    if settings.start is not None:
        policy.load_state_dict({name: value.float() for name, value in load_file(settings.start).items()})
    with HouseStream("train", range(settings.houses), settings.workers) as stream:
        houses = HouseSet(settings.device, goals_per_house=1, seed=settings.seed)
        stream.fill(houses, min(settings.first_houses, settings.houses), settings.packing_minutes)
        worlds = ExplorerWorlds(houses, settings.agents, _rules(settings, scattered=True))
        learner = Learner(worlds, policy, learning or LearnerSettings(), settings.seed)
        _learn(settings, learner, worlds, stream)
    save_explorer(settings, policy)
    result = measure(settings, policy) | {"frames": learner.frames, "houses": len(houses.numbers)}
    with replacing(settings.out / "result.json") as beside:
        beside.write_text(json.dumps(result, indent=1), encoding="utf-8")
    print(json.dumps(result), flush=True)


def _learn(settings: ExplorerSettings, learner: Learner, worlds: ExplorerWorlds, stream: HouseStream) -> None:
    started, saved, houses = time.perf_counter(), 0.0, worlds.team.houses
    known = len(houses.numbers)
    with (settings.out / "curve.jsonl").open("a", encoding="utf-8") as curve:
        while (spent_s := time.perf_counter() - started) < 60 * settings.minutes:
            report = learner.round()
            curve.write(json.dumps({"seconds": round(spent_s, 1), "houses": known, **report._asdict()}) + "\n")
            stream.add_to(houses)
            if len(houses.numbers) > known and len(houses.numbers) >= min(GROWTH * known, settings.houses):
                known = len(houses.numbers)
                worlds.take_in()
                learner.settle(settings.seed + learner.rounds)
            if spent_s - saved > SAVED_EVERY_S:
                saved = spent_s
                curve.flush()
                save_explorer(settings, learner.policy)
                print(json.dumps({"seconds": round(spent_s), "houses": known, **report._asdict()}), flush=True)


def save_explorer(settings: ExplorerSettings, policy: RecurrentPolicy) -> None:
    """Writes the policy's weights with 16 bits each."""
    weights = {name: value.half().contiguous().cpu() for name, value in policy.state_dict().items()}
    with replacing(settings.out / "explorer.safetensors") as beside:
        save_file(weights, beside)


def measure(settings: ExplorerSettings, policy: RecurrentPolicy) -> dict[str, Any]:
    """Counts the places of one episode of each agent in validation houses: the policy's, and a random walk's."""
    houses = HouseSet(settings.device, goals_per_house=1, seed=settings.seed)
    with HouseStream("val", range(settings.tested_houses), settings.workers) as stream:
        stream.fill(houses, settings.tested_houses, settings.packing_minutes)
    agents = min(512, settings.agents)
    worlds = ExplorerWorlds(houses, agents, _rules(settings, scattered=False))
    floors = worlds.team.scene_of.cpu().numpy()
    found: dict[str, Any] = {"steps": settings.step_limit, "tested houses": len(houses.numbers)}
    for name, player in (("learned", policy), ("random walk", None)):
        places = _places(worlds, player, settings)
        by_house = [float(places[floors == number].mean()) for number in houses.numbers]
        interval = mean_interval(by_house, bounds=(1.0, settings.step_limit + 1.0))
        found[name] = {"places": float(np.mean(by_house)), "low": interval.low, "high": interval.high}
    return found


@torch.no_grad()
def _places(worlds: ExplorerWorlds, policy: RecurrentPolicy | None, settings: ExplorerSettings) -> Any:
    observations, _ = worlds.reset(seed=settings.seed)
    device, count = worlds.team.houses.device, worlds.num_envs
    first = make_explorer().to(device) if policy is None else policy
    memory = first.first_memory(count, device)
    last = torch.full((count,), first.actions, device=device)
    walk = torch.tensor([0, 0, 1, 2], device=device)  # twice as many moves as turns to either side
    for _ in range(settings.step_limit):
        if policy is None:
            last = walk[torch.randint(4, (count,), device=device)]
        else:
            judged, memory = policy.step(observations, last, memory, None)
            last = choose(judged.logits)
        observations, _, _, _, info = worlds.step(last)
    return info["places"].cpu().numpy()


def _rules(settings: ExplorerSettings, *, scattered: bool) -> TeamRules:
    body = NavigatorSettings(size_px=(SIDE_PX, SIDE_PX), fovy_deg=settings.fovy_deg)
    return TeamRules(body, step_limit=settings.step_limit, seed=settings.seed, scattered=scattered)
