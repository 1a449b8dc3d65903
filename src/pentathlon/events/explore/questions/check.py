"""Checks questions by a second, slow evaluator that shares nothing with the first: one thing after the other.

It reads the scene graph itself: its edges, its boxes and the outlines of the rooms, never the tables that questions
were drawn from.
"""

from __future__ import annotations

from collections.abc import Iterator

from pentathlon.core.errors import PentathlonError
from pentathlon.events.explore.questions.evaluate import Answer
from pentathlon.events.explore.questions.program import Program, Step
from pentathlon.events.explore.questions.question import Question
from pentathlon.events.explore.questions.words import noun
from pentathlon.worlds.houses.graph.scene_graph import Node, SceneGraph
from pentathlon.worlds.houses.house import House
from pentathlon.worlds.houses.plan.polygons import contains_point


class NoOneMeantError(PentathlonError):
    """A description that should fit one thing fits none or several."""


class SlowEvaluator:
    """Answers programs by asking of every thing whether it belongs to what a step means."""

    def __init__(self, house: House, graph: SceneGraph) -> None:
        self._house, self._graph = house, graph
        self._objects = [node for node in graph.nodes if node.kind == "object"]

    def answer(self, program: Program) -> Answer:
        """Returns the answer to a program.

        Raises:
            NoOneMeantError: when a description does not fit one thing alone.
        """
        last = program[-1]
        if last.node == "exist":
            return any(self._belongs(program, last.inputs[0], node) for node in self._objects)
        if last.node == "count":
            return sum(self._belongs(program, last.inputs[0], node) for node in self._objects)
        one = self._meant(program, last.inputs[0])
        if last.node == "compare":
            return self._graph.holds(one.id, last.word, self._meant(program, last.inputs[1]).id)
        words = {"query_colour": one.colours, "query_material": one.materials, "query_type": (noun(one.type),)}
        return tuple(sorted({str(word) for word in words[last.node]}))

    def _meant(self, program: Program, place: int) -> Node:
        source = program[place].inputs[0]
        fitting = [node for node in self._objects if self._belongs(program, source, node)]
        if len(fitting) != 1:
            raise NoOneMeantError(f"step {place} means one thing, and {len(fitting)} fit")
        return fitting[0]

    def _belongs(self, program: Program, place: int, node: Node) -> bool:
        """Tells whether a thing is among those that a step chooses."""
        step = program[place]
        if step.node == "scene":
            return True
        if step.node == "intersect":
            return all(self._belongs(program, source, node) for source in step.inputs)
        if step.node == "union":
            return any(self._belongs(program, source, node) for source in step.inputs)
        if not self._belongs(program, step.inputs[0], node):
            return False
        if step.node == "relate":
            other = self._meant(program, step.inputs[1])
            return node.id != other.id and self._graph.holds(node.id, step.word, other.id)
        return self._fits(step, node)

    def _fits(self, step: Step, node: Node) -> bool:
        match step.node:
            case "filter_type":
                return node.type == step.word
            case "filter_colour":
                return all(word in node.colours for word in step.word.split(" and "))
            case "filter_material":
                return all(word in node.materials for word in step.word.split(" and "))
            case "filter_room":
                x_m, y_m, _ = node.centre_m
                rooms = [room for room in self._house.rooms if contains_point(room.outline_m, x_m, y_m)]
                return bool(rooms) and rooms[0].type == step.word
            case "filter_portable":
                return node.pickupable
        raise AssertionError(f"no filter: {step.node}")


def complaints(house: House, graph: SceneGraph, questions: tuple[Question, ...]) -> Iterator[str]:
    """Yields what is wrong with questions: another answer, no one thing that is meant, or the same words twice."""
    slow = SlowEvaluator(house, graph)
    seen: dict[str, str] = {}
    for question in questions:
        try:
            answer = slow.answer(question.program)
        except NoOneMeantError as error:
            yield f"{house.name} {question.id}: {error}: {question.text}"
            continue
        if answer != question.answer or type(answer) is not type(question.answer):
            yield f"{house.name} {question.id}: the answer is {answer}, not {question.answer}: {question.text}"
        if question.text in seen:
            yield f"{house.name} {question.id}: asked before as {seen[question.text]}: {question.text}"
        seen[question.text] = question.id
