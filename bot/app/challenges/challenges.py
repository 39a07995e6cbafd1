"""Challenges, lobbies and rematches, from the offer to the match."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from bot.app.challenges.limits import (
    DAY,
    check,
    check_admitted,
    check_asking,
    check_game,
    check_joining,
    check_place,
    check_running_games,
)
from bot.app.challenges.offers import LASTS, MOST_READ, check_number, check_taking, kept, no_more, suited
from bot.app.challenges.replies import (
    accepted,
    begun,
    check_host,
    left,
    reason_closed,
    refused,
    removed,
    resized,
    seated,
)
from bot.app.challenges.terms import open_for
from bot.app.clocks.arithmetic import started
from bot.app.errors import Refused
from bot.app.matches.loaded import LoadedMatch, position_keys
from bot.app.matches.matches import Matches
from bot.app.system import Chance, Clock
from bot.app.tasks.background import Locks
from bot.app.tasks.rounds import Rounds
from db.store import Store
from db.values.challenges import (
    Answer,
    Challenge,
    ChallengeChanged,
    NewChallenge,
    NoMoreGames,
    Order,
    Participant,
    RematchExists,
    Reply,
    Standing,
    Terms,
)
from db.values.matches import StoredMatch
from db.values.members import is_computer
from db.values.places import DiscordId, Place, former
from rules.core.match import Match
from rules.games import find

EXPIRY = "challenges"
"""Name of the task whose items are challenges whose time is over."""
GONE = "This challenge is gone; make a new one with `/challenge`."


class Challenges:
    """The service of challenges and lobbies. Methods raise Refused; then nothing was changed."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        chance: Chance,
        lifetime: timedelta,
        matches: Matches,
        rounds: Rounds,
    ) -> None:
        self._store = store
        self._clock = clock
        self._matches = matches
        self._chance = chance
        self._lifetime = lifetime
        self._rounds = rounds
        self._making: Locks[DiscordId] = Locks()
        self._beginning = asyncio.Lock()

    async def make(
        self,
        place: Place,
        challenger: DiscordId,
        terms: Terms,
        asked: Sequence[DiscordId] = (),
        computers: Sequence[DiscordId] = (),
        call: str = "",
    ) -> Challenge:
        """Challenge everybody in `asked` to one game on these terms. If nobody is named, anybody may join.

        `computers` are computer players that have a seat; a game with them and several members is never rated. `call`
        is the mention of a role to call, or "".
        """
        if challenger in asked:
            raise Refused("You cannot challenge yourself; name somebody else.")
        if len(set(asked)) < len(asked):
            raise Refused("You have named a member twice; name each member once.")
        await check_place(self._store, place, terms.game)
        await check_admitted(self._store, place.guild, (challenger, *asked), challenger)
        await check_asking(self._store, self._clock, challenger, asked)
        await check_running_games(self._store, place, (challenger,), challenger)
        now = self._clock.now()
        invited = (Participant(user, Reply.ASKED) for user in asked)
        seated = (Participant(user, Reply.IN) for user in computers)
        participants = (Participant(challenger, Reply.IN), *invited, *seated)
        if computers:
            terms = replace(terms, rated=False)
            if not asked and len(participants) >= terms.most:
                raise Refused("No seat is left for a member; `/play` starts a game against the computer.")
        late = now + open_for(terms, self._lifetime)
        new = NewChallenge(terms, place, challenger, participants, not asked, now, late, call=call)
        # One at a time for each member, so that two at once cannot pass the limits together.
        async with self._making.of(challenger):
            check(new, await self._store.challenges.made_by(challenger, now - DAY))
            return await self._store.challenges.add(new)

    async def play(
        self, place: Place, user: DiscordId, terms: Terms, computers: Sequence[DiscordId]
    ) -> LoadedMatch:
        """Begin a match of `user` against computer players alone."""
        await check_admitted(self._store, place.guild, (user,), user)
        await check_place(self._store, place, terms.game)
        await check_running_games(self._store, place, (user,), user)
        players = (user, *computers)
        now = self._clock.now()
        participants = tuple(Participant(player, Reply.IN) for player in players)
        late = now + open_for(terms, self._lifetime)
        new = NewChallenge(terms, place, user, participants, False, now, late)
        return await self.begin((await self._store.challenges.add(new)).id)

    async def begin(self, challenge: int) -> LoadedMatch:
        """Begin the match of a challenge to which everybody has agreed."""
        _, loaded = await self._reply(challenge, lambda offer: replace(offer, answer=Answer.ACCEPTED))
        assert loaded is not None
        return loaded

    async def concerning(self, challenge: int, user: DiscordId) -> Challenge:
        """Return the challenge if it is open and concerns `user`. Raises Refused otherwise."""
        offer = await self._open(challenge)
        if offer.reply_of(user) not in (Reply.ASKED, Reply.IN):
            raise Refused("This challenge is between others.")
        return offer

    async def drop(self, challenge: int, user: DiscordId) -> Challenge:
        """Withdraw or decline a challenge for `user`, or leave the game that they have joined."""
        offer = await self.concerning(challenge, user)
        if offer.public and user != offer.challenger:
            return await self.leave(challenge, user)
        return await self.refuse(challenge, user)

    async def accept(
        self, challenge: int, user: DiscordId, game: str | None = None
    ) -> tuple[Challenge, LoadedMatch | None]:
        """Accept a challenge for `user`. In an open challenge they choose `game`.

        When the last one accepts, the seats are assigned and the match begins.
        """
        if game is not None:
            await check_game(self._store, (await self._open(challenge)).place, game)
        return await self._reply(challenge, lambda offer: accepted(offer, user, game), joining=user)

    async def refuse(self, challenge: int, user: DiscordId) -> Challenge:
        """Decline a challenge for a member who was asked, or withdraw it for the challenger."""
        closed, _ = await self._reply(challenge, lambda offer: refused(offer, user))
        return closed

    async def leave(self, challenge: int, user: DiscordId) -> Challenge:
        """Let `user` leave a game that they have joined."""
        after, _ = await self._reply(challenge, lambda offer: left(offer, user))
        return after

    async def remove(self, challenge: int, by: DiscordId, user: DiscordId) -> Challenge:
        """Remove `user`, who has joined, for the challenger. They cannot join again."""
        after, _ = await self._reply(challenge, lambda offer: removed(offer, by, user))
        return after

    async def start(self, challenge: int, by: DiscordId) -> LoadedMatch:
        """Begin the match for the challenger with the members who have joined."""
        _, loaded = await self._reply(challenge, lambda offer: begun(offer, by))
        assert loaded is not None
        return loaded

    async def resize(self, challenge: int, by: DiscordId, seats: int) -> tuple[Challenge, LoadedMatch | None]:
        """Change the most players of an open game for the challenger. Return its match if that begins it."""
        return await self._reply(challenge, lambda offer: resized(offer, by, seats))

    async def seat_computers(
        self, challenge: int, by: DiscordId, computers: Sequence[DiscordId]
    ) -> Challenge:
        """Give seats in an open game to these computer players and no others, for the challenger."""
        after, _ = await self._reply(challenge, lambda offer: seated(offer, by, computers))
        return after

    async def of_host(self, challenge: int, by: DiscordId) -> Challenge:
        """Return the challenge if it is open and `by` made it. Raises Refused otherwise."""
        offer = await self._open(challenge)
        check_host(offer, by)
        return offer

    async def keep_offering(self, challenge: int, by: DiscordId, standing: Standing) -> Challenge:
        """Make a standing offer of an open challenge of `by`, or change the terms of their offer."""
        lasting = self._clock.now() + LASTS
        # One at a time for each member, so that two at once cannot pass the limit together.
        async with self._making.of(by):
            offer = await self.of_host(challenge, by)
            check_number(offer, await self._store.challenges.open(user=by))
            after, _ = await self._reply(
                challenge, lambda offer: replace(kept(offer, by, standing), expires_at=lasting)
            )
            return after

    async def offer_again(self, challenge: int, by: DiscordId) -> Challenge:
        """Open a standing offer of `by` again that rests."""
        standing = (await self.of_host(challenge, by)).standing
        if standing is None or not standing.rests:
            raise Refused("This offer is open already.")
        return await self.keep_offering(challenge, by, replace(standing, rests=False))

    async def close(self, challenge: int) -> None:
        """Withdraw a standing offer whose challenger or channel is gone from its server."""
        await self._reply(challenge, lambda offer: replace(offer, answer=Answer.WITHDRAWN))

    async def standing(self, user: DiscordId, place: Place) -> list[Challenge]:
        """Return the standing offers in the server of `place` by which `user` can begin a game, the oldest first.

        They are also in channels that the member may not see.
        """
        if place.guild is None:
            return []
        found = await self._store.challenges.standing(place.guild, user, MOST_READ)
        return await suited(self._store, self._clock, user, found)

    async def nearby(self, user: DiscordId, since: datetime) -> list[Challenge]:
        """Return open games of others that `user` may join, the oldest first, in the channels where `user` plays.

        These are the channels in which `user` plays, or has ended a game after `since`. They may have left the server.
        """
        found = await self._store.challenges.nearby(user, since, MOST_READ)
        now = self._clock.now()
        return await suited(self._store, self._clock, user, [it for it in found if not it.late(now)])

    async def waiting(self, user: DiscordId) -> list[Challenge]:
        """Open challenges that concern `user`, oldest first."""
        return await self._store.challenges.open(user=user)

    async def joinable(self, user: DiscordId, place: Place) -> list[Challenge]:
        """Lobbies in the channel of `place` that `user` has not joined, oldest first. Standing offers are left out."""
        here = await self._store.challenges.open(place=place, public=True)
        return [offer for offer in here if offer.reply_of(user) is None and offer.standing is None]

    async def check_visible(self, challenge: int, user: DiscordId, place: Place) -> None:
        """Raise Refused unless a challenge was made near `place` or concerns `user`, as if there was none."""
        offer = await self._store.challenges.get(challenge)
        if offer is None or not (offer.place.near(place) or offer.reply_of(user) is not None):
            raise Refused(GONE)

    async def expire(self) -> list[Challenge]:
        """Close challenges whose time is over, at most a page of them, and return those just closed.

        Standing offers of members who have used the bot meanwhile are renewed.
        """
        now, closed = self._clock.now(), list[Challenge]()

        async def close(challenge: int) -> None:
            found = await self._store.challenges.expire(challenge, now, LASTS)
            if found is not None:
                closed.append(found)

        due = await self._store.challenges.expired(now, await self._rounds.limit(EXPIRY))
        await self._rounds.each(EXPIRY, due, close)
        return closed

    async def _reply(
        self, challenge: int, reply: Callable[[Challenge], Challenge], *, joining: DiscordId | None = None
    ) -> tuple[Challenge, LoadedMatch | None]:
        """Apply `reply` to the challenge as it stands and store the result; if that is accepted, return its match too.

        A member who is `joining` must not be blocked by, or block, those who have joined at that moment.
        """
        offer = await self._open(challenge)
        while True:
            now = self._clock.now()
            after = reply(offer)
            if joining is not None:
                await check_admitted(self._store, offer.place.guild, (joining,), joining)
                others = [other for other in offer.users(Reply.IN) if other != joining]
                await check_joining(self._store, joining, others)
                if offer.standing is not None:
                    await check_taking(self._store, self._clock, offer, joining)
                await check_running_games(self._store, offer.place, (joining,), joining)
            try:
                if after.answer is not Answer.ACCEPTED:
                    await self._store.challenges.change(offer, after, now)
                    return after, None
                # One at a time, so that two that begin at once cannot pass the limits together.
                async with self._beginning:
                    after, loaded = await self._begun(offer, after, joining or offer.challenger)
            except ChallengeChanged as answered:
                # Somebody else replied first: this reply is judged again by how the challenge stands now.
                offer = self._checked(answered.challenge)
            except NoMoreGames as reason:
                raise no_more(offer, reason) from None
            else:
                return after, await self._matches.follow(loaded)

    async def _begun(
        self, offer: Challenge, after: Challenge, asker: DiscordId
    ) -> tuple[Challenge, LoadedMatch]:
        """Begin the match of a challenge by the reply of `asker` that leads to `after`. Raises ChallengeChanged."""
        game, users = find(after.terms.game), self._seats(after)
        await check_admitted(self._store, offer.place.guild, users, asker)
        await check_running_games(self._store, offer.place, users, asker)
        first = Match.start(game, dict(after.terms.options), len(users))
        computers = [seat for seat, user in enumerate(users) if is_computer(user)]
        time_control = offer.terms.time_control
        position = position_keys(first, rated=after.terms.rated)
        async with self._matches.move_log.shard_clocks.storing(offer.place.guild, time_control) as now:
            clocks = started(time_control, first, now, untimed=computers)
            stored = await self._store.challenges.accept(
                offer, after, users, game.version, now, clocks, position
            )
        return replace(after, match=stored.id), LoadedMatch.of(stored)

    async def _open(self, challenge: int) -> Challenge:
        offer = await self._store.challenges.get(challenge)
        if offer is None:
            raise Refused(GONE)
        return self._checked(offer)

    def _checked(self, offer: Challenge) -> Challenge:
        """Return the challenge if it is open. Raises Refused."""
        offer_now = replace(offer, answer=Answer.EXPIRED) if offer.late(self._clock.now()) else offer
        if offer_now.answer is not Answer.OPEN:
            raise Refused(reason_closed(offer_now))
        return offer

    def _seats(self, offer: Challenge) -> tuple[DiscordId, ...]:
        players = offer.users(Reply.IN)
        others = tuple(user for user in players if user != offer.challenger)
        match offer.terms.order:
            case Order.LOT:
                return self._chance.shuffled(players)
            case Order.FIRST:
                return (offer.challenger, *self._chance.shuffled(others))
            case Order.LAST:
                return (*self._chance.shuffled(others), offer.challenger)
            case Order.LISTED:
                return players


