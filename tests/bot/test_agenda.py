"""What waits longest comes first, and how long it has waited tells nothing that is hidden."""

import random
from datetime import timedelta

from bot.app.agenda import agenda, since
from tests.bot.conftest import ADA, ELSEWHERE, EMMY, GRACE, HERE, Host
from tests.rules.games.palindromes_plain import sample

MINUTE = timedelta(minutes=1)


async def test_what_has_waited_longest_comes_first(host: Host) -> None:
    begun = host.clock.now()
    first = await host.begin("skull")
    host.clock.push(MINUTE)
    second = await host.begin("alaric")
    third = await host.begin("alaric")
    await host.matches.play(first.id, ADA, "c3")
    host.clock.push(MINUTE)
    await host.matches.play(first.id, GRACE, "d3")
    found = await agenda(host.matches, host.challenges, ADA, HERE)
    assert [(due.table.id, due.since - begun) for due in found.due] == [
        (second.id, MINUTE), (third.id, MINUTE), (first.id, 2 * MINUTE),
    ]  # fmt: skip
    assert [table.id for table in (await agenda(host.matches, host.challenges, GRACE, ELSEWHERE)).waiting] == [
        first.id, second.id, third.id,
    ]  # fmt: skip
    seen = await agenda(host.matches, host.challenges, EMMY, HERE)
    assert [table.id for table in seen.watching] == [first.id, second.id, third.id]


async def test_what_others_do_in_secret_does_not_show(host: Host) -> None:
    table = await host.matches.table((await host.begin("palindromes", "8")).id)
    chance = random.Random(1)
    for user in (ADA, GRACE):
        await host.matches.play(table.id, user, sample(table.match.state, table.seat_of(user), chance))
        table = await host.matches.table(table.id)
    begun = since(table, ADA)
    host.clock.push(MINUTE)
    await host.matches.play(table.id, GRACE, sample(table.match.state, 1, chance))
    later = await host.matches.table(table.id)
    assert (since(later, ADA), since(later, GRACE)) == (begun, begun + MINUTE)
