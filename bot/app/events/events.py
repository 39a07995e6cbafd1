"""Events: opening, joining and leaving, the start and the end of stages, and what organisers and moderators may do.

A cup is looked at in rounds, whenever it is due: when it starts, when one of its games ends, at the quarters of a stage
and at its end. Every step is one transaction that counts only if nothing has changed since the cup was read. So a step
that was interrupted, or that two processes take at once, is done once.
"""

from collections.abc import Awaitable, Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta

import structlog

from bot.app.challenges.limits import MOST_IN_CHANNEL, check_admitted, check_place
from bot.app.clocks.arithmetic import started
from bot.app.errors import Refused
from bot.app.events.line_ups import forfeits, games_to_come, is_full
from bot.app.events.pairings import FEWEST, MOST, most_games
from bot.app.events.schedule import WAITS, next_look, quarter, season_after, season_start
from bot.app.events.standing import qualified, running_of, titles_of
from bot.app.events.starts import FULL, Starts
from bot.app.matches.listed import played_by
from bot.app.matches.loaded import position_keys
from bot.app.matches.matches import CUP_ENDED, FORFEITED, MATCH_OVER, PLAYER_LEFT, STAGE_OVER, Matches
from bot.app.matches.move_log import TimeIsOver, turns_of
from bot.app.mentions import mention
from bot.app.system import Clock
from bot.app.tasks.rounds import Rounds
from db.store import Store
from db.values.events import (
    NOBODY,
    Correction,
    Deed,
    Entrant,
    Event,
    EventChange,
    EventChanged,
    EventState,
    NewEvent,
    Pairing,
    Stage,
    StoredDeed,
    Summary,
    Terms,
)
from db.values.matches import Beginning, MovedOn
from db.values.members import is_computer
from db.values.places import DiscordId, Place
from rules.core.match import Match, Ply
from rules.games import find
from rules.players.choose import check_level

log = structlog.get_logger()

TASK = "events"
"""Name of the task whose items are events that are due."""
MOST_OPEN = 5
"""Cups of one server that are open or running."""
MOST_PLAYED = 200
"""Running games with which a member cannot join another cup."""
GONE = "This cup is gone; `/cup` opens a new one."
NOT_OPEN = "Nobody can join this cup any more; `/cup` opens another one."
BLOCKED = "You cannot join this cup; open one of your own with `/cup`."
"""The refusal of a member who has blocked a player of the cup, or is blocked by one. It does not say by whom."""


