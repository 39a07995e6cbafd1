"""Rules about challenges."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import initialize, multiple, rule

from db.values.challenges import Answer, NewChallenge, Participant, RematchExists, Terms
from db.values.clocks import Clocks, TimeControl
from db.values.matches import StoredMatch
from db.values.places import Place
from tests.db.given import NOW
from tests.db.machine.base import (
    Base,
    answers,
    challenges,
    channels,
    clocks,
    guilds,
    matches,
    members,
    minutes,
    places,
    terms,
    time_controls,
    times,
    users,
)


class Challenges(Base):
    """Rules about challenges."""

    @initialize(target=matches, ours=members, time_control=time_controls, timed=clocks, place=places)
    def arrive(
        self, ours: tuple[Participant, ...], time_control: TimeControl | None, timed: Clocks, place: Place
    ) -> Any:
        """Begin some matches before all other rules."""
        two = Terms("skull", (("n", 7),), 2, 2, time_control=time_control, games=2)
        one = replace(two, fewest=1, most=3, games=1)
        agreed = (replace(one, time_control=None), one, two)
        return multiple(*(self.begun(ours[: it.most], it, timed, place) for it in agreed))

    def begun(self, ours: tuple[Participant, ...], agreed: Terms, timed: Clocks, place: Place) -> int:
        new = NewChallenge(agreed, place, ours[0].user, ours, False, NOW, NOW + timedelta(minutes=1))
        before = self.run(self.store.challenges.add(new))
        self.model.add_challenge(before.id, new)
        after, seats = replace(before, answer=Answer.ACCEPTED), tuple(it.user for it in ours)
        started = () if agreed.time_control is None else timed[: len(seats)]
        match: StoredMatch = self.run(self.store.challenges.accept(before, after, seats, 1, NOW, started))
        assert match == self.model.accept(before, after, match.id, seats, 1, NOW, started)
        return match.id

    @rule(
        target=challenges,
        terms=terms,
        place=places,
        ours=members,
        public=st.booleans(),
        made=times,
        minutes=minutes,
        again=st.none() | matches,
    )
    def challenge(
        self,
        terms: Terms,
        place: Place,
        ours: tuple[Participant, ...],
        public: bool,
        made: datetime,
        minutes: int,
        again: int | None,
    ) -> Any:
        late = made + timedelta(minutes=minutes)
        new = NewChallenge(terms, place, ours[0].user, ours, public, made, late, again)
        try:
            self.model.first(new)
        except RematchExists as refusal:
            self.refused(self.store.challenges.add(new), refusal)
            return multiple()
        stored = self.run(self.store.challenges.add(new))
        assert stored == self.model.add_challenge(stored.id, new)
        return stored.id

    @rule(
        target=matches,
        challenge=challenges,
        ours=members,
        version=st.integers(1, 3),
        at=times,
        timed=clocks,
        chosen=st.none() | st.just("maze"),
    )
    def accept(
        self,
        challenge: int,
        ours: tuple[Participant, ...],
        version: int,
        at: datetime,
        timed: Clocks,
        chosen: str | None,
    ) -> Any:
        """Accept a challenge, sometimes one that leaves the choice of the game open."""
        before = self.model.all_challenges[challenge]
        terms = before.terms if chosen is None else replace(before.terms, game=chosen, options=(("n", 3),))
        after = replace(before, terms=terms, participants=ours, answer=Answer.ACCEPTED)
        seats = tuple(it.user for it in ours)[: before.terms.most]
        started = () if before.terms.time_control is None else timed[: len(seats)]
        real = self.store.challenges.accept(before, after, seats, version, at, started)
        if before.answer is not Answer.OPEN:
            self.both(real, lambda: self.model.still(before))
            return multiple()
        match: StoredMatch = self.run(real)
        assert match == self.model.accept(before, after, match.id, seats, version, at, started)
        return match.id

    @rule(challenge=challenges, late=st.booleans(), ours=members, answer=answers, at=times)
    def change(
        self, challenge: int, late: bool, ours: tuple[Participant, ...], answer: Answer, at: datetime
    ) -> None:
        """Change a challenge, sometimes from an outdated state."""
        now = self.model.all_challenges[challenge]
        before = replace(now, participants=now.participants[:-1]) if late else now
        after = replace(now, participants=ours, answer=answer)
        self.both(
            self.store.challenges.change(before, after, at), lambda: self.model.change(before, after, at)
        )

    @rule(at=times)
    def expire(self, at: datetime) -> None:
        self.both(self.store.challenges.expire(at), lambda: self.model.expire(at))

    @rule(match=matches)
    def look_for_a_rematch(self, match: int) -> None:
        self.both(self.store.challenges.rematch_of(match), lambda: self.model.rematch(match))

    @rule(user=users, since=times)
    def look_back(self, user: int, since: datetime) -> None:
        self.both(self.store.challenges.made_by(user, since), lambda: self.model.made_by(user, since))

    @rule(user=st.none() | users, channel=st.none() | channels, guild=st.none() | guilds)
    def look_at_challenges(self, user: int | None, channel: int | None, guild: int | None) -> None:
        place = None if channel is None else Place(guild, channel)
        self.both(
            self.store.challenges.open(user=user, place=place), lambda: self.model.challenges(user, place)
        )
