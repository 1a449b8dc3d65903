"""Pentathlon for people who never leave Python; everything here is offered by ``import pentathlon``."""

from pentathlon.api.evaluating import evaluate, run
from pentathlon.api.evaluation import Evaluation
from pentathlon.api.looking import compare, entrants, load_run, standings, tasks

__all__ = ["Evaluation", "compare", "entrants", "evaluate", "load_run", "run", "standings", "tasks"]
