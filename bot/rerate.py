"""`python -m bot.rerate`: rate all finished matches again, by their records. Stop the bot first."""

import asyncio
import sys
from datetime import UTC, datetime
from pathlib import Path

from bot.app.matches.table import Table
from bot.app.matches.two_games import rated_places
from bot.startup.config import ConfigError, read_arguments, read_config
from db.api.matches.matches import StoredMatch
from db.engine import open_store
from db.errors import StoreUnavailable
from db.processes.exclusive import exclusively


def judge(stored: StoredMatch) -> tuple[int, ...] | None:
    """The rank of each seat in a match that is over, or None if the match is not rated."""
    return rated_places(stored, Table.of(stored).match)


async def rerate(url: str | None, data_dir: Path, at: datetime) -> int:
    """Rate all matches of a store again, at the time `at`, and return how many are rated. Raises StoreUnavailable."""
    async with exclusively(url, data_dir), open_store(url, data_dir) as store:
        return await store.rebuild_ratings(judge, at)


def main() -> int:
    try:
        read_arguments("python -m bot.rerate", "Rate all finished matches again, by their records.")
        config = read_config()
        rated = asyncio.run(rerate(config.database, config.data_dir, datetime.now(UTC)))
        print(f"Rated {rated} matches.")  # noqa: T201 - a command line answers
    except (ConfigError, StoreUnavailable) as error:
        print(error, file=sys.stderr)  # noqa: T201 - a command line answers
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
