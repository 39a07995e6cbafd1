"""A league over the wire: a manager enables it, members join by one press, and the next month opens."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.sandbox import Sandbox
from bot.startup.system import SystemClock
from tests.contract.checker import Contract
from tests.contract.player import players
from tests.e2e.bot_in_process import bot_here
from tests.e2e.messages import (
    answered,
    choose,
    message_with,
    open_preferences,
    open_settings,
    pinged,
    press,
    text_of,
    told,
    until,
    usable_labels,
)

DAY = timedelta(days=1)


class CalendarClock(SystemClock):
    """A clock that shows another date, which a test sets."""

    ahead = timedelta(0)

    def now(self) -> datetime:
        return super().now() + self.ahead

    def turn_to(self, at: datetime) -> None:
        self.ahead += at - self.now()


@pytest.mark.soak
async def test_a_league_from_the_setting_to_the_next_month(contract: Contract, tmp_path: Path) -> None:
    clock = CalendarClock()
    clock.turn_to(datetime(2026, 11, 20, 12, tzinfo=UTC))
    async with (
        Sandbox(members=("Ada", "Grace"), observe=contract) as local,
        bot_here(local.url, tmp_path, clock=clock) as bot,
        players(local.url, local.world) as (ada, grace),
    ):

        async def turn_to(at: datetime) -> None:
            clock.turn_to(at)
            await bot.services.leagues.round()
            await bot.services.events.round()
            bot.outbox.wake()

        settings = await open_settings(ada, "Events")
        settings = await choose(ada, settings, "setting:leagues", "alaric")
        assert "Leagues begin once you choose their channel" in text_of(settings)
        settings = await choose(ada, settings, "setting:league-clock", "2d")
        settings = await choose(ada, settings, "setting:league-size", "quick")
        settings = await choose(ada, settings, "setting:league-channel", ada.channel)
        assert "Leagues begin once" not in text_of(settings)
        card = await message_with(ada, "League: Alaric, December 2026")
        assert "quick (9 cells on the ring) · 2 days for each move · rated" in text_of(card)
        assert usable_labels(card) == {"Join", "Leave", "Manage…", "How it is played", "Learn it"}
        for member in (ada, grace):
            await press(member, card, "Join")
            await told(member, "You take part in this league")
        await until(ada, card, "**2 take part:**")
        assert "League: Alaric, December 2026" in text_of(await answered(grace, "games"))

        await turn_to(datetime(2026, 12, 1, tzinfo=UTC))
        table = await message_with(ada, "0 of 2 games are over")
        assert {*pinged(table)} == {ada.id, grace.id}
        month = await bot.services.events.load(1)
        assert month.stages[0].ends_at == datetime(2027, 1, 1, tzinfo=UTC)
        await bot.services.matches.resign(month.pairings[0].match, int(grace.id))
        bot.outbox.wake()
        await message_with(ada, "1 of 2 games are over")
        standing = text_of(await answered(grace, "leaderboard", game="alaric", time="season"))
        assert f"1\\. <@{ada.id}> 1 · 2\\. <@{grace.id}> 0" in standing

        await choose(ada, await open_preferences(ada), "prefer:notice", "direct")
        await turn_to(datetime(2026, 12, 26, tzinfo=UTC))
        coming = await message_with(ada, "League: Alaric, January 2027")
        # Grace was removed: she had made no move.
        assert f"To stay in, press **Join**: <@{ada.id}>\n" in text_of(coming)
        assert not pinged(coming)
        await message_with(ada.elsewhere((await ada.post("direct"))["id"]), "January 2027")
        await turn_to(datetime(2027, 1, 1, tzinfo=UTC))
        await until(ada, coming, "too few players joined")
