"""The entrant that runs on a server of its owner's, as a row; nothing is imported until it is used."""

from __future__ import annotations

from pentathlon.core.registry import EntrantEntry

TABLE: tuple[EntrantEntry, ...] = (
    EntrantEntry(
        id="remote",
        # The server says which, once it is asked.
        kind=None,
        summary="an entrant of any kind served with serve_entrant: remote@ws://HOST:PORT",
        factory="pentathlon.models.remote.remote_entrants:make_remote",
        needs_weights=True,
    ),
)
