"""The store as a few dictionaries: what SqlStore is held against."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from db.values import (
    Answer,
    Answered,
    Challenge,
    MovedOn,
    NewChallenge,
    Outcome,
    Page,
    Panel,
    Place,
    Reply,
    Search,
    Standing,
    StoredMatch,
)
from rules.core.match import Ply


class Model:
    """Says what SqlStore should say, method by method. Ids are the database's, so they are told to it."""

    def __init__(self) -> None:
        self.all_challenges: dict[int, Challenge] = {}
        self.closed_at: dict[int, datetime] = {}
        self.matches: dict[int, StoredMatch] = {}

    def add_challenge(self, challenge: int, new: NewChallenge) -> None:
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
        )

    def still(self, before: Challenge) -> None:
        """It stands as before. Raises Answered."""
        now = self.all_challenges[before.id]
        if now.answer is not Answer.OPEN or now.participants != before.participants:
            raise Answered(now)

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

    def show_challenge(self, challenge: int, message: int) -> None:
        self.all_challenges[challenge] = replace(self.all_challenges[challenge], message=message)

    def accept(
        self,
        before: Challenge,
        after: Challenge,
        match: int,
        users: Sequence[int],
        version: int,
        at: datetime,
    ) -> StoredMatch:
        self.all_challenges[before.id] = self._closed(replace(after, match=match), at)
        setup = after.terms.setup(len(users))
        self.matches[match] = StoredMatch(
            match, setup, version, after.place, tuple(users), (), (), at, None, None, None
        )
        return self.matches[match]

    def change(self, before: Challenge, after: Challenge, at: datetime) -> None:
        self.still(before)
        closed = after.answer is not Answer.OPEN
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

    def append(
        self,
        match: int,
        plies: int,
        ply: Ply,
        at: datetime,
        outcomes: Sequence[Outcome] | None,
        salt: str | None,
    ) -> None:
        found = self.matches[match]
        if found.finished_at is not None or len(found.log) != plies:
            raise MovedOn
        times, salts = (*found.times, at), (*found.salts, salt)
        found = replace(found, log=(*found.log, ply), salts=salts, times=times)
        if outcomes is not None:
            found = replace(found, finished_at=at, outcomes=tuple(outcomes))
        self.matches[match] = found

    def break_off(self, match: int, plies: int, ply: Ply, at: datetime, reason: str) -> None:
        self.append(match, plies, ply, at, None, None)
        self.matches[match] = replace(self.matches[match], finished_at=at, void=reason)

    def move(self, match: int, channel: int, home: int | None) -> None:
        found = self.matches[match]
        self.matches[match] = replace(found, place=Place(found.place.guild, channel, home))

    def show(self, match: int, panel: Panel) -> None:
        self.matches[match] = replace(self.matches[match], panel=panel)

    def running(self, user: int | None, channel: int | None, guild: int | None) -> list[StoredMatch]:
        return self._oldest_first(
            it
            for it in self.matches.values()
            if it.finished_at is None
            and (user is None or user in it.users)
            and channel in (None, it.place.channel)
            and guild in (None, it.place.guild)
        )

    def unshown(self) -> list[StoredMatch]:
        return self._oldest_first(
            it
            for it in self.matches.values()
            if (it.panel is None or it.panel.plies < len(it.log)) and it.place.guild is not None
        )

    def standings(self, guild: int, game: str | None, limit: int) -> list[Standing]:
        counts = Counter(
            (user, outcome)
            for it in self.matches.values()
            if it.place.guild == guild and game in (None, it.setup.game)
            for user, outcome in zip(it.users, it.outcomes or (), strict=False)
        )
        rows = [
            Standing(user, *(counts[user, outcome] for outcome in Outcome))
            for user in {user for user, _ in counts}
        ]
        return sorted(rows, key=lambda it: (-it.won, -it.drawn, it.lost, it.user))[:limit]

    def finished(self, search: Search, limit: int, mark: int | None, newer: bool) -> Page:
        everything = sorted(
            (it for it in self.matches.values() if _fits(search, it)),
            key=lambda it: (it.finished_at, it.id),
            reverse=True,
        )
        marked = self.matches.get(mark or 0)
        if marked is None or marked.finished_at is None:
            return Page(tuple(everything[:limit]), newer=False, older=len(everything) > limit)
        place = (marked.finished_at, marked.id)
        above = [it for it in everything if it.finished_at and (it.finished_at, it.id) > place]
        below = [it for it in everything if it.finished_at and (it.finished_at, it.id) < place]
        if newer:
            return Page(tuple(above[-limit:]), newer=len(above) > limit, older=True)
        return Page(tuple(below[:limit]), newer=True, older=len(below) > limit)

    @staticmethod
    def _oldest_first(found: Iterable[StoredMatch]) -> list[StoredMatch]:
        return sorted(found, key=lambda it: (it.started_at, it.id))


def _fits(search: Search, match: StoredMatch) -> bool:
    outcomes = dict(zip(match.users, match.outcomes or (), strict=False))
    return (
        match.finished_at is not None
        and match.place.guild == search.guild
        and search.game in (None, match.setup.game)
        and (search.member is None or search.member in outcomes)
        and (search.opponent is None or search.opponent in outcomes)
        and (search.outcome is None or outcomes[search.member or 0] is search.outcome)
    )
