"""The command line of `python -m bot`. The module of a command is imported only when the command is used."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module

from bot import __version__

PURPOSE = "Run the Discord bot Pencilbox, on a local Discord if no DISCORD_TOKEN is set."


@dataclass(frozen=True, slots=True)
class Command:
    """A command: its purpose, and the module with the function that runs it and returns the exit status."""

    module: str
    purpose: str
    main: str = "main"


COMMANDS = {
    "backup": Command("bot.operators.backup", "Write the whole database into one file; the bot may run."),
    "restore": Command("bot.operators.restore", "Replace the database by a backup; the bot must be stopped."),
    "check": Command(
        "bot.operators.check",
        "Compare all stored data with the records of the games, without changes; the bot may run.",
    ),
    "failures": Command(
        "bot.operators.failures",
        "List what background tasks could not process, or retry it; the bot may run.",
    ),
    "health": Command("bot.health", "Report by the exit status whether the bot works."),
    "prove": Command(
        "bot.operators.rebuild", "Award the achievements of all finished games again.", "main_prove"
    ),
    "stats": Command(
        "bot.operators.stats", "Print how many servers, members and games there are; the bot may run."
    ),
    "rerate": Command(
        "bot.operators.rebuild",
        "Rate all finished matches again by their records; the bot must be stopped.",
        "main_rerate",
    ),
    "worker": Command("bot.jobs.worker", "Search for moves and puzzles, for bots on the same PostgreSQL."),
}


def run_command(arguments: Sequence[str]) -> int:
    """Run the command that these arguments of `python -m bot` name, and return the exit status."""
    name, *rest = arguments
    if name == "--version" and not rest:
        print(f"Pencilbox {__version__}")  # noqa: T201 - a command line answers
        return 0
    if name in ("--help", "-h") and not rest:
        print(_help())  # noqa: T201 - a command line answers
        return 0
    command = COMMANDS.get(name)
    if command is None or name.startswith("-"):
        asked = " ".join(arguments)
        print(f"python -m bot has no command {asked}; python -m bot --help lists them.", file=sys.stderr)  # noqa: T201 - as above
        return 2
    sys.argv[1:] = rest
    status: int = getattr(import_module(command.module), command.main)()
    return status


def _help() -> str:
    width = max(map(len, COMMANDS))
    return "\n".join(
        (
            f"python -m bot: {PURPOSE}",
            "python -m bot COMMAND runs one of these; with --help it says more:",
            *(f"  {name:{width}}  {command.purpose}" for name, command in sorted(COMMANDS.items())),
            "Settings are environment variables; docs/hosting.md lists them.",
        )
    )
