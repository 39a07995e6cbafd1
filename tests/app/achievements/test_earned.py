"""Each achievement has a game that earns it and games that only nearly do; and laws that hold in any game."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.app.achievements import ALL, BY_KEY, OF_GAME, earned, progress
from bot.app.achievements.achievement import Achievement
from rules.core.match import Match
from rules.games import GAMES
from tests.app.achievements.records import RECORDS, Record, replayed
from tests.rules.walks import AnyGame, finish, key, starts, step, trials


def keys(match: Match) -> dict[int, list[str]]:
    return {seat: [achievement.key for achievement in due] for seat, due in earned(match).items()}


def named(record: Record) -> str:
    return f"{record['about']}: {record['says']}"


@pytest.mark.parametrize("record", RECORDS, ids=named)
def test_a_game_earns_just_what_it_proves(record: Record) -> None:
    match = replayed(record)
    assert match.over
    assert keys(match) == {int(seat): due for seat, due in record["earned"].items()}


@pytest.mark.parametrize("achievement", ALL, ids=lambda achievement: achievement.key)
def test_every_achievement_has_a_proof_and_a_near_miss(achievement: Achievement) -> None:
    games = [record for record in RECORDS if record["about"] == achievement.key]
    proved = [any(achievement.key in due for due in record["earned"].values()) for record in games]
    assert {*proved} == {True, False}


@pytest.mark.parametrize("achievement", [it for it in ALL if it.measure], ids=lambda it: it.key)
def test_a_near_miss_comes_close(achievement: Achievement) -> None:
    """Things that can be counted are counted in the games that earn it, and in one at least that does not."""
    games = [replayed(record) for record in RECORDS if record["about"] == achievement.key]
    steps = [
        step
        for match in games
        for seat in range(match.setup.players)
        if (step := progress(match, seat).get(achievement.key))
    ]
    assert any(step.have >= step.need for step in steps)
    assert any(0 < step.have < step.need for step in steps)


def test_every_game_has_achievements_and_no_two_look_alike() -> None:
    assert set(OF_GAME) == {game.key for game in GAMES}
    assert all(OF_GAME.values())
    assert len(BY_KEY) == len({achievement.title for achievement in ALL}) == len(ALL)
    for game, own in OF_GAME.items():
        assert all(achievement.key.startswith(f"{game}.") for achievement in own)


@pytest.mark.parametrize("game", GAMES, ids=key)
@trials(25)
@given(data=st.data())
def test_only_who_plays_a_game_to_its_end_earns_anything(game: AnyGame, data: st.DataObject) -> None:
    match = data.draw(starts(game))
    chance = random.Random(data.draw(st.integers(0, 9999)))
    gone = None
    if match.setup.players > 2 and chance.random() < 0.5:
        gone = chance.randrange(match.setup.players)
        match = match.play(gone, "resign")
    while not match.over and len(match.log) < 150:
        if len(match.log) % 20 == 0:
            assert not earned(match)
        match = step(match, chance)
    due = earned(match)
    assert due == earned(Match.replay(game, match.setup, match.log))
    assert match.over or not due
    assert {*due} <= {*match.playing}
    assert gone not in due
    assert all(0 < len(own) == len({*own}) for own in due.values())


@pytest.mark.parametrize("game", GAMES, ids=key)
def test_giving_up_agreeing_and_breaking_off_earn_nothing(game: AnyGame) -> None:
    chance = random.Random(1)
    quick = next(iter(game.sizes.values()))
    match = finish(Match.start(game, quick, game.seats[0]), chance, 400)
    assert match.over
    for plies in (0, 1, len(match.log) // 2, len(match.log) - 1):
        running = Match.replay(game, match.setup, match.log[:plies])
        for seat, word in ((0, "resign"), (1, "timeout"), (None, "draw"), (None, "void")):
            ended = running.play(seat, word)
            assert ended.over
            assert not earned(ended)


@pytest.mark.parametrize("game", GAMES, ids=key)
def test_a_board_below_the_quick_size_earns_nothing(game: AnyGame) -> None:
    quick = next(iter(game.sizes.values()))
    small = {option.key: max(option.low, quick[option.key] - 1) for option in game.options}
    assert small != quick
    for seed in range(2):
        match = finish(Match.start(game, small, game.seats[0]), random.Random(seed), 400)
        assert match.over
        assert not earned(match)
