"""A move counts once, from the right member, on the board they saw; everything else changes nothing."""

import re
from collections.abc import Awaitable, Callable

import pytest

from bot.app.errors import Refused
from db.values.matches import Outcome
from db.values.places import Place
from db.values.standings import PeriodKind
from rules.core.errors import Illegal, Unreadable
from rules.core.match import Ply
from tests.app.conftest import ADA, ELSEWHERE, EMMY, GRACE, HERE, Host
from tests.e2e.play import OPEN


async def test_moves_are_stored_in_canonical_form(host: Host) -> None:
    loaded = await host.begin("skull")
    await host.services.matches.play(loaded.id, ADA, " C 3 ")
    after = await host.services.matches.play(loaded.id, GRACE, "3d", plies=1)
    assert after.match.log == (Ply(0, "c3"), Ply(1, "d3"))
    assert (await host.services.matches.load(loaded.id)).match == after.match


Try = Callable[[Host, int], Awaitable[object]]
WRONG: dict[str, tuple[Try, type[Exception], str]] = {
    "out of turn": (
        lambda host, match: host.services.matches.play(match, GRACE, "c4"),
        Refused,
        f"not your turn in .*<@{ADA}>",
    ),
    "stranger": (lambda host, match: host.services.matches.play(match, EMMY, "c4"), Refused, "is played by"),
    "stale board": (
        lambda host, match: host.services.matches.play(match, ADA, "c4", plies=1),
        Refused,
        "moved on",
    ),
    "unreadable": (
        lambda host, match: host.services.matches.play(match, ADA, "north"),
        Unreadable,
        "is no cell",
    ),
    "illegal": (lambda host, match: host.services.matches.play(match, ADA, "f1"), Illegal, "beside no skull"),
    "resigning by typing": (
        lambda host, match: host.services.matches.play(match, ADA, " Resign"),
        Refused,
        r"press \*\*More\*\*",
    ),
    "timing out by typing": (
        lambda host, match: host.services.matches.play(match, ADA, "timeout"),
        Refused,
        r"press \*\*More\*\*",
    ),
    "no such game": (
        lambda host, match: host.services.matches.play(match + 1, ADA, "c4"),
        Refused,
        "no game #",
    ),
    "stranger resigns": (
        lambda host, match: host.services.matches.resign(match, EMMY),
        Refused,
        "is played by",
    ),
}


@pytest.mark.parametrize("name", WRONG)
async def test_what_is_refused_changes_nothing(host: Host, name: str) -> None:
    attempt, error, sentence = WRONG[name]
    loaded = await host.begin("skull")
    await host.services.matches.play(loaded.id, ADA, "c3")
    await host.services.matches.play(loaded.id, GRACE, "d3")
    before = await host.store.matches.load(loaded.id)
    with pytest.raises(error, match=sentence):
        await attempt(host, loaded.id)
    assert await host.store.matches.load(loaded.id) == before


@pytest.mark.parametrize(("game", "size"), [(game.key, next(iter(game.sizes))) for game in OPEN])
async def test_a_match_to_its_end_is_on_the_leaderboard(host: Host, game: str, size: str) -> None:
    loaded = await host.begin(game, size)
    while not loaded.match.over:
        moves = loaded.match.legal()
        assert moves
        loaded = await host.services.matches.play(loaded.id, loaded.waiting_for[0], moves[0], loaded.plies)
    stored = await host.store.matches.load(loaded.id)
    assert stored is not None
    assert stored.finished_at == host.clock.now()
    assert stored.outcomes == loaded.stored.outcomes
    board = await host.store.leaderboards.page(game, 1, PeriodKind.ALWAYS, host.clock.now(), ADA, 10)
    assert {row.rating.user: (row.rating.won, row.rating.drawn, row.rating.lost) for row in board.rows} == {
        user: tuple(int(outcome is each) for each in Outcome)
        for user, outcome in zip((ADA, GRACE), stored.outcomes or (), strict=True)
    }
    with pytest.raises(Refused, match="is over"):
        await host.services.matches.play(loaded.id, ADA, "1")
    with pytest.raises(Refused, match="is over"):
        await host.services.matches.resign(loaded.id, ADA)


async def test_resigning_out_of_turn_loses(host: Host) -> None:
    loaded = await host.begin("alaric")
    after = await host.services.matches.resign(loaded.id, GRACE)
    assert after.stored.outcomes == (Outcome.WON, Outcome.LOST)


