"""The longest waiting comes first, and waiting times tell nothing hidden."""

import random
from datetime import timedelta

import pytest

from bot.app.matches.move_log import turns_of
from bot.app.members.agenda import Agenda, agenda
from db.values.places import DiscordId, Place
from db.values.proposals import Matter
from tests.app.conftest import ADA, ELSEWHERE, EMMY, GRACE, HERE, Host
from tests.rules.plain.palindromes import sample

MINUTE = timedelta(minutes=1)


async def concerns(host: Host, user: DiscordId, place: Place = HERE) -> Agenda:
    """The matters of a member who asks at this place."""
    return await agenda(host.services.matches, host.services.challenges, host.services.proposals, user, place)


async def test_what_has_waited_longest_comes_first(host: Host) -> None:
    begun = host.clock.now()
    first = await host.begin("skull")
    host.clock.push(MINUTE)
    second = await host.begin("alaric")
    third = await host.begin("alaric")
    await host.services.matches.play(first.id, ADA, "c3")
    host.clock.push(MINUTE)
    await host.services.matches.play(first.id, GRACE, "d3")
    found = await concerns(host, ADA)
    assert [(due.loaded.id, due.since - begun) for due in found.due] == [
        (second.id, MINUTE), (third.id, MINUTE), (first.id, 2 * MINUTE),
    ]  # fmt: skip
    assert [loaded.id for loaded in (await concerns(host, GRACE, ELSEWHERE)).waiting] == [
        first.id, second.id, third.id,
    ]  # fmt: skip
    seen = await concerns(host, EMMY)
    assert [loaded.id for loaded in seen.watching] == [first.id, second.id, third.id]


async def test_what_others_do_in_secret_does_not_show(host: Host) -> None:
    loaded = await host.services.matches.load((await host.begin("palindromes", "8")).id)
    chance = random.Random(1)
    for user in (ADA, GRACE):
        await host.services.matches.play(
            loaded.id, user, sample(loaded.match.state, loaded.seat_of(user), chance)
        )
        loaded = await host.services.matches.load(loaded.id)
    begun = turns_of(loaded).since[0]
    assert begun is not None
    host.clock.push(MINUTE)
    await host.services.matches.play(loaded.id, GRACE, sample(loaded.match.state, 1, chance))
    later = await host.services.matches.load(loaded.id)
    assert turns_of(later).since == (begun, begun + MINUTE)


async def test_what_is_proposed_waits_for_those_who_are_asked(host: Host) -> None:
    loaded = await host.begin("maze", "2", others=(GRACE, EMMY))
    other = await host.begin("skull")
    made = await host.services.proposals.propose(loaded.id, ADA, Matter.DRAW)
    for user, ids in ((ADA, []), (GRACE, [made.id]), (EMMY, [made.id])):
        found = (await concerns(host, user, ELSEWHERE)).proposed
        assert [proposal.id for proposal, _ in found] == ids
    await host.services.proposals.agree(made.id, GRACE)
    assert (await concerns(host, GRACE)).proposed == ()
    ((_, shown),) = (await concerns(host, EMMY)).proposed
    assert shown.id == loaded.id
    await host.services.matches.play(loaded.id, ADA, (loaded.match.legal() or ())[0])
    assert (await concerns(host, EMMY)).proposed == ()
    assert (await host.services.proposals.propose(other.id, GRACE, Matter.DRAW)).id == (
        await concerns(host, ADA)
    ).proposed[0][0].id


async def test_agenda_holds_few_games_of_others(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many games are played in the channel, only the oldest are read."""
    begun = [(await host.begin("skull")).id for _ in range(4)]
    monkeypatch.setattr("bot.app.members.agenda.WATCHED", 2)
    monkeypatch.setattr("bot.app.members.agenda.MOST_PLAYED_HERE", 1)
    read = [it.id for it in await host.services.matches.here(HERE.channel, 3)]
    assert [it.id for it in (await concerns(host, EMMY)).watching] == begun[:2]
    assert read == begun[:3]
