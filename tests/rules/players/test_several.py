"""Computer players among three and more seats, against a plain search over the rules: each seat plays for itself."""

import random
from collections.abc import Mapping

import pytest

from rules.core.match import Match
from rules.games import find
from rules.players.choose import choose, find_player
from rules.players.games.cocomposite.position import CocompositePosition
from rules.players.levels import Budget
from rules.players.player import BudgetSpent, SearchPlayer
from rules.players.position import Shares
from rules.players.uct import Tuning, search
from tests.rules.walks import step
from tests.seeds import seeds

MOST = 400
"""Positions that the plain search may look at."""


def shares(match: Match, known: dict[object, Shares]) -> Shares:
    """Return every seat's share by nothing but the rules.

    If several moves are equally good for the mover, all different results of them count alike. Raises BudgetSpent.
    """
    if match.over:
        winners = match.winners or ()
        return tuple(1 / len(winners) if seat in winners else 0.0 for seat in range(match.setup.players))
    key = match.state, match.playing
    if key not in known:
        if len(known) > MOST:
            raise BudgetSpent
        (seat,) = match.to_move
        assert seat is not None
        after = [shares(match.play(seat, text), known) for text in match.legal() or ()]
        best = sorted({one for one in after if one[seat] == max(other[seat] for other in after)})
        known[key] = tuple(sum(one) / len(best) for one in zip(*best, strict=True)) if best[1:] else best[0]
    return known[key]


def late(key: str, options: Mapping[str, int], seed: int) -> tuple[Match, dict[object, Shares]]:
    """Return a position of a random game of three to five players, and the shares that the rules give those after it.

    It is the earliest one from which three play on and all games are few enough. In every third game a seat leaves.
    """
    chance, players = random.Random(seed), 3 + seed % 3
    found: tuple[Match, dict[object, Shares]] | None = None
    while found is None:
        stages = [Match.start(find(key), dict(options), players)]
        while not stages[-1].over:
            match = stages[-1]
            leaves = players > 3 and seed % 3 == 1 and len(match.log) == 3
            stages.append(match.play(chance.randrange(players), "resign") if leaves else step(match, chance))
        for match in stages[-2::-1]:
            known: dict[object, Shares] = {}
            try:
                shares(match, known)
            except BudgetSpent:
                break
            if len(match.playing) == 2 or (key == "maze" and match.state.plan is None):
                break
            found = match, known
    return found


@pytest.mark.parametrize(
    ("key", "options"), [("maze", {"size": 2}), ("maze", {"size": 3}), ("cocomposite", {"size": 4})]
)
@seeds(100)
def test_solved_ends_have_the_shares_of_the_rules(key: str, options: Mapping[str, int], seed: int) -> None:
    match, known = late(key, options, seed)
    player = find_player(match.game)
    assert isinstance(player, SearchPlayer)
    (seat,) = match.to_move
    assert seat is not None
    right = shares(match, known)
    position = player.position(match)
    found = player.solved(position, 1_000_000)
    if right[seat] == 0:
        assert found is None
        return
    assert found is not None
    assert found.shares == right
    best = {player.text(position, code) for code in found.best}
    assert best == {
        text for text in match.legal() or () if shares(match.play(seat, text), known)[seat] == right[seat]
    }
    choice = choose(match, None, Budget(level=5, with_value=True), seed)
    assert choice.move in best
    assert choice.exact == (choice.value == 1)


@seeds(60)
def test_search_of_several_proves_wins_and_nothing_else(seed: int) -> None:
    match, known = late("cocomposite", {"size": 4}, seed)
    right = shares(match, known)
    position = CocompositePosition.of(match.state)
    result = search(position, match.setup.players, random.Random(seed), Tuning(), nodes=3000)
    best, (seat,) = result.moves[0], match.to_move
    assert seat is not None
    assert best.exact == (right[seat] == 1)
    assert sum(best.shares) == pytest.approx(1)
    if best.exact:
        assert best.shares == right
