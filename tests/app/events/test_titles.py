"""Titles that members earn by cups, leagues and puzzles."""

from datetime import date

from bot.app.events.standing import award_puzzle_days
from bot.ui.events.titles import titles_line
from db.values.events import Correction, EventState, TitleKind
from tests.app.conftest import ADA, EMMY, GRACE, HERE, Host
from tests.app.events.test_cups import begun, lose

GUILD = HERE.guild or 0


async def kinds(host: Host, user: int) -> list[TitleKind]:
    return [it.kind for it in await host.store.titles.of(user, GUILD)]


async def test_the_winner_of_a_cup_has_a_title_that_follows_corrections(host: Host) -> None:
    event = await begun(host, (ADA, GRACE))
    await lose(host, event, GRACE)
    await host.services.events.round()
    assert (await kinds(host, ADA), await kinds(host, GRACE)) == ([TitleKind.CUP], [])
    titles = await host.store.titles.of(ADA, GUILD)
    assert titles_line(titles)[0].startswith("🥇 winner of a cup (The Amazon Skull Game), <t:")
    for pairing in event.pairings:
        result = Correction.SECOND if pairing.first == 0 else Correction.FIRST
        await host.services.events.correct(event.id, ADA, pairing.match, result, moderator=False)
    assert (await kinds(host, ADA), await kinds(host, GRACE)) == ([], [TitleKind.CUP])


async def test_a_cup_that_was_ended_has_no_winner(host: Host) -> None:
    event = await begun(host, (ADA, GRACE, EMMY))
    await lose(host, event, EMMY)
    after = await host.services.events.end(event.id, ADA, moderator=False)
    assert after.state is EventState.OVER
    assert await kinds(host, ADA) == await kinds(host, GRACE) == []


async def test_thirty_puzzle_days_in_a_row_are_one_title(host: Host) -> None:
    now = host.clock.now()
    for days, today in ((29, date(2026, 1, 29)), (30, date(2026, 1, 30)), (31, date(2026, 1, 31))):
        await award_puzzle_days(host.store, ADA, GUILD, days, today, now)
    assert [it.key for it in await host.store.titles.of(ADA, GUILD)] == ["2026-01-01"]
