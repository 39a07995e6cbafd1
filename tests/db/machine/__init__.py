"""A state machine that runs all queries on the store and on its model."""

from dataclasses import replace

from db.values.posts import PostKind
from tests.db.machine.base import LAST
from tests.db.machine.challenges import Challenges
from tests.db.machine.clocks import Clocks
from tests.db.machine.matches import Matches
from tests.db.machine.posts import Posts
from tests.db.machine.proposals import Proposals


class StoreMachine(Challenges, Matches, Proposals, Clocks, Posts):
    """All rules together. At the end the store and the model are equal."""

    def teardown(self) -> None:
        for challenge in self.model.all_challenges.values():
            assert self.run(self.store.challenges.get(challenge.id)) == challenge
        for match in self.model.matches.values():
            found = self.run(self.store.matches.load(match.id))
            assert found == match
            assert found.post == self.run(self.store.posts.get(PostKind.BOARD, match.id))
        for proposal in self.model.proposals.values():
            assert self.run(self.store.proposals.get(proposal.id)) == proposal
        for (kind, subject, key), post in self.model.posts.items():
            assert replace(self.run(self.store.posts.get(kind, subject, key)), id=0) == post
        self.look_at_posts(LAST, None)
