"""What a chat model is asked to judge a video, word for word as in ViSTa (Wybitul et al. 2024, Figures 6-12)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

MISSING = -0.1
"""The score of a label that an answer does not have, and of all labels when the model refuses."""

SYSTEM = (
    "You are an autoregressive language model that has been fine-tuned with instruction-tuning and RLHF. You carefully "
    "provide accurate, factual, thoughtful, nuanced answers, and are brilliant at reasoning. Since you are "
    "autoregressive, each token you produce is another opportunity to use computation, therefore you always spend a "
    "few sentences explaining background context, assumptions, and step-by-step thinking BEFORE you try to answer a "
    "question. You always use precise, plain scientific language, without unneeded flourish. You provide details where "
    "it might help the explanation."
)
INSTRUCTION = (
    "Your task is to describe what you see in each frame, separately, in a list. For each frame, concisely describe "
    "the scene, the objects we're holding, and from that deduce what actions have likely been performed since the last "
    "frame."
)
"""Told where a problem set has none of its own: that of ViSTa's tasks of several steps."""

EXAMPLE = """
A few tips and hints to help you get started:
- 'Holding an object' is depicted as the object being low on the right of the screen and close to the camera, without any visible hands.
- If the first frame starts with us already holding an object, it was already in our hands from the beginning.
- Cleaning involves holding an object under running water. Heating involves putting an object in a microwave, turning it on and off, and picking the object back up. Cooling involves putting an object in a fridge, closing it, opening it, and picking the object back up. Slicing can only happen with a knife in our hands.

Example with the tips applied (for five frames for illustration purposes, but you should work with as many frames as you are given):
Input: [5 frames]
Frame-by-frame description:
1. We are near the countertop. There is an apple low on the right, which suggests we are holding it.
2. We are now near a microwave. We are still holding the apple.
3. The apple now lies in the microwave. The microwave is open and thus not running.
4. The microwave is closed and lit up, so we are heating the apple.
5. We are holding the apple again, and steam rises from it.
"""  # noqa: E501
FRAMES = """You will be given {n_frames} frames from a first-person video. The frames are given to you in chronological order.

{instruction}

{example}

Input frames. Describe each frame separately.
"""  # noqa: E501
MATCH = """Consider the following sequence of frame-by-frame descriptions:

'''
{frame_descriptions}
'''

Break down each of the following summaries into individual steps, and mention what frames or frame ranges each step matches in parentheses after each step. Note even partial matches, e.g. matching a kind of action (put, pick, ...) even though the object might be incorrect. Also provide a one-sentence commentary on how well each summary matches the sequence of the frame descriptions. In the commentary, the most important thing is to match the kinds of actions performed and their order. For example if put (of anything) was described before a pick (of anything) in the frames, maintaining this order in the summary is more important than getting the exact object right. Do not comment on the overall quality of the summaries.

Summaries, given in the format '- (label) summary':

{class_list}
"""  # noqa: E501
SCORE = """Based on your findings in the previous section, score the summaries from 0 to 5, where 0 is "likely does not describe the video" and 5 is "among the given options, this one most likely describes the video". Make sure to score each summary individually. At least one score should be non-zero, even if it's not a perfect match. Whatever scores you pick, there must be! exactly one summary with the highest score. Follow the format below, verbatim:

'''
- (label) score
'''
"""  # noqa: E501
MINECRAFT = """Then, given the original frames and your description, score the following potential video descriptions from 0 to 1 based on how well they describe the video you've seen. Feel free to use values between 0 and 1, too. {how_many} The descriptions are given in the following format:

- (label) description

Options:

{class_list}

The final scores should be in the following format, verbatim:

'''
- (label) your score
'''

Be sure not to alter the label in any way, since we will use it to match your scores to the potential descriptions we've given you.
"""  # noqa: E501
ONE_RIGHT = "There should be exactly one 'correct' description with score 1."
SEVERAL_RIGHT = "There could be more than one 'correct' description with score 1."

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def class_list(descriptions: Mapping[str, str]) -> str:
    """Lists labels with their sentences."""
    return "\n".join(f"- ({label}) {sentence}" for label, sentence in descriptions.items())


def read_scores(text: str, labels: Sequence[str]) -> dict[str, float | None]:
    """Reads the score of each label as the released code does: the largest number on a line that names it.

    What stands before "Final Scores" is left aside where those words are there.
    """
    _, _, after = text.rpartition("Final Scores")
    lines = (after or text).splitlines()
    return {label: _score_of(label, lines) for label in labels}


def _score_of(label: str, lines: Sequence[str]) -> float | None:
    named = [line.replace(f"({label})", " ", 1) for line in lines if f"({label})" in line]
    numbers = [float(number) for line in named for number in _NUMBER.findall(line)]
    return max(numbers, default=None)
