"""Parses the command line and turns every error into one sentence and a status."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Sequence
from typing import Annotated, Any, Union, cast

import tyro

from pentathlon import __version__
from pentathlon.cli.command import Command
from pentathlon.core import EVENTS, PentathlonError
from pentathlon.core.registry import resolve

COMMANDS: dict[str, str] = {
    "doctor": "pentathlon.cli.doctor.command:Doctor",
    "list": "pentathlon.cli.listing:List",
    "sprint": "pentathlon.cli.sprint:Sprint",
    "run": "pentathlon.cli.run:Run",
    "standings": "pentathlon.cli.standings:Standings",
    "compare": "pentathlon.cli.compare:Compare",
    "rescore": "pentathlon.cli.rescore:Rescore",
    "report": "pentathlon.cli.report:Report",
    "cache": "pentathlon.cli.cache:Cache",
    "house": "pentathlon.cli.house:House",
    "eyes": "pentathlon.cli.eyes:Eyes",
    "tune-localizer": "pentathlon.cli.tune_localizer:TuneLocalizer",
    "serve": "pentathlon.cli.server.serve:Serve",
    "check-entrant": "pentathlon.cli.server.check_entrant:CheckEntrant",
    "submit": "pentathlon.cli.server.submit:Submit",
}

DESCRIPTION = """How good is a model at being in the world? Five events, one record format, one scoreboard.

The same command again continues a run. Add --debug anywhere to see the traceback of an error.
--version tells which Pentathlon this is."""

EXIT_ERROR = 2
EXIT_INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit status: 0 done, 2 error, 130 interrupted."""
    # Libraries start Python too, as glfw does to try a driver; like ours, those processes search no stranger's folder.
    os.environ.setdefault("PYTHONSAFEPATH", "1")
    words = list(sys.argv[1:] if arguments is None else arguments)
    debug = "--debug" in words
    if words == ["--version"]:
        print(f"pentathlon {__version__}")
        return 0
    try:
        return parse([word for word in words if word != "--debug"]).run()
    except PentathlonError as error:
        return _fail(str(error), debug)
    except KeyboardInterrupt:
        print("\nInterrupted. The same command continues where it stopped.", file=sys.stderr)
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        return EXIT_ERROR
    except Exception as error:
        advice = "This is a fault in Pentathlon or in the entrant; run again with --debug to see where."
        return _fail(f"Unexpected {type(error).__name__}: {error}. {advice}", debug)


def parse(words: Sequence[str]) -> Command:
    """Parses ``words`` into the command they name; exits with status 2 on bad usage.

    The modules of other commands are not imported, so that a command needs no package but its own.
    """
    if words and words[0] == "run":
        from pentathlon.cli.events.options import with_yes

        words = with_yes(words, EVENTS.rows())
    if words and words[0] in COMMANDS:
        return _parse(resolve(COMMANDS[words[0]]), words[1:], f"pentathlon {words[0]}")
    from pentathlon.cli.events.commands import event_commands, with_command

    groups, words = event_commands(COMMANDS), with_command(words)
    if words and words[0] in groups:
        return _parse(groups[words[0]](), words[1:], f"pentathlon {words[0]}")
    commands = {name: resolve(target) for name, target in COMMANDS.items()}
    commands |= {name: make() for name, make in groups.items()}
    choices = tuple(Annotated[command, tyro.conf.subcommand(name)] for name, command in commands.items())
    chosen = cast(Any, Union[choices])  # noqa: UP007 - the choices are known only at run time
    return _parse(chosen, words or ["--help"], "pentathlon", DESCRIPTION)


def _parse(kind: Any, words: Sequence[str], program: str, description: str | None = None) -> Command:
    command: Command = tyro.cli(
        kind,
        args=list(words),
        prog=program,
        description=description,
        config=(tyro.conf.OmitArgPrefixes, tyro.conf.OmitSubcommandPrefixes),
    )
    return command


def _fail(message: str, debug: bool) -> int:
    if debug:
        traceback.print_exc()
    print(f"error: {message}", file=sys.stderr)
    return EXIT_ERROR
