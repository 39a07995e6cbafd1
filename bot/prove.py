"""`python -m bot.prove`: decide anew, by the records of all finished games, who has earned which achievements.

For after an upgrade that adds achievements or mends one; the bot may go on meanwhile.
"""

import asyncio
import sys

import structlog

from bot.app.awards import Awards
from bot.logs import set_up_logs
from bot.settings import Settings, SettingsError, read_settings
from db.engine import open_store
from db.errors import StoreUnavailable

log = structlog.get_logger()


async def prove(settings: Settings) -> int:
    """Prove everything anew; how many finished games there are. Raises StoreUnavailable."""
    url = settings.database_url.get_secret_value() if settings.database_url else None
    async with open_store(url, settings.data_dir) as store:
        return await Awards(store).rebuild()


def main() -> None:
    try:
        settings = read_settings()
        set_up_logs(settings.log_level, settings.log_format)
        count = asyncio.run(prove(settings))
    except (SettingsError, StoreUnavailable) as error:
        sys.exit(str(error))
    log.info("all is proved anew", games=count)


if __name__ == "__main__":
    main()
