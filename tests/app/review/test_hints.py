"""Hints: for casual games only, told to everybody, and never for a position of a running rated game."""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial

import pytest

from bot.app.errors import Refused
from bot.app.matches.loaded import LoadedMatch
from bot.app.review.fair_play import FairPlay
from bot.app.review.hints import Hints
from bot.app.searches import Purpose
from db.values.places import Place
from rules.core.game import Seat
from rules.core.match import Match
from rules.games.palindromes import PalindromesView
from rules.players.levels import Budget
from rules.players.player import Choice
from tests.app.conftest import ADA, ELSEWHERE, EMMY, GRACE, HERE, Host

RATED = "A rated game that is being played is at this position"


async def test_hint_is_a_good_move_and_is_noted(host: Host) -> None:
    loaded = await host.begin("skull", "3x3", rated=False)
    hint = await host.services.hints.take(loaded.id, ADA)
    assert hint.choice.move in (loaded.match.legal() or ())
    again = await host.services.matches.load(loaded.id)
    assert again.stored.hinted == {0}
    assert again.plies == 0
    await host.services.matches.play(loaded.id, ADA, hint.choice.move)
    await host.services.hints.take(loaded.id, GRACE)
    assert (await host.services.matches.load(loaded.id)).stored.hinted == {0, 1}


async def test_hint_wins_where_it_can(host: Host) -> None:
    loaded = await host.begin("skull", "3x1", rated=False)
    hint = await host.services.hints.take(loaded.id, ADA)
    assert (hint.choice.move, hint.choice.value, hint.choice.exact) == (
        "b1",
        0,
        True,
    ) or hint.choice.value == 1


async def test_hint_for_a_forced_move_tells_what_a_search_found(host: Host) -> None:
    loaded = await host.begin("cocomposite", "quick", rated=False)
    for user, move in ((ADA, "b8"), (GRACE, "b7"), (ADA, "a8")):
        loaded = await host.services.matches.play(loaded.id, user, move)
    assert loaded.match.legal() == ("a7",)
    hint = await host.services.hints.take(loaded.id, GRACE)
    assert hint.choice.value is not None
    assert hint.choice.nodes > 1


async def test_what_gets_no_hint(host: Host) -> None:
    hints, matches = host.services.hints, host.services.matches
    rated = await host.begin("alaric", "4")
    with pytest.raises(Refused, match="is rated; hints are for casual games"):
        await hints.take(rated.id, ADA)
    casual = await host.begin("alaric", "5", rated=False)
    with pytest.raises(Refused, match="It is not your turn"):
        await hints.take(casual.id, GRACE)
    with pytest.raises(Refused, match="is played by"):
        await hints.take(casual.id, EMMY)
    await matches.resign(casual.id, GRACE)
    with pytest.raises(Refused, match="is over"):
        await hints.take(casual.id, ADA)
    for loaded in (rated, casual):
        assert (await matches.load(loaded.id)).stored.hinted == frozenset()


async def test_position_of_a_rated_game_gets_no_hint_in_another_channel(host: Host) -> None:
    rated = await host.begin("alaric", "9")
    casual = await host.begin("alaric", "9", ELSEWHERE, others=(EMMY,), rated=False)
    for user, other, move in ((ADA, ADA, "1"), (GRACE, EMMY, "4"), (ADA, ADA, "3"), (GRACE, EMMY, "6")):
        await host.services.matches.play(rated.id, user, move)
        await host.services.matches.play(casual.id, other, move)
    with pytest.raises(Refused, match=RATED):
        await host.services.hints.take(casual.id, ADA)
    assert (await host.services.matches.load(casual.id)).stored.hinted == frozenset()
    await host.services.matches.resign(rated.id, GRACE)
    await host.services.hints.take(casual.id, ADA)


SAME_CARDS = "somebody has the same cards"


