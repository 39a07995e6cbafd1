"""The move log: each entry is stored with its time, its seal, the clocks and the result, or not at all.

Whose turn it is, and since when, is stored with every entry. It is computed from what was stored with the entry before,
so that it costs the same however long a match is.
"""

import asyncio
from collections import Counter
from dataclasses import replace
from datetime import datetime

from bot.app.achievements import awarded
from bot.app.clocks.arithmetic import begun_at, moved, out_of_time, verdict
from bot.app.clocks.downtime import ShardClocks
from bot.app.errors import Refused
from bot.app.matches.free_seats import computer_for
from bot.app.matches.loaded import LoadedMatch, back, counting, outcomes, position_keys, remember
from bot.app.matches.results import rated_places, second_game
from bot.app.mentions import mentions
from bot.app.system import Chance, Clock
from db.store import Store
from db.values.clocks import Clocks, ClocksMoved, Ticking
from db.values.matches import Ending, MovedOn, NewEntry, StoredMatch, Turns
from db.values.places import Ownership
from db.values.proposals import Matter, NewProposal, Takeover
from rules.core.match import LEAVING, Match, Ply


class TimeIsOver(Refused):
    """A player's time is over, which decides the match before anything else can."""


class MoveLog:
    """The service that appends entries to the logs of matches."""

    def __init__(self, store: Store, clock: Clock, chance: Chance, ownership: Ownership) -> None:
        self._store = store
        self._clock = clock
        self._chance = chance
        self._ownership = ownership
        self.shard_clocks = ShardClocks(store.clocks, clock, ownership)
        self.ticked = asyncio.Event()
        """Set when clocks must be checked before `next_check`."""
        self.next_check: datetime | None = None
        """The time at which all clocks are checked next; None while it is being found out."""
        self.moves: Counter[str] = Counter()
        """By game: the entries of seats that were stored since the start."""

    async def enter(
        self,
        loaded: LoadedMatch,
        entry: Ply,
        after: Match,
        proposal: int | None = None,
        *,
        conditional: bool = False,
        takeover: Takeover | None = None,
    ) -> LoadedMatch:
        """Append the entry that leads to `after`, and close the proposal that it carries out.

        With a `takeover` a computer player takes a seat by it.
        A `conditional` move takes no time of its seat. Raises MovedOn, ProposalClosed where the proposal is closed, and
        TimeIsOver.
        """
        while True:
            try:
                return await self._append(
                    loaded, entry, after, proposal, conditional=conditional, takeover=takeover
                )
            except (ClocksMoved, TimeIsOver):
                # Time may have been given back since the match was read. If nothing else changed, the entry stands.
                await self.shard_clocks.note_connected(self._shard(loaded.stored), certain=True)
                stored = await self._store.matches.load(loaded.id)
                if stored is None or len(stored.log) != loaded.plies:
                    raise MovedOn from None
                if stored.clocks == loaded.stored.clocks:
                    raise
                loaded = replace(loaded, stored=stored)

    async def check_time(self, match: int) -> None:
        """Raise TimeIsOver where the clocks of a match have decided it, so that nothing else may be stored."""
        stored = await self._store.matches.load(match)
        if stored is None or stored.time_control is None:
            return
        shard = self._shard(stored)
        await self.shard_clocks.note_connected(
            shard, certain=bool(out_of_time(stored.clocks, self.shard_clocks.now(shard)))
        )
        stored = await self._store.matches.load(match)
        assert stored is not None
        _check_time(LoadedMatch.of(stored), stored.clocks, self.shard_clocks.now(shard))

    async def time_out(self, loaded: LoadedMatch) -> bool:
        """Decide a match on time if its clocks say so. True if this call did it."""
        entry = verdict(loaded.match, loaded.stored.clocks, self.shard_clocks.now(self._shard(loaded.stored)))
        if entry is None:
            return False
        try:
            await self._append(loaded, entry, loaded.match.play(*entry))
        except (MovedOn, ClocksMoved):
            return False
        return True

    async def _append(
        self,
        loaded: LoadedMatch,
        entry: Ply,
        after: Match,
        proposal: int | None = None,
        *,
        conditional: bool = False,
        takeover: Takeover | None = None,
    ) -> LoadedMatch:
        offered = None
        if entry.seat is not None and entry.text in LEAVING:
            offered = await computer_for(self._store, loaded, entry.seat, after)
        time_control, clocks = loaded.stored.time_control, loaded.stored.clocks
        keys = position_keys(after, rated=loaded.stored.rated)
        async with self.shard_clocks.storing(loaded.stored.place.guild, time_control) as now:
            ended = outcomes(after)
            fresh = begun_at(clocks, entry.seat, now) if conditional else clocks
            _check_time(loaded, fresh, now, entry)
            clocks_after = moved(time_control, fresh, loaded.match, entry, after, now)
            ticking = Ticking(clocks, clocks_after) if time_control else None
            # The entry is the last ply that counts, unless it is a takeback, which seals nothing.
            salt = self._chance.salt() if len(loaded.match.log) in after.sealed else None
            ending = None
            if ended is not None:
                awards = awarded(after, loaded.stored.users)
                ranks = rated_places(loaded.stored, after) if loaded.stored.rated else None
                ending = Ending(ended, awards, ranks, second_game(loaded.stored, after, now))
            turns = turns_after(loaded, entry, after, now)
            new = NewEntry(entry, now, salt, ticking, turns, keys, conditional)
            offer = None
            if offered is not None and entry.seat is not None:
                offer = NewProposal(loaded.id, Matter.SEAT, entry.seat, loaded.shown + 1, now, offered)
            stored = await self._store.matches.append(
                loaded.id, loaded.plies, new, ending, proposal=proposal, takeover=takeover, offer=offer
            )
        if entry.seat is not None:
            self.moves[loaded.stored.setup.game] += 1
        if time_control and self._is_due_early(clocks_after):
            self.ticked.set()
        remember(loaded.stored.setup, after)
        return LoadedMatch(stored, after)

    def _is_due_early(self, clocks: Clocks) -> bool:
        """Return True if a deadline or a reminder of these clocks comes before the next check of all clocks."""
        if self.next_check is None:
            return True
        due = (time for clock in clocks if clock is not None for time in (clock.deadline, clock.remind_at))
        return any(time is not None and time < self.next_check for time in due)

    def _shard(self, stored: StoredMatch) -> int:
        return self._ownership.shard_of(stored.place.guild)


