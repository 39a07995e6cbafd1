"""A machine that does to the store whatever can be done, and to its model."""

from tests.db.machine.challenges import Challenges
from tests.db.machine.clocks import Clocks
from tests.db.machine.matches import Matches
from tests.db.machine.proposals import Proposals


class StoreMachine(Challenges, Matches, Proposals, Clocks):
    """At the end everything is as the model says."""

    def teardown(self) -> None:
        for challenge in self.model.all_challenges.values():
            assert self.run(self.store.challenge(challenge.id)) == challenge
        for match in self.model.matches.values():
            assert self.run(self.store.load(match.id)) == match
        for proposal in self.model.proposals.values():
            assert self.run(self.store.proposal(proposal.id)) == proposal
        assert self.run(self.store.unshown()) == self.model.unshown()
