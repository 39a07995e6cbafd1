"""The members who are notified of an open challenge."""

from datetime import timedelta

from bot.app.challenges.terms import NamedTerms
from db.values.challenges import Challenge
from db.values.members import Interest
from tests.app.conftest import ADA, EMMY, GRACE, HERE, Host

GUILD = HERE.guild or 0
OTHERS = range(201, 209)


async def wishing(host: Host, user: int, *games: str, first: int = 0, end: int = 24, most: int = 3) -> None:
    wish = Interest(user, games, first, end, "UTC", most)
    await host.services.interests.choose(wish, GUILD, here=True)


async def opened(host: Host, game: str = "alaric") -> Challenge:
    terms = NamedTerms(game, "quick").read(2, 2, None)
    return await host.services.challenges.make(HERE, ADA, terms)


async def told(host: Host, challenge: Challenge) -> list[int]:
    interests = host.services.interests
    return await interests.told(await interests.candidates(challenge))


async def test_those_who_want_it_now_are_candidates(host: Host) -> None:
    """The clock begins at midnight."""
    await wishing(host, ADA)
    await wishing(host, GRACE, "alaric", "skull")
    await wishing(host, EMMY, "maze")
    await wishing(host, 201, first=9, end=22)
    await wishing(host, 202, first=22, end=2)
    challenge = await opened(host)
    assert await host.services.interests.candidates(challenge) == [GRACE, 202]
    await host.services.absences.begin(GRACE, "3 days")
    assert await host.services.interests.candidates(challenge) == [202]
    await host.services.absences.end(GRACE)
    await host.services.preferences.exclude(GUILD, [202])
    assert await host.services.interests.candidates(challenge) == [GRACE]
    await host.services.preferences.exclude(GUILD, [])
    await host.services.preferences.away(GRACE, for_good=False)
    await host.services.preferences.block(ADA, 202)
    assert await host.services.interests.candidates(challenge) == []
    await host.services.preferences.unblock(ADA, 202)
    await host.services.preferences.block(202, ADA)
    assert await host.services.interests.candidates(challenge) == []


async def test_five_at_most_are_told_in_turn(host: Host) -> None:
    for user in OTHERS:
        await wishing(host, user, most=2)
    challenge = await opened(host)
    first = await told(host, challenge)
    assert first == [*OTHERS][:5]
    host.clock.push(timedelta(minutes=1))
    assert await told(host, challenge) == [*OTHERS][5:] + first[:2]


async def test_nobody_is_told_more_often_than_chosen(host: Host) -> None:
    await wishing(host, GRACE, most=2)
    challenge = await opened(host)
    assert [await told(host, challenge) for _ in range(3)] == [[GRACE], [GRACE], []]
    await wishing(host, GRACE, most=3)
    assert await told(host, challenge) == [GRACE], "a new wish does not begin the day again"
    host.clock.push(timedelta(days=1))
    assert [await host.services.interests.told([GRACE]) for _ in range(4)] == [[GRACE]] * 3 + [[]]


async def test_a_wish_without_servers_is_deleted(host: Host) -> None:
    await wishing(host, GRACE)
    wish = await host.services.store.interests.get(GRACE)
    assert wish is not None
    assert wish.guilds == (GUILD,)
    await host.services.interests.choose(wish, GUILD, here=False)
    assert await host.services.store.interests.get(GRACE) is None
