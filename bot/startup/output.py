"""The standard streams of a process. What they lead to may be full or closed, which must not end the bot."""

import os
import sys
from contextlib import suppress

_lost: list[str] = []


def say(text: object) -> None:
    """Print a line for the operator. If the standard output does not take it, the standard error gets it."""
    if not _lost:
        try:
            print(text, flush=True)  # noqa: T201 - this is the place that prints
        except OSError as error:
            _lost.append(str(error))
            _silence(1)
            if isinstance(error, BrokenPipeError):
                return  # The reader, such as head, has read enough.
            complain(f"The standard output takes nothing ({error.strerror}); the rest is printed here.")
        else:
            return
    complain(text)


def complain(text: object) -> None:
    """Print a line on the standard error, if it takes one."""
    with suppress(OSError):
        print(text, file=sys.stderr, flush=True)  # noqa: T201 - as above


def output_lost() -> bool:
    """Return True if the standard output did not take everything."""
    return bool(_lost)


def release_streams() -> None:
    """Let the process end with its own exit status, although a stream does not take what it still holds."""
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
