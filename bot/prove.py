"""`python -m bot.prove`: decide anew, by the records of all finished games, who has earned which achievements.

For after an upgrade that adds achievements or mends one; the bot may go on meanwhile.
"""

import asyncio
import sys

import structlog

from bot.app.awards import Awards
from bot.config import Config, ConfigError, read_config
from bot.logs import set_up_logs
from db.engine import open_store
from db.errors import StoreUnavailable

log = structlog.get_logger()


async def prove(config: Config) -> int:
    """Prove everything anew; how many finished games there are. Raises StoreUnavailable."""
    url = config.database_url.get_secret_value() if config.database_url else None
    async with open_store(url, config.data_dir) as store:
        return await Awards(store).rebuild()


def main() -> None:
    try:
        config = read_config()
        set_up_logs(config.log_level, config.log_format)
        count = asyncio.run(prove(config))
    except (ConfigError, StoreUnavailable) as error:
        sys.exit(str(error))
    log.info("all is proved anew", games=count)


if __name__ == "__main__":
    main()
