"""The arguments of a command, and the one way to run it: errors become a sentence and the exit status 2."""

import asyncio
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Coroutine
from typing import Any, NoReturn

from bot import __version__
from bot.startup.command_line import COMMANDS
from bot.startup.config import Config, ConfigError, read_config
from bot.startup.output import complain, output_lost, release_streams
from db.values.failures import StoreFailed, StoreUnavailable

STREAM = "-"
"""In the place of a file: the standard input or output."""


class Arguments(ArgumentParser):
    """The arguments of one command, which refuses others in one sentence."""

    def __init__(self, name: str) -> None:
        super().__init__(
            prog=f"python -m bot {name}",
            description=COMMANDS[name].purpose,
            epilog="Settings are environment variables; docs/hosting.md lists them.",
            allow_abbrev=False,
        )
        self.add_argument("--version", action="version", version=f"Pencilbox {__version__}")

    def error(self, message: str) -> NoReturn:
        raise ConfigError(f"{self.prog}: {message}; {self.prog} --help says what it takes.")


def run(arguments: Arguments, command: Callable[[Namespace, Config], Coroutine[Any, Any, int]]) -> int:
    """Run a command and return its exit status: 2 if it cannot run, after a sentence that says why.

    A command that succeeds has the status 1 if the standard output did not take all that it printed.
    """
    try:
        given = arguments.parse_args()
        status = asyncio.run(command(given, read_config()))
    except (ConfigError, StoreUnavailable) as error:
        sentence = str(error)
    except StoreFailed as error:
        sentence = (
            f"The database failed in the middle ({error.cause}): end other programs that lock it, make sure that it "
            "runs and can be written, and give the command again."
        )
    else:
        release_streams()
        return status or int(output_lost())
    complain(sentence)
    release_streams()
    return 2
