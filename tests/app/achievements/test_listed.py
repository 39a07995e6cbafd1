"""Achievements are told and listed to the right members, in the right place, within Discord's limits."""

import random
from datetime import UTC, datetime

import pytest
from discord import SelectOption, ui

from bot.app.achievements import ALL, OF_GAME, general
from bot.app.awards import Won
from bot.ui.matches.panel import Gains, panel
from bot.ui.standings.profile import ProofSelect, achievements_message
from db.values.matches import Earned
from db.values.places import Place
from rules.core.match import Match
from rules.games import GAMES
from tests.rules.walks import AnyGame, finish, key
from tests.ui.test_messages import BIGGEST_ID, assert_fits, loaded
from tests.ui.words import words

NOW = datetime(2026, 1, 1, tzinfo=UTC)
HERE, THREAD, OTHER = Place(1, 11), Place(1, 12, 11), Place(2, 21)
DIRECT, OTHER_DIRECT = Place(None, 31), Place(None, 32)


def won(number: int = 0, place: Place = HERE, match: int = 2**31 - 1) -> Won:
    return Won(ALL[number], Earned(BIGGEST_ID, ALL[number].key, match, NOW, "spaghetti", place))


def choices(view: ui.LayoutView) -> list[SelectOption]:
    """The options of the menu; none without one."""
    return [
        option
        for item in view.walk_children()
        if isinstance(item, ProofSelect)
        for option in item.item.options
    ]


@pytest.mark.parametrize("count", [0, 1, len(ALL) // 2, len(ALL)])
def test_a_list_fits_into_one_message_and_names_each_once(count: int) -> None:
    view = achievements_message(BIGGEST_ID, [won(number) for number in range(count)], HERE, riddles=True)
    assert_fits(view)
    for number, achievement in enumerate(ALL):
        assert words(view).count(f"**{achievement.title}**") == (number < count)
        assert words(view).count(achievement.riddle) == (number >= count)
    assert [option.label for option in choices(view)] == [achievement.title for achievement in ALL[:count]]
    assert len({option.value for option in choices(view)}) == count


def test_others_are_given_no_hints() -> None:
    view = achievements_message(BIGGEST_ID, [won()], HERE, riddles=False)
    assert not any(achievement.riddle in words(view) for achievement in ALL)


@pytest.mark.parametrize(
    ("played", "asked", "seen"),
    [
        (HERE, HERE, True),
        (THREAD, HERE, True),
        (OTHER, HERE, False),
        (DIRECT, HERE, False),
        (HERE, DIRECT, False),
        (DIRECT, DIRECT, True),
        (OTHER_DIRECT, DIRECT, False),
    ],
)
def test_a_game_is_only_named_where_it_may_be_watched(played: Place, asked: Place, *, seen: bool) -> None:
    view = achievements_message(BIGGEST_ID, [won(0, played, 17), won(1, played, 17)], asked, riddles=True)
    assert ("#17" in words(view)) == seen
    assert ("elsewhere" in words(view)) == (not seen)
    assert [option.value.partition(":")[0] for option in choices(view)] == ["17", "17"] * seen


@pytest.mark.parametrize("game", GAMES, ids=key)
def test_the_last_board_of_a_game_has_room_for_all_that_it_earns(game: AnyGame) -> None:
    largest = {option.key: option.high for option in game.options}
    match = finish(Match.start(game, largest, game.seats[1]), random.Random(1), 8)
    over = loaded(match if match.over else match.play(None, "draw"))
    own = [ALL.index(it) for it in (*OF_GAME[game.key], *general.ACHIEVEMENTS)]
    view = panel(over, "paper", live=True, gains=Gains([won(number) for number in own for _ in range(2)], ()))
    assert_fits(view)
    assert words(view).count(f"<@{BIGGEST_ID}> earned **{ALL[own[0]].title}**: “{ALL[own[0]].deed}”") == 2
