"""Two-game matches in words: which game it is, the points that were brought into it, and the sum of both."""

from collections.abc import Iterable

from bot.app.matches.table import Table
from bot.app.matches.two_games import Points, points_after, points_before, spell_points
from bot.ui.kit.content.mentions import player_label
from bot.ui.kit.content.results import COLON
from rules.core.game import Seat


def which_game(table: Table) -> str:
    """Return `game 1 of 2` or `game 2 of 2`; "" for a single game."""
    if table.stored.games == 1:
        return ""
    return f"game {1 if table.stored.first is None else 2} of {table.stored.games}"


def points_so_far(table: Table) -> str:
    """Return a sentence about the first game for the heading of the second; "" elsewhere."""
    if table.stored.first is None:
        return ""
    points = points_before(table.stored)
    if points is None:
        return "The first game has no result any more, so the two games together have none."
    (first, its), (second, others) = _best_first(points)
    score = f"{spell_points(its)}{COLON}{spell_points(others)}"
    if its == others:
        return f"After the first game it is level, {score}."
    return f"After the first game {player_label(table, first)} leads {player_label(table, second)} {score}."


def outcome_of_both(table: Table) -> str:
    """Return a sentence for the end of a game of two: what follows the first, or the sum after the second."""
    if table.stored.games == 1 or not table.match.over:
        return ""
    if table.stored.first is None:
        if table.stored.void is not None or not table.match.winners:
            return "The two games together have no result."
        return "The second game follows, with swapped seats."
    points = points_after(table.stored, table.match)
    if points is None:
        return "The two games together have no result."
    (first, its), (second, others) = _best_first(points)
    one, other = player_label(table, first), player_label(table, second)
    won = f"{one} and {other} drew" if its == others else f"{one} beat {other}"
    return f"Both games together: {won} {spell_points(its)}{COLON}{spell_points(others)}."


def sum_of_both(table: Table, seats: Iterable[Seat]) -> str:
    """Return the sum after the second game, like `½ : 1½`, in the order of these seats; "" elsewhere."""
    points = points_after(table.stored, table.match)
    if points is None:
        return ""
    return COLON.join(spell_points(points[seat]) for seat in seats)


def _best_first(points: Points) -> list[tuple[Seat, int]]:
    """Return both seats with their half points, the one with more first."""
    return sorted(enumerate(points), key=lambda one: -one[1])
