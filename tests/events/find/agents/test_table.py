"""The rows of CoW and its controls."""

import pytest

from pentathlon.core.errors import UnknownIdError, UsageError
from pentathlon.core.registry import resolve_entrant
from pentathlon.events.find.agents.table import TABLE


@pytest.mark.parametrize("row", [row for row in TABLE if not row.needs_weights], ids=lambda row: row.id)
def test_controls_are_built_without_weights(row: object) -> None:
    agent = resolve_entrant(row.id).make()  # type: ignore[attr-defined]
    assert "Stop" in agent.spec.action.labels


@pytest.mark.parametrize("row", [row for row in TABLE if row.needs_weights], ids=lambda row: row.id)
def test_localizers_must_be_named_and_known(row: object) -> None:
    with pytest.raises(UsageError, match="needs weights"):
        resolve_entrant(row.id).make()  # type: ignore[attr-defined]
    with pytest.raises(UnknownIdError, match="localizer"):
        resolve_entrant(f"{row.id}@guess:nothing").make()  # type: ignore[attr-defined]
