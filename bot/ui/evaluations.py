"""The values of positions and moves in words."""

from rules.players.review import DOUBT, Judged

RESULTS = {1.0: "won", 0.5: "drawn", 0.0: "lost"}


def percent(share: float) -> str:
    """Return a share of the win as text, like "62%"."""
    return f"{round(100 * share)}%"


def swing(move: Judged) -> str:
    """Return the loss by a move: "turned a won game into a drawn one (proved)".

    An estimate is "lowered the chances from 62% to 31% ± 4 (estimated)".
    """
    if move.exact and move.before in RESULTS and move.after in RESULTS:
        return f"turned a {RESULTS[move.before]} game into a {RESULTS[move.after]} one (proved)"
    doubt = "" if move.exact else f" ± {max(1, round(100 * DOUBT * move.error))}"
    sure = "proved" if move.exact else "estimated"
    return f"lowered the chances from {percent(move.before)} to {percent(move.after)}{doubt} ({sure})"


def promise(value: float | None, *, exact: bool, players: int = 2) -> str:
    """Return a sentence about the value of a move for its player in a game of so many `players`; "" without a value."""
    if value is None:
        return ""
    if not exact:
        return f"I estimate your chances at {percent(value)} from here."
    match RESULTS.get(value):
        case "won":
            others = "your opponent plays" if players == 2 else "the others play"
            return f"It wins for certain, whatever {others}."
        case "drawn":
            return "It draws with best play; no move does better."
        case "lost":
            return "You are losing against best play; no move changes that."
    return f"With best play you share the win: your part of it is {percent(value)}."


def expectation(value: float | None, *, exact: bool) -> str:
    """Return a sentence about the value of a line for the computer player; "" if it is not known."""
    if value is None:
        return ""
    if not exact:
        return f"I estimate my chances at {percent(value)}."
    if value in RESULTS:
        return f"This position is {RESULTS[value]} for me (proved)."
    return f"With best play I share the win: my part of it is {percent(value)} (proved)."
