"""Playing matches: every move is read, judged and stored here."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import replace

import structlog

from bot.app.errors import Refused
from bot.app.matches.listed import Listed, archived, in_own_server, listed, played_by, recalled
from bot.app.matches.loaded import LoadedMatch, judged, name_of
from bot.app.matches.move_log import MoveLog, TimeIsOver
from bot.app.mentions import mentions
from bot.app.system import Chance, Clock
from db.store import Store
from db.values.matches import MovedOn
from db.values.members import TEAMS
from db.values.places import DiscordId, Ownership, Place
from db.values.posts import PostKind
from db.values.proposals import Takeover
from db.values.votes import drawn
from rules.core.errors import RuleError
from rules.core.game import Seat
from rules.core.match import LEAVING, VOID, Match, Ply
from rules.core.prompt import Prompt, RowPrompt

log = structlog.get_logger()

FORGOTTEN = "nobody played on"
"""The reason that is stored for the end of a match that its players have forgotten, in the place of a moderator's."""
UNANSWERED = "nobody moved for 14 days"
"""The reason that is stored if an opponent who had waited ended a match (bot.app.matches.forgotten)."""
STAGE_OVER = "the time of its stage in the cup is over"
PLAYER_LEFT = "a player has left the cup"
FORFEITED = "a player of its match made no move in time"
MATCH_OVER = "the time of its match is over"
CUP_ENDED = "its cup was ended"
"""The reasons that are stored for the end of a game of an event (bot.app.events)."""

MOST_TOLD = 8
"""The most automatic entries that one board tells of."""