class Rematches:
    """The service of rematches. A match has one rematch at most; the others accept it by asking for it too."""

    def __init__(
        self, store: Store, clock: Clock, matches: Matches, challenges: Challenges, lifetime: timedelta
    ) -> None:
        self._store = store
        self._clock = clock
        self._matches = matches
        self._challenges = challenges
        self._lifetime = lifetime

    async def ask(self, match: int, user: DiscordId, place: Place) -> tuple[Challenge, LoadedMatch | None]:
        """Ask for a rematch at `place`. Return the challenge as it then stands, and the match once it has begun.

        Asking for a rematch of the first game of two means both, so the second must be over.

        Raises Refused; then nothing was changed.
        """
        loaded = await self._matches.near(match, place)
        if (second := await self._store.matches.second_game(match)) is not None:
            match, loaded = second, await self._matches.load(second)
        if loaded.seat_of(user) is None:
            raise Refused(f"Only those who played {loaded.name} can ask for a rematch.")
        if not loaded.match.over:
            raise Refused(f"{loaded.name} is not over yet.")
        if any(map(former, loaded.stored.users)):
            raise Refused(
                f"A player of {loaded.name} is a former member; start another game with `/challenge`."
            )
        asked = await self._store.challenges.rematch_of(match)
        if asked is None:
            others = [other for other in loaded.stored.users if other != user and not is_computer(other)]
            await check_place(self._store, place, loaded.stored.setup.game)
            await check_admitted(self._store, place.guild, (user, *others), user)
            await check_asking(self._store, self._clock, user, others)
            await check_running_games(self._store, place, (user,), user)
            try:
                made = await self._store.challenges.add(self._again(loaded.stored, user, place))
            except RematchExists as rematched:
                asked = rematched.challenge
            else:
                if made.users(Reply.ASKED):
                    return made, None
                asked = made
        if asked.answer is Answer.OPEN and asked.challenger == user and not asked.users(Reply.ASKED):
            # Only computer players are asked, and they agree at once.
            return asked, await self._challenges.begin(asked.id)
        if asked.answer is Answer.OPEN and asked.challenger == user and asked.message is None:
            return asked, None
        return await self._challenges.accept(asked.id, user)

    def _again(self, played: StoredMatch, challenger: DiscordId, place: Place) -> NewChallenge:
        """Return a challenge with the same options, in which every player moves to the next seat."""
        seats = (*played.users[1:], played.users[0])
        participants = tuple(
            Participant(user, Reply.IN if user == challenger or is_computer(user) else Reply.ASKED)
            for user in seats
        )
        setup, now = played.setup, self._clock.now()
        terms = Terms(setup.game, setup.options, len(seats), len(seats), Order.LISTED, **played.by_name())
        late = now + open_for(terms, self._lifetime)
        return NewChallenge(terms, place, challenger, participants, False, now, late, rematch_of=played.id)
