"""Titles: who has earned one by an event, by puzzles, or by finishing games. Their roles are given in bot.ui.events."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta

from bot.app.events.standing import groups_of, podium
from db.store import Store
from db.values.events import Event, TitleKind
from db.values.members import is_computer
from db.values.places import DiscordId

PUZZLE_DAYS = 30
"""The days in a row that earn a title."""


def titles_of(event: Event) -> Mapping[TitleKind, Sequence[DiscordId]]:
    """Return the titles that an event that is over has earned its players; none if a member ended it early."""
    if event.ended or event.versus is not None:
        return {}
    present = {it.number: it.user for it in event.present if not is_computer(it.user)}
    first = [it.user for row, it in podium(event) if row.place == 1 and it.number in present]
    if event.season is None:
        return {TitleKind.CUP: first}
    below = [
        present[row.entrant]
        for group in groups_of(event, 0)[1:]
        for row in group.rows
        if row.place == 1 and row.entrant in present and row.played
    ]
    return {TitleKind.CHAMPION: first, TitleKind.DIVISION: below}


async def award_puzzle_days(
    store: Store, user: DiscordId, guild: DiscordId, days: int, today: date, at: datetime
) -> None:
    """Store the title of a member who has solved the puzzles of so many days in a row, once for each streak."""
    if days >= PUZZLE_DAYS:
        begun = today - timedelta(days=days - 1)
        await store.titles.add(guild, TitleKind.PUZZLES, begun.isoformat(), [user], at)
