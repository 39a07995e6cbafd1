"""Choices: what they do to pictures, to forced moves, and to who may be blocked."""

import asyncio
from datetime import timedelta

import pytest

from bot.app.errors import Refused
from bot.app.preferences import AWAY, MOST_BLOCKED
from db.values import FOREVER, Outcome, Place
from rules.core.match import Ply
from tests.bot.conftest import ADA, EMMY, GRACE, HERE, Host

PATH = "3x1"
"""A skull board of three cells in a row: after a1 there is one legal move each, and then none."""


async def test_a_picture_s_theme_is_the_nearest_choice(host: Host) -> None:
    chosen = host.preferences
    assert await chosen.theme(HERE) == "paper"
    await chosen.change(1, theme="slate")
    assert await chosen.theme(HERE) == "slate"
    assert await chosen.theme(Place(guild=2, channel=21)) == "paper"
    assert await chosen.theme(Place(guild=None, channel=31)) == "paper"
    await chosen.look(ADA, "paper")
    assert await chosen.theme(HERE) == "slate"
    assert await chosen.theme(HERE, ADA) == "paper"
    assert await chosen.theme(HERE, GRACE) == "slate"
    await chosen.look(ADA, None)
    assert await chosen.theme(HERE, ADA) == "slate"


class TestForcedMoves:
    """They play themselves for whom wants it, as ordinary plies, once each."""

    async def test_one_after_the_other_to_the_end(self, host: Host) -> None:
        for user in (ADA, GRACE):
            await host.preferences.forced(user, on=True)
        table = await host.begin("skull", PATH)
        await host.matches.play(table.id, ADA, "a1")
        table = await host.matches.table(table.id)
        assert table.match.log == (Ply(0, "a1"), Ply(1, "b1"), Ply(0, "c1"))
        assert table.stored.outcomes == (Outcome.WON, Outcome.LOST)
        assert await host.matches.by_itself(table) == 2
        assert (await host.store.load(table.id)) == table.stored

    async def test_only_for_whom_wants_it(self, host: Host) -> None:
        await host.preferences.forced(ADA, on=True)
        table = await host.begin("skull", PATH)
        await host.matches.play(table.id, ADA, "a1")
        table = await host.matches.table(table.id)
        assert table.match.log == (Ply(0, "a1"),)
        assert await host.matches.by_itself(table) == 0
        await host.matches.play(table.id, GRACE, "b1")
        table = await host.matches.table(table.id)
        assert (table.plies, await host.matches.by_itself(table)) == (3, 1)

    async def test_it_may_be_wanted_late(self, host: Host) -> None:
        table = await host.begin("skull", PATH)
        await host.matches.play(table.id, ADA, "a1")
        await host.preferences.forced(GRACE, on=True)
        assert (await host.matches.table(table.id)).plies == 2

    async def test_not_while_there_is_a_choice_or_a_secret(self, host: Host) -> None:
        for user in (ADA, GRACE):
            await host.preferences.forced(user, on=True)
        for game in ("skull", "palindromes"):
            table = await host.begin(game)
            dealt = 1 if game == "palindromes" else 0
            assert (await host.matches.table(table.id)).plies == dealt

    async def test_however_many_look_at_once(self, host: Host) -> None:
        for user in (ADA, GRACE):
            await host.preferences.forced(user, on=True)
        table = await host.begin("skull", PATH)
        await host.matches.play(table.id, ADA, "a1")
        async with asyncio.timeout(30):
            seen = await asyncio.gather(*(host.matches.table(table.id) for _ in range(8)))
        assert {each.plies for each in seen} == {3}

    async def test_a_resignation_meanwhile_counts_once(self, host: Host) -> None:
        await host.preferences.forced(GRACE, on=True)
        table = await host.begin("skull", PATH)
        await host.matches.play(table.id, ADA, "a1")
        async with asyncio.timeout(30):
            await asyncio.gather(
                host.matches.table(table.id),
                host.matches.resign(table.id, ADA),
                return_exceptions=True,
            )
        table = await host.matches.table(table.id)
        assert table.match.log[-1] in (Ply(1, "b1"), Ply(0, "resign"))
        assert [entry for entry in table.match.log if entry.seat == 1] in ([], [Ply(1, "b1")])


async def test_being_away_ends_by_itself_or_by_saying_so(host: Host) -> None:
    chosen = host.preferences
    await chosen.away(ADA, for_good=False)
    host.clock.push(AWAY - timedelta(seconds=1))
    assert (await chosen.member(ADA)).away_until == host.clock.now() + timedelta(seconds=1)
    host.clock.push(timedelta(seconds=1))
    assert (await chosen.member(ADA)).away_until is None
    await chosen.away(ADA, for_good=True)
    host.clock.push(timedelta(days=1000))
    assert (await chosen.member(ADA)).away_until == FOREVER
    await chosen.back(ADA)
    assert (await chosen.member(ADA)).away_until is None


async def test_what_cannot_be_blocked(host: Host) -> None:
    chosen = host.preferences
    with pytest.raises(Refused, match="cannot block yourself"):
        await chosen.block(ADA, ADA)
    with pytest.raises(Refused, match=f"You have not blocked <@{EMMY}>"):
        await chosen.unblock(ADA, EMMY)
    await chosen.block(ADA, EMMY)
    with pytest.raises(Refused, match="already"):
        await chosen.block(ADA, EMMY)
    for other in range(1000, 1000 + MOST_BLOCKED - 1):
        await chosen.block(ADA, other)
    with pytest.raises(Refused, match="the most"):
        await chosen.block(ADA, GRACE)
    assert len(await chosen.blocked(ADA)) == MOST_BLOCKED
    await chosen.unblock(ADA, EMMY)
    assert EMMY not in await chosen.blocked(ADA)