def _check_time(loaded: LoadedMatch, clocks: Clocks, now: datetime, entry: Ply | None = None) -> None:
    """Raise TimeIsOver where the clocks decide the match, unless `entry` is what they decide."""
    due = verdict(loaded.match, clocks, now)
    if due is not None and due != entry:
        late = mentions(loaded.stored.users[seat] for seat in out_of_time(clocks, now))
        raise TimeIsOver(f"The time of {late} in {loaded.name} is over; that decides the game.")


def turns_of(loaded: LoadedMatch) -> Turns:
    """Return the seats that are to act in a match, by its log."""
    return loaded.stored.turns or _replayed(loaded)


def turns_after(before: LoadedMatch, entry: Ply, after: Match, now: datetime) -> Turns:
    """Return the seats that are to act in the match `after` an entry that is made `now`.

    The turn has come to a seat that moved itself or was not to move before, and after a takeback to all. Secret moves
    of others change nothing, because the time would tell of them.
    """
    taken_back, due, earlier = back(entry) is not None, set(after.to_move), turns_of(before).since
    moved_on = {entry.seat, *(seat for seat in due if seat not in before.match.to_move)}
    since = (
        (now if taken_back or seat in moved_on else earlier[seat]) if seat in due else None
        for seat in range(after.setup.players)
    )
    return Turns(tuple(since), frozenset(seat for seat, _ in after.left if seat is not None))


def _replayed(loaded: LoadedMatch) -> Turns:
    stored = loaded.stored
    # Compare places in the log, not times: the machine's clock may have been set back during the match.
    since = [0] * stored.setup.players
    times = (stored.started_at, *stored.times)
    stage = Match.start(loaded.match.game, dict(stored.setup.options), stored.setup.players)
    for index in counting(stored.log):
        who, text = stored.log[index]
        before, stage = stage.to_move, stage.play(who, text)
        for seat in range(stored.setup.players):
            if who == seat or seat not in before:
                since[seat] = index + 1
    latest = max((number for number, entry in enumerate(stored.log, 1) if back(entry) is not None), default=0)
    due = set(stage.to_move)
    return Turns(
        tuple(times[max(number, latest)] if seat in due else None for seat, number in enumerate(since)),
        frozenset(seat for seat, _ in stage.left if seat is not None),
    )
