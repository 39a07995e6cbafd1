"""Preferences and their effects on pictures, forced moves and challenges."""

import asyncio
from collections.abc import Sequence
from datetime import timedelta

import pytest

from bot.app.challenges.terms import terms_of
from bot.app.errors import Refused
from bot.app.members import preferences
from bot.app.members.preferences import AWAY
from db.values.clocks import TimeControl
from db.values.matches import Outcome
from db.values.members import FOREVER
from db.values.places import Place
from rules.core.match import Ply
from tests.app.conftest import ADA, ELSEWHERE, EMMY, GRACE, HERE, Host

pytestmark = pytest.mark.slow

PATH = "3x1"
"""A skull board of three cells in a row: after a1 there is one legal move each, and then none."""


async def test_a_picture_s_theme_is_the_nearest_choice(host: Host) -> None:
    chosen = host.services.preferences
    assert await chosen.theme(HERE) == "paper"
    await host.services.store.servers.change(1, theme="slate")
    assert await chosen.theme(HERE) == "slate"
    assert await chosen.theme(Place(guild=2, channel=21)) == "paper"
    assert await chosen.theme(Place(guild=None, channel=31)) == "paper"
    await chosen.choose(ADA, theme="paper")
    assert await chosen.theme(HERE) == "slate"
    assert await chosen.theme(HERE, ADA) == "paper"
    assert await chosen.theme(HERE, GRACE) == "slate"
    await chosen.choose(ADA, theme=None)
    assert await chosen.theme(HERE, ADA) == "slate"


class TestForcedMoves:
    """They play themselves for whom wants it, as ordinary plies, once each."""

    async def test_one_after_the_other_to_the_end(self, host: Host) -> None:
        for user in (ADA, GRACE):
            await host.services.preferences.choose(user, forced=True)
        loaded = await host.begin("skull", PATH)
        await host.services.matches.play(loaded.id, ADA, "a1")
        loaded = await host.services.matches.load(loaded.id)
        assert loaded.match.log == (Ply(0, "a1"), Ply(1, "b1"), Ply(0, "c1"))
        assert loaded.stored.outcomes == (Outcome.WON, Outcome.LOST)
        assert await host.services.matches.by_itself(loaded) == 2
        assert (await host.store.matches.load(loaded.id)) == loaded.stored

    async def test_only_for_whom_wants_it(self, host: Host) -> None:
        await host.services.preferences.choose(ADA, forced=True)
        loaded = await host.begin("skull", PATH)
        await host.services.matches.play(loaded.id, ADA, "a1")
        loaded = await host.services.matches.load(loaded.id)
        assert loaded.match.log == (Ply(0, "a1"),)
        assert await host.services.matches.by_itself(loaded) == 0
        await host.services.matches.play(loaded.id, GRACE, "b1")
        loaded = await host.services.matches.load(loaded.id)
        assert (loaded.plies, await host.services.matches.by_itself(loaded)) == (3, 1)

    async def test_not_while_there_is_a_choice_or_a_secret(self, host: Host) -> None:
        for user in (ADA, GRACE):
            await host.services.preferences.choose(user, forced=True)
        for game in ("skull", "palindromes"):
            loaded = await host.begin(game)
            dealt = 1 if game == "palindromes" else 0
            assert (await host.services.matches.load(loaded.id)).plies == dealt

    async def test_however_many_resume_at_once(self, host: Host) -> None:
        loaded = await host.begin("skull", PATH)
        await host.services.matches.play(loaded.id, ADA, "a1")
        for user in (ADA, GRACE):
            await host.services.preferences.choose(user, forced=True)
        async with asyncio.timeout(30):
            seen = await asyncio.gather(*(host.services.matches.resume(loaded.id) for _ in range(8)))
        assert {each.plies for each in seen} == {3}

    async def test_a_resignation_meanwhile_counts_once(self, host: Host) -> None:
        loaded = await host.begin("skull", PATH)
        await host.services.matches.play(loaded.id, ADA, "a1")
        await host.services.preferences.choose(GRACE, forced=True)
        async with asyncio.timeout(30):
            await asyncio.gather(
                host.services.matches.resume(loaded.id),
                host.services.matches.resign(loaded.id, ADA),
                return_exceptions=True,
            )
        loaded = await host.services.matches.load(loaded.id)
        assert loaded.match.log[-1] in (Ply(1, "b1"), Ply(0, "resign"))
        assert [entry for entry in loaded.match.log if entry.seat == 1] in ([], [Ply(1, "b1")])


async def test_being_away_ends_by_itself_or_by_saying_so(host: Host) -> None:
    chosen = host.services.preferences
    await chosen.away(ADA, for_good=False)
    host.clock.push(AWAY - timedelta(seconds=1))
    assert (await chosen.member(ADA)).away_until == host.clock.now() + timedelta(seconds=1)
    host.clock.push(timedelta(seconds=1))
    assert (await chosen.member(ADA)).away_until is None
    await chosen.away(ADA, for_good=True)
    host.clock.push(timedelta(days=1000))
    assert (await chosen.member(ADA)).away_until == FOREVER
    await chosen.choose(ADA, away_until=None)
    assert (await chosen.member(ADA)).away_until is None


