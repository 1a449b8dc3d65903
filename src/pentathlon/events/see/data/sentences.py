"""Each control task in a sentence, for learners that are told what to do."""

from __future__ import annotations

from pentathlon.worlds.control.tasks import ControlTask

SENTENCES = {
    "adroit-pen": "Turn the pen in the hand until it points as the green one does.",
    "adroit-relocate": "Carry the ball to the green place in the air.",
    "metaworld-assembly": "Put the ring over the peg.",
    "metaworld-bin-picking": "Move the cube from one bin into the other.",
    "metaworld-button-press-topdown": "Press the button from above.",
    "metaworld-drawer-open": "Open the drawer.",
    "metaworld-hammer": "Drive the nail in with the hammer.",
    "dmcontrol-finger-spin": "Keep the spinner turning fast.",
    "dmcontrol-reacher-hard": "Hold the fingertip in the small target.",
    "dmcontrol-reacher-easy": "Hold the fingertip in the large target.",
    "dmcontrol-cheetah-run": "Run forward as fast as you can.",
    "dmcontrol-walker-stand": "Stand up straight.",
    "dmcontrol-walker-walk": "Walk forward.",
    "trifinger-reach-cube": "Touch the cube with the finger.",
    "trifinger-push-cube": "Push the cube onto the green square.",
}


def sentence_of(task: ControlTask) -> str:
    """What LeRobot calls the task of an episode."""
    return SENTENCES[task.name]
