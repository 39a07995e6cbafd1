"""Finding opponents: challenges, their answers, and rematches."""

from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

from bot.app.matches.loaded import LoadedMatch
from db.values.challenges import Answer, Challenge, Order, Reply
from db.values.places import DiscordId, Place, former
from db.values.posts import PostKind
from rules.core.game import Game
from rules.games import GAMES
from tests.app.stateful.base import Base, anybody, served, together
from tests.app.stateful.strategies import (
    CLOCKS,
    MEMBERS,
    NOWHERE,
    PLACES,
    STRANGER,
    clocks,
    games,
    groups,
    members,
    numbers,
    orders,
    places,
    terms,
)


class ChallengeRules(Base):
    """Members who ask each other."""

    @served(
        users=groups, seats=st.integers(2, 4), game=games, more=st.integers(0, 2),
        place=places, order=orders, clock=clocks, all_accept=st.booleans(), two=st.booleans(),
    )  # fmt: skip
    def challenge(
        self, users: Sequence[int], seats: int, game: Game[Any, Any], more: int,
        place: Place, order: Order, clock: str, all_accept: bool, two: bool,
    ) -> None:  # fmt: skip
        """Sometimes all who are asked accept at once, if they may."""
        self.ask(users, seats, game, more, place, order, clock, all_accept=all_accept, two=two)

    def ask(
        self, users: Sequence[int], seats: int, game: Game[Any, Any], more: int,
        place: Place, order: Order, clock: str, *, all_accept: bool, two: bool,
    ) -> None:  # fmt: skip
        wanted = terms(game, more, seats, order, clock, two=two)
        challenger, *asked = users[: wanted.most]
        willing = self.choices.asking(challenger, tuple(asked), self.clock.now())
        may = None if willing and self.choices.playing(place, game.key) else False
        making = self.host.services.challenges.make
        offer: Challenge | None = self.attempt(lambda: making(place, challenger, wanted, asked), may=may)
        if offer is None:
            return
        self.oracle.offered(offer)
        for user in asked if all_accept else ():
            self.accept(offer.id, user)

    @served(user=members, place=places, game=games)
    def challenge_oneself(self, user: int, place: Place, game: Game[Any, Any]) -> None:
        wanted = terms(game, 0, 2, Order.LOT, "none")
        self.attempt(lambda: self.host.services.challenges.make(place, user, wanted, [user]), may=False)

    @served(number=numbers, who=numbers, yes=st.booleans())
    def answer(self, number: int, who: int, yes: bool) -> None:
        """One who was asked, the challenger or a stranger presses a button under a challenge, open or not."""
        known = self.offer(number)
        if known is None:
            self.attempt(lambda: self.host.services.challenges.accept(NOWHERE, STRANGER), may=False)
        elif yes:
            self.accept(known.id, anybody(known.users(*Reply), who))
        else:
            self.refuse(known.id, anybody(known.users(*Reply), who))

    def pick(self, number: int) -> LoadedMatch | None:
        """Mostly a running match, sometimes one that is over or that there is not, as its members see it."""
        if not self.running() and number % 8:
            users = (*MEMBERS[number % 4 :], *MEMBERS[: number % 4])
            game = GAMES[number % len(GAMES)]
            self.ask(
                users, 2 + number % 3, game, 1, PLACES[0], Order.LISTED, CLOCKS[number % 5],
                all_accept=True, two=number % 2 > 0,
            )  # fmt: skip
        over = [match.id for match in self.oracle.seen.values() if match.finished_at is not None]
        choice = [*self.running() * 8, *over[-2:], NOWHERE]
        match = choice[number % len(choice)]
        if match == NOWHERE:
            self.attempt(lambda: self.host.services.matches.load(NOWHERE), may=False)
            return None
        return self.shown(match)

    def running(self) -> list[int]:
        """The matches that are not over."""
        return [match.id for match in self.snapshot.matches.values() if match.finished_at is None]

    def offer(self, number: int) -> Challenge | None:
        """One that was ever made, mostly among the newest, as it now stands."""
        made = [None, *self.oracle.challenges]
        known = made[-1 - number % min(len(made), 8 if number % 3 else len(made))]
        return None if known is None else self.now(known)

    def now(self, challenge: int) -> Challenge:
        found: Challenge = self.run(self.host.services.store.challenges.get(challenge))
        return found

    def stands(self, offer: Challenge) -> bool:
        return offer.answer is Answer.OPEN and not offer.late(self.clock.now())

    def accept(self, challenge: int, user: DiscordId) -> None:
        """Accept or join, which is decided by nothing but the rules of a challenge and by who blocks whom."""
        offer = self.now(challenge)
        reply, others = offer.reply_of(user), tuple(it for it in offer.users(Reply.IN) if it != user)
        welcome = reply is Reply.ASKED or (offer.public and reply is None)
        welcome = welcome and (challenge, user) not in self.oracle.removed
        may = self.stands(offer) and welcome and self.choices.together(user, others)
        may = may and (offer.standing is None or self.takes(offer, user))
        done = self.attempt(lambda: self.host.services.challenges.accept(challenge, user), may=may)
        if done is not None:
            self.begin(*done)

    def takes(self, offer: Challenge, user: DiscordId) -> bool:
        """True if a member who is not blocked can begin a game by a standing offer."""
        if offer.standing is None or user == offer.challenger:
            return False
        willing = self.choices.asking(user, (offer.challenger,), self.clock.now())
        willing = willing and not self.run(self.host.services.absences.of([offer.challenger]))
        takers = self.takers(offer)
        room = user not in takers and len(takers) < offer.standing.most
        return willing and room and self.choices.playing(offer.place, offer.terms.game)

    def takers(self, offer: Challenge) -> list[DiscordId]:
        """The members who play by a standing offer, once for each of its games, or pairs of games, that goes on."""
        going = {
            it.first.id if it.first else it.id for it in self.snapshot.matches.values() if not it.finished_at
        }
        begun = (self.snapshot.matches[it] for it in self.promised.get(offer.id, ()) if it in going)
        return [user for match in begun for user in match.users if user != offer.challenger]

    def refuse(self, challenge: int, user: DiscordId) -> None:
        """Decline, withdraw or close."""
        offer = self.now(challenge)
        asked = not offer.public and offer.reply_of(user) is not None
        may = self.stands(offer) and (asked or user == offer.challenger)
        done = self.attempt(lambda: self.host.services.challenges.refuse(challenge, user), may=may)
        if done is not None:
            self.oracle.refusals.add(("challenge", challenge, done.answer))

    @served(number=numbers, who=numbers, place=places, posted=st.booleans())
    def rematch(self, number: int, who: int, place: Place, posted: bool) -> None:
        loaded = self.pick(number)
        if loaded is None:
            return
        user = anybody(loaded.stored.users, who)
        there = user != STRANGER and not any(map(former, loaded.stored.users))
        may = loaded.match.over and there and place.near(loaded.stored.place) and self.both_over(loaded.id)
        asking = self.host.services.rematches.ask
        done = self.attempt(lambda: asking(loaded.id, user, place), may=None if may else False)
        if done is None:
            return
        self.oracle.offered(done[0])
        self.begin(*done)
        if posted and done[0].message is None:
            self.run(self.host.posted(PostKind.CARD, done[0].id, self.message()))

    def both_over(self, match: int) -> bool:
        """True unless the match is followed by the second game of two, which is not over."""
        seconds = (
            it for it in self.snapshot.matches.values() if it.first is not None and it.first.id == match
        )
        return all(it.finished_at is not None for it in seconds)

    @served(number=numbers)
    def rematch_at_once(self, number: int) -> None:
        """All who played ask for it in the same moment, in both processes: one challenge, and maybe one game."""
        over = [match for match in self.oracle.seen.values() if match.finished_at is not None]
        if not over:
            return
        played = over[number % len(over)]

        def asking(index: int, user: DiscordId) -> Any:
            async def ask() -> None:
                service = self.hosts[index % len(self.hosts)].services.rematches
                done = await self.told(service.ask(played.id, user, played.place))
                answered.extend([] if done is None else [done])

            return ask

        answered: list[Any] = []
        there = [user for user in played.users if not former(user)]
        self.run(together(*(asking(index, user) for index, user in enumerate(there))))
        for offer, loaded in answered:
            self.oracle.offered(offer)
            self.begin(offer, loaded)