class Matches:
    """The running and finished matches. Methods raise Refused or RuleError; then nothing was changed."""

    def __init__(
        self, store: Store, clock: Clock, chance: Chance, ownership: Ownership | None = None
    ) -> None:
        self._store = store
        self._clock = clock
        self._chance = chance
        self.move_log = MoveLog(store, clock, chance, ownership or Ownership())
        self.reverted = asyncio.Event()
        """Set when a result was taken back, whose ratings are to be recomputed."""
        self.refusals: Counter[str] = Counter()
        """By game: the moves that were refused since the start."""

    followed: Callable[[LoadedMatch], Awaitable[LoadedMatch]] | None = None
    """Does what else follows an entry or the beginning of a match, and returns the match after that."""

    async def load(self, match: int) -> LoadedMatch:
        """Return the match with this number as it is stored. Raises Refused if there is none."""
        loaded = await self.stored(match)
        if loaded is None:
            raise Refused(f"There is no game #{match}.")
        return loaded

    async def newest(self, match: int, known: LoadedMatch | None) -> LoadedMatch:
        """Return the match like `load`, without reading it if nothing newer than `known` was read or stored here."""
        if known is None or self._store.matches.cached(match) is not known.stored:
            return await self.load(match)
        return known

    async def follow(self, loaded: LoadedMatch) -> LoadedMatch:
        """Play what follows an entry, or the beginning of a match, without a member. Return the match after that."""
        loaded = await self._play_due(loaded)
        if loaded.match.over and loaded.stored.games > 1 and loaded.stored.first is None:
            second = await self._store.matches.second_game(loaded.id)
            if second is not None:
                await self.resume(second)
        return loaded if self.followed is None else await self.followed(loaded)

    async def resume(self, match: int) -> LoadedMatch:
        """Play what a failure, the end of a process or a choice of a member left. Return the match after that."""
        return await self.follow(await self.load(match))

    async def _play_due(self, loaded: LoadedMatch) -> LoadedMatch:
        """Play chance and forced moves.

        Each round adds at least one entry, from here or from another process, and every game ends.
        """
        while (due := await self._due(loaded)) is not None:
            try:
                loaded = await self.move_log.enter(loaded, due.log[-1], due)
            except MovedOn:
                log.info("move.already_stored", match=loaded.id)
                loaded = await self.load(loaded.id)
            except TimeIsOver:
                break
        return loaded

    async def stored(self, match: int) -> LoadedMatch | None:
        """Return the match with this number as it is stored, or None."""
        stored = await self._store.matches.load(match)
        return None if stored is None else LoadedMatch.of(stored)

    async def check_visible(self, match: int, user: DiscordId, place: Place) -> None:
        """Raise Refused unless `user` may know of a match at `place`, as if the match did not exist."""
        if not await is_visible(self._store, match, user, place):
            raise Refused(nowhere(match, place))

    async def visible(self, match: int, user: DiscordId, place: Place) -> LoadedMatch:
        """Return a match that `user` may know of at `place`. Raises Refused for others, as if they did not exist."""
        await self.check_visible(match, user, place)
        return await self.load(match)

    async def near(self, match: int, place: Place) -> LoadedMatch:
        """Return a match that is played near `place`. Raises Refused for others, as if they did not exist."""
        stored = await self._store.matches.load(match)
        if stored is None or not stored.place.near(place):
            raise Refused(nowhere(match, place))
        return LoadedMatch.of(stored)

    async def open(self, match: int) -> None:
        """Let everybody in its channel see a private match."""
        await self._store.matches.open(match, self._clock.now())

    async def by_itself(self, loaded: LoadedMatch) -> int:
        """Return the number of the last entries that were played automatically: forced and conditional moves."""
        count = 0
        while count < min(loaded.plies, MOST_TOLD):
            index = loaded.plies - count - 1
            conditional = index in loaded.stored.conditional
            if not conditional and await self._forced(loaded.back_to(index)) != loaded.stored.log[index]:
                break
            count += 1
        return count

    async def voted(self, match: int) -> bool:
        """Return True if members vote for the next move of a match: in a vote game, while moves are not secret."""
        stored = self._store.matches.cached(match) or await self._store.matches.load(match)
        if stored is None or not {*TEAMS} & {*stored.users}:
            return False
        return not LoadedMatch.of(stored).secret

    async def play(self, match: int, user: DiscordId, text: str, plies: int | None = None) -> LoadedMatch:
        """Play a move that `user` typed or pressed; `plies` is the number of entries that their board showed."""
        if text.strip().lower() in LEAVING:
            raise Refused("To resign, press **More** under the board of the game, and then **Resign**.")
        if (after := await self._play_as_recalled(match, user, text, plies)) is not None:
            return await self.follow(after)
        while True:
            loaded = await self._play_due(await self.load(match))
            try:
                seat = self._on_turn(loaded, await self._player(loaded, user), plies)
                after = await self._append(loaded, judged(loaded, seat, text))
            except (Refused, RuleError):
                self.refusals[loaded.stored.setup.game] += 1
                raise
            except MovedOn:
                # This member may not learn of secret moves that others have made meanwhile.
                if not loaded.secret:
                    self.refusals[loaded.stored.setup.game] += 1
                    raise Refused(f"{loaded.name} has moved on; play on its newest board.") from None
            else:
                return await self.follow(after)

    async def _play_as_recalled(
        self, match: int, user: DiscordId, text: str, plies: int | None
    ) -> LoadedMatch | None:
        """Play a move in the match as it was last read here, which saves reading it. None if that is impossible.

        It may be out of date. The store takes no move if it is, and a refusal is decided by what is read then.
        """
        stored = self._store.matches.cached(match)
        if stored is None:
            return None
        loaded = LoadedMatch.of(stored)
        try:
            seat = self._on_turn(loaded, await self._player(loaded, user), plies)
            return await self._append(loaded, judged(loaded, seat, text))
        except (MovedOn, Refused, RuleError, LookupError):
            return None

    async def would_play(self, match: int, user: DiscordId, text: str) -> str:
        """Return the canonical text of a move that `user` may play now, without playing it."""
        loaded = await self.load(match)
        seat = self._on_turn(loaded, await self._player(loaded, user), None)
        return judged(loaded, seat, text).log[-1].text

    async def to_confirm(self, match: int, user: DiscordId, text: str, plies: int) -> str | None:
        """Return the canonical text of a move that `user` wants to confirm before it counts; None if it counts at once.

        `plies` is the number of entries that their board showed. Raises Refused and RuleError if a move to confirm is
        not legal.
        """
        recalled = self._store.matches.cached(match)
        loaded = await self.load(match) if recalled is None else LoadedMatch.of(recalled)
        chosen = loaded.chosen_by(user)
        if chosen is None or not chosen.confirms:
            return None
        loaded = await self.load(match)
        return judged(loaded, self._on_turn(loaded, user, plies), text).log[-1].text

    async def prompt_for(
        self, match: int, user: DiscordId, plies: int | None
    ) -> tuple[LoadedMatch, Seat, Prompt]:
        """Return the prompt for `user` on a board that showed `plies` entries.

        In a vote game everybody may vote, but secret moves have a prompt only for the volunteer who was drawn.
        """
        loaded = await self.load(match)
        player = await self._player(loaded, user) if loaded.secret else loaded.team or user
        seat = self._on_turn(loaded, player, plies)
        prompt = loaded.observe(seat).prompt
        assert prompt is not None
        return loaded, seat, prompt

    async def playing(self, match: int, user: DiscordId) -> tuple[LoadedMatch, Seat]:
        """Return the match and the seat of `user`, who still plays in it."""
        loaded = await self._play_due(await self.load(match))
        seat = self._seat(loaded, user)
        if loaded.match.over:
            raise Refused(f"{loaded.name} is over.")
        if seat not in loaded.match.playing:
            raise Refused(f"You have left {loaded.name}; the others play on.")
        return loaded, seat

    async def resign(self, match: int, user: DiscordId) -> LoadedMatch:
        """Resign a running match for `user`."""
        while True:
            loaded, seat = await self.playing(match, user)
            try:
                return await self.follow(await self._append(loaded, loaded.match.play(seat, "resign")))
            except MovedOn:
                log.info("resignation.match_changed", match=match)

    async def agreed(
        self, loaded: LoadedMatch, entry: Ply, proposal: int, takeover: Takeover | None = None
    ) -> LoadedMatch:
        """Store what everybody has agreed on, and the proposal as accepted. Raises MovedOn or ProposalClosed."""
        after = LoadedMatch.of(replace(loaded.stored, log=(*loaded.stored.log, entry)))
        entered = await self.move_log.enter(loaded, entry, after.match, proposal, takeover=takeover)
        return await self.follow(entered)

    async def play_conditional(self, loaded: LoadedMatch, seat: Seat, text: str) -> LoadedMatch:
        """Play a move that a seat entered before the others moved. Raises MovedOn, TimeIsOver and RuleError."""
        after = judged(loaded, seat, text)
        return await self.follow(await self.move_log.enter(loaded, after.log[-1], after, conditional=True))

    async def time_out(self, match: int) -> bool:
        """Decide a match on time if its clocks say so. True if this call did it."""
        return await self.move_log.time_out(await self.load(match))

    async def break_off(self, match: int, place: Place, reason: str) -> LoadedMatch:
        """End a match of this server without a result, or take its result back. The caller checks permissions."""
        while True:
            loaded = await self.near(match, place)
            if place.guild is None or loaded.stored.place.guild != place.guild:
                raise Refused(nowhere(match, place))
            if loaded.stored.void is not None:
                raise Refused(f"{loaded.name} has already ended without a result.")
            why = " ".join(reason.split())
            try:
                if loaded.match.over:
                    await self._store.matches.void(match, self._clock.now(), why)
                    self.reverted.set()
                else:
                    await self._end_without_result(loaded, why)
            except MovedOn:
                continue  # A move was played meanwhile; the match is ended all the same.
            return await self.resume(match)

    async def abandon(self, match: int, reason: str, plies: int | None = None) -> bool:
        """End a match without a result and without a moderator. `reason` is stored.

        Return False if it is over, or if `plies` is given and it has another number of entries.
        """
        while not (loaded := await self.load(match)).match.over and plies in (None, loaded.plies):
            with suppress(MovedOn):
                await self._end_without_result(loaded, reason)
                return True
        return False

    async def _end_without_result(self, loaded: LoadedMatch, reason: str) -> None:
        """End a match without a result. Raises MovedOn."""
        entry = loaded.match.play(None, VOID).log[-1]
        forgotten_by = loaded.waiting_for if reason in (FORGOTTEN, UNANSWERED) else ()
        await self._store.matches.break_off(
            loaded.id, loaded.plies, entry, self._clock.now(), reason, forgotten_by
        )

    async def mine(self, user: DiscordId) -> list[Listed]:
        """Return the matches that `user` plays and has not left, oldest first."""
        return await played_by(self._store, user)

    async def by_hand(self, user: DiscordId) -> tuple[list[Listed], tuple[Listed, ...]]:
        """Return the matches of `mine` that are not archived, oldest first, and those that are.

        They are where `user` plays them: those of a match between servers in the server of `user`.
        """
        return self._by_hand(await in_own_server(self._store, user, await self.mine(user)), user)

    def _by_hand(self, mine: list[Listed], user: DiscordId) -> tuple[list[Listed], tuple[Listed, ...]]:
        away = archived(mine, user, self._clock.now())
        return [it for it in mine if it not in away], away

    async def waiting_elsewhere(self, loaded: LoadedMatch, user: DiscordId) -> list[Listed]:
        """Return the other matches that wait for a player of a match and are not archived.

        They are read only if this process does not remember all of them.
        """
        others = loaded.stored.context.elsewhere.get(user, ())
        known = [it for match in others if (it := recalled(self._store, match)) is not None]
        by_hand, _ = self._by_hand(known if len(known) == len(others) else await self.mine(user), user)
        waiting = [it for it in by_hand if it.id != loaded.id and user in it.waiting_for]
        return await in_own_server(self._store, user, waiting)

    async def playable(self, user: DiscordId, channel: DiscordId) -> list[Listed]:
        """Return the matches that `user` plays in a channel: the archived ones only if there are no others."""
        found = (
            [it for it in mine if it.stored.place.channel == channel] for mine in await self.by_hand(user)
        )
        return next(filter(None, found), [])

    async def running(self, place: Place) -> list[tuple[int, str]]:
        """Return the number and the name of each match that is played in the channel of `place`, oldest first."""
        found = await self._store.lists.running_in(place.channel)
        return [(match, name_of(game, match)) for match, game in found]

    async def here(self, channel: DiscordId, limit: int | None = None) -> list[Listed]:
        """Return at most `limit` matches that are played in a channel, the oldest first."""
        return await listed(self._store, channel=channel, limit=limit)

    async def pick(self, user: DiscordId, place: Place, match: int | None) -> int:
        """Return the number of the match in which `user` moves: the one named, or the one in this channel.

        The named match must be visible to `user` at `place`. Raises SeveralMatches if several wait for `user`.
        """
        if match is not None:
            await self.check_visible(match, user, place)
            return match
        mine = await self.playable(user, place.channel)
        fitting = [loaded for loaded in mine if user in loaded.waiting_for]
        if len(fitting) == 1:
            return fitting[0].id
        if len(fitting) > 1:
            raise SeveralMatches(fitting)
        if len(mine) == 1:
            return mine[0].id
        if mine:
            raise Refused("None of your games here waits for you; it is the others' turn.")
        raise Refused(
            "You play no game in this channel; `/games` lists yours, `/play` and `/challenge` start one."
        )

    async def shown(self, user: DiscordId, place: Place, match: int | None) -> LoadedMatch:
        """Return the match that `user` wants to see: the one named, their own in this channel, or the only one there.

        Matches of other servers, or of other direct messages, are not shown. Raises SeveralMatches.
        """
        if match is not None:
            loaded = await self.near(match, place)
            if loaded.stored.hidden_from(user):
                raise Refused(nowhere(match, place))
            return loaded
        fitting = await self.playable(user, place.channel) or await self.here(place.channel)
        if len(fitting) == 1:
            return await self.load(fitting[0].id)
        if not fitting:
            raise Refused("No game is being played in this channel; start one with `/challenge`.")
        raise SeveralMatches(fitting)

    def _on_turn(self, loaded: LoadedMatch, user: DiscordId, plies: int | None) -> Seat:
        seat = self._seat(loaded, user)
        if loaded.match.over:
            raise Refused(f"{loaded.name} is over.")
        # A hidden move does not refer to a position: moves of others do not make it stale.
        if plies is not None and plies != loaded.shown and not loaded.secret:
            raise Refused(f"{loaded.name} has moved on; play on its newest board.")
        if seat not in loaded.match.to_move:
            due, other = mentions(loaded.waiting_for), loaded.match.to_move[0]
            if not loaded.secret or other is None:
                raise Refused(f"It is {due}'s turn in {loaded.name}, not yours.")
            # Where moves are secret, all players move at the same time, so this one has moved already.
            if isinstance(loaded.observe(other).prompt, RowPrompt):
                raise Refused(
                    f"Your cards lie already; the search in {loaded.name} begins when {due} has laid theirs, too."
                )
            raise Refused(
                f"You have ended your search already; {loaded.name} is over when {due} has ended theirs, too."
            )
        return seat

    async def _player(self, loaded: LoadedMatch, user: DiscordId) -> DiscordId:
        """Return the player whose moves a member plays: the team whose secret moves they were drawn for, or themselves.

        Raises Refused if the moves of a team are secret and the member was not drawn.
        """
        if loaded.team is None or not loaded.secret or user in loaded.stored.users:
            return user
        phase = loaded.match.game.phase(loaded.match.state)
        found = await self._store.votes.volunteers(loaded.id)
        for seat, player in enumerate(loaded.stored.users):
            one = drawn(found, seat, phase)
            if one is not None and one.user == user:
                return player
        raise Refused(
            f"A volunteer who is drawn by lot plays the secret moves of {loaded.name}; press **Volunteer** on its board"
            " to take part in the draw."
        )

    async def _append(self, loaded: LoadedMatch, after: Match) -> LoadedMatch:
        """Store the last entry of `after`. Raises MovedOn."""
        return await self.move_log.enter(loaded, after.log[-1], after)

    async def _due(self, loaded: LoadedMatch) -> Match | None:
        """Return the match after a move of chance or a forced move; None if a player has to move."""
        if loaded.match.to_move == (None,):
            moves = loaded.match.game.chances(loaded.match.state)
            move, _ = moves[self._chance.pick([weight for _, weight in moves])]
            return loaded.match.play(None, loaded.match.game.format(move))
        forced = await self._forced(loaded)
        return None if forced is None else loaded.match.play(forced.seat, forced.text)

    async def _forced(self, loaded: LoadedMatch) -> Ply | None:
        """Return the only legal move of a member who wants such moves to play themselves; None if there is none.

        There is none right after a takeback, which it would undo, and none right after a player has left, since it
        would end the offer of the seat.
        """
        left = bool(loaded.stored.log) and loaded.stored.log[-1].text in LEAVING
        if len(loaded.waiting_for) != 1 or loaded.taken_back or left:
            return None
        (user,) = loaded.waiting_for
        chosen = loaded.chosen_by(user)
        if chosen is None or not chosen.forced:
            return None
        moves = loaded.match.legal()
        return Ply(loaded.match.to_move[0], moves[0]) if moves is not None and len(moves) == 1 else None

    def _seat(self, loaded: LoadedMatch, user: DiscordId) -> Seat:
        seat = loaded.seat_of(user)
        if seat is None:
            players = mentions(loaded.stored.users)
            raise Refused(
                f"{loaded.name} is played by {players}; start a game of your own with `/challenge`."
            )
        if seat not in loaded.match.playing and not loaded.match.over:
            raise Refused(f"You have left {loaded.name}; the others play on.")
        return seat


class SeveralMatches(Refused):
    """A member means one of several matches, from which they can choose in a menu."""

    def __init__(self, matches: Sequence[Listed]) -> None:
        names = ", ".join(match.name for match in matches)
        super().__init__(f"Several games match ({names}); name one with the option `number`.")
        self.matches = matches


async def is_visible(store: Store, match: int, user: DiscordId, place: Place) -> bool:
    """Return True if a match is played near `place`, or its board is also there, or `user` plays in it.

    Players may do so from anywhere.
    """
    stored = store.matches.cached(match) or await store.matches.load(match)
    if stored is None or stored.hidden_from(user):
        return False
    if stored.place.near(place) or user in stored.users:
        return True
    copied = None if place.guild is None else await store.posts.get(PostKind.COPY, match, str(place.guild))
    return copied is not None


def nowhere(match: int, place: Place) -> str:
    """Return the refusal to show a match at a place. It does not say whether the match exists."""
    return f"There is no game #{match} {'here' if place.guild is None else 'in this server'}."
