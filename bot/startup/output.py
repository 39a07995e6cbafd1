"""The standard streams of a process. A full disk or a closed pipe behind them must not end the bot."""

import os
import sys
from contextlib import suppress

_lost: list[str] = []


def say(text: object) -> None:
    """Print a line for the operator on the standard output, or on the standard error if that fails."""
    if not _lost:
        try:
            print(text, flush=True)  # noqa: T201 - the only place that prints
        except OSError as error:
            _lost.append(str(error))
            _silence(1)
            if isinstance(error, BrokenPipeError):
                return  # The reader, such as head, has closed the pipe.
            complain(f"The standard output takes nothing ({error.strerror}); the rest is printed here.")
        else:
            return
    complain(text)


def complain(text: object) -> None:
    """Print a line on the standard error. Ignore a failure."""
    with suppress(OSError):
        print(text, file=sys.stderr, flush=True)  # noqa: T201 - as above


def output_lost() -> bool:
    """Return whether a write to the standard output has failed."""
    return bool(_lost)


def release_streams() -> None:
    """Flush the standard streams, so that a failure at exit does not change the exit status."""
    for number, stream in ((1, sys.stdout), (2, sys.stderr)):
        try:
            if stream is not None:
                stream.flush()
        except (OSError, ValueError):
            _silence(number)


def _silence(number: int) -> None:
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, number)
    os.close(nothing)
