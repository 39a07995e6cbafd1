"""`python -m bot failures`: what background tasks could not process, and retrying it; the bot may run."""

import sys
from argparse import Namespace
from datetime import UTC, datetime

from bot.operators.arguments import Arguments, run
from bot.startup.config import Config
from db.api.failed_items import FailedItem
from db.engine import open_store

SHOWN = 1000
"""Largest number of failed items that are listed."""


async def _failures(given: Namespace, config: Config) -> int:
    async with open_store(config.database, config.data_dir) as store:
        if given.retry is not None:
            task, item = [*given.retry, None, None][:2]
            count = await store.forget_failed_items(task, item)
            print(f"Items to be retried within a minute: {count}.")  # noqa: T201 - a command line answers
            return 0
        found = await store.failed_items(SHOWN)
    now = datetime.now(UTC)
    print("\n".join(_line(it, now) for it in found) or "Nothing has failed.")  # noqa: T201 - a command line answers
    return 0


def _line(failed: FailedItem, now: datetime) -> str:
    due = failed.retry_at
    then = "set aside" if due is None else f"retried in {max(0.0, (due - now).total_seconds()):.0f} s"
    since = f"{failed.since:%Y-%m-%d %H:%M} UTC"
    return f"{failed.task} {failed.item}: {failed.error}, {failed.times} times since {since}, {then}"


def main() -> int:
    arguments = Arguments("failures")
    arguments.add_argument(
        "--retry",
        nargs="*",
        metavar="NAME",
        help="retry everything that failed, or all items of a task (--retry TASK), or one item (--retry TASK ITEM)",
    )
    return run(arguments, _failures)


if __name__ == "__main__":
    sys.exit(main())
