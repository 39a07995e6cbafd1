"""A state machine that runs all queries on the store and on its model."""

from tests.db.machine.challenges import Challenges
from tests.db.machine.clocks import Clocks
from tests.db.machine.matches import Matches
from tests.db.machine.proposals import Proposals


class StoreMachine(Challenges, Matches, Proposals, Clocks):
    """All rules together. At the end the store and the model are equal."""

    def teardown(self) -> None:
        for challenge in self.model.all_challenges.values():
            assert self.run(self.store.challenge(challenge.id)) == challenge
        for match in self.model.matches.values():
            assert self.run(self.store.load(match.id)) == match
        for proposal in self.model.proposals.values():
            assert self.run(self.store.proposal(proposal.id)) == proposal
        assert self.run(self.store.unshown()) == self.model.unshown()
