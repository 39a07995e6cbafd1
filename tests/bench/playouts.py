"""Random playouts per second of every game at its standard size: `python -m tests.bench.playouts [--json FILE]`.

Five ways to play in turn within one run, so that the ratios hold on any machine: the rules alone, a Match (which
reads and writes texts and keeps the log), the plain games of `tests.rules.plain`, the computer player's position, which
changes in place, and the playouts of its search, in which some moves are preferred and some games end early.
"""

import argparse
import json
import random
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import median

from rules.core.match import Match
from rules.games import GAMES, find
from rules.games.palindromes import Arrange, Deal, Done, Find, Palindromes, PalindromesState, palindromes
from rules.players.choose import find_player
from rules.players.player import SearchPlayer
from rules.players.position import SearchPosition
from tests.rules.plain import plain
from tests.rules.walks import AnyGame, finish

Playout = Callable[[random.Random], int]
"""Plays one random game to its result and answers the number of plies."""

ROUNDS = 9
SECONDS = 0.25
"""Of CPU, per way and round. A ratio is the median of those of the rounds."""


def offered(state: PalindromesState) -> Sequence[object]:
    """Return the moves that the plain game offers, too, where the referee lists none because they are secret."""
    if state.reds is None:
        return [Deal(reds) for reds in range(state.cards + 1)]
    if not state.arranged:
        reds, blacks = state.hand(0 if state.rows[0] is None else 1)
        cards = "R" * reds + "B" * blacks
        return [Arrange(cards[at:] + cards[:at]) for at in range(len(cards))]
    if state.over:
        return ()
    seat = 1 if state.done[0] else 0
    named = state.found[seat]
    return [*[Find(name) for name in palindromes(state.rows[1 - seat] or "") if name not in named], Done()]


def by_rules(game: AnyGame, options: Mapping[str, int]) -> Playout:
    """The rules without a Match."""
    players = game.seats[0]
    legal = offered if isinstance(game, Palindromes) else game.legal

    def playout(chance: random.Random) -> int:
        state, plies, pick = game.start(options, players), 0, chance.random
        while moves := legal(state):
            state = game.apply(state, game.to_move(state)[0], moves[int(pick() * len(moves))])
            plies += 1
        game.winners(state)
        return plies

    return playout


def by_match(game: AnyGame, options: Mapping[str, int]) -> Playout:
    start = Match.start(game, options, game.seats[0])
    return lambda chance: len(finish(start, chance, 100_000).log)


def by_plain(game: AnyGame, options: Mapping[str, int]) -> Playout:
    def playout(chance: random.Random) -> int:
        other, plies, pick = plain(game.key, options), 0, chance.random
        while moves := other.moves():
            other.play(moves[int(pick() * len(moves))])
            plies += 1
        other.winners()
        return plies

    return playout


def by_position(game: AnyGame, options: Mapping[str, int]) -> Playout:
    start = _position(game, options)

    def playout(chance: random.Random) -> int:
        position, plies, pick = start.copy(), 0, chance.random
        while codes := position.moves():
            position.play(codes[int(pick() * len(codes))])
            plies += 1
        position.shares()
        return plies

    return playout


def by_search(game: AnyGame, options: Mapping[str, int]) -> Playout:
    start = _position(game, options)

    def playout(chance: random.Random) -> int:
        start.copy().playout(chance, None)
        return 0

    return playout


def _position(game: AnyGame, options: Mapping[str, int]) -> SearchPosition:
    player = find_player(game)
    assert isinstance(player, SearchPlayer)
    position: SearchPosition = player.position(Match.start(game, options, game.seats[0]))
    return position


def rate(playout: Playout, seed: int) -> tuple[float, float]:
    """Playouts per second of CPU, and plies per playout."""
    chance = random.Random(seed)
    games = plies = 0
    begin = time.thread_time()
    while (spent := time.thread_time() - begin) < SECONDS:
        plies += playout(chance)
        games += 1
    return games / spent, plies / games


def measure(game: AnyGame) -> dict[str, float]:
    options = game.check({}, game.seats[0])
    ways = {
        "rules": by_rules(game, options),
        "match": by_match(game, options),
        "plain": by_plain(game, options),
    }
    if isinstance(find_player(game), SearchPlayer):
        ways |= {"position": by_position(game, options), "search": by_search(game, options)}
    for playout in ways.values():
        playout(random.Random(0))  # tables are made once
    rounds = [{way: rate(playout, seed) for way, playout in ways.items()} for seed in range(ROUNDS)]
    found = {way: median(speeds[way][0] for speeds in rounds) for way in ways}
    for way in ("rules", "position"):
        if way in ways:
            found[f"{way} : plain"] = median(speeds[way][0] / speeds["plain"][0] for speeds in rounds)
    return {"plies": median(speeds["rules"][1] for speeds in rounds), **found}


COLUMNS = ("rules", "match", "plain", "position", "search", "rules : plain", "position : plain")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there, too")
    parser.add_argument("games", nargs="*", default=[game.key for game in GAMES], help="keys of games")
    arguments = parser.parse_args()
    print(f"{'game':<14}{'plies':>6}" + "".join(f"{column:>18}" for column in COLUMNS))
    figures = {}
    for key in arguments.games:
        figures[key] = found = measure(find(key))
        cells = [f"{found[way]:.{2 * (':' in way)}f}" if way in found else "" for way in COLUMNS]
        print(f"{key:<14}{found['plies']:>6.1f}" + "".join(f"{cell:>18}" for cell in cells), flush=True)
    if arguments.json:
        arguments.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