class TestWhichGame:
    """`/move` without naming a game means the only one that can be meant, and never guesses."""

    async def test_the_only_one_here(self, host: Host) -> None:
        loaded = await host.begin("skull")
        await host.begin("skull", place=ELSEWHERE)
        assert await host.services.matches.pick(ADA, HERE, None) == loaded.id

    async def test_the_only_one_that_waits(self, host: Host) -> None:
        first = await host.begin("skull")
        second = await host.begin("alaric")
        await host.services.matches.play(first.id, ADA, "c3")
        assert await host.services.matches.pick(ADA, HERE, None) == second.id

    async def test_several_are_named(self, host: Host) -> None:
        first, second = await host.begin("skull"), await host.begin("alaric")
        with pytest.raises(Refused, match=re.escape(f"({first.name}, {second.name})")):
            await host.services.matches.pick(ADA, HERE, None)

    async def test_none_waits(self, host: Host) -> None:
        for game in ("skull", "alaric"):
            await host.begin(game)
        with pytest.raises(Refused, match="None of your games"):
            await host.services.matches.pick(GRACE, HERE, None)

    async def test_none_at_all(self, host: Host) -> None:
        await host.begin("skull")
        with pytest.raises(Refused, match="You play no game"):
            await host.services.matches.pick(EMMY, HERE, None)

    async def test_a_board_to_look_at(self, host: Host) -> None:
        with pytest.raises(Refused, match="No game is being played"):
            await host.services.matches.shown(EMMY, HERE, None)
        loaded = await host.begin("skull")
        assert (await host.services.matches.shown(EMMY, HERE, None)).id == loaded.id
        await host.begin("alaric")
        with pytest.raises(Refused, match="Several games match"):
            await host.services.matches.shown(EMMY, HERE, None)
        assert (await host.services.matches.shown(EMMY, HERE, loaded.id)).id == loaded.id

    async def test_boards_stay_in_their_server(self, host: Host) -> None:
        loaded = await host.begin("skull")
        with pytest.raises(Refused, match=f"no game #{loaded.id} in this server"):
            await host.services.matches.shown(ADA, Place(guild=2, channel=HERE.channel), loaded.id)

    async def test_players_name_their_games_from_anywhere_and_others_do_not(self, host: Host) -> None:
        loaded = await host.begin("skull")
        matches = host.services.matches
        for place in (Place(guild=2, channel=21), Place(guild=None, channel=31)):
            assert await matches.pick(ADA, place, loaded.id) == loaded.id
            for unknown in (loaded.id, 999):
                with pytest.raises(Refused) as refused:
                    await matches.pick(EMMY, place, unknown)
                where = "here" if place.guild is None else "in this server"
                assert str(refused.value) == f"There is no game #{unknown} {where}."
        assert await matches.pick(EMMY, HERE, loaded.id) == loaded.id


class TestLeavingASeatOfThree:
    """Whoever leaves is out of it; the others play on."""

    async def test_the_one_who_left_is_asked_for_nothing_more(self, host: Host) -> None:
        loaded = await host.begin("maze", "quick", others=(GRACE, EMMY))
        await host.services.matches.resign(loaded.id, ADA)
        assert await host.services.matches.mine(ADA) == []
        with pytest.raises(Refused, match="You play no game"):
            await host.services.matches.pick(ADA, HERE, None)
        for attempt in (
            host.services.matches.resign(loaded.id, ADA),
            host.services.matches.play(loaded.id, ADA, "a1-b2"),
        ):
            with pytest.raises(Refused, match="You have left"):
                await attempt

    async def test_the_others_play_on(self, host: Host) -> None:
        loaded = await host.begin("maze", "quick", others=(GRACE, EMMY))
        loaded = await host.services.matches.resign(loaded.id, GRACE)
        while not loaded.match.over:
            assert loaded.waiting_for[0] in (ADA, EMMY)
            moves = loaded.match.legal()
            assert moves
            loaded = await host.services.matches.play(loaded.id, loaded.waiting_for[0], moves[0])
        assert loaded.stored.outcomes is not None
        assert loaded.stored.outcomes[1] is Outcome.LOST
        assert Outcome.LOST not in {loaded.stored.outcomes[seat] for seat in loaded.match.winners or ()}
