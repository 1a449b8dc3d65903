"""Makes the fabricated runs once for all report tests."""

import sys
from pathlib import Path

import pytest

from pentathlon.engine import RunFolder

sys.path.insert(0, str(Path(__file__).parent))  # so that the registry can import the demo's task


@pytest.fixture(scope="session")
def runs_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    import report_demo

    folder = tmp_path_factory.mktemp("demo") / "runs"
    report_demo.make_runs(folder)
    return folder


@pytest.fixture
def runs(runs_folder: Path) -> list[RunFolder]:
    from pentathlon.engine import list_runs

    return list_runs(runs_folder)
