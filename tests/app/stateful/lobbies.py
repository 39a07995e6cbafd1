"""Lobbies: opened, joined, left, started, closed, and members removed from them."""

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from db.values.challenges import Challenge, Order, Reply
from db.values.places import DiscordId, Place, former
from rules.core.game import Game
from tests.app.stateful.base import anybody, served, together
from tests.app.stateful.challenges import ChallengeRules
from tests.app.stateful.strategies import (
    MEMBERS,
    clocks,
    crowded,
    games,
    members,
    numbers,
    orders,
    places,
    terms,
)

ACTS = ("join", "join", "join", "leave", "start", "close", "remove")
acts = st.sampled_from(ACTS)


class LobbyRules(ChallengeRules):
    """Members who wait for others, and others who come and go."""

    @served(
        user=members, game=games, seats=st.integers(2, 4), fewer=st.integers(0, 2),
        place=places, order=orders, clock=clocks, two=st.booleans(),
    )  # fmt: skip
    def open_game(
        self, user: int, game: Game[Any, Any], seats: int, fewer: int,
        place: Place, order: Order, clock: str, two: bool,
    ) -> None:  # fmt: skip
        self.open_for(user, game, seats, fewer, place, order, clock, two=two)

    def open_for(
        self, user: int, game: Game[Any, Any], seats: int, fewer: int,
        place: Place, order: Order, clock: str, *, two: bool = False,
    ) -> None:  # fmt: skip
        wanted = terms(game, 0, seats, order, clock, fewer=fewer, two=two)
        may = None if self.choices.playing(place, game.key) else False
        offer = self.attempt(lambda: self.host.services.challenges.make(place, user, wanted), may=may)
        if offer is not None:
            self.oracle.offered(offer)

    @served(
        number=numbers,
        presses=st.lists(st.tuples(numbers, acts | st.just("block"), members), min_size=1, max_size=6),
    )
    def press(self, number: int, presses: list[tuple[int, str, int]]) -> None:
        """Any buttons of a game to join, or of a challenge that has no such button, by any member, open or not."""
        offer = self.lobby(number)
        for who, does, other in presses:
            if offer is None:
                return
            self.press_one(offer, self.whoever(offer, who), does, other)
            self.look()
            offer = self.now(offer.id)

    def press_one(self, offer: Challenge, user: DiscordId, does: str, other: DiscordId) -> None:
        services, host = (
            self.host.services.challenges,
            self.stands(offer) and offer.public and user == offer.challenger,
        )
        match does:
            case "join":
                self.accept(offer.id, user)
            case "close":
                self.refuse(offer.id, user)
            case "block":
                self.block_or_not(offer.challenger, user)
            case "leave":
                inside = offer.reply_of(user) is Reply.IN and user != offer.challenger
                may = self.stands(offer) and offer.public and inside
                self.attempt(lambda: services.leave(offer.id, user), may=may)
                assert not may or self.now(offer.id).reply_of(user) is None
            case "start":
                may = host and len(offer.users(Reply.IN)) >= offer.terms.fewest
                loaded = self.attempt(lambda: services.start(offer.id, user), may=may)
                self.begin(self.now(offer.id), loaded)
            case _:
                joined = [it for it in offer.users(Reply.IN) if it != offer.challenger]
                whom = joined[other % len(joined)] if joined and host else other
                may = host and whom in joined
                after = self.attempt(lambda: services.remove(offer.id, user, whom), may=may)
                if after is not None:
                    self.oracle.removed.add((offer.id, whom))
                    self.come_back(offer.id, whom)

    def come_back(self, challenge: int, user: DiscordId) -> None:
        """A removed member tries to join again, in vain, through the process that did not remove them."""
        services = self.other.services.challenges
        self.attempt(lambda: services.leave(challenge, user), may=False)
        self.attempt(lambda: services.accept(challenge, user), may=False)

    def block_or_not(self, user: DiscordId, other: DiscordId) -> None:
        """`user` blocks `other`, or withdraws the block."""
        pair, does = (user, other), self.host.services.preferences
        if former(user) or user == other:
            return
        blocked = pair in self.choices.blocks
        self.run(does.unblock(*pair) if blocked else does.block(*pair))
        self.choices.blocks ^= {pair}

    @served(user=members, game=crowded, place=places, number=numbers)
    def put_out(self, user: int, game: Game[Any, Any], place: Place, number: int) -> None:
        """The host removes a member who has joined; if nobody has, somebody joins first."""
        roomy = [it for it in self.snapshot.challenges if it.public and it.terms.most > 2 and self.stands(it)]
        if not roomy:
            self.open_for(user, game, 4, 2, place, Order.LISTED, "none")
            self.look()
            roomy = [it for it in self.snapshot.challenges if it.public and it.terms.most > 2]
        if not roomy:
            return
        offer = roomy[number % len(roomy)]
        if len(offer.users(Reply.IN)) == 1:
            outside = [it for it in MEMBERS if offer.reply_of(it) is None]
            for joining in outside[:1]:
                self.accept(offer.id, joining)
        self.press_one(self.now(offer.id), offer.challenger, "remove", number)

    @served(number=numbers, crowd=st.lists(st.tuples(numbers, acts), min_size=2, max_size=4))
    def press_at_once(self, number: int, crowd: list[tuple[int, str]]) -> None:
        """Several members press buttons of one game in the same moment, in both processes."""
        offer = self.lobby(number)
        if offer is None or not offer.public:
            return
        answered: list[Any] = []
        presses = [
            self.pressing(index, offer, self.whoever(offer, who), does, into=answered.append)
            for index, (who, does) in enumerate(crowd)
        ]
        self.run(together(*presses))
        for after, loaded in answered:
            self.begin(self.now(offer.id) if after is None or after.standing is None else after, loaded)

    def pressing(
        self, index: int, offer: Challenge, user: DiscordId, does: str, into: Callable[[Any], None]
    ) -> Any:
        service = self.hosts[index % len(self.hosts)].services.challenges

        async def press() -> None:
            match does:
                case "join":
                    joined = await self.told(service.accept(offer.id, user))
                    into((None, None) if joined is None else joined)
                case "leave":
                    await self.told(service.leave(offer.id, user))
                case "start":
                    into((None, await self.told(service.start(offer.id, user))))
                case "close":
                    closed = await self.told(service.refuse(offer.id, user))
                    if closed is not None:
                        self.oracle.refusals.add(("challenge", offer.id, closed.answer))
                case _:
                    removed = await self.told(service.remove(offer.id, offer.challenger, user))
                    if removed is not None:
                        self.oracle.removed.add((offer.id, user))

        return press

    def whoever(self, offer: Challenge, who: int) -> DiscordId:
        """Mostly the host, or somebody who has not joined."""
        outside = [user for user in MEMBERS if offer.reply_of(user) is not Reply.IN]
        users = (offer.challenger, *outside, offer.challenger, *offer.users(Reply.IN, Reply.REMOVED))
        return anybody(users, who)

    def lobby(self, number: int) -> Challenge | None:
        """Mostly the newest that anybody may join, sometimes any challenge."""
        public = [it.id for it in self.oracle.challenges.values() if it.public]
        if number % 7 == 6 or not public:
            return self.offer(number)
        return self.now(public[-1 - number % min(3, len(public))])

    @served(user=members, place=places)
    def find_game(self, user: int, place: Place) -> None:
        """The lobbies that are shown to a member as open are those they may try to join."""
        shown = self.run(self.host.services.challenges.joinable(user, place))
        expected = [
            it
            for it in self.snapshot.challenges
            if it.public
            and it.place.channel == place.channel
            and it.reply_of(user) is None
            and not it.standing
        ]
        assert shown == expected
        for member in MEMBERS:
            waiting = self.run(self.host.services.challenges.waiting(member))
            concerned = [
                it for it in self.snapshot.challenges if it.reply_of(member) in (Reply.IN, Reply.ASKED)
            ]
            assert waiting == concerned
