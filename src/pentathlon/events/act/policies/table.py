"""The policies that run on servers of other projects, as rows; nothing is imported until one is used."""

from __future__ import annotations

from pentathlon.core.registry import EntrantEntry, EntrantRows

_row = EntrantRows("policy", "pentathlon.events.act.policies.foreign:", "act")


def _served(id: str, factory: str, summary: str) -> EntrantEntry:
    return _row(id, factory, f"{summary}: {id}@ws://HOST:PORT", needs_weights=True)


TABLE: tuple[EntrantEntry, ...] = (
    _served("openpi", "make_openpi", "a policy behind openpi's serve_policy"),
    _served("vla-eval", "make_vla_eval", "a policy behind a vla-eval model server"),
)
