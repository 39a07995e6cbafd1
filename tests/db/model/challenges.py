"""Challenges in the model."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from db.values.challenges import Answer, Challenge, ChallengeChanged, NewChallenge, RematchExists, Reply
from db.values.clocks import Clocks
from db.values.matches import StoredMatch
from db.values.places import Place
from db.values.posts import PostKind
from tests.db.model.base import Base


class Challenges(Base):
    """The model of challenges."""

    def add_challenge(self, challenge: int, new: NewChallenge) -> Challenge:
        self.first(new)
        self.all_challenges[challenge] = Challenge(
            id=challenge,
            terms=new.terms,
            place=new.place,
            challenger=new.challenger,
            participants=new.participants,
            public=new.public,
            made_at=new.made_at,
            expires_at=new.expires_at,
            answer=Answer.OPEN,
            message=None,
            match=None,
            rematch_of=new.rematch_of,
        )
        self.add_post(PostKind.CARD, challenge, new.place, new.made_at)
        return self.all_challenges[challenge]

    def first(self, new: NewChallenge) -> None:
        """Check that the match has no rematch. Raises RematchExists."""
        before = None if new.rematch_of is None else self.rematch(new.rematch_of)
        if before is not None:
            raise RematchExists(before)

    def rematch(self, match: int) -> Challenge | None:
        return next((it for it in self.all_challenges.values() if it.rematch_of == match), None)

    def still(self, before: Challenge) -> None:
        """Check that the challenge is open and unchanged. Raises ChallengeChanged."""
        now = self.all_challenges[before.id]
        if now.answer is not Answer.OPEN or now.participants != before.participants:
            raise ChallengeChanged(now)

    def challenges(self, user: int | None, place: Place | None) -> list[Challenge]:
        return sorted(
            (
                it
                for it in self.all_challenges.values()
                if it.answer is Answer.OPEN
                and (user is None or it.reply_of(user) in (Reply.ASKED, Reply.IN))
                and (place is None or place.channel == it.place.channel)
            ),
            key=lambda it: (it.made_at, it.id),
        )

    def accept(
        self,
        before: Challenge,
        after: Challenge,
        match: int,
        users: Sequence[int],
        version: int,
        at: datetime,
        clocks: Clocks,
    ) -> StoredMatch:
        self.all_challenges[before.id] = self._closed(replace(after, match=match), at)
        begun = StoredMatch(
            match,
            after.terms.setup(len(users)),
            version,
            after.place,
            tuple(users),
            (),
            (),
            at,
            None,
            None,
            (),
            clocks,
            **after.terms.by_name(),
        )
        self.change_post(PostKind.CARD, before.id, at)
        self.add_post(PostKind.BOARD, match, after.place, at)
        return self.put(begun)

    def change(self, before: Challenge, after: Challenge, at: datetime) -> None:
        self.still(before)
        closed = after.answer is not Answer.OPEN
        self.change_post(PostKind.CARD, before.id, at)
        self.all_challenges[before.id] = self._closed(after, at) if closed else after

    def made_by(self, challenger: int, since: datetime) -> list[Challenge]:
        found = (
            it
            for it in self.all_challenges.values()
            if it.challenger == challenger and self.closed_at.get(it.id, since) >= since
        )
        return sorted(found, key=lambda it: (it.made_at, it.id))

    def expire(self, at: datetime) -> list[Challenge]:
        late = [it for it in self.challenges(None, None) if it.expires_at <= at]
        for it in late:
            self.change(it, replace(it, answer=Answer.EXPIRED), at)
        return [self.all_challenges[it.id] for it in late]

    def _closed(self, after: Challenge, at: datetime) -> Challenge:
        self.closed_at[after.id] = at
        return after
