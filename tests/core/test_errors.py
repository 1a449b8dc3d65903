from __future__ import annotations

import pickle

from pentathlon.core.errors import MissingDependencyError, SpecMismatchError, UnknownIdError


def test_errors_come_out_of_a_worker_process_as_they_were() -> None:
    for error in (
        UnknownIdError("node", "Mug|3", ["Mug|2", "Sofa|0"]),
        SpecMismatchError("rgb", "uint8", "float32"),
        MissingDependencyError("A GPU", "pip install torch", why="There is none."),
    ):
        again = pickle.loads(pickle.dumps(error))
        assert type(again) is type(error)
        assert str(again) == str(error)
        assert again.__dict__ == error.__dict__
