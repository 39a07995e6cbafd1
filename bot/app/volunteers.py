"""Volunteers of vote games: one of them, who is drawn by lot, plays the secret moves of a side in each phase.

Members volunteer until the first end of a vote that is at least half a vote after the beginning of the phase. Who is
then drawn plays until the next such end. A phase without a volunteer lasts until the next end, once. Who does not play
in time is replaced by another volunteer, once; if there is none, they may play until the next end. If nobody plays then
either, the strongest hints are played. All of this follows from the stored times, also after an interruption.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count

import structlog

from bot.app.bans import banned_among
from bot.app.challenges.limits import check_admitted
from bot.app.clocks.dates import zone_of
from bot.app.errors import Refused
from bot.app.matches.listed import at_board
from bot.app.matches.loaded import LoadedMatch
from bot.app.matches.matches import Matches
from bot.app.searches import Purpose, Thinker
from bot.app.system import Chance, Clock
from db.store import Store
from db.values.members import GUESTS, HOSTS, TEAMS, VOTERS, Notice
from db.values.places import DiscordId, Place, former
from db.values.posts import News, Occasion, PostKind
from db.values.votes import Volunteer, VoteGame, VoteOver, VoteTerms, drawn
from rules.core.game import Seat
from rules.players.levels import STRONGEST

log = structlog.get_logger()

HOUR = timedelta(hours=1)
DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Duty:
    """The secret moves of a seat in the present phase, and who plays them.

    `player` was drawn, and is None before that. `waiting` are the volunteers who were not drawn, and `gone` those who
    were drawn and play no longer. `ends_at` is the time of the draw, or the one until which the player has time;
    `extended` is True if it was put off once.
    """

    seat: Seat
    phase: str
    player: Volunteer | None
    waiting: Sequence[Volunteer]
    gone: Sequence[Volunteer]
    ends_at: datetime
    extended: bool
    missed: bool
    """True if one of `gone` did not play in time."""

    def is_for(self, user: DiscordId) -> bool:
        """Return True if a member was drawn and plays now."""
        return self.player is not None and self.player.user == user


def next_end(terms: VoteTerms, after: datetime) -> datetime:
    """Return the first end of a vote after a time, in UTC.

    Ends that are more than an hour apart keep the time of day of their zone when its clocks change.
    """
    zone = zone_of(terms.zone) if terms.every > HOUR else UTC
    first = terms.first_at.astimezone(zone).replace(tzinfo=None)
    passed = (after.astimezone(zone).replace(tzinfo=None) - first) // terms.every
    ends = (
        (first + terms.every * number).replace(tzinfo=zone).astimezone(UTC)
        for number in count(max(0, passed - 1))
    )
    return next(it for it in ends if it > after)


def side(loaded: LoadedMatch, guild: DiscordId | None) -> DiscordId:
    """Return the player of TEAMS for whom the members of a server vote in a match."""
    if VOTERS in loaded.stored.users:
        return VOTERS
    return HOSTS if guild == loaded.stored.place.guild else GUESTS


class Volunteers:
    """The service of volunteers. Methods that members use raise Refused; then nothing was changed."""

    def __init__(
        self, store: Store, clock: Clock, chance: Chance, matches: Matches, thinker: Thinker
    ) -> None:
        self._store = store
        self._clock = clock
        self._chance = chance
        self._matches = matches
        self._thinker = thinker
        self.sees: Callable[[DiscordId, Place], Awaitable[bool]] | None = None
        """Returns True if a member is in a server and sees a place there; None if nobody can be asked."""

    async def sides(self, loaded: LoadedMatch) -> dict[DiscordId, Seat]:
        """Return for which seat each member has voted or volunteered in a vote game, in the order of their votes."""
        found: dict[DiscordId, Seat] = {}
        for ply, user in await self._store.votes.voters(loaded.id):
            seat = loaded.stored.log[ply].seat if ply < loaded.plies else None
            found[user] = loaded.stored.users.index(loaded.team or VOTERS) if seat is None else seat
        for it in await self._store.votes.volunteers(loaded.id):
            found.setdefault(it.user, it.seat)
        return found

    async def duties(self, loaded: LoadedMatch, game: VoteGame) -> list[Duty]:
        """Return the secret moves that the sides of a vote game are to play now."""
        if not loaded.secret:
            return []
        due = (seat for seat in loaded.match.to_move if seat is not None)
        return [await self._duty(loaded, game, it) for it in due if loaded.stored.users[it] in TEAMS]

    async def _duty(self, loaded: LoadedMatch, game: VoteGame, seat: Seat) -> Duty:
        phase = _phase(loaded)
        found = [
            it for it in await self._store.votes.volunteers(loaded.id) if (it.seat, it.phase) == (seat, phase)
        ]
        player = drawn(found, seat, phase)
        first = _first_end(loaded, game.terms) if player is None else _end(game.terms, player)
        extended = game.due_at is not None and game.due_at > first
        gone = [it for it in found if it.out_at is not None]
        return Duty(
            seat,
            phase,
            player,
            [it for it in found if it.drawn_at is None],
            gone,
            game.due_at if extended and game.due_at is not None else first,
            extended,
            any(it.out_at is not None and it.out_at >= _end(game.terms, it) for it in gone),
        )

    async def offer(self, match: int, user: DiscordId, guild: DiscordId | None) -> Duty:
        """Let a member volunteer for the side of a server, unless they have already. Return the state after that.

        The caller checks that the member sees the match.
        """
        loaded, game = await self._matches.load(match), await self._store.votes.get(match)
        if game is None or game.due_at is None or not loaded.secret:
            raise Refused(f"{loaded.name} needs no volunteer now.")
        await check_admitted(self._store, guild, (user,), user)
        seat = loaded.stored.users.index(side(loaded, guild))
        if (await self.sides(loaded)).get(user, seat) != seat:
            raise Refused(
                f"You have played for the other server in {loaded.name}, so you cannot volunteer here."
            )
        duty = next((it for it in await self.duties(loaded, game) if it.seat == seat), None)
        if duty is None:
            raise Refused(f"Your side has played this part of {loaded.name}; the other one has not yet.")
        if user in [it.user for it in duty.gone]:
            raise Refused(
                f"You were drawn for this part of {loaded.name} before; you can volunteer for the next one."
            )
        if duty.is_for(user) or user in [it.user for it in duty.waiting]:
            return duty
        try:
            await self._store.votes.volunteer(match, Volunteer(user, seat, duty.phase), self._clock.now())
        except VoteOver:
            raise Refused(f"{loaded.name} is over.") from None
        return await self._duty(loaded, game, seat)

    async def withdraw(self, match: int, user: DiscordId) -> None:
        """Let a member no longer volunteer. If they were drawn, another volunteer is drawn at once."""
        loaded, game = await self._matches.load(match), await self._store.votes.get(match)
        for duty in [] if game is None else await self.duties(loaded, game):
            if duty.is_for(user):
                await self._draw(loaded, duty)
                return
            for it in duty.waiting:
                if it.user == user:
                    await self._store.votes.withdraw(match, it, self._clock.now())
                    return
        raise Refused(f"You do not volunteer in {loaded.name} now.")

    async def acts_for(self, loaded: LoadedMatch, user: DiscordId) -> Seat | None:
        """Return the seat whose secret moves a member was drawn to play now, or None."""
        found = await self._store.votes.volunteers(loaded.id) if loaded.team and loaded.secret else ()
        due = (seat for seat in loaded.match.to_move if seat is not None)
        players = ((seat, drawn(found, seat, _phase(loaded))) for seat in due)
        return next((seat for seat, it in players if it is not None and it.user == user), None)

    async def played_by_hints(self, loaded: LoadedMatch) -> list[tuple[DiscordId, str]]:
        """Return the team and the phase of all secret moves that nobody of a team played in time, in their order."""
        parts: dict[tuple[Seat, str], None] = {}
        for ply in sorted(loaded.match.secrets) if loaded.team else ():
            seat = loaded.stored.log[ply].seat
            if seat is not None and loaded.stored.users[seat] in TEAMS:
                parts[seat, _phase(loaded.back_to(ply))] = None
        found = await self._store.votes.volunteers(loaded.id) if parts else ()
        return [
            (loaded.stored.users[seat], phase)
            for seat, phase in parts
            if drawn(found, seat, phase) is None
            and (phase != _phase(loaded) or seat not in loaded.match.to_move)
        ]

    async def close(self, loaded: LoadedMatch, game: VoteGame) -> None:
        """Draw the players of secret moves whose time has come, or play hints in their place."""
        for duty in await self.duties(loaded, game):
            if game.due_at is None or duty.ends_at > game.due_at:
                continue
            if duty.player is not None and not (duty.extended or duty.missed):
                await self._draw(loaded, duty, at_least_one=True)
            elif duty.player is None and await self._draw(loaded, duty):
                continue
            elif duty.player is not None or duty.extended:
                await self._play_hints(loaded, duty)

    async def replace_absent(self, match: int) -> None:
        """Draw other volunteers in the place of those who may no longer play, or have left their server."""
        loaded, game = await self._matches.load(match), await self._store.votes.get(match)
        for duty in [] if game is None else await self.duties(loaded, game):
            if duty.player is not None and not await self._may_play(loaded, duty.seat, duty.player.user):
                await self._draw(loaded, duty)

    async def _draw(self, loaded: LoadedMatch, duty: Duty, *, at_least_one: bool = False) -> bool:
        """Draw a volunteer by lot in the place of the present player. Return True if there was one to draw.

        With `at_least_one`, the present player stays if there is no other.
        """
        by_user = {it.user: it for it in duty.waiting}
        new = None
        for user in self._chance.shuffled(list(by_user)):
            if await self._may_play(loaded, duty.seat, user):
                new = by_user[user]
                break
        if new is None and (duty.player is None or at_least_one):
            return False
        told = None
        if new is not None and (await self._store.members.get(new.user)).notice is not Notice.NONE:
            news = News(Occasion.TURN, loaded.id, loaded.plies)
            told = (await self.at_side(loaded, duty.seat)).stored.place.guild, news
        try:
            await self._store.votes.draw(loaded.id, duty.player, new, self._clock.now(), told)
        except VoteOver:
            log.info("volunteer.already_drawn", match=loaded.id)
        return new is not None

    async def _play_hints(self, loaded: LoadedMatch, duty: Duty) -> None:
        """Play the strongest hints for a seat until its part of the phase is over."""
        if duty.player is not None:
            try:
                await self._store.votes.draw(loaded.id, duty.player, None, self._clock.now())
            except VoteOver:
                return
        team = loaded.stored.users[duty.seat]
        while loaded.secret and duty.seat in loaded.match.to_move and _phase(loaded) == duty.phase:
            hint = await self._thinker.choose(loaded.match, duty.seat, STRONGEST, purpose=Purpose.HINT)
            try:
                loaded = await self._matches.play(loaded.id, team, hint.move, loaded.shown)
            except Refused:
                log.info("vote.already_played", match=loaded.id)
                return

    async def _may_play(self, loaded: LoadedMatch, seat: Seat, user: DiscordId) -> bool:
        place = (await self.at_side(loaded, seat)).stored.place
        return not (
            former(user)
            or (place.guild is not None and user in await self._store.servers.excluded(place.guild))
            or await banned_among(self._store.administration, self._clock, (user,))
            or (self.sees is not None and not await self.sees(user, place))
        )

    async def at_side(self, loaded: LoadedMatch, seat: Seat) -> LoadedMatch:
        """Return a vote game as if it were played in the server of a seat, where its board is."""
        if loaded.stored.users[seat] == GUESTS and (guild := await self._store.votes.guests(loaded.id)):
            copy = await self._store.posts.get(PostKind.COPY, loaded.id, str(guild))
            if copy is not None:
                return at_board(loaded, Place(guild, copy.channel), copy)
        return loaded


def _phase(loaded: LoadedMatch) -> str:
    return loaded.match.game.phase(loaded.match.state)


def _first_end(loaded: LoadedMatch, terms: VoteTerms) -> datetime:
    """Return the end of the time in which members volunteer for the present phase, before it is put off."""
    ply = loaded.plies
    while ply and _phase(loaded.back_to(ply - 1)) == _phase(loaded):
        ply -= 1
    if all(entry.seat is None for entry in loaded.stored.log[:ply]):
        return terms.first_at
    return next_end(terms, loaded.stored.times[ply - 1] + terms.every / 2)


def _end(terms: VoteTerms, player: Volunteer) -> datetime:
    """Return the time until which a volunteer who was drawn has to play, before it is put off."""
    assert player.drawn_at is not None
    return next_end(terms, player.drawn_at + terms.every / 2)
