"""The ending of a match, as far as it is the same for all games."""

from rules.core.match import Observation


def is_draw(seen: Observation) -> bool:
    """True if all remaining players share the win, False if only some of them do."""
    winners = seen.winners or ()
    if len(winners) < 2:
        return False
    return seen.agreed or seen.scores is None or len(winners) + len(seen.left) >= len(seen.scores)


def early_ending(seen: Observation) -> str:
    """Return how a match ended early, like "by resignation"; "" if it was played to its end or is still running."""
    if seen.winners is None:
        return ""
    if not seen.winners:
        return "broken off"
    if seen.agreed:
        return "by agreement"
    if seen.left and seen.last == seen.left[-1]:
        return "by resignation" if seen.last.text == "resign" else "on time"
    return ""
