"""Running matches in lists: who plays and who is to move, without their logs."""

import asyncio
from collections.abc import AsyncIterator, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TypeVar

import structlog

from bot.app.matches.loaded import LoadedMatch, name_of, position
from bot.app.matches.move_log import turns_of
from bot.app.tasks.rounds import PAGE
from db.store import Store
from db.values.matches import ListedMatch, StoredMatch, Turns, panel_of
from db.values.members import is_computer
from db.values.places import DiscordId, Place
from db.values.posts import Post
from rules.core.game import Seat

log = structlog.get_logger()

ARCHIVED_AFTER = timedelta(days=7)
"""The time after which a casual game against computers is archived, if its member does not move."""
MOST_AT_HAND = 10
"""The most casual games against computers of one member that are not archived: those that they moved in last."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A running match without its log, as lists of matches show it."""

    stored: ListedMatch
    turns: Turns

    @property
    def id(self) -> int:
        return self.stored.id

    @property
    def name(self) -> str:
        """The name by which people tell it from other games: `Alaric #17`."""
        return name_of(self.stored.setup.game, self.stored.id)

    @property
    def waiting_for(self) -> tuple[DiscordId, ...]:
        """The members whose turn it is."""
        turns = zip(self.stored.users, self.turns.since, strict=True)
        return tuple(user for user, since in turns if since is not None)

    def plays(self, user: DiscordId) -> bool:
        """Return True if a member plays in this match and has not left it."""
        seat = self.seat_of(user)
        return seat is not None and seat not in self.turns.left

    def seat_of(self, user: DiscordId) -> Seat | None:
        return self.stored.users.index(user) if user in self.stored.users else None

    def casual(self, user: DiscordId) -> bool:
        """Return True if `user` plays against computers alone, and it counts for no rating."""
        return not self.stored.rated and alone(self.stored.users, user)

    def since(self, user: DiscordId) -> datetime:
        """Return the time at which it became the turn of `user`, who is on turn."""
        since = self.turns.since[self.stored.users.index(user)]
        assert since is not None
        return since

    def until(self, user: DiscordId) -> datetime | None:
        """Return the deadline of `user`; None without a clock, or while the clock is stopped."""
        return self.stored.deadlines[self.stored.users.index(user)]


Shown = TypeVar("Shown", Listed, LoadedMatch)


def recalled(store: Store, match: int) -> Listed | None:
    """Return a running match as this process remembers it, without reading; None if it does not.

    A record that cannot be read is not remembered, so that the list that reads it logs the failure.
    """
    stored = store.matches.cached(match)
    if stored is None or stored.finished_at is not None:
        return None
    try:
        # Usually they are stored: replaying each of a member's matches after each move takes long.
        turns = stored.turns or turns_of(LoadedMatch.of(stored))
    except Exception:
        return None
    return Listed(stored.listed(turns), turns)


def alone(users: Collection[DiscordId], user: DiscordId) -> bool:
    """Return True if all players but `user` are computer players."""
    return all(other == user or is_computer(other) for other in users)


def archived(mine: Iterable[Listed], user: DiscordId, now: datetime) -> tuple[Listed, ...]:
    """Return those of the matches of `user` that are archived, the longest forgotten first.

    They count towards no list and no limit, and their next move brings them back. This follows from when `user` moved,
    so nothing has to be stored or swept.
    """
    casual = [it for it in mine if it.casual(user)]
    lying = {it.id: it.since(user) for it in casual if user in it.waiting_for}
    casual.sort(key=lambda it: (lying.get(it.id, now), it.id))
    surplus = max(0, len(casual) - MOST_AT_HAND)
    return tuple(
        it
        for place, it in enumerate(casual)
        if it.id in lying and (place < surplus or lying[it.id] < now - ARCHIVED_AFTER)
    )


async def listed(
    store: Store,
    *,
    users: Collection[DiscordId] | None = None,
    channel: DiscordId | None = None,
    limit: int | None = None,
) -> list[Listed]:
    """Return the running matches in which any of `users` has a seat, or in a channel, oldest first; at most `limit`."""
    running = await store.lists.running(users=users, channel=channel, limit=limit)
    return [match for it in running if (match := _with_turns(it)) is not None]


async def all_played_by(store: Store, users: Collection[DiscordId]) -> AsyncIterator[Listed]:
    """Yield the running matches in which any of `users` has a seat by their ids, reading some at a time."""
    after = 0
    while found := await store.lists.running(users=users, after=after, limit=PAGE):
        for stored in found:
            if (match := _with_turns(stored)) is not None:
                yield match
        after = found[-1].id


async def played_by(store: Store, user: DiscordId) -> list[Listed]:
    """Return the running matches that a member plays and has not left, oldest first."""
    return [it for it in await listed(store, users=(user,)) if it.plays(user)]


async def in_own_server(store: Store, user: DiscordId, found: Sequence[Shown]) -> list[Shown]:
    """Return matches of a member. Those that they play as a guest of another server are where their own board is."""
    copied = [it.id for it in found if _is_copied(it)]
    copies = await store.events.copies_for(user, copied) if copied else {}
    return [it if it.id not in copies else at_board(it, *copies[it.id]) for it in found]


def _is_copied(found: Listed | LoadedMatch) -> bool:
    return found.stored.copied if isinstance(found, Listed) else found.stored.context.copied


def at_board(found: Shown, place: Place, board: Post) -> Shown:
    """Return a match as if it were played at another place, where its board has this post."""
    if isinstance(found, Listed):
        return replace(found, stored=replace(found.stored, place=place, panel=panel_of(board)))
    return replace(found, stored=replace(found.stored, place=place, post=board))


def readable(matches: Iterable[StoredMatch]) -> tuple[LoadedMatch, ...]:
    """Return these matches with their positions, without those whose records cannot be read."""
    found = []
    for stored in matches:
        try:
            found.append(LoadedMatch.of(stored))
        except Exception as error:
            _log_unreadable(stored.id, error)
    return tuple(found)


def _with_turns(stored: ListedMatch) -> Listed | None:
    """Return a match of a list; None if its record cannot be read."""
    try:
        turns = stored.turns or (_at_start(stored) if stored.plies == 0 else None)
    except Exception as error:
        _log_unreadable(stored.id, error)
        return None
    return None if turns is None else Listed(stored, turns)


def _log_unreadable(match: int, error: Exception) -> None:
    """Log that a list is shown without a match. The text of the error may quote a hidden move."""
    log.error("match.unreadable", match=match, error=type(error).__name__)


def _at_start(stored: ListedMatch) -> Turns:
    due = position(stored.setup, ()).to_move
    return Turns(tuple(stored.started_at if seat in due else None for seat in range(stored.setup.players)))


async def complete_turns(store: Store) -> None:
    """Store whose turn it is in the running matches that an earlier version stored without it.

    A match that cannot be replayed stays as it is, and no list shows it.
    """
    after = 0
    while stored := await store.lists.without_turns(after, PAGE):
        noted = await asyncio.to_thread(
            lambda page: [(it.id, it.plies, turns_of(it)) for it in readable(page)], stored
        )
        await store.lists.note_turns(noted)
        after = stored[-1].id
