"""The example that evaluates while it trains, run as a user would."""

import os
import re
import resource
import subprocess
import sys
from pathlib import Path

import pentathlon

EXAMPLE = Path(__file__).parents[2] / "examples" / "04_evaluate_while_training.py"


def test_the_policy_gets_better_and_is_recorded(tmp_path: Path) -> None:
    before_s = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    child = subprocess.run(
        [sys.executable, str(EXAMPLE), "runs"],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before_s < 60
    success = [float(value) for value in re.findall(r"generation \d: ([0-9.]+) %", child.stdout)]
    assert len(success) == 6
    assert success[-1] > success[0] + 30
    (recorded,) = (tmp_path / "runs" / "example" / "cartpole-v1").iterdir()
    evaluation = pentathlon.load_run(recorded)
    assert (evaluation.entrant, evaluation.score.value, evaluation.complete) == ("linear-cem", success[-1], True)
