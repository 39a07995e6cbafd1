"""Matches and proposals in the model."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from db.values.challenges import Answer
from db.values.clocks import ClocksMoved, Ticking
from db.values.matches import (
    Beginning,
    ListedMatch,
    MatchKeys,
    MovedOn,
    Outcome,
    PositionKeys,
    StoredMatch,
    Turns,
)
from db.values.places import Place
from db.values.posts import PostKind
from db.values.proposals import NewProposal, Proposal, ProposalClosed, ProposalExists
from rules.core.match import Ply
from tests.db.model.base import Base


class Matches(Base):
    """The model of matches and proposals."""

    def append(
        self,
        match: int,
        plies: int,
        ply: Ply,
        at: datetime,
        outcomes: Sequence[Outcome] | None,
        salt: str | None = None,
        ticking: Ticking | None = None,
        proposal: int | None = None,
        turns: Turns | None = None,
        position: PositionKeys | None = None,
    ) -> None:
        found = self.at(match, plies)
        if ticking is not None:
            for before, now in zip(ticking.before, found.clocks, strict=True):
                if now is not before and (now is None or not now.same_time(before)):
                    raise ClocksMoved
            turned = zip(ticking.before, ticking.after, found.clocks, strict=True)
            clocks = tuple(now if before == after else after for before, after, now in turned)
            found = replace(found, clocks=clocks)
        if proposal is not None:
            self.close(proposal, Answer.ACCEPTED)
        times, salts = (*found.times, at), (*found.salts, salt)
        found = replace(found, log=(*found.log, ply), salts=salts, times=times, turns=turns)
        if outcomes is not None:
            found = replace(found, finished_at=at, outcomes=tuple(outcomes))
            self.announce(PostKind.RESULT, match, at, "")
        self.put(found)
        self.change_post(PostKind.BOARD, match, at)
        if position is not None:
            self.note_position(match, plies + 1, position)

    def begin_second(self, first: int, second: int, then: Beginning, at: datetime) -> None:
        found = self.matches[first]
        self.put(
            replace(
                found,
                id=second,
                version=then.version,
                users=found.users[::-1],
                log=(),
                salts=(),
                times=(),
                started_at=at,
                finished_at=None,
                outcomes=None,
                clocks=then.clocks,
                hinted=frozenset(),
                turns=None,
                first=found,
            )
        )
        self.add_post(PostKind.BOARD, second, found.place, at)

    def at(self, match: int, plies: int) -> StoredMatch:
        """Return a running match with this number of plies. Raises MovedOn."""
        found = self.matches[match]
        if found.finished_at is not None or len(found.log) != plies:
            raise MovedOn
        return found

    def break_off(self, match: int, plies: int, ply: Ply, at: datetime, reason: str) -> None:
        before = self.at(match, plies)
        self.append(match, plies, ply, at, None, turns=before.turns)
        found = self.matches[match]
        stopped = tuple(clock and replace(clock, deadline=None, remind_at=None) for clock in found.clocks)
        self.put(replace(found, finished_at=at, void=reason, clocks=stopped))
        self.announce(PostKind.RESULT, match, at, "")

    def void(self, match: int, at: datetime, reason: str) -> None:
        found = self.matches[match]
        if found.finished_at is None or found.void is not None:
            raise MovedOn
        self.put(replace(found, outcomes=None, void=reason))
        self.announce(PostKind.VOID, match, at, "here", "results")
        for game in filter(None, (match, self.second_game(match))):
            self.change_post(PostKind.BOARD, game, at)

    def take_hint(self, match: int, plies: int, seat: int) -> None:
        found = self.at(match, plies)
        self.put(replace(found, hinted=found.hinted | {seat}))
        self.change_post(PostKind.BOARD, match)

    def move(self, match: int, channel: int, home: int | None) -> None:
        found = self.matches[match]
        self.put(replace(found, place=Place(found.place.guild, channel, home)))
        board = self.board(match)
        if board.message is None:
            self.posts[PostKind.BOARD, match, ""] = replace(board, channel=channel)

    def running(
        self,
        user: int | None = None,
        channel: int | None = None,
        guild: int | None = None,
    ) -> list[StoredMatch]:
        return self._oldest_first(
            it
            for it in self.matches.values()
            if it.finished_at is None
            and (user is None or user in it.users)
            and channel in (None, it.place.channel)
            and guild in (None, it.place.guild)
        )

    def note_position(self, match: int, plies: int, position: PositionKeys | None) -> None:
        if len(self.matches[match].log) == plies:
            self.keyed[match] = plies, position
            self.faced[match] = (position and position.faced) or self.faced.get(match, ())

    def unkeyed(self, game: str) -> list[StoredMatch]:
        of_game = (it for it in self.running() if it.setup.game == game)
        return sorted(
            (it for it in of_game if self.keyed.get(it.id, (None,))[0] != len(it.log)), key=lambda it: it.id
        )

    def standing(self, game: str, keys: Collection[int], *, rated: bool) -> MatchKeys | None:
        if self.unkeyed(game):
            return None
        # Keys differ between games, so those of other games need not be told apart.
        known = ((it, *self.keyed.get(it.id, (None, None))) for it in self.running() if it.rated or not rated)
        positions = [position for it, plies, position in known if plies == len(it.log)]
        recent = [position.recent for position in positions if position is not None]
        now = {key for newest, *_ in recent for key in keys if key == newest}
        return MatchKeys(frozenset(now), frozenset(key for one in recent for key in one if key in keys))

    def facing(self, game: str, text: str) -> bool | None:
        if self.unkeyed(game):
            return None
        rated = (it for it in self.running() if it.setup.game == game and it.rated)
        faced = [it for match in rated for it in self.faced.get(match.id, ()) if it is not None]
        return any(text in it or text[::-1] in it or it in text or it in text[::-1] for it in faced)

    def listed(self, user: int | None, channel: int | None) -> list[ListedMatch]:
        return [
            ListedMatch(
                id=it.id,
                setup=it.setup,
                place=it.place,
                users=it.users,
                plies=len(it.log),
                started_at=it.started_at,
                panel=self.panel(it.id),
                deadlines=tuple(
                    None if clock is None else clock.deadline
                    for clock in it.clocks or (None,) * len(it.users)
                ),
                turns=it.turns,
            )
            for it in self.running(user, channel)
        ]

    def running_in(self, channel: int) -> list[tuple[int, str]]:
        return [(it.id, it.setup.game) for it in self.running(channel=channel)]

    def note_turns(self, match: int, plies: int, turns: Turns) -> None:
        if len(self.matches[match].log) == plies:
            self.put(replace(self.matches[match], turns=turns))

    def propose(self, proposal: int, new: NewProposal, plies: int) -> Proposal:
        self.proposable(new, plies)
        self.proposals[proposal] = Proposal(
            proposal, new.match, new.matter, new.seat, new.shown, new.made_at, Answer.OPEN, ()
        )
        self.change_post(PostKind.BOARD, new.match, new.made_at)
        return self.proposals[proposal]

    def proposable(self, new: NewProposal, plies: int) -> None:
        """Check that a proposal may be made. Raises MovedOn and ProposalExists."""
        self.at(new.match, plies)
        for other in self.open_proposals(new.match):
            if other.matter is new.matter:
                raise ProposalExists(other)

    def open_proposals(self, match: int | None = None, user: int | None = None) -> list[Proposal]:
        found = (
            it
            for it in self.proposals.values()
            if it.answer is Answer.OPEN
            and match in (None, it.match)
            and (user is None or self._plays(self.matches[it.match], user))
        )
        return sorted(found, key=lambda it: (it.made_at, it.id))

    def last_proposal(self, new: NewProposal) -> Proposal | None:
        theirs = (
            it
            for it in self.proposals.values()
            if (it.match, it.matter, it.seat) == (new.match, new.matter, new.seat)
        )
        return max(theirs, key=lambda it: (it.made_at, it.id), default=None)

    def proposals_at(self, match: int, shown: int) -> list[Proposal]:
        theirs = (it for it in self.proposals.values() if it.match == match)
        found = (it for it in theirs if it.answer is Answer.OPEN or it.shown == shown)
        return sorted(found, key=lambda it: (it.made_at, it.id))

    def note_told(self, proposal: int) -> None:
        self.proposals[proposal] = replace(self.proposals[proposal], told=True)

    def agree(self, proposal: int, seat: int, at: datetime) -> Proposal:
        found = self._open(proposal)
        agreed = tuple(sorted({*found.agreed, seat}))
        self.proposals[proposal] = replace(found, agreed=agreed)
        self.change_post(PostKind.BOARD, found.match, at)
        return self.proposals[proposal]

    def close_by_member(self, proposal: int, answer: Answer, at: datetime) -> Proposal:
        closed = self.close(proposal, answer)
        self.change_post(PostKind.BOARD, closed.match, at)
        return closed

    def close(self, proposal: int, answer: Answer) -> Proposal:
        self.proposals[proposal] = replace(self._open(proposal), answer=answer)
        return self.proposals[proposal]

    def _open(self, proposal: int) -> Proposal:
        found = self.proposals[proposal]
        if found.answer is not Answer.OPEN:
            raise ProposalClosed(found)
        return found

    @staticmethod
    def _plays(match: StoredMatch, user: int) -> bool:
        return user in match.users and match.outcomes is None

    @staticmethod
    def _oldest_first(found: Iterable[StoredMatch]) -> list[StoredMatch]:
        return sorted(found, key=lambda it: (it.started_at, it.id))
