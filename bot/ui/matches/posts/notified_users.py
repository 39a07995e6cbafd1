"""The members whom a new board of a match notifies."""

from bot.app.matches.table import Table
from bot.app.matches.takebacks import back
from db.api.computers import is_computer
from db.api.matches.matches import Panel
from db.api.places import DiscordId, former


def users_to_notify(table: Table, before: Panel | None, forced: int) -> list[DiscordId]:
    """Return the members whose turn has come since the board before; at the end, those who did not end the game.

    The last `forced` plies were played automatically.
    """
    moved_now = _present(table, before)
    if table.match.over:
        last = table.stored.log[-1 - forced].seat if forced < table.plies else None
        others = (table.stored.users[seat] for seat in table.match.playing if seat != last)
        return [user for user in others if not former(user) and user not in moved_now]
    if before is None:
        # Who plays with computer players alone has just begun the game.
        return list(table.waiting_for) if sum(map(_person, table.stored.users)) > 1 else []
    already_waiting = table.back_to(before.plies).waiting_for
    since = table.stored.log[before.plies :]
    moved = {seat for seat, _ in since}
    return [
        user
        for user in table.waiting_for
        if user not in moved_now
        and (
            user not in already_waiting
            or table.seat_of(user) in moved
            or any(back(entry) is not None for entry in since)
        )
    ]


def _person(user: DiscordId) -> bool:
    return not is_computer(user)


def _present(table: Table, before: Panel | None) -> list[DiscordId]:
    """Return the members who have moved since the board before and were answered by computer players at once."""
    for entry in reversed(table.stored.log[0 if before is None else before.plies :]):
        if entry.seat is None:
            break
        user = table.stored.users[entry.seat]
        if not is_computer(user):
            answered = table.stored.log[-1] != entry
            return [user] if answered else []
    return []
