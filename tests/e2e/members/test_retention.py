"""The deletion of the data of an inactive member, or of a deleted account, as members see it.

The bot runs in this process, without the first hour in which it deletes nothing. Its store is aged instead of its
clock.
"""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
import pytest_asyncio
from sqlalchemy import update

from bot.pencilbox import Pencilbox
from bot.sandbox import Sandbox
from db.address import address
from db.engine import make_engine
from db.models import MemberRow, ServerRow
from db.sessions import Sessions
from tests.contract.checker import Contract
from tests.contract.player import Player, players
from tests.db.ladder import keep
from tests.db.life import holding
from tests.e2e.bot_in_process import bot_here
from tests.e2e.messages import answered, open_data, text_of, until
from tests.e2e.panels import Panel
from tests.e2e.play import challenge, resigned
from tests.e2e.standings.test_leaderboard import ratings_of
from tests.waiting import wait_until

LONG_AGO = date(2020, 1, 1)


@dataclass
class Old:
    """A finished game of Ada, who owns the server, and Grace, who both stand on leaderboards."""

    local: Sandbox
    bot: Pencilbox
    folder: Path
    ada: Player
    grace: Player
    game: Panel

    @property
    def guild(self) -> int:
        return int(self.local.world.guild["id"])

    async def dated(self, user: Player, **days: date) -> None:
        """Change the days that are stored for a member, once the bot has stored their activity."""
        await self.bot.services.retention.store_activity()
        async with self.sessions.write() as session:
            await session.execute(update(MemberRow).where(MemberRow.user_id == int(user.id)).values(**days))

    @property
    def sessions(self) -> Sessions:
        return self.bot.services.store.sessions

    async def forgotten(self, what: int) -> None:
        """Wait until nothing is stored of a member or a server."""
        engine = make_engine(address(None, self.folder))

        async def gone() -> bool:
            return await holding(engine, what) == set()

        try:
            await wait_until(gone)
        finally:
            await engine.dispose()


@pytest_asyncio.fixture(loop_scope="session")
async def old(contract: Contract, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Old]:
    monkeypatch.setattr("bot.app.members.privacy.START_DELAY", timedelta(0))
    monkeypatch.setattr("bot.pencilbox.SWEEP", 0.1)
    monkeypatch.setattr("bot.pencilbox.ACTIVITY", 0.1)
    async with (
        Sandbox(members=("Ada", "Grace"), observe=contract) as local,
        players(local.url, local.world) as (ada, grace),
        bot_here(local.url, tmp_path) as bot,
    ):
        game = await resigned(grace, await challenge(ada, grace, "alaric", "quick"))
        old = Old(local, bot, tmp_path, ada, grace, game)
        await keep(bot.services.store, ratings_of(old.guild, [int(ada.id), int(grace.id)]))
        assert f"<@{grace.id}>" in await ranks(ada)
        yield old


async def ranks(player: Player) -> str:
    return text_of(await answered(player, "leaderboard"))


@pytest.mark.soak
async def test_member_who_uses_the_bot_again_is_kept(old: Old) -> None:
    today = datetime.now(UTC).date()
    await old.dated(old.grace, active_on=today - timedelta(days=700), look_up_on=LONG_AGO)
    await open_data(old.grace)

    async def active() -> bool:
        async with old.sessions.read() as session:
            row = await session.get(MemberRow, int(old.grace.id))
        return row is not None and row.active_on is not None and row.active_on >= today

    await wait_until(active)
    assert f"<@{old.grace.id}>" in await ranks(old.ada)


@pytest.mark.soak
async def test_deleted_account_leaves_the_leaderboard(old: Old) -> None:
    old.local.delete_account("Grace")
    for player in (old.ada, old.grace):
        await old.dated(player, look_up_on=LONG_AGO)
    await until(old.ada, old.game.message, "ormer member")
    await old.forgotten(int(old.grace.id))
    shown = await ranks(old.ada)
    assert f"<@{old.ada.id}>" in shown
    assert f"<@{old.grace.id}>" not in shown


@pytest.mark.soak
async def test_server_nobody_uses_is_forgotten_and_may_begin_again(old: Old) -> None:
    await old.bot.services.retention.store_activity()
    async with old.sessions.write() as session:
        await session.execute(update(ServerRow).values(active_on=LONG_AGO))
    await old.forgotten(old.guild)
    assert (await challenge(old.ada, old.grace, "alaric", "quick")).match > old.game.match
