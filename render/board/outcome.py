"""How a game ended, as far as every game can tell it."""

from rules.core.match import Observation


def is_draw(seen: Observation) -> bool:
    """Whether all who were left share the result, rather than some of them."""
    winners = seen.winners or ()
    if len(winners) < 2:
        return False
    return seen.agreed or seen.scores is None or len(winners) + len(seen.left) >= len(seen.scores)


def early_ending(seen: Observation) -> str:
    """How the match ended before the game did, like "by resignation"; "" if it was played out or goes on."""
    if seen.winners is None:
        return ""
    if not seen.winners:
        return "broken off"
    if seen.agreed:
        return "by agreement"
    if seen.left and seen.last == seen.left[-1]:
        return "by resignation" if seen.last.text == "resign" else "on time"
    return ""
