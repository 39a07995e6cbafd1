"""`python -m bot prove` and `python -m bot rerate`: decide again by the records of all finished games.

`prove` awards their achievements again, for upgrades that add or mend achievements; the bot may run meanwhile.
`rerate` rates them again; the bot must be stopped first.
"""

from argparse import Namespace
from datetime import UTC, datetime
from pathlib import Path

import structlog

from bot.app.awards import Awards
from bot.app.matches.loaded import LoadedMatch
from bot.app.matches.results import rated_places
from bot.operators.arguments import Arguments, run
from bot.startup.config import Config
from bot.startup.logs import set_up_logs
from bot.startup.output import say
from db.engine import open_store
from db.processes.open import exclusively
from db.values.matches import StoredMatch

log = structlog.get_logger()


async def prove(config: Config) -> int:
    """Award all achievements again and return the number of finished games. Raises StoreUnavailable."""
    async with open_store(config.database, config.data_dir) as store:
        return await Awards(store).rebuild()


async def _prove(_: Namespace, config: Config) -> int:
    set_up_logs(config.log_level, config.log_format)
    log.info("achievements.rebuilt", games=await prove(config))
    return 0


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


def main_prove() -> int:
    return run(Arguments("prove"), _prove)


def main_rerate() -> int:
    return run(Arguments("rerate"), _rerate)
