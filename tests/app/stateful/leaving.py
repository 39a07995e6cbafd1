"""Members who have all deleted that is kept of them; whoever comes back is somebody new."""

from dataclasses import replace

from db.api.challenges import Answer, Challenge, Reply
from db.api.places import DiscordId
from db.store import SqlStore
from rules.core.match import Ply
from tests.app.stateful.asking import Asking
from tests.app.stateful.base import served
from tests.app.stateful.given import members
from tests.app.stateful.witness import Witness


class Leaving(Asking):
    """Members who want to be forgotten."""

    @served(user=members)
    def forget(self, user: DiscordId) -> None:
        """What is open ends; what is over stays, and tells nobody who it was."""
        tables = [self.shown(match) for match in self.running() if user in self.world.matches[match].users]
        playing = [
            table for table in tables if table.seat_of(user) in table.match.playing and not table.match.over
        ]
        resigning = {table.id: (table.id, Ply(table.seat_of(user), "resign")) for table in playing}
        late = {table.id for table in playing if self.late(table)}
        self.look()
        open_ones = [challenge for challenge in self.world.challenges if challenge.reply_of(user) is not None]
        done = self.attempt(lambda: self.host.services.privacy.forget(user), may=True)
        assert sorted(done.matches_left) == sorted(table.id for table in playing)
        assert sorted(done.challenges_left) == sorted(challenge.id for challenge in open_ones)
        assert not self.run(self.other.store.export_member(user)), "something of them is left"
        self.witness.confirmed += [entry for match, entry in resigning.items() if match not in late]
        # Where time was over first, and it was another's, the rest have played on, and they have resigned.
        self.witness.possible |= {resigning[match] for match in late}
        for challenge in open_ones:
            answer = Answer.WITHDRAWN if challenge.challenger == user else Answer.DECLINED
            self.witness.refusals.add(("challenge", challenge.id, answer))
        self.run(forgotten(self.witness, self.other.store, user))
        self.choices.blocks = {pair for pair in self.choices.blocks if user not in pair}
        self.choices.away.pop(user, None)
        for table in playing:
            self.shown(table.id)


async def forgotten(witness: Witness, store: SqlStore, user: DiscordId) -> None:
    """The witness expects nobody in the place of a member: another one in every match and challenge."""
    nobodies: list[int] = []
    for number, challenge in witness.challenges.items():
        found = await store.challenge(number)
        assert found is not None
        assert found.reply_of(user) is None
        assert found.challenger != user
        joined = challenge.public and challenge.answer is Answer.OPEN and challenge.challenger != user
        if joined:
            others = tuple(it for it in challenge.participants if it.user != user)
            witness.challenges[number] = replace(challenge, participants=others)
        elif challenge.reply_of(user) is not None:
            nobody = found.users(*Reply)[challenge.users(*Reply).index(user)]
            witness.challenges[number] = _renamed(challenge, user, nobody)
            nobodies.append(nobody)
    for number, match in witness.seen.items():
        if user in match.users:
            now = await store.load(number)
            assert now is not None
            seat = match.users.index(user)
            users = (*match.users[:seat], now.users[seat], *match.users[seat + 1 :])
            witness.seen[number] = replace(match, users=users)
            table = witness.tables[number]
            witness.tables[number] = replace(table, stored=replace(table.stored, users=users))
            nobodies.append(now.users[seat])
    assert all(nobody < 0 for nobody in nobodies)
    assert len(set(nobodies)) == len(nobodies), "what one has played can be put together"
    witness.forced.discard(user)
    witness.removed = {(challenge, it) for challenge, it in witness.removed if it != user}


def _renamed(challenge: Challenge, user: DiscordId, nobody: DiscordId) -> Challenge:
    participants = (replace(it, user=nobody) if it.user == user else it for it in challenge.participants)
    challenger = nobody if challenge.challenger == user else challenge.challenger
    return replace(challenge, participants=tuple(participants), challenger=challenger)
