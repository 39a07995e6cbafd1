"""The bot removed from its server over the wire: noted at once, forgotten when its time is over, kept if it comes back.

The bot's clock is the machine's, so its store is aged instead.
"""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import func, select, update
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.sandbox import Sandbox
from db.models import DepartureRow, MatchRow, ServerRow
from tests.contract.checker import Contract
from tests.contract.player import Player, players
from tests.db.life import holding
from tests.e2e.bot_process import BotProcess, bot_at
from tests.e2e.panels import Panel, board_in, panel_at
from tests.e2e.play import ask, by_command, challenge, press_accept
from tests.e2e.stored_times import holds, opened


async def departed(engine: AsyncEngine, *guilds: int) -> None:
    """Wait until the bot has noted that it is not in these servers, and in no others."""
    await holds(engine, select(DepartureRow.guild_id), *guilds)


async def in_a_thread(engine: AsyncEngine, local: Sandbox, ada: Player, grace: Player) -> Panel:
    """The first board of a game in a server whose games get threads, once the bot knows that."""
    await holds(engine, select(ServerRow.threads), True)
    await press_accept(grace, (await ask(ada, [grace], "skull", "quick"))["id"])

    async def opened() -> str | None:
        return next((id_ for id_, it in local.world.channels.items() if it["type"] == 11), None)

    return await board_in(ada, await ada.until(opened), 0)


@pytest.mark.soak
async def test_a_server_that_removes_the_bot_is_forgotten_in_time(contract: Contract, tmp_path: Path) -> None:
    async with (
        Sandbox(members=("Ada", "Grace"), observe=contract) as local,
        players(local.url, local.world) as (ada, grace),
        opened(tmp_path) as engine,
    ):
        guild = int(local.world.guild["id"])
        async with bot_at(local.url, tmp_path) as bot:
            panel = await challenge(ada, grace, "skull", "quick")
            local.outage()
            local.recover()
            mover = ada if panel.turn == ada.id else grace
            await by_command(mover, panel, "c3")
            await panel_at(mover, panel.match, 1)
            await departed(engine)
            local.remove_bot()
            await departed(engine, guild)
            local.add_bot()
            await departed(engine)
            local.remove_bot()
            await departed(engine, guild)
            assert "Traceback" not in bot.log, bot.log
        async with engine.begin() as connection:
            assert await connection.scalar(select(func.max(MatchRow.plies))) == 1
            long_ago = datetime.now(UTC) - timedelta(days=31)
            await connection.execute(update(DepartureRow).values(left_at=long_ago))
        later = BotProcess.fork(tmp_path, PENCILBOX_LOCAL_URL=local.url)
        try:
            await later.says("server.data_deleted")
            assert await holding(engine, guild) == set()
            assert await holding(engine, int(ada.id)) == {"members.user_id"}, (
                "the day when Ada was last active"
            )
            local.add_bot()
            # It is a new server now, and so its games get threads of their own.
            again = await in_a_thread(engine, local, ada, grace)
            assert again.match > panel.match, "buttons of forgotten games fit no later one"
            assert "Traceback" not in later.log, later.log
        finally:
            await later.kill()
