"""`python -m bot rerate`: rate all finished matches again, by their records. Stop the bot first."""

from argparse import Namespace
from datetime import UTC, datetime
from pathlib import Path

from bot.app.matches.loaded import LoadedMatch
from bot.app.matches.results import rated_places
from bot.operators.arguments import Arguments, run
from bot.startup.config import Config
from bot.startup.output import say
from db.engine import open_store
from db.processes.open import exclusively
from db.values.matches import StoredMatch


def judge(stored: StoredMatch) -> tuple[int, ...] | None:
    """Return the rank of each seat in a match that is over, or None if the match is not rated."""
    return rated_places(stored, LoadedMatch.of(stored).match)


async def rerate(url: str | None, data_dir: Path, at: datetime) -> int:
    """Rate all matches of a store again, at the time `at`, and return how many are rated. Raises StoreUnavailable."""
    async with exclusively(url, data_dir), open_store(url, data_dir) as store:
        return await store.ratings.rebuild(judge, at)


async def _rerate(_: Namespace, config: Config) -> int:
    rated = await rerate(config.database, config.data_dir, datetime.now(UTC))
    say(f"Rated {rated} matches.")
    return 0


def main() -> int:
    return run(Arguments("rerate"), _rerate)
