"""Remembered positions are the positions that a replay comes to, and a press replays a match at most once."""

import random
from typing import Any

import pytest

from bot.app.matches.loaded import LoadedMatch, forget_positions, position
from rules.core.errors import RuleError
from rules.core.match import Match, Ply
from rules.games import GAMES
from tests.app.conftest import ADA, GRACE, Host
from tests.rules.walks import AnyGame, finish, key


@pytest.mark.parametrize("game", GAMES, ids=key)
def test_a_position_is_what_a_replay_comes_to(game: AnyGame) -> None:
    start = Match.start(game, next(iter(game.sizes.values())), game.seats[0])
    whole = finish(start, random.Random(7), 40)
    lengths = [*range(len(whole.log) + 1)]
    random.Random(7).shuffle(lengths)
    for length in lengths:
        log = whole.log[:length]
        assert position(whole.setup, log) == Match.replay(game, whole.setup, log)


def test_a_long_log_needs_no_deep_recursion() -> None:
    (game,) = (game for game in GAMES if game.key == "alaric")
    whole = finish(Match.start(game, {"size": 40}, 2), random.Random(3), 600)
    assert len(whole.log) > 100
    forget_positions()
    assert position(whole.setup, whole.log) == whole


def test_a_wrong_log_is_refused_each_time() -> None:
    (game,) = (game for game in GAMES if game.key == "alaric")
    setup = Match.start(game, {"size": 7}, 2).setup
    for _ in range(2):
        with pytest.raises(RuleError):
            position(setup, [Ply(0, "1"), Ply(1, "1")])


async def test_a_press_replays_a_match_at_most_once(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    loaded = await host.begin("cocomposite")
    chance = random.Random(1)
    for _ in range(20):
        moves = loaded.match.legal()
        assert moves
        loaded = await host.services.matches.play(loaded.id, loaded.waiting_for[0], chance.choice(moves))
    forget_positions()
    played = 0
    play = Match.play

    def counted(match: Match, *args: Any) -> Match:
        nonlocal played
        played += 1
        return play(match, *args)

    monkeypatch.setattr(Match, "play", counted)
    moves = loaded.match.legal()
    assert moves
    assert {ADA, GRACE} >= {*loaded.waiting_for}
    after = await host.services.matches.play(loaded.id, loaded.waiting_for[0], moves[0], loaded.shown)
    await _shown_after(host, after)
    # Twenty to come to the position, one for the move, one when the stored match is loaded again.
    assert played <= 22


async def _shown_after(host: Host, after: LoadedMatch) -> None:
    """Ask for what a new board asks for."""
    loaded = await host.services.matches.load(after.id)
    await host.services.matches.by_itself(loaded)
    await host.services.proposals.close_decided(loaded.id)
    assert loaded.back_to(loaded.plies - 1).shown < loaded.shown
    assert [found.id for found in await host.services.matches.mine(ADA)] == [loaded.id]