async def test_hint_for_a_hidden_move_tells_nothing_of_what_others_do(host: Host) -> None:
    loaded = await dealt(host, "8", rated=False)
    matches, hints = host.services.matches, host.services.hints
    row = await hints.take(loaded.id, ADA)
    assert row.choice.move.startswith("arrange ")
    await matches.play(loaded.id, GRACE, (await hints.take(loaded.id, GRACE)).choice.move)
    await matches.play(loaded.id, ADA, (await hints.take(loaded.id, ADA)).choice.move)
    now = await matches.load(loaded.id)
    find = await hints.take(loaded.id, GRACE)
    theirs = seen(now, 1).rows[0] or ""
    assert find.choice.move == "done" or find.choice.move.removeprefix("find ") in theirs
    await matches.play(loaded.id, GRACE, "done")
    assert (await matches.load(loaded.id)).stored.hinted == {0, 1}
    with pytest.raises(Refused, match="It is not your turn"):
        await hints.take(loaded.id, GRACE)


class Meanwhile:
    """A thinker during whose search something else happens."""

    def __init__(self, host: Host, happens: Callable[[], Awaitable[object]]) -> None:
        self.host, self.happens = host, happens

    async def choose(
        self, match: Match, seat: Seat, budget: Budget, seed: int = 0, purpose: Purpose = Purpose.MOVE
    ) -> Choice:
        await self.happens()
        return await self.host.search.choose(match, seat, budget, seed)


async def test_hint_is_noted_though_another_player_makes_a_hidden_move_meanwhile(host: Host) -> None:
    """One's own move makes the hint too late."""
    loaded = await dealt(host, "8", rated=False)
    for user, seat in ((GRACE, 1), (ADA, 0)):
        thinker = Meanwhile(host, partial(host.services.matches.play, loaded.id, user, laid(loaded, seat)))
        hints = Hints(host.store.matches, host.services.matches, thinker, FairPlay(host.store.positions))
        if user == GRACE:
            await hints.take(loaded.id, ADA)
            assert (await host.services.matches.load(loaded.id)).stored.hinted == {0}
        else:
            with pytest.raises(Refused, match="has moved on"):
                await hints.take(loaded.id, ADA)


async def test_the_cards_of_a_rated_game_get_no_hint_in_a_casual_one(host: Host) -> None:
    """The same hand, and the same row to search, also with other options, read backwards and with another own row."""
    matches, hints = host.services.matches, host.services.hints
    rated = await dealt(host, "cards=8 misses=3")
    casual = await dealt(host, "cards=8", ELSEWHERE, others=(EMMY,), rated=False)
    assert seen(rated, 0).hand == seen(casual, 0).hand
    with pytest.raises(Refused, match=SAME_CARDS):
        await hints.take(casual.id, ADA)
    await matches.play(rated.id, ADA, laid(rated, 0))
    await matches.play(rated.id, GRACE, laid(rated, 1))
    await matches.play(casual.id, ADA, laid(casual, 0)[:8] + laid(casual, 0)[:7:-1])
    await matches.play(casual.id, EMMY, laid(casual, 1)[:8] + laid(casual, 1)[:7:-1])
    with pytest.raises(Refused, match=SAME_CARDS):
        await hints.take(casual.id, ADA)
    assert (await matches.load(casual.id)).stored.hinted == frozenset()
    await matches.resign(rated.id, GRACE)
    assert (await hints.take(casual.id, ADA)).choice.move


async def dealt(
    host: Host, size: str, place: Place = HERE, others: Sequence[int] = (GRACE,), *, rated: bool = True
) -> LoadedMatch:
    """A match whose cards are dealt."""
    begun = await host.begin("palindromes", size, place, others, rated=rated)
    return await host.services.matches.load(begun.id)


def laid(loaded: LoadedMatch, seat: Seat) -> str:
    """The move by which a seat lays its red cards first."""
    hand = seen(loaded, seat).hand
    assert hand is not None
    return f"arrange {'R' * hand[0]}{'B' * hand[1]}"


def seen(loaded: LoadedMatch, seat: Seat) -> PalindromesView:
    view = loaded.match.observe(seat).board
    assert isinstance(view, PalindromesView)
    return view
