"""Members who have their data deleted; those who come back are new members."""

from dataclasses import replace

from db.store import Store
from db.values.challenges import Answer, Challenge, Reply
from db.values.places import DiscordId
from rules.core.match import Ply
from tests.app.stateful.base import served
from tests.app.stateful.challenges import ChallengeRules
from tests.app.stateful.oracle import Oracle
from tests.app.stateful.strategies import members
from tests.db.given import challenge_of, match_of


class PrivacyRules(ChallengeRules):
    """Members have their data deleted."""

    @served(user=members)
    def forget(self, user: DiscordId) -> None:
        """Open games end; finished ones stay, and name nobody."""
        tables = [self.shown(match) for match in self.running() if user in self.snapshot.matches[match].users]
        playing = [
            loaded
            for loaded in tables
            if loaded.seat_of(user) in loaded.match.playing and not loaded.match.over
        ]
        resigning = {loaded.id: (loaded.id, Ply(loaded.seat_of(user), "resign")) for loaded in playing}
        late = {loaded.id for loaded in playing if self.late(loaded)}
        self.look()
        open_ones = [
            challenge for challenge in self.snapshot.challenges if challenge.reply_of(user) is not None
        ]
        self.attempt(lambda: self.host.services.privacy.forget(user), may=True)
        seconds = {
            second: Ply(1 - (loaded.seat_of(user) or 0), "resign")
            for loaded in playing
            if (second := self.run(self.host.store.matches.second_game(loaded.id))) is not None
        }
        self.oracle.confirmed += list(seconds.items())
        assert not self.run(self.other.store.privacy.export(user)), "something of them is left"
        self.oracle.confirmed += [entry for match, entry in resigning.items() if match not in late]
        # Where time was over first, and it was another's, the rest have played on, and they have resigned.
        self.oracle.possible |= {resigning[match] for match in late}
        for challenge in open_ones:
            answer = Answer.WITHDRAWN if challenge.challenger == user else Answer.DECLINED
            self.oracle.refusals.add(("challenge", challenge.id, answer))
        self.run(forgotten(self.oracle, self.other.store, user))
        self.choices.blocks = {pair for pair in self.choices.blocks if user not in pair}
        self.choices.away.pop(user, None)
        for match in (*(loaded.id for loaded in playing), *seconds):
            self.shown(match)


async def forgotten(oracle: Oracle, store: Store, user: DiscordId) -> None:
    """The oracle expects a former member in the member's place: a different one in every match and challenge."""
    nobodies: list[int] = []
    for number, challenge in oracle.challenges.items():
        found = await challenge_of(store, number)
        assert found.reply_of(user) is None
        assert found.challenger != user
        joined = challenge.public and challenge.answer is Answer.OPEN and challenge.challenger != user
        if joined:
            others = tuple(it for it in challenge.participants if it.user != user)
            oracle.challenges[number] = replace(challenge, participants=others)
        elif challenge.reply_of(user) is not None:
            nobody = found.users(*Reply)[challenge.users(*Reply).index(user)]
            oracle.challenges[number] = _renamed(challenge, user, nobody)
            nobodies.append(nobody)
    for number, match in oracle.seen.items():
        if user in match.users:
            now = await match_of(store, number)
            seat = match.users.index(user)
            users = (*match.users[:seat], now.users[seat], *match.users[seat + 1 :])
            oracle.seen[number] = replace(match, users=users)
            loaded = oracle.matches[number]
            oracle.matches[number] = replace(loaded, stored=replace(loaded.stored, users=users))
            nobodies.append(now.users[seat])
    assert all(nobody < 0 for nobody in nobodies)
    assert len(set(nobodies)) == len(nobodies), "what one has played can be put together"
    oracle.forced.discard(user)
    oracle.removed = {(challenge, it) for challenge, it in oracle.removed if it != user}


def _renamed(challenge: Challenge, user: DiscordId, nobody: DiscordId) -> Challenge:
    participants = (replace(it, user=nobody) if it.user == user else it for it in challenge.participants)
    challenger = nobody if challenge.challenger == user else challenge.challenger
    return replace(challenge, participants=tuple(participants), challenger=challenger)
