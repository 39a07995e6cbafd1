"""OpenSpiel's MCTS over our rules, a yardstick: `spiel:500` simulations, or `spiel-seconds:0.5` of CPU time.

OpenSpiel itself limits time by the wall clock, which says nothing on a busy machine. So the number of simulations is
set by their rate in the position at hand, which a few simulations measure.
"""

import random
import time
from functools import cache
from typing import Any, Self

import pyspiel

from rules.core.game import Game
from rules.core.match import Match
from rules.games import find

EXPLORATION = 1.4
PROBE = 64
"""Simulations by which the rate is measured."""


class _Position:
    """A state of the rules. It is immutable, so a copy of it may be itself, which makes OpenSpiel's clones cheap."""

    def __init__(self, game: Game[Any, Any], state: Any, seats: int) -> None:
        self.game, self.state, self.seats = game, state, seats
        self.turn = game.to_move(state)
        self.moves = tuple(game.legal(state) or ())

    def __deepcopy__(self, memo: object) -> Self:
        return self


class _State(pyspiel.State):
    """A position as OpenSpiel wants it; an action is the index of a legal move."""

    def __init__(self, game: "_Game") -> None:
        super().__init__(game)
        self.position = game.start

    def current_player(self) -> int:
        turn = self.position.turn
        return turn[0] if turn and turn[0] is not None else pyspiel.PlayerId.TERMINAL

    def _legal_actions(self, player: int) -> list[int]:
        return list(range(len(self.position.moves)))

    def _apply_action(self, action: int) -> None:
        now = self.position
        after = now.game.apply(now.state, now.turn[0], now.moves[action])
        self.position = _Position(now.game, after, now.seats)

    def _action_to_string(self, player: int, action: int) -> str:
        return str(self.position.game.format(self.position.moves[action]))

    def is_terminal(self) -> bool:
        return not self.position.turn

    def returns(self) -> list[float]:
        winners = self.position.game.winners(self.position.state) or ()
        shares = [1 / len(winners) if seat in winners else 0.0 for seat in range(self.position.seats)]
        return [2 * share - 1 for share in shares]

    def __str__(self) -> str:
        return str(self.position.state)


class _Game(pyspiel.Game):
    """One of our games with its options."""

    def __init__(self, key: str, options: tuple[tuple[str, int], ...], seats: int) -> None:
        rules = find(key)
        self.start = _Position(rules, rules.start(dict(options), seats), seats)
        kind = pyspiel.GameType(
            short_name=f"pencilbox_{key}",
            long_name=rules.sheet.title,
            dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
            chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
            information=pyspiel.GameType.Information.PERFECT_INFORMATION,
            utility=pyspiel.GameType.Utility.CONSTANT_SUM,
            reward_model=pyspiel.GameType.RewardModel.TERMINAL,
            max_num_players=seats,
            min_num_players=seats,
            provides_information_state_string=False,
            provides_information_state_tensor=False,
            provides_observation_string=False,
            provides_observation_tensor=False,
        )
        info = pyspiel.GameInfo(
            num_distinct_actions=100_000,
            max_chance_outcomes=0,
            num_players=seats,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=10_000,
        )
        super().__init__(kind, info, {})

    def new_initial_state(self) -> _State:
        return _State(self)


@cache
def _game(key: str, options: tuple[tuple[str, int], ...], seats: int) -> _Game:
    return _Game(key, options, seats)


def _state(match: Match) -> _State:
    setup = match.setup
    state = _game(setup.game, setup.options, setup.players).new_initial_state()
    state.position = _Position(match.game, match.state, setup.players)
    return state


def _search(match: Match, simulations: int, seed: int) -> int:
    state = _state(match)
    evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
    bot = pyspiel.MCTSBot(state.get_game(), evaluator, EXPLORATION, simulations, 500, True, seed, False)
    return int(bot.mcts_search(state).best_child().action)


def decide(match: Match, seed: int, simulations: int) -> str:
    """Return the text of the move that so many simulations favour."""
    if len(match.legal() or ()) == 1:
        return (match.legal() or ("",))[0]
    action = _search(match, simulations, random.Random(f"{seed} {len(match.log)}").getrandbits(30))
    return (match.legal() or ())[action]


def decide_within(match: Match, seed: int, seconds: float) -> str:
    """Return the text of the move favoured by as many simulations as take so many CPU seconds."""
    begin = time.process_time()
    chosen = decide(match, seed, PROBE)
    spent = max(time.process_time() - begin, 1e-6)
    simulations = int(PROBE * seconds / spent)
    return chosen if simulations <= PROBE else decide(match, seed, simulations)
