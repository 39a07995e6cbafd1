"""A move counts once, from the right member, on the board they saw; everything else changes nothing."""

import re

import pytest

from bot.app.errors import Refused
from db.values.matches import Outcome
from db.values.places import Place
from db.values.standings import PeriodKind
from rules.core.errors import Illegal, Unreadable
from rules.core.match import Ply
from tests.app.conftest import ADA, ELSEWHERE, EMMY, GRACE, HERE, Host
from tests.db.given import match_of
from tests.e2e.play import OPEN


async def test_moves_are_stored_in_canonical_form(host: Host) -> None:
    loaded = await host.begin("skull")
    await host.services.matches.play(loaded.id, ADA, " C 3 ")
    after = await host.services.matches.play(loaded.id, GRACE, "3d", plies=1)
    assert after.match.log == (Ply(0, "c3"), Ply(1, "d3"))
    assert (await host.services.matches.load(loaded.id)).match == after.match


async def test_what_is_refused_changes_nothing(host: Host) -> None:
    match, matches = (await host.begin("skull")).id, host.services.matches
    await matches.play(match, ADA, "c3")
    await matches.play(match, GRACE, "d3")
    before = await host.store.matches.load(match)
    by_typing = r"press \*\*More\*\*"
    for attempt, error, sentence in (
        (matches.play(match, GRACE, "c4"), Refused, f"It is <@{ADA}>'s turn in .*, not yours"),
        (matches.play(match, EMMY, "c4"), Refused, "is played by"),
        (matches.play(match, ADA, "c4", plies=1), Refused, "moved on"),
        (matches.play(match, ADA, "north"), Unreadable, "is no cell"),
        (matches.play(match, ADA, "f1"), Illegal, "beside no skull"),
        (matches.play(match, ADA, " Resign"), Refused, by_typing),
        (matches.play(match, ADA, "timeout"), Refused, by_typing),
        (matches.play(match + 1, ADA, "c4"), Refused, "no game #"),
        (matches.resign(match, EMMY), Refused, "is played by"),
    ):
        with pytest.raises(error, match=sentence):
            await attempt
        assert await host.store.matches.load(match) == before


@pytest.mark.parametrize(
    ("game", "size"),
    [
        pytest.param(
            game.key, next(iter(game.sizes)), marks=[] if game.key in ("skull", "maze") else pytest.mark.soak
        )
        for game in OPEN
    ],
)
async def test_a_match_to_its_end_is_on_the_leaderboard(host: Host, game: str, size: str) -> None:
    loaded = await host.begin(game, size)
    while not loaded.match.over:
        moves = loaded.match.legal()
        assert moves
        loaded = await host.services.matches.play(loaded.id, loaded.waiting_for[0], moves[0], loaded.plies)
    stored = await match_of(host.store, loaded.id)
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


async def test_only_a_game_that_can_be_meant_is_picked(host: Host) -> None:
    """`/move` without naming a game never guesses."""
    matches = host.services.matches
    first = await host.begin("skull")
    with pytest.raises(Refused, match="You play no game"):
        await matches.pick(EMMY, HERE, None)
    await host.begin("skull", place=ELSEWHERE)
    assert await matches.pick(ADA, HERE, None) == first.id
    second = await host.begin("alaric")
    with pytest.raises(Refused, match=re.escape(f"({first.name}, {second.name})")):
        await matches.pick(ADA, HERE, None)
    with pytest.raises(Refused, match="None of your games"):
        await matches.pick(GRACE, HERE, None)
    await matches.play(first.id, ADA, "c3")
    assert await matches.pick(ADA, HERE, None) == second.id


async def test_a_board_is_shown_to_anybody_in_its_server(host: Host) -> None:
    matches = host.services.matches
    with pytest.raises(Refused, match="No game is being played"):
        await matches.shown(EMMY, HERE, None)
    loaded = await host.begin("skull")
    assert (await matches.shown(EMMY, HERE, None)).id == loaded.id
    await host.begin("alaric")
    with pytest.raises(Refused, match="Several games match"):
        await matches.shown(EMMY, HERE, None)
    assert (await matches.shown(EMMY, HERE, loaded.id)).id == loaded.id
    with pytest.raises(Refused, match=f"no game #{loaded.id} in this server"):
        await matches.shown(ADA, Place(guild=2, channel=HERE.channel), loaded.id)


async def test_players_name_their_games_from_anywhere_and_others_do_not(host: Host) -> None:
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


async def test_one_of_three_who_left_is_asked_for_nothing_more(host: Host) -> None:
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
