"""Two bot processes on one database and one application: one serves, the other takes over, each game has one end."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.operators.rebuild import rerate
from bot.sandbox import Fault, Sandbox
from db.address import address
from db.engine import make_engine
from db.models import TICKING, PlyRow, PostRow, RatedRow, RatingRow, SeatRow
from db.values.failures import StoreUnavailable
from db.values.posts import PostKind
from tests.contract.checker import Contract
from tests.contract.player import players
from tests.db.migrated import lay
from tests.e2e.bot_process import bot_at
from tests.e2e.clocks.test_clocks import timed
from tests.e2e.messages import choose, found_in, message_with, open_settings, press, text_of
from tests.e2e.monitor import Pages
from tests.e2e.panels import panel_at, panels
from tests.e2e.play import by_command
from tests.e2e.stored_times import holds
from tests.faults.of_discord import BOARD

MOVES = ("1", "3", "5", "7")
"""Enough of both for the game to count."""


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a database that both processes can reach."""
    if request.param == "sqlite":
        return f"sqlite:///{lay(tmp_path)}"
    found: str = request.getfixturevalue("migrated_url")
    return found


async def shown(engine: AsyncEngine, plies: int) -> None:
    """Wait until it is stored that the only match has a board that shows so many plies."""
    await holds(engine, select(PostRow.progress).where(PostRow.kind == PostKind.BOARD), plies)


@pytest.mark.soak
async def test_killed_while_deciding_the_other_decides_nothing_twice(
    contract: Contract, url: str, tmp_path: Path
) -> None:
    """The first has decided on time and posted the board, and is killed before it hears that Discord has taken it."""
    engine = make_engine(address(url, tmp_path))
    async with (
        Sandbox(channels=("general", "results"), observe=contract) as local,
        players(local.url, local.world) as (ada, grace, emmy),
        bot_at(local.url, tmp_path / "one", DATABASE_URL=url) as first,
        bot_at(local.url, tmp_path / "two", DATABASE_URL=url, PENCILBOX_METRICS_PORT="0") as second,
    ):
        assert "metrics.started" not in first.log
        await second.says("database.locked" if url.startswith("sqlite") else "shards.all_taken")
        pages = Pages(second.log)
        await pages.readyz(standing_by=True)
        assert await pages.health() == (0, "")
        with pytest.raises(StoreUnavailable, match="stop it first"):
            await rerate(url, tmp_path, datetime.now(UTC))
        results = str(local.channel("results")["id"])
        await choose(ada, await open_settings(ada, "Posts in channels"), "setting:results", results)
        panel = await timed(ada, grace, "24h", "alaric")
        for plies, move in enumerate(MOVES, 1):
            await by_command(ada if panel.turn == ada.id else grace, panel, move)
            panel = await panel_at(emmy, panel.match, plies)
        await shown(engine, len(MOVES))

        local.faults.plan(*BOARD, Fault.LOST)
        async with engine.begin() as connection:
            late = update(SeatRow).where(TICKING).values(deadline=datetime.now(UTC), remind_at=None)
            assert (await connection.execute(late)).rowcount == 1
        # The board is there, and the first process was not told so.
        await panel_at(emmy, panel.match, len(MOVES) + 1)
        await first.kill()
        await second.says("database.acquired" if url.startswith("sqlite") else "shard.acquired")
        await pages.readyz()
        over = len(MOVES) + 1
        await shown(engine, over)
        told = await found_in(emmy, lambda seen: seen or None, results)

        boards = await panels(emmy)
        assert [board.plies for board in boards] == [over]
        ends = [message for message in await emmy.messages() if "ran out of time" in text_of(message)]
        assert [message["id"] for message in ends] == [board.message["id"] for board in boards]
        assert [text_of(message).count("on time") for message in told] == [1]
        async with engine.connect() as connection:
            log = (await connection.scalars(select(PlyRow.text).order_by(PlyRow.ply))).all()
            assert log == [*MOVES, "timeout"]
            assert len((await connection.scalars(select(RatedRow.match_id))).all()) == 1
            rated = (await connection.execute(select(RatingRow.won, RatingRow.lost))).all()
            assert set(map(tuple, rated)) == {(1, 0), (0, 1)}

        await press(grace, boards[0].message, "Rematch")  # it is the second who answers now
        await message_with(ada, "for a rematch")
        assert "Traceback" not in first.log + second.log
    await engine.dispose()
