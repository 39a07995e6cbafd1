"""Laws of all computer players: their fast positions are the rules, and every choice is legal and repeatable."""

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.core.errors import BadSetup
from rules.core.match import Match
from rules.games import GAMES, find
from rules.players.choose import choose, find_player
from rules.players.levels import MOST_LEVELS, Budget
from rules.players.player import Choice, Player, SearchPlayer, Unsolvable
from rules.players.position import SearchPosition
from tests.rules.walks import AnyGame, key, starts, step, trials

pytestmark = pytest.mark.slow


def player(game: AnyGame) -> Player | None:
    try:
        return find_player(game)
    except BadSetup:
        return None


PLAYED = [game for game in GAMES if player(game) is not None]
SEARCHED = [game for game in PLAYED if isinstance(player(game), SearchPlayer)]


def searcher(game: AnyGame) -> SearchPlayer[Any]:
    found = find_player(game)
    assert isinstance(found, SearchPlayer)
    return found


def compare(search: SearchPlayer[Any], position: SearchPosition, match: Match) -> dict[str, int]:
    """Check that a position has the moves, the mover and the end of its match, and return the codes by text."""
    codes = {search.text(position, code): code for code in position.moves()}
    assert len(codes) == len(position.moves())
    assert sorted(codes) == sorted(match.legal() or ())
    if match.over:
        winners = match.winners or ()
        expected = [1 / len(winners) if seat in winners else 0 for seat in range(match.setup.players)]
        assert list(position.shares()) == expected
    else:
        assert position.mover == match.to_move[0]
    return codes


@pytest.mark.parametrize("game", SEARCHED, ids=key)
@given(data=st.data())
@trials(30)
def test_fast_position_follows_the_rules(game: AnyGame, data: st.DataObject) -> None:
    match = data.draw(starts(game))
    chance = random.Random(data.draw(st.integers(0, 9999)))
    fresh = data.draw(st.integers(1, 30), label="plies until the position is made of the match again")
    search = searcher(game)
    position = search.position(match)
    while not match.over and len(match.log) < 400:
        codes = compare(search, position, match)
        before = match
        if len(match.playing) > 2 and chance.random() < 0.02:
            match = match.play(chance.choice(match.playing), "resign")
            if not match.over:
                position = search.position(match)
            continue
        match = step(match, chance)
        twin = position.copy()
        position.play(codes[match.log[-1].text])
        compare(search, twin, before)
        if len(match.log) % fresh == 0 and not match.over:
            position = search.position(match)
    if not match.left:
        compare(search, position, match)


@pytest.mark.parametrize("game", SEARCHED, ids=key)
@given(data=st.data())
@trials(20)
def test_playout_ends_in_shares_of_one_win(game: AnyGame, data: st.DataObject) -> None:
    match = data.draw(starts(game))
    position = searcher(game).position(match)
    trace: list[list[int]] = [[] for _ in range(match.setup.players)]
    shares = position.playout(random.Random(data.draw(st.integers(0, 9999))), trace)
    assert len(shares) == match.setup.players
    assert sum(shares) == pytest.approx(1)
    assert all(0 <= share <= 1 for share in shares)


@pytest.mark.parametrize("level", [1, MOST_LEVELS])
@pytest.mark.parametrize("game", PLAYED, ids=key)
def test_choice_is_legal_and_the_same_for_a_seed(game: AnyGame, level: int) -> None:
    options = dict(next(iter(game.sizes.values())))
    chance = random.Random(level)
    match = Match.start(game, options, game.seats[0])
    for _ in range(7 * level):
        after = step(match, chance)
        if after.over:
            break
        match = after
    while None in match.to_move:
        match = step(match, chance)
    seat = match.to_move[-1]
    chosen = choose(match, seat, Budget(level=level), 5)
    assert chosen == choose(match, seat, Budget(level=level), 5)
    assert chosen.value is None or 0 <= chosen.value <= 1
    assert match.play(seat, chosen.move).log[-1].text == chosen.move


@pytest.mark.parametrize("game", SEARCHED, ids=key)
def test_forced_move_is_searched_if_a_value_is_asked_for(game: AnyGame) -> None:
    chance = random.Random(game.key)
    searched = 0
    for _ in range(30):
        match = Match.start(game, dict(next(iter(game.sizes.values()))), 2)
        while not match.over and len(match.legal() or ()) > 1:
            match = step(match, chance)
        if match.over:
            continue
        played = choose(match, None, Budget(level=1), 5)
        valued = choose(match, None, Budget(level=1, with_value=True), 5)
        assert played.move == valued.move
        assert valued.value is not None
        assert valued.nodes > 0
        # A level plays the move without a search, unless it sees at once that the move wins.
        assert played == (valued if played.value == 1 else Choice(played.move, None, False, 0))
        searched += played.value is None
        if searched == 2:
            return


@pytest.mark.parametrize("game", SEARCHED, ids=key)
@given(data=st.data())
@trials(30)
def test_exact_value_is_the_value_of_the_position(game: AnyGame, data: st.DataObject) -> None:
    match = Match.start(game, dict(next(iter(game.sizes.values()))), 2)
    chance = random.Random(data.draw(st.integers(0, 9999)))
    stages = [match]
    while not stages[-1].over:
        stages.append(step(stages[-1], chance))
    # The solvers know few positions but the last ones.
    match = stages[max(0, len(stages) - 2 - data.draw(st.integers(0, 5)))]
    search = searcher(game)
    known = search.proved(search.position(match), 20_000)
    for level in range(1, MOST_LEVELS):
        choice = choose(match, None, Budget(level=level, with_value=True), data.draw(st.integers(0, 9999)))
        if choice.exact and known is not None:
            assert choice.value == known


@pytest.mark.parametrize(
    ("game", "options", "says"),
    [
        ("alaric", {"size": 15}, "14 cells"),
        ("cocomposite", {"size": 6}, "up to size 5"),
        ("maze", {"size": 4}, "up to 3 by 3"),
        ("polygons", {"dots": 3, "size": 10}, "two dots each"),
        ("spaghetti", {"size": 6}, "up to 5 by 5"),
    ],
)
def test_boards_too_large_to_be_solved_are_refused(game: str, options: dict[str, int], says: str) -> None:
    with pytest.raises(Unsolvable, match=says):
        find_player(find(game)).solve(options, compiled=False)