async def test_what_cannot_be_blocked(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preferences, "MOST_BLOCKED", 3)
    chosen = host.services.preferences
    with pytest.raises(Refused, match="cannot block yourself"):
        await chosen.block(ADA, ADA)
    with pytest.raises(Refused, match=f"You have not blocked <@{EMMY}>"):
        await chosen.unblock(ADA, EMMY)
    await chosen.block(ADA, EMMY)
    with pytest.raises(Refused, match="already"):
        await chosen.block(ADA, EMMY)
    for other in (1000, 1001):
        await chosen.block(ADA, other)
    with pytest.raises(Refused, match="the most"):
        await chosen.block(ADA, GRACE)
    assert len(await host.store.members.blocked(ADA)) == 3
    await chosen.unblock(ADA, EMMY)
    assert EMMY not in await host.store.members.blocked(ADA)


async def asked(host: Host, game: str, place: Place = HERE, others: Sequence[int] = (GRACE,)) -> None:
    """Let Ada challenge others."""
    players = 1 + len(others)
    await host.services.challenges.make(place, ADA, terms_of(game, "", players, players), others)


class TestWhoPlaysWithWhom:
    """One who is blocked hears what is said of anybody who wants no challenges just now."""

    async def test_a_blocked_member_cannot_ask(self, host: Host) -> None:
        await host.services.preferences.block(GRACE, ADA)
        with pytest.raises(Refused) as blocked:
            await asked(host, "alaric")
        await host.services.preferences.unblock(GRACE, ADA)
        await host.services.preferences.away(GRACE, for_good=False)
        with pytest.raises(Refused) as away:
            await asked(host, "alaric")
        assert str(blocked.value) == str(away.value) == f"<@{GRACE}> takes no challenges at present."
        host.clock.push(AWAY)
        await asked(host, "alaric")

    async def test_one_of_several(self, host: Host) -> None:
        await host.services.preferences.block(EMMY, ADA)
        with pytest.raises(Refused, match=f"^<@{EMMY}> takes"):
            await asked(host, "maze", others=(GRACE, EMMY))
        await host.services.preferences.away(GRACE, for_good=True)
        with pytest.raises(Refused, match=f"^<@{GRACE}> and <@{EMMY}> take"):
            await asked(host, "maze", others=(GRACE, EMMY))

    async def test_one_s_own_block_is_named(self, host: Host) -> None:
        await host.services.preferences.block(ADA, GRACE)
        with pytest.raises(Refused, match=f"You have blocked <@{GRACE}>; `/preferences`"):
            await asked(host, "alaric")

    @pytest.mark.parametrize(
        ("blocker", "blocked", "sentence"),
        [(GRACE, EMMY, "You cannot join"), (EMMY, GRACE, "You have blocked")],
    )
    async def test_players_who_did_not_ask_each_other(
        self, host: Host, blocker: int, blocked: int, sentence: str
    ) -> None:
        offer = await host.services.challenges.make(HERE, ADA, terms_of("maze", "", 3, 3), (GRACE, EMMY))
        await host.services.challenges.accept(offer.id, GRACE)
        await host.services.preferences.block(blocker, blocked)
        with pytest.raises(Refused, match=sentence):
            await host.services.challenges.accept(offer.id, EMMY)


class TestWhereAndWhat:
    """A server says where games may be started, and which."""

    async def test_only_in_these_channels_and_their_threads(self, host: Host) -> None:
        await host.services.store.servers.change(1, channels=(ELSEWHERE.channel, 13))
        with pytest.raises(Refused, match="games are played in <#12>, <#13>"):
            await asked(host, "alaric")
        await asked(host, "alaric", place=ELSEWHERE)
        await asked(host, "alaric", place=Place(guild=1, channel=99, parent=ELSEWHERE.channel))
        await asked(host, "alaric", place=Place(guild=2, channel=21))

    async def test_only_what_is_offered(self, host: Host) -> None:
        await host.services.store.servers.change(1, withheld=("alaric",))
        with pytest.raises(Refused, match="Alaric is not offered in this server"):
            await asked(host, "alaric")
        await asked(host, "skull")


async def test_the_usual_clock_of_a_server(host: Host) -> None:
    assert await host.services.preferences.time_control(1, "") is None
    await host.services.store.servers.change(1, time_control=TimeControl(timedelta(days=3)))
    assert await host.services.preferences.time_control(1, " ") == TimeControl(timedelta(days=3))
    assert await host.services.preferences.time_control(1, "24h") == TimeControl(timedelta(days=1))
    assert await host.services.preferences.time_control(1, "none") is None
    assert (
        await host.services.preferences.time_control(2, "")
        is await host.services.preferences.time_control(None, "")
        is None
    )
    with pytest.raises(Refused, match="Write a clock like"):
        await host.services.preferences.time_control(1, "soon")
