"""`python -m bot prove`: award the achievements of all finished games again, by their records.

It is for upgrades that add or mend achievements. The bot may run meanwhile.
"""

from argparse import Namespace

import structlog

from bot.app.awards import Awards
from bot.operators.arguments import Arguments, run
from bot.startup.config import Config
from bot.startup.logs import set_up_logs
from db.engine import open_store

log = structlog.get_logger()


async def prove(config: Config) -> int:
    """Award all achievements again and return the number of finished games. Raises StoreUnavailable."""
    async with open_store(config.database, config.data_dir) as store:
        return await Awards(store).rebuild()


async def _prove(_: Namespace, config: Config) -> int:
    set_up_logs(config.log_level, config.log_format)
    log.info("achievements.rebuilt", games=await prove(config))
    return 0


def main() -> int:
    return run(Arguments("prove"), _prove)
