"""Computer players: members with fixed ids that no Discord user can have, since Discord's ids are far greater."""

from db.values.places import DiscordId

LEVELS = (1, 2, 3, 4, 5)
"""From a beginner to the strongest."""
COPIES = 5
"""Computer players of one level that can sit at one table; the largest table has so many seats beside a member's."""

_FIRST = 9000


def computer_player(level: int, copy: int = 0) -> DiscordId:
    """Return the id of the computer player of a level. Further copies are for tables with several of one level."""
    if level not in LEVELS or not 0 <= copy < COPIES:
        raise ValueError(f"There is no copy {copy} of a computer player of level {level}.")
    return _FIRST + 10 * copy + level


def level_of(user: DiscordId) -> int | None:
    """Return the level of a computer player; None for everybody else."""
    copy, level = divmod(user - _FIRST, 10)
    return level if 0 <= copy < COPIES and level in LEVELS else None


def copy_of(user: DiscordId) -> int:
    """Return which copy of its level a computer player is, from 0."""
    return (user - _FIRST) // 10


def is_computer(user: DiscordId) -> bool:
    """True if this id is that of a computer player."""
    return level_of(user) is not None


COMPUTER_PLAYERS = tuple(computer_player(level, copy) for copy in range(COPIES) for level in LEVELS)
