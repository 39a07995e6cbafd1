"""The lines of a board about computer players."""

from bot.app.matches.matches import MOST_TOLD
from bot.app.matches.table import Table
from bot.app.matches.takebacks import back
from bot.app.personas import persona, persona_name
from db.api.computers import LEVELS, is_computer, level_of
from rules.core.match import LEAVING


def introductions(table: Table) -> list[str]:
    """Return a line for each computer player, until the first member has moved."""
    computers = [user for user in table.stored.users if is_computer(user)]
    if not computers or any(
        seat is not None and not is_computer(table.stored.users[seat]) for seat, _ in table.since(0)
    ):
        return []
    lines = []
    for user in computers:
        found = persona(level_of(user) or LEVELS[0])
        about = f"level {found.level} of {len(LEVELS)}"
        lines.append(f"{found.sign} **{persona_name(user)}** · computer, {about}. *{found.character}*")
    return lines


def last_answers(table: Table) -> int:
    """Return how many of the last entries are moves of computer players after a member's move, and are told with it."""
    if table.match.secrets:
        return 0
    count = 0
    for entry in reversed(table.stored.log[-MOST_TOLD:]):
        if entry.seat is None or back(entry) is not None or entry.text in LEAVING:
            break
        if not is_computer(table.stored.users[entry.seat]):
            return count
        count += 1
    return max(0, count - 1)
