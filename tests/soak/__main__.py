"""A soak of the bot: `python -m tests.soak` (on Linux) takes 30 minutes for each database.

Members of several servers play all games at a steady pace, against each other and against computers, with clocks,
offers and challenges pending, and use commands, menus and completions. The gateway asks to reconnect, a request fails,
and one of two processes is restarted. It prints a line every minute. In the end no move may be lost or doubled, every
finished game must replay to its stored result, memory must be flat, and nothing hidden may have been told; if anything
is wrong, the exit status is 1.
"""

import argparse
import asyncio
import os
import sys

from tests.soak.run import soak

DATABASES = {"sqlite": 1, "postgresql": 2}
"""The processes that serve each database, where `--bots` says nothing else."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=30, help="for each database; default 30")
    parser.add_argument(
        "--database", choices=DATABASES, help="only this one; default both, one after the other"
    )
    parser.add_argument(
        "--bots", type=int, default=DATABASES["postgresql"], help="processes on PostgreSQL; default 2"
    )
    parser.add_argument("--pace", type=float, default=5, help="moves of members in a second; default 5")
    given = parser.parse_args()
    failed = False
    for database in [given.database] if given.database else DATABASES:
        bots = given.bots if database == "postgresql" else 1
        print(
            f"{database}, {bots} {'process' if bots == 1 else 'processes'}, {given.minutes:g} minutes, {given.pace:g} "
            f"moves a second; {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}",
            flush=True,
        )
        wrong = asyncio.run(soak(database, given.minutes, given.pace, bots))
        for sentence in wrong:
            print(f"WRONG: {sentence}")
        print(
            f"{database}: {f'{len(wrong)} things are wrong' if wrong else 'nothing is wrong'}\n", flush=True
        )
        failed |= bool(wrong)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
