"""`python -m tests.operators.killed_restore URL FOLDER FILE`: restore a backup, killed a little later each time.

Each run is killed (SIGKILL) one operation later than the one before, before an operation on a file of the folder:
opening, linking, renaming, removing, a connection of SQLite. After each run the command prints the number of the
operation and waits for a line. The last run, which is not killed, prints `done`.
"""

import asyncio
import itertools
import os
import signal
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import structlog

from bot.operators.restore import restore

OPERATIONS = {"open", "os.link", "os.rename", "os.remove", "sqlite3.connect"}


def kill_at(moment: int, folder: str) -> None:
    """Kill this process before its operation number `moment` in the folder, from 0."""
    moments = itertools.count()

    def pass_by(event: str, arguments: tuple[object, ...]) -> None:
        if event in OPERATIONS and any(folder in str(it) for it in arguments) and next(moments) == moment:
            os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(pass_by)


def main(url: str, folder: Path, file: Path) -> None:
    structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr))
    with TemporaryDirectory() as other:  # so that the children find imported and compiled what they need
        asyncio.run(restore(None, Path(other), file))
    for moment in itertools.count():
        child = os.fork()
        if child == 0:
            kill_at(moment, str(folder))
            asyncio.run(restore(url, folder, file))
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if os.WIFEXITED(status):
            print("done" if status == 0 else "failed", flush=True)
            return
        print(moment, flush=True)
        sys.stdin.readline()


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]))
