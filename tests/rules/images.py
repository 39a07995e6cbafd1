"""Matches on rotated and mirrored boards, by turning the text of each move: the plain way, to compare keys with."""

from collections.abc import Hashable, Iterator
from fractions import Fraction

from rules.core.game import Game
from rules.core.match import LEAVING, Match
from rules.games import BY_KEY
from rules.games.maze import Maze
from rules.games.maze.state import MazeState
from tests.rules.plain import TextTurn, board_stays, facts

Number = int | Fraction
Point = tuple[Number, Number]


def walks(match: Match) -> Iterator[tuple[Match, ...]]:
    """Yield the positions of a match from its start, and those of each of its images as far as they are known."""
    for turn in text_turns(match):
        stages = [Match.start(match.game, dict(match.setup.options), match.setup.players)]
        for seat, text in match.log:
            moved = text if seat is None or text in LEAVING else turn(text)
            if moved is None:
                break
            stages.append(stages[-1].play(seat, moved))
        yield tuple(stages)


def images(match: Match) -> Iterator[Match]:
    """Yield a match, and the same match on the board rotated and mirrored in every way that is known."""
    for walk in walks(match):
        if len(walk) == len(match.log) + 1:
            yield walk[-1]


def text_turns(match: Match) -> tuple[TextTurn, ...]:
    """Return how the texts of moves change with the board, in every way; the first changes nothing."""
    game = match.game
    if game.key not in BY_KEY:
        return board_stays({})
    turns = facts(game.key).turns(dict(match.setup.options))
    assert len(turns) > 1 or type(game).canonical is Game.canonical, (
        f"{game.key} has `canonical`, so the FACTS of tests/rules/plain/{game.key}.py need `turns` to compare it with."
    )
    return turns


def orbit(match: Match) -> Hashable:
    """Return what is equal for two positions exactly if one is an image of the other.

    In two games more is left out: the seat on turn of Alaric, and who has how many points in Maze. The sections of a
    maze are compared by their corners.
    """
    match match.game.key:
        case "alaric":
            positions = frozenset(image.state.standing[:3] for image in images(match))
        case "maze":
            positions = frozenset(_mazes(match.state))
        case _:
            positions = frozenset(image.game.position(image.state) for image in images(match))
    return match.setup, match.playing, positions


def _mazes(state: MazeState) -> Iterator[Hashable]:
    """Yield a maze on each turned board: its walls, and which sections are empty or the one to go on from."""
    board = Maze().observe(state, None)
    end = board.string[-1:] if not board.ended else ()
    for swap in (False, True):
        for left in (False, True):
            for down in (False, True):

                def turned(
                    x: Number, y: Number, left: bool = left, down: bool = down, swap: bool = swap
                ) -> Point:
                    x, y = (state.size - x if left else x), (state.size - y if down else y)
                    return (y, x) if swap else (x, y)

                yield (
                    frozenset(frozenset(turned(*end) for end in wall) for wall in board.walls),
                    frozenset(
                        (
                            frozenset(turned(*corner) for corner in section.corners),
                            section.owner is None,
                            number in end,
                        )
                        for number, section in enumerate(board.sections, 1)
                    ),
                )
