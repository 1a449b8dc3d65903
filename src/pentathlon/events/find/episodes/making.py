"""Makes the episodes of one house for every capability: the same house gives the same episodes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from pentathlon.core.identity import derive_seed
from pentathlon.events.find.episodes.claims import Claim
from pentathlon.events.find.episodes.descriptions import appearance, hidden, sentence, space
from pentathlon.events.find.episodes.dressing import without
from pentathlon.events.find.episodes.records import Capability, Change, Draft, FindEpisode, Place
from pentathlon.events.find.episodes.scenes import Scene, View, look_into, one_of_each, require_fair
from pentathlon.events.find.episodes.seconds import add_distractors, hide_one_of_each
from pentathlon.events.find.episodes.starts import draw_starts, way_m
from pentathlon.events.find.episodes.targets import COMMON, RESERVE, UNCOMMON, noun_of
from pentathlon.worlds.houses.house import House

TARGETS = 12
OBJECTNAV_STARTS, LARGE_STARTS, PASTURE_STARTS = 5, 1, 1
LONGEST_M, LARGE_LONGEST_M = 10.0, 30.0
"""Longest ways; in houses of 3 to 6 rooms the shorter bound gives a mean of 5 m."""
Starts = Mapping[str, Sequence[Place]]
Describe = Callable[[View, str], Claim | None]


def make_large(house: House) -> list[Draft]:
    """Makes the episodes of a large house, which are object goals only.

    Raises:
        DataError: when it has too few fair places.
    """
    rng = _generator(house)
    scene = one_of_each(house, (*COMMON, *RESERVE), TARGETS, rng)
    starts = _starts(scene, LARGE_STARTS, LARGE_LONGEST_M, rng)
    return [_draft("objectnav-large", house, scene, starts, _named)]


def make_all(house: House) -> list[Draft]:
    """Makes the episodes of a house for all capabilities but the large one.

    Raises:
        DataError: when it has too few fair places for one of them.
    """
    rng = _generator(house)
    plain = one_of_each(house, (*COMMON, *RESERVE), len((*COMMON, *RESERVE)) - 2, rng, placed=True)
    goals = Scene(plain.house, dict(list(plain.targets.items())[:TARGETS]))
    drafts = [_draft("objectnav", house, goals, _starts(goals, OBJECTNAV_STARTS, LONGEST_M, rng), _named)]
    uncommon = one_of_each(plain.house, UNCOMMON, TARGETS, rng)
    starts = _starts(uncommon, PASTURE_STARTS, LONGEST_M, rng)
    drafts.append(_draft("pasture-uncommon", house, uncommon, starts, _named))
    return [*drafts, *_described(house, plain, rng), *_hidden(house, plain, rng)]


def change_of(before: House, after: House) -> Change:
    """Tells what has to be taken out of a house and put in to make it another."""
    old = {item.id: item for item in before.objects}
    new = {item.id: item for item in after.objects}
    removed = tuple(name for name, item in old.items() if new.get(name) != item)
    added = tuple(item for name, item in new.items() if old.get(name) != item)
    return Change(before.name, removed, added)


def _described(house: House, plain: Scene, rng: np.random.Generator) -> list[Draft]:
    """The four capabilities with descriptions: the same targets and starts, without and with distractors."""
    view = look_into(plain.house)
    claims = {name: _claims(view, target) for name, target in plain.targets.items()}
    seconds = add_distractors(plain, {name: own for name, own in claims.items() if own}, TARGETS, rng)
    chosen = {name: plain.targets[name] for name in seconds.targets}
    before = {item.id for item in plain.house.objects}
    unused = [item.id for item in seconds.house.objects if item.id not in {*before, *seconds.targets.values()}]
    placed = {plain.targets[name]: own[1] for name, own in claims.items() if own}
    alone = Scene(plain.house, chosen)
    crowded = Scene(without(seconds.house, unused), chosen)
    require_fair(crowded)
    starts = _starts(crowded, PASTURE_STARTS, LONGEST_M, rng, alone.house)
    return [
        _draft("pasture-appearance", house, alone, starts, _looks),
        _draft("pasture-space", house, alone, starts, _stands),
        _draft("pasture-appearance-distract", house, crowded, starts, _looks),
        # What is nearest may be a distractor by now; the sentence stays that of the house without them.
        _draft("pasture-space-distract", house, crowded, starts, lambda view, target: placed[target]),
    ]


def _hidden(house: House, plain: Scene, rng: np.random.Generator) -> list[Draft]:
    """Hidden targets: beside those in sight, which distract, and alone."""
    # Only what is in sight once already, so that each hidden thing has a second one that distracts.
    both = hide_one_of_each(plain.house, tuple(plain.targets), TARGETS, rng)
    before = {item.id for item in plain.house.objects}
    unused = [item.id for item in both.house.objects if item.id not in {*before, *both.targets.values()}]
    crowded = Scene(without(both.house, unused), both.targets)
    in_sight = [plain.targets[name] for name in both.targets]
    alone = Scene(without(crowded.house, in_sight), both.targets)
    starts = _starts(crowded, PASTURE_STARTS, LONGEST_M, rng, alone.house)
    return [
        _draft("pasture-hidden", house, alone, starts, _hides),
        _draft("pasture-hidden-distract", house, crowded, starts, _hides),
    ]


def _starts(
    scene: Scene, count: int, longest_m: float, rng: np.random.Generator, also: House | None = None
) -> dict[str, list[Place]]:
    """Draws starts for each target; ``also`` is another state of the house in which they must be free too."""
    views = [look_into(house) for house in (scene.house, also) if house is not None]
    return {target: draw_starts(views, target, count, longest_m, rng) for target in scene.targets.values()}


def _draft(capability: Capability, house: House, scene: Scene, starts: Starts, describe: Describe) -> Draft:
    view, episodes = look_into(scene.house), []
    for type_name, target in scene.targets.items():
        claim = describe(view, target)
        assert claim is not None
        for number, start in enumerate(starts[target]):
            episodes.append(
                FindEpisode(
                    id=f"{house.name}-{type_name}-{number}",
                    house=house.name,
                    target=target,
                    type=type_name,
                    category=noun_of(type_name),
                    description=sentence(claim),
                    start=start,
                    length_m=way_m(view.goal(target), start),
                )
            )
    return Draft(capability, change_of(house, scene.house), tuple(episodes))


def _named(view: View, target: str) -> Claim:
    return Claim(noun_of(view.graph.node(target).type))


def _looks(view: View, target: str) -> Claim:
    return appearance(view.graph.node(target))


def _stands(view: View, target: str) -> Claim | None:
    return space(view.graph, view.graph.node(target))


def _hides(view: View, target: str) -> Claim | None:
    return hidden(view.graph, view.graph.node(target))


def _claims(view: View, target: str) -> tuple[Claim, ...]:
    """How a thing looks and where it is; nothing where one of them tells no more than its name."""
    looks, stands = _looks(view, target), _stands(view, target)
    told = bool(looks.colours) and stands is not None
    return (looks, stands) if told and stands is not None else ()


def _generator(house: House) -> np.random.Generator:
    return np.random.default_rng(derive_seed("find-v1", house.name))