class Events:
    """The service of cups and of the months of leagues. Methods raise Refused; then nothing was changed."""

    def __init__(self, store: Store, clock: Clock, matches: Matches, rounds: Rounds) -> None:
        self._store = store
        self._clock = clock
        self._matches = matches
        self._rounds = rounds
        self._starts = Starts(store, clock)

    async def load(self, event: int) -> Event:
        """Return the cup with this number. Raises Refused if there is none."""
        found = await self._store.events.get(event)
        if found is None:
            raise Refused(GONE)
        return found

    async def check_visible(self, event: int, user: DiscordId, place: Place) -> None:
        """Raise Refused unless a cup is at home in this server or `user` takes part, as if there was none."""
        found = await self.load(event)
        if not found.near(place) and found.entrant(user) is None:
            raise Refused(GONE)

    def check_manager(self, event: Event, user: DiscordId, *, moderator: bool) -> None:
        """Raise Refused unless a member may change a cup or league: its organiser or a moderator."""
        if event.versus is not None:
            raise Refused("Neither server of a match can do that alone; **Manage…** shows what yours can do.")
        if user != event.organiser and not moderator:
            who = (
                "" if event.organiser == NOBODY else f"{mention(event.organiser)}, who opened this cup, and "
            )
            raise Refused(
                f"Only {who}moderators with the permission Manage Messages or Manage Server can change it."
            )

    async def open(
        self, place: Place, organiser: DiscordId, terms: Terms, starts_at: datetime | None
    ) -> Event:
        """Open a cup that members can join. Raises Refused, and BadSetup for a game that is not for two players."""
        if place.guild is None:
            raise Refused("A cup takes place in a server of which I am a member.")
        game = find(terms.game)
        game.check(dict(terms.options), 2)
        if not FEWEST <= terms.most <= MOST:
            raise Refused(f"A cup has {FEWEST} to {MOST} players.")
        if terms.computers:
            check_level(game, terms.computers)
        await check_place(self._store, place, terms.game)
        await check_admitted(self._store, place.guild, (organiser,), organiser)

        def check(others: Sequence[Summary], running: int) -> None:
            cups = [it for it in others if it.season is None and it.games is None]
            if any(it.organiser == organiser and it.state is EventState.OPEN for it in cups):
                raise Refused("A cup of yours is open here already; start it or end it first.")
            if len(cups) >= MOST_OPEN:
                raise Refused(
                    f"{MOST_OPEN} cups are open or running in this server; open one when one of them is over."
                )
            # A start is never refused half-way, so the games of a cup must have room when it is opened.
            if running + games_to_come(others, place) + most_games(terms.most) > MOST_IN_CHANNEL:
                raise Refused(
                    f"The games of this cup would be more than {MOST_IN_CHANNEL} in this channel; open it in another"
                    " channel, or with fewer players."
                )

        now = self._clock.now()
        new = NewEvent(place, organiser, terms, starts_at, starts_at or now + WAITS, now)
        return await self.load(await self._store.events.add(new, check))

    async def join(self, event: int, user: DiscordId) -> Event:
        """Let a member join. A cup that starts when it is full starts with the last one."""

        async def joining(found: Event) -> EventChange:
            await self._check_joining(found, user)
            entrant = Entrant(found.next_number, user)
            if found.state is EventState.OPEN:
                full = found.starts_at is None and len(found.present) + 1 >= found.terms.most
                return EventChange(joined=[entrant], due_at=self._clock.now() if full else None)
            return EventChange(
                joined=[entrant],
                pairings=await self._starts.late_games(found, entrant),
                deeds=[self.deed(Deed.JOINED, whom=user)],
            )

        return await self.change(event, joining)

    async def leave(self, event: int, user: DiscordId) -> Event:
        """Let a player leave. Their running games are lost, or annulled if they have finished less than half."""

        async def leaving(found: Event) -> EventChange:
            entrant = found.entrant(user)
            if entrant is None:
                raise Refused(f"You do not take part in this {found.noun}.")
            return self.leaving(found, entrant, StoredDeed(0, Deed.LEFT, self._clock.now(), whom=user))

        return await self.change(event, leaving)

    async def remove(self, event: int, by: DiscordId, whom: DiscordId, *, moderator: bool) -> Event:
        """Remove a player for the organiser or a moderator, as if they had left."""

        async def removing(found: Event) -> EventChange:
            self.check_manager(found, by, moderator=moderator)
            entrant = found.entrant(whom)
            if entrant is None:
                raise Refused(f"{mention(whom)} does not take part in this {found.noun}.")
            return self.leaving(found, entrant, self.deed(Deed.REMOVED, by, whom))

        return await self.change(event, removing)

    async def start(self, event: int, by: DiscordId, *, moderator: bool) -> Event:
        """Start a cup early for the organiser or a moderator."""

        async def starting(found: Event) -> EventChange:
            self.check_manager(found, by, moderator=moderator)
            if found.state is not EventState.OPEN:
                raise Refused(f"This {found.noun} has started already.")
            if found.season is not None:
                raise Refused("A league starts on the first day of its month.")
            return await self._starts.start(found, [self.deed(Deed.STARTED, by)])

        return await self._change(event, starting)

    async def let_late_in(self, event: int, by: DiscordId, *, moderator: bool) -> Event:
        """Let members join a running cup, for the organiser or a moderator, while that is fair."""

        async def letting(found: Event) -> EventChange:
            self.check_manager(found, by, moderator=moderator)
            self._check_fair_to_join(found)
            if found.late:
                raise Refused("Late players may join already; they press **Join**.")
            return EventChange(late=True, deeds=[self.deed(Deed.LATE, by)])

        return await self._change(event, letting)

    async def correct(
        self, event: int, by: DiscordId, match: int, result: Correction | None, *, moderator: bool
    ) -> Event:
        """Correct the result of a finished game in the table for the organiser or a moderator.

        None lets the result count as it was played. Ratings do not change.
        """

        async def correcting(found: Event) -> EventChange:
            self.check_manager(found, by, moderator=moderator)
            change, after = self.correction(found, by, match, result)
            if after == found:
                raise Refused(f"The table shows that result of game #{match} already.")
            return replace(change, titles=titles_of(after)) if found.state is EventState.OVER else change

        return await self._change(event, correcting)

    def correction(
        self, found: Event, by: DiscordId, match: int, result: Correction | None
    ) -> tuple[EventChange, Event]:
        """Return the change by which a game counts with another result, and the event after it.

        Raises Refused if the game is not over, or if the newest stage has no such game.
        """
        pairing = next((it for it in found.pairings if it.match == match), None)
        if pairing is None:
            raise Refused(
                f"Game #{match} does not belong to this {found.noun}; the number of a game stands on its board."
            )
        if pairing not in found.newest:
            raise Refused("The final has begun, so the results of the groups stand; correct its games only.")
        if pairing.running:
            raise Refused(f"Game #{match} is still being played; correct its result when it is over.")
        corrected = replace(pairing, corrected=result)
        deed = replace(self.deed(Deed.CORRECTED, by), match=match, corrected=result)
        after = tuple(corrected if it.match == match else it for it in found.pairings)
        return EventChange(corrected=[corrected], deeds=[deed]), replace(found, pairings=after)

    async def end(self, event: int, by: DiscordId, *, moderator: bool) -> Event:
        """End a cup for the organiser or a moderator. Its running games end without a result."""

        async def ending(found: Event) -> EventChange:
            self.check_manager(found, by, moderator=moderator)
            if found.state not in (EventState.OPEN, EventState.RUNNING) or found.ended:
                raise Refused(f"This {found.noun} is over already.")
            cancelled = EventState.CANCELLED if found.state is EventState.OPEN else None
            deed = self.deed(Deed.ENDED, None if by == NOBODY else by)
            return EventChange(state=cancelled, deeds=[deed], due_at=self._clock.now())

        return await self.change(event, ending)

    async def round(self) -> bool:
        """Look at the cups that are due. Return True if there were any."""
        due = await self._store.events.due(self._clock.now(), await self._rounds.limit(TASK))
        await self._rounds.each(TASK, due, self.advance)
        return bool(due)

    async def advance(self, event: int) -> Event:
        """Take all steps that are due in a cup. Return it as it then stands."""
        while True:
            found = await self.load(event)
            change = await self._next(found)
            if change is None:
                return found
            with suppress(EventChanged):
                await self._store_change(found, change)

    async def _next(self, found: Event) -> EventChange | None:
        """Return the next step of a cup, after its games that are to end have ended; None if nothing is due."""
        now = self._clock.now()
        if found.state is EventState.OPEN:
            return await self._next_of_open(found, now)
        if found.state is not EventState.RUNNING:
            return None
        stage = found.stages[-1]
        if await self._end_running(found):
            found = await self.load(found.id)
        absent = [] if now >= stage.ends_at else await self._absent(found, stage, now)
        if absent and found.versus is not None:
            return forfeits(found, absent, now)
        if absent:
            left = [replace(it, left_at=now, annulled=True) for it in absent]
            return EventChange(left=left, deeds=[self.deed(Deed.ABSENT, whom=it.user) for it in absent])
        if not any(it.running for it in found.of_stage(stage.number)):
            final = not (stage.number or found.ended or found.season or found.versus)
            finalists = qualified(found) if final else []
            if len(finalists) >= FEWEST:
                return await self._starts.stage(found, [finalists], stage.number + 1)
            titles = titles_of(replace(found, state=EventState.OVER))
            return EventChange(state=EventState.OVER, titles=titles)
        look = next_look(stage, now)
        return EventChange(due_at=look) if found.due_at != look else None

    async def _next_of_open(self, found: Event, now: datetime) -> EventChange | None:
        full, starts_at = is_full(found), found.due_at if found.versus else found.starts_at
        if found.season is not None and now >= season_start(season_after(found.season)):
            return EventChange(state=EventState.CANCELLED)  # The bot was off for the whole month.
        if (found.starts_at is None and full) or (starts_at is not None and now >= starts_at):
            try:
                return await self._starts.start(found, [])
            except Refused:
                return EventChange(state=EventState.CANCELLED)  # Too few have joined.
        return EventChange(state=EventState.CANCELLED) if now >= found.due_at else None

    async def change(self, event: int, step: Callable[[Event], Awaitable[EventChange]]) -> Event:
        """Change an event by a step, and take the steps that are due then."""
        return await self._follow(await self._change(event, step))

    async def _change(self, event: int, step: Callable[[Event], Awaitable[EventChange]]) -> Event:
        """Change a cup by a step, which is judged by how the cup stands at that moment."""
        while True:
            found = await self.load(event)
            change = await step(found)
            with suppress(EventChanged):
                return await self._store_change(found, change)

    async def _store_change(self, found: Event, change: EventChange) -> Event:
        """Store a change, with the clocks of the games that begin by it. Raises EventChanged."""
        if not change.pairings:
            return await self._store.events.change(found, change, self._clock.now())
        terms = found.terms
        users = replace(found, entrants=(*found.entrants, *change.joined)).users
        first = Match.start(find(terms.game), dict(terms.options), 2)
        async with self._matches.move_log.shard_clocks.storing(found.place.guild, terms.time_control) as now:
            games = []
            for it in change.pairings:
                seats = users[it.first], users[it.second]
                computers = [seat for seat, user in enumerate(seats) if is_computer(user)]
                clocks = started(terms.time_control, first, now, untimed=computers)
                keys = position_keys(first, rated=it.rated)
                games.append(replace(it, begun=Beginning(it.begun.version, clocks, keys)))
            if (stage := change.stage) is not None:
                waited = now - stage.started_at if found.season is None else timedelta(0)
                stage = replace(stage, started_at=now, ends_at=stage.ends_at + waited)
                change = replace(change, stage=stage, due_at=next_look(stage, now))
            after = await self._store.events.change(found, replace(change, pairings=games), now)
        self._matches.move_log.ticked.set()
        log.info("event.games_begun", cup=found.id, games=len(games))
        return after

    def leaving(self, found: Event, entrant: Entrant, deed: StoredDeed) -> EventChange:
        """Return the change by which an entrant leaves. Who has finished less than half of their games is annulled."""
        if found.state is EventState.OPEN:
            deeds = [deed] if deed.deed is Deed.REMOVED else []
            return EventChange(withdrawn=[entrant.number], deeds=deeds)
        if found.state is not EventState.RUNNING:
            raise Refused(f"This {found.noun} is over already.")
        games = [it for it in found.newest if entrant.number in (it.first, it.second)]
        annulled = found.versus is None and 2 * sum(not it.running for it in games) < len(games)
        left = replace(entrant, left_at=self._clock.now(), annulled=annulled)
        return EventChange(left=[left], deeds=[deed], due_at=self._clock.now())

    async def _follow(self, found: Event) -> Event:
        """Take the steps that are due after a change of a member. If this is interrupted, a round takes them."""
        return await self.advance(found.id) if found.due_at <= self._clock.now() else found

    async def _end_running(self, found: Event) -> bool:
        """End running games of the newest stage that may not go on. Return True if any was ended.

        These are all games of a cup that was ended, or of a stage whose time is over, and those of entrants who left. A
        game that cannot be ended does not keep the others from it. Then its error is raised in the end.
        """
        everybody = [it.number for it in found.entrants]
        gone = {it.number: it for it in found.entrants if it.left_at is not None}
        late = self._clock.now() >= found.stages[-1].ends_at
        failures: list[Exception] = []
        ended = False
        for pairing in running_of(found, everybody if found.ended or late else [*gone]):
            leaving = next((gone[it] for it in (pairing.first, pairing.second) if it in gone), None)
            try:
                if found.ended:
                    await self._matches.abandon(pairing.match, CUP_ENDED)
                elif leaving is None:
                    await self._decide(pairing, MATCH_OVER if found.versus else STAGE_OVER)
                elif leaving.annulled:
                    await self._matches.abandon(pairing.match, FORFEITED if found.versus else PLAYER_LEFT)
                else:
                    await self._resign(pairing, leaving)
                ended = True
            except Exception as error:
                failures.append(error)
        if failures:
            raise failures[0]
        return ended

    async def _resign(self, pairing: Pairing, entrant: Entrant) -> None:
        """Let an entrant who has left lose a game. It may have ended meanwhile."""
        try:
            await self._matches.resign(pairing.match, entrant.user)
        except TimeIsOver:
            await self._matches.time_out(pairing.match)
        except Refused:
            log.info("event.game_over_before_leaving", match=pairing.match)

    async def _decide(self, pairing: Pairing, reason: str) -> None:
        """End a game whose stage is over: the player whose clock runs loses. Otherwise it has no result."""
        move_log = self._matches.move_log
        while not (loaded := await self._matches.load(pairing.match)).match.over:
            now = self._clock.now()
            running = [
                seat
                for seat, clock in enumerate(loaded.stored.clocks)
                if clock is not None and clock.deadline is not None and not clock.stands_still_at(now)
            ]
            try:
                if len(running) == 1:
                    entry = Ply(running[0], "timeout")
                    await self._matches.follow(await move_log.enter(loaded, entry, loaded.match.play(*entry)))
                else:
                    await self._matches.abandon(pairing.match, reason, loaded.plies)
            except TimeIsOver:
                await self._matches.time_out(pairing.match)
            except MovedOn:
                log.info("event.game_moved_on", match=pairing.match)

    async def _absent(self, found: Event, stage: Stage, now: datetime) -> list[Entrant]:
        """Return the members who have made no move in a stage although a game has waited for them for a quarter."""
        if now < stage.started_at + quarter(stage):
            return []
        moved = await self._store.events.movers(found.id, stage.number)
        idle = {it.number: it for it in found.present if it.number not in moved and not is_computer(it.user)}
        absent: set[int] = set()
        for pairing in running_of(found, [*idle]):
            since = turns_of(await self._matches.load(pairing.match)).since
            entrants = pairing.first, pairing.second
            absent |= {
                entrant
                for entrant, began in zip(entrants, since, strict=True)
                if began is not None and now - began >= quarter(stage)
            }
        return [it for number, it in idle.items() if number in absent]

    async def _check_joining(self, found: Event, user: DiscordId) -> None:
        """Raise Refused unless a member may join a cup now."""
        if any(it.user == user and it.left_at is not None for it in found.entrants):
            raise Refused(f"You have left this {found.noun}, so you cannot join it again.")
        self.check_outside(found, user)
        if found.state is EventState.RUNNING and found.late:
            self._check_fair_to_join(found)
        elif found.state is not EventState.OPEN:
            raise Refused(NOT_OPEN)
        if len(found.present) >= (found.terms.most if found.state is EventState.OPEN else MOST):
            raise Refused(FULL)
        await check_admitted(self._store, found.place.guild, (user,), user)
        await self.check_able(user, found.members, BLOCKED, "cup")

    def check_outside(self, found: Event, user: DiscordId) -> None:
        """Raise Refused if a member was removed from an event, or takes part already."""
        if any(it.deed is Deed.REMOVED and it.whom == user for it in found.deeds):
            raise Refused(f"You were removed from this {found.noun}, so you cannot join it again.")
        if found.entrant(user) is not None:
            raise Refused("You take part already; **Leave** takes you out again.")

    async def check_able(
        self, user: DiscordId, opponents: Collection[DiscordId], blocked: str, what: str
    ) -> None:
        """Raise Refused if a member has a block with an opponent, with the sentence `blocked`, or plays too much."""
        members = self._store.members
        if {*await members.blocked(user)} & {*opponents} or await members.blockers(user, opponents):
            raise Refused(blocked)
        if len([it for it in await played_by(self._store, user) if not it.casual(user)]) >= MOST_PLAYED:
            raise Refused(
                f"You are playing {MOST_PLAYED} games; finish or resign one before you join a {what}."
            )

    def _check_fair_to_join(self, found: Event) -> None:
        """Raise Refused unless a late player would have the same chances as the others."""
        if found.state is not EventState.RUNNING:
            raise Refused(f"Late players can only join a {found.noun} that runs.")
        stage = found.stages[-1]
        over = any(not it.running for it in found.of_stage(stage.number))
        if stage.number or over or self._clock.now() >= stage.started_at + quarter(stage):
            raise Refused(
                f"It is too late to join: a game of this {found.noun} is over, or a quarter of its time has passed."
            )

    def deed(self, deed: Deed, by: DiscordId | None = None, whom: DiscordId | None = None) -> StoredDeed:
        return StoredDeed(0, deed, self._clock.now(), by, whom)
