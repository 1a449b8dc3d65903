"""The policies that run on servers of other projects, as rows; nothing is imported until one is used."""

from __future__ import annotations

from pentathlon.core.registry import EntrantEntry


def _row(id: str, factory: str, summary: str) -> EntrantEntry:
    return EntrantEntry(
        id=id,
        kind="policy",
        summary=f"{summary}: {id}@ws://HOST:PORT",
        factory=f"pentathlon.events.act.policies.{factory}",
        needs_weights=True,
    )


TABLE: tuple[EntrantEntry, ...] = (
    _row("openpi", "foreign:make_openpi", "a policy behind openpi's serve_policy"),
    _row("vla-eval", "foreign:make_vla_eval", "a policy behind a vla-eval model server"),
)
