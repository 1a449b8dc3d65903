"""The registered policies, as rows; nothing is imported until one is built."""

from __future__ import annotations

from pentathlon.core.registry import EntrantEntry, EntrantRows

_row = EntrantRows("policy", "pentathlon.events.act.", "act")

TABLE: tuple[EntrantEntry, ...] = (
    _row(
        "policy",
        "baselines:load_policy_folder",
        "a policy's folder, trained or written: policy@DIR",
        needs_weights=True,
    ),
    _row("hold-still", "baselines:HoldStill", "stays where it is: what chance gives"),
    _row("scripted-expert", "baselines:ScriptedExpert", "knows the whole state: a ceiling, not an entrant"),
    _row(
        "replay-demonstration",
        "baselines:make_replay",
        "repeats a demonstration drawn at random: replay-demonstration@act/pour-lite",
        needs_weights=True,
    ),
    _row(
        "sprint-bc",
        "policies.sprint:SprintPolicy",
        "behaviour cloning on pixels-16, trained on first use with the sprint's data",
        sprint=True,
        learner="bc",
    ),
    _row(
        "sprint-vinn",
        "policies.sprint:SprintPolicy",
        "nearest neighbours on moco-tiny, made on first use from the sprint's data",
        sprint=True,
        learner="vinn",
    ),
)
