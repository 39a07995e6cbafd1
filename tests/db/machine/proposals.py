"""Rules about proposals."""

from datetime import datetime
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import multiple, rule

from db.values.challenges import Answer
from db.values.matches import MovedOn
from db.values.proposals import Matter, NewProposal, ProposalExists
from tests.db.machine.base import Base, matches, proposals, times, users

SAID = (Answer.DECLINED, Answer.WITHDRAWN, Answer.EXPIRED)


class Proposals(Base):
    """Rules about proposals."""

    @rule(
        target=proposals, match=matches, matter=st.sampled_from(Matter), seat=st.integers(0, 1),
        shown=st.integers(0, 3), late=st.integers(-1, 3), at=times,
    )  # fmt: skip
    def propose(self, match: int, matter: Matter, seat: int, shown: int, late: int, at: datetime) -> Any:
        """Propose something, mostly at the present ply, sometimes at the one before or after."""
        number = len(self.model.matches[match].log) + (late if abs(late) == 1 else 0)
        new = NewProposal(match, matter, seat, shown, at)
        real = self.store.proposals.add(new, number)
        try:
            self.model.proposable(new, number)
        except (MovedOn, ProposalExists) as refusal:
            self.refused(real, refusal)
            return multiple()
        stored = self.run(real)
        assert stored == self.model.propose(stored.id, new, number)
        return stored.id

    @rule(proposal=proposals, seat=st.integers(0, 2), at=times)
    def agree(self, proposal: int, seat: int, at: datetime) -> None:
        self.both(
            self.store.proposals.agree(proposal, seat, at), lambda: self.model.agree(proposal, seat, at)
        )

    @rule(proposal=proposals, answer=st.sampled_from(SAID), at=times)
    def settle(self, proposal: int, answer: Answer, at: datetime) -> None:
        self.both(
            self.store.proposals.close(proposal, answer, at),
            lambda: self.model.close_by_member(proposal, answer, at),
        )

    @rule(proposal=proposals)
    def note_told(self, proposal: int) -> None:
        self.both(self.store.proposals.note_told([proposal]), lambda: self.model.note_told(proposal))

    @rule(match=matches, shown=st.integers(0, 3))
    def look_at_the_board(self, match: int, shown: int) -> None:
        self.both(self.store.proposals.made_at(match, shown), lambda: self.model.proposals_at(match, shown))

    @rule(match=st.none() | matches, user=st.none() | users)
    def look_at_proposals(self, match: int | None, user: int | None) -> None:
        self.both(self.store.proposals.open(match, user=user), lambda: self.model.open_proposals(match, user))

    @rule(match=matches, matter=st.sampled_from(Matter), seat=st.integers(0, 1), at=times)
    def look_at_the_last(self, match: int, matter: Matter, seat: int, at: datetime) -> None:
        like = NewProposal(match, matter, seat, 0, at)
        self.both(self.store.proposals.last(match, matter, seat), lambda: self.model.last_proposal(like))
