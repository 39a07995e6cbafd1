"""An error that nobody expected is told of in one sentence, and nothing is lost by it."""

import re
from pathlib import Path

from sqlalchemy import text

from bot.sandbox import Sandbox
from db.address import address
from db.engine import make_engine
from tests.contract.checker import Contract
from tests.contract.player import players
from tests.e2e.bot_process import bot_at
from tests.e2e.messages import message_with, text_of
from tests.e2e.panels import panel_at
from tests.e2e.play import challenge


async def test_a_table_that_is_gone_is_told_of_and_nothing_is_lost(
    contract: Contract, tmp_path: Path
) -> None:
    async with (
        Sandbox(observe=contract) as local,
        bot_at(local.url, tmp_path) as bot,
        players(local.url, local.world) as (ada, grace, _),
    ):
        first = await challenge(ada, grace, "alaric", "3")
        mover = ada if first.turn == ada.id else grace
        engine = make_engine(address(None, tmp_path))
        async with engine.begin() as connection:
            await connection.execute(text("ALTER TABLE plies RENAME TO away"))
        await mover.press(first.message, first.moves["2"])
        told = await message_with(mover, "Something went wrong on my side.")
        assert told["ephemeral_for"] == mover.id
        # The word by which the operator finds it stands in the log beside the error.
        request = re.search(r"tell the operator: ([0-9a-f]{6})\.", text_of(told))
        assert request is not None
        reached = "The person who added me, to a server or for themselves, knows how to reach them."
        assert text_of(told).endswith(reached), "no support page is set"
        assert re.search(rf"interaction\.failed .*request={request[1]}", bot.log)
        async with engine.begin() as connection:
            await connection.execute(text("ALTER TABLE away RENAME TO plies"))
        await engine.dispose()
        await mover.press(first.message, first.moves["2"])
        assert (await panel_at(mover, first.match, 1)).turn != mover.id
