"""The referee as a target: move texts in positions of all games, and setups."""

from dataclasses import dataclass
from random import Random
from typing import Any

from rules.core.errors import BadSetup, RuleError
from rules.core.match import LEAVING, Match
from rules.core.sizes import read_size
from rules.games import GAMES
from tests.fuzz.campaign import Verdict
from tests.fuzz.texts import huge_number, text
from tests.rules.hostile import check_sentence
from tests.rules.walks import AnyGame, finish, texts

DEPTHS = (0, 1, 2, 7, 12, 20, 60, 1000)
STRANGERS = (None, -1, 0, 1, 5, 6, 10**30)
"""Seats that are on turn, that are not, and that do not exist."""
REPLAYED = 50
"""One of so many accepted moves is replayed from the start of its match."""


@dataclass(frozen=True)
class Position:
    """A match, another match with the same log, its legal moves (None: secret), and texts of such."""

    match: Match
    twin: Match
    legal: frozenset[str] | None
    known: tuple[str, ...]


@dataclass(frozen=True)
class Move:
    """A seat says a text in a position."""

    position: Position
    seat: int | None
    text: str

    def __repr__(self) -> str:
        match = self.position.match
        return f"{match.setup} after {match.log}: seat {self.seat} says {self.text!a}"


def position_of(match: Match, chance: Random) -> Position:
    """The match as a subject of inputs."""
    legal = match.legal()
    known = [move for seat in match.to_move for move in texts(match, seat, chance)]
    return Position(
        match,
        Match.replay(match.game, match.setup, match.log),
        None if legal is None else frozenset(legal),
        tuple(known),
    )


def positions(game: AnyGame, chance: Random) -> list[Position]:
    """Positions of every named size, from the empty board to the end, for the fewest and for the most players.

    Only one of them is over: there everything gets the same answer.
    """
    found = [
        finish(Match.start(game, options, players), chance, plies)
        for options in game.sizes.values()
        for players in sorted(set(game.seats))
        for plies in DEPTHS
    ]
    over = next(match for match in found if match.over)
    return [position_of(match, chance) for match in (*(it for it in found if not it.over), over)]


class Moves:
    """Texts as moves in all games."""

    name = "moves"
    repeatable = True

    def __init__(self, seed: object) -> None:
        self._positions = [positions(game, Random(f"{seed} {game.key}")) for game in GAMES]
        self._all = tuple(
            {move for of_game in self._positions for position in of_game for move in position.known}
        )
        self._accepted = 0

    def make(self, chance: Random) -> Move:
        position = chance.choice(chance.choice(self._positions))
        own = bool(position.known) and chance.random() < 0.9
        on_turn = position.match.to_move
        seat = chance.choice(on_turn) if on_turn and chance.random() < 0.95 else chance.choice(STRANGERS)
        return Move(position, seat, text(position.known if own else self._all, chance))

    async def judge(self, given: Move) -> Verdict:
        position, match = given.position, given.position.match
        try:
            after = match.play(given.seat, given.text)
        except RuleError as refusal:
            check_sentence(str(refusal))
            verdict = Verdict(False, type(refusal).__name__, str(refusal))
        else:
            verdict = Verdict(True)
            self._check(given, after)
        assert match.log == position.twin.log
        assert match.state == position.twin.state
        return verdict

    def _check(self, given: Move, after: Match) -> None:
        position, match = given.position, given.position.match
        said = after.log[-1].text
        assert said in (*LEAVING, "draw", "void") or (
            given.seat in match.to_move and (position.legal is None or said in position.legal)
        )
        assert said.isascii()
        assert after.log[:-1] == match.log
        assert match.play(given.seat, said) == after
        self._accepted += 1
        if self._accepted % REPLAYED == 0:
            assert Match.replay(match.game, match.setup, after.log) == after


@dataclass(frozen=True)
class Start:
    """A game is to start with these options and players, or on a board of a size that somebody typed."""

    game: AnyGame
    options: dict[Any, int]
    players: int
    size: str | None

    def __repr__(self) -> str:
        return f"{self.game.key} with {self.options!a} for {self.players}, size {self.size!a}"


class Setups:
    """Options, players and sizes of games."""

    name = "setups"
    repeatable = True

    def make(self, chance: Random) -> Start:
        game = chance.choice(GAMES)
        keys = [option.key for option in game.options]
        size = None
        if chance.random() < 0.6:
            ranges = " ".join(f"{key} {huge_number(chance)}" for key in chance.choices(keys, k=len(keys)))
            numbers = "x".join(huge_number(chance) for _ in range(chance.randint(1, 4)))
            size = text([*game.sizes, ranges, ranges, numbers, numbers], chance)
        names = chance.choices(
            [*keys, *keys, "players", text(keys, chance)], k=chance.randint(0, len(keys) + 1)
        )
        players = chance.choice([*game.seats, *game.seats, _value(chance)])
        return Start(game, {name: _value(chance) for name in names}, players, size)

    async def judge(self, given: Start) -> Verdict:
        game = given.game
        try:
            options = given.options if given.size is None else read_size(game, given.size)
            match = Match.start(game, options, given.players)
        except BadSetup as refusal:
            check_sentence(str(refusal))
            return Verdict(False, "BadSetup", str(refusal))
        whole = dict(match.setup.options)
        assert list(whole) == [option.key for option in game.options]
        assert options.items() <= whole.items()
        assert all(option.low <= whole[option.key] <= option.high for option in game.options)
        assert game.seats[0] <= match.setup.players <= game.seats[1]
        assert Match.start(game, whole, given.players) == match
        return Verdict(True)


def _value(chance: Random) -> int:
    return chance.choice(
        [chance.randint(-1, 12), chance.randint(1, 50), int(huge_number(chance).lstrip("#"))]
    )
