"""Standing offers: made, changed, taken by several at once, withdrawn and renewed."""

from typing import Any

from hypothesis import strategies as st

from bot.app.challenges.offers import MOST_AT_ONCE, MOST_STANDING, can_stand
from bot.app.matches.loaded import LoadedMatch
from db.values.challenges import Challenge, Order, Reply, Standing
from db.values.places import DiscordId, Place
from rules.core.game import Game
from tests.app.stateful.base import anybody, served
from tests.app.stateful.lobbies import LobbyRules
from tests.app.stateful.strategies import games, members, numbers, places


class OfferRules(LobbyRules):
    """Members who offer games again and again. Never are more of an offer played at once than it promises."""

    def begin(self, offer: Challenge, loaded: LoadedMatch | None) -> None:
        """Note the game of an offer, which has a challenge of its own."""
        if loaded is not None and offer.standing is not None:
            query = "SELECT id FROM challenges WHERE match_id = ?"
            (number,) = self.file.execute(query, (loaded.id,)).fetchone()
            self.oracle.offered(self.now(number))
            self.promised.setdefault(offer.id, []).append(loaded.id)
        super().begin(offer, loaded)
        if loaded is not None and offer.standing is not None:
            takers = self.takers(offer)
            assert len(takers) <= offer.standing.most, "more games than promised"
            assert len(set(takers)) == len(takers), "a member plays two games of one offer"

    @served(
        user=members, game=games, place=places, clock=st.sampled_from(("none", "24h", "24h", "10m+5s")),
        most=st.integers(0, MOST_AT_ONCE + 1), two=st.booleans(),
    )  # fmt: skip
    def offer_always(
        self, user: int, game: Game[Any, Any], place: Place, clock: str, most: int, two: bool
    ) -> None:
        """Mostly one or two games at once, of a challenge that was just made for it."""
        self.open_for(user, game, 2, 0, place, Order.LOT, clock, two=two)
        self.look()
        made = [it for it in self.snapshot.challenges if it.challenger == user and it.public]
        if made:
            self.keep(made[-1], user, most if most in (0, MOST_AT_ONCE + 1) else 1 + most % 2)

    @served(number=numbers, who=numbers, most=st.integers(0, 3))
    def keep_offering(self, number: int, who: int, most: int) -> None:
        """The host or somebody else makes an offer of any challenge, or changes one."""
        offer = self.lobby(number)
        if offer is not None:
            self.keep(offer, anybody((offer.challenger, *offer.users(*Reply)), who), most)

    def keep(self, offer: Challenge, by: DiscordId, most: int) -> None:
        kept = [it for it in self.snapshot.challenges if it.challenger == by and it.standing is not None]
        may = self.stands(offer) and by == offer.challenger and offer.public and can_stand(offer)
        may = may and offer.terms.most == 2 and 1 <= most <= MOST_AT_ONCE
        may = may and sum(it.id != offer.id for it in kept) < MOST_STANDING
        keeping = self.host.services.challenges.keep_offering
        after = self.attempt(lambda: keeping(offer.id, by, Standing(most)), may=may)
        assert after is None or after.standing == Standing(most)

    @served(number=numbers, crowd=st.lists(members, min_size=1, max_size=4))
    def take(self, number: int, crowd: list[int]) -> None:
        """Members take an offer one after the other."""
        kept = [it for it in self.snapshot.challenges if it.standing is not None]
        for user in crowd if kept else ():
            self.accept(kept[number % len(kept)].id, user)
            self.look()

    @served(user=members, place=places)
    def find_offer(self, user: int, place: Place) -> None:
        """The offers that a member is shown are those that they can take."""
        shown = self.run(self.host.services.challenges.standing(user, place))
        assert shown == [
            it
            for it in self.snapshot.challenges
            if place.guild is not None and it.place.guild == place.guild and self.takes(it, user)
        ]
