"""`python -m bot.prove`: award the achievements of all finished games again, by their records.

It is for upgrades that add or mend achievements. The bot may run meanwhile.
"""

import asyncio
import sys

import structlog

from bot.app.awards import Awards
from bot.startup.config import Config, ConfigError, read_arguments, read_config
from bot.startup.logs import set_up_logs
from db.engine import open_store
from db.errors import StoreUnavailable

log = structlog.get_logger()


async def prove(config: Config) -> int:
    """Award all achievements again and return the number of finished games. Raises StoreUnavailable."""
    async with open_store(config.database, config.data_dir) as store:
        return await Awards(store).rebuild()


def main() -> int:
    try:
        read_arguments("python -m bot.prove", "Award the achievements of all finished games again.")
        config = read_config()
        set_up_logs(config.log_level, config.log_format)
        count = asyncio.run(prove(config))
    except (ConfigError, StoreUnavailable) as error:
        print(error, file=sys.stderr)  # noqa: T201 - a command line answers
        return 2
    log.info("all achievements are awarded again", games=count)
    return 0


if __name__ == "__main__":
    sys.exit(main())
