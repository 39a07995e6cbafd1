"""`python -m bot failures`: what background tasks could not process, and retrying it; the bot may run."""

from argparse import Namespace
from datetime import UTC, datetime

from bot.operators.arguments import Arguments, run
from bot.startup.config import Config, ConfigError
from db.engine import open_store, open_to_read
from db.stores.administration import FailedItemStore
from db.values.failures import FailedItem

SHOWN = 1000
"""Largest number of failed items that are listed."""


async def _failures(given: Namespace, config: Config) -> int:
    if given.retry is not None and len(given.retry) > len(("TASK", "ITEM")):
        raise ConfigError("--retry takes a task and one item of it at most.")
    # `open_store` would create or migrate a database; this refuses one that is missing or of another version.
    async with open_to_read(config.database, config.data_dir) as sessions:
        found = await FailedItemStore(sessions).listed(SHOWN)
    if given.retry is None:
        now = datetime.now(UTC)
        print("\n".join(_line(it, now) for it in found) or "Nothing has failed.")  # noqa: T201 - a command line answers
        return 0
    async with open_store(config.database, config.data_dir) as store:
        count = await store.failed_items.forget(*given.retry)
    print(f"Items to be retried: {count}.")  # noqa: T201 - a command line answers
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
