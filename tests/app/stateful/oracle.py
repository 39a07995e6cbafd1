"""The oracle: after each step it explains everything stored by what members were told; nothing else is allowed."""

from collections import Counter
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from bot.app.clocks.arithmetic import out_of_time
from bot.app.matches.loaded import LoadedMatch, back
from db.store import Store
from db.values.challenges import Answer, Challenge, Reply
from db.values.matches import StoredMatch, Variation
from db.values.members import is_computer
from db.values.places import DiscordId
from db.values.proposals import Matter, Proposal
from rules.core.match import DRAW, LEAVING, VOID, Match, Ply
from rules.games import find
from tests.app.stateful.checks import (
    check_began,
    check_challenge,
    check_clocks,
    check_closed_challenge,
    check_closed_proposal,
    check_offered_seat,
    check_proposal,
    check_record,
    check_result,
    check_second,
    check_takebacks,
    check_turns,
)
from tests.app.stateful.snapshot import Snapshot, read_snapshot


@dataclass
class Oracle:
    """Remembers what the host confirmed, and the snapshot as it was when it last looked."""

    seen: dict[int, StoredMatch] = field(default_factory=dict)
    matches: dict[int, LoadedMatch] = field(default_factory=dict)
    begun: dict[int, Challenge] = field(default_factory=dict)
    """The challenge that each match was made by, as it then stood."""
    confirmed: list[tuple[int, Ply]] = field(default_factory=list)
    """Entries that somebody was told are made, but that were not looked for yet."""
    possible: set[tuple[int, Ply]] = field(default_factory=set)
    """Entries that the host may have made on the way to what somebody was told is done."""
    consents: dict[int, tuple[Proposal, set[DiscordId]]] = field(default_factory=dict)
    """By proposal: who proposed it or said yes to it."""
    variations: set[Variation] = field(default_factory=set)
    """All that members have entered as conditional moves, as it was stored at some time."""
    forced: set[DiscordId] = field(default_factory=set)
    """The members whose only legal move plays itself."""
    challenges: dict[int, Challenge] = field(default_factory=dict)
    """Every one that was ever made, as it was when last looked at."""
    proposals: dict[int, Proposal] = field(default_factory=dict)
    """Every one that was ever made, as it was when last looked at."""
    refusals: set[tuple[str, int, Answer]] = field(default_factory=set)
    """Challenges and proposals, by number, that a member was told are declined or withdrawn."""
    removed: set[tuple[int, DiscordId]] = field(default_factory=set)
    """Pairs of a challenge and a member who was told that they are removed from it."""
    clock_set_back: bool = False
    """True if somebody has set the wall clock back, after which entries may have earlier times than those before."""
    _rows: dict[str, list[Any]] = field(default_factory=dict)
    _world: Snapshot | None = None
    _over: set[tuple[int, tuple[DiscordId, ...]]] = field(default_factory=set)

    def offered(self, challenge: Challenge) -> None:
        """Somebody was told that this challenge is made."""
        self.challenges.setdefault(challenge.id, challenge)

    def consented(self, proposal: Proposal, user: DiscordId) -> None:
        """`user` proposed this, or said yes to it, and the host did not refuse."""
        self.proposals.setdefault(proposal.id, proposal)
        self.consents.setdefault(proposal.id, (proposal, set()))[1].add(user)

    def taken_back(self, loaded: LoadedMatch, reason: str) -> None:
        """Somebody was told that the result of this match is taken back."""
        assert loaded.stored == replace(self.seen[loaded.id], outcomes=None, void=reason)
        self.seen[loaded.id], self.matches[loaded.id] = loaded.stored, loaded

    async def snapshot(self, store: Store, rows: dict[str, list[Any]]) -> Snapshot:
        """The snapshot, read again only if `rows`, the content of the store, have changed."""
        if self._world is None or rows != self._rows:
            self._world, self._rows = await read_snapshot(store), rows
        return self._world

    async def look(self, store: Store, now: datetime, rows: dict[str, list[Any]]) -> None:
        """Raises AssertionError at anything that does not fit."""
        snapshot = await self.snapshot(store, rows)
        seconds = {match.id: match.first.id for match in snapshot.matches.values() if match.first is not None}
        assert snapshot.matches.keys() == self.begun.keys() | seconds.keys()
        for match in snapshot.matches.values():
            assert match.first is None or match.first == snapshot.matches[match.first.id]
            if _own(match) != _own(self.seen.get(match.id)):
                self._look_at(match, now)
        followed = [
            it.id
            for it in snapshot.matches.values()
            if it.games == 2 and it.first is None and self.matches[it.id].match.winners
        ]
        assert sorted(followed) == sorted(seconds.values()), "a first game of two has not one second"
        assert not self.confirmed, "a move that was confirmed is lost"
        self.possible.clear()
        self.seen = dict(snapshot.matches)
        await self._look_at_challenges(store, snapshot, now)
        await self._look_at_proposals(store, snapshot)
        if (over := _over(snapshot.matches)) != self._over:
            self._over = over

    async def close(self, store: Store) -> None:
        """Everything that was closed has stayed as it was."""
        for challenge in self.challenges.values():
            assert challenge.answer is Answer.OPEN or await store.challenges.get(challenge.id) == challenge
        for proposal in self.proposals.values():
            assert proposal.answer is Answer.OPEN or await store.proposals.get(proposal.id) == proposal

    def _look_at(self, match: StoredMatch, now: datetime) -> None:
        before = self.seen.get(match.id)
        if before is None:
            if match.first is not None:
                check_second(match, match.first)
            else:
                offer = self.begun[match.id]
                check_began(match, offer, self.seen.get(offer.rematch_of or 0))
            start = Match.start(find(match.setup.game), dict(match.setup.options), match.setup.players)
            loaded = LoadedMatch(replace(match, log=(), clocks=()), start)
        else:
            assert before.finished_at is None, "a finished match has changed"
            loaded = self.matches[match.id]
        known = loaded.plies
        assert match.log[:known] == loaded.stored.log, "what was played has changed"
        for index in range(known, len(match.log)):
            if index in match.conditional:
                self._explain_conditional(match, loaded, index)
            else:
                self._explain(before, loaded, match.log[index], now)
            loaded = _after(loaded, match.log[index])
        replayed = LoadedMatch.of(match)
        assert replayed.match == loaded.match, "its record tells of another game"
        assert len(match.times) == len(match.salts) == len(match.log)
        assert self.clock_set_back or list(match.times) == sorted(match.times)
        self.matches[match.id] = replayed
        check_record(replayed)
        check_result(match, replayed.match)
        check_clocks(match, replayed.match, now)
        check_turns(match)
        assert replayed.shown == len(replayed.since(0))

    def _explain(self, before: StoredMatch | None, then: LoadedMatch, entry: Ply, now: datetime) -> None:
        """`then` is the match without the entry."""
        match, seat = then.match, entry.seat
        assert not match.over, "something was entered after the end"
        late = () if before is None else out_of_time(before.clocks, now)
        if (then.id, entry) in (*self.confirmed, *self.possible):
            if (then.id, entry) in self.confirmed:
                self.confirmed.remove((then.id, entry))
            self.possible.discard((then.id, entry))
            told = seat is not None and entry.text in LEAVING and seat in match.playing
            assert told or seat in match.to_move or entry == Ply(None, VOID), "somebody acted out of turn"
        elif entry.text == "timeout":
            assert seat in late, "somebody who had time left lost on time"
        elif entry == Ply(None, DRAW):
            assert late == match.playing or self._agreed(then, Matter.DRAW), "a draw that not all agreed on"
        elif (plies := back(entry)) is not None:
            matter = Matter.SEAT if match.log[plies].text in LEAVING else Matter.TAKEBACK
            agreed = self._agreed(then, matter)
            mine = any(found.seat == match.log[plies].seat for found in agreed)
            assert mine, "a takeback that not all agreed on"
            assert not any(ply in match.secrets for ply in range(plies, len(match.log)))
        elif seat is None:
            assert match.to_move == (None,), "chance acted out of turn"
        else:
            assert then.stored.users[seat] in self.forced, f"nobody played {entry}"
            assert (match.to_move, match.legal()) == ((seat,), (entry.text,)), "a move that was a choice"

    def _explain_conditional(self, match: StoredMatch, then: LoadedMatch, index: int) -> None:
        """`then` is the match without the entry with this index, which a member had entered before."""
        seat = match.log[index].seat
        assert seat is not None
        assert then.match.to_move == (seat,), "a conditional move was played out of turn"
        assert any(
            one.moves[: index + 1 - one.plies] == tuple(text for _, text in match.log[one.plies : index + 1])
            for one in self.variations
            if (one.match, one.user) == (match.id, match.users[seat]) and one.plies < index
        ), "nobody has foreseen this"

    def _agreed(self, then: LoadedMatch, matter: Matter) -> list[Proposal]:
        """The entry that everybody who still plays has agreed on, if nobody has moved since."""
        users_now = then.stored.users
        playing = {users_now[seat] for seat in then.match.playing}
        if matter is Matter.SEAT:
            playing = {user for user in playing if not is_computer(user)}
        return [
            found
            for found, users in self.consents.values()
            if (found.match, found.matter) == (then.id, matter)
            and playing <= users
            and all(
                text in LEAVING
                or (matter is Matter.SEAT and seat is not None and is_computer(users_now[seat]))
                for seat, text in then.since(found.shown)
            )
        ]

    async def _look_at_challenges(self, store: Store, snapshot: Snapshot, now: datetime) -> None:
        """Each is open, or was closed for a reason, and for good."""
        standing = {it.id: it for it in snapshot.challenges}
        assert standing.keys() <= self.challenges.keys()
        rematches = [it.rematch_of for it in self.challenges.values() if it.rematch_of is not None]
        assert len(set(rematches)) == len(rematches), "a match is played again twice"
        for number, before in self.challenges.items():
            if before.answer is not Answer.OPEN:
                assert number not in standing, "a closed challenge is open again"
                continue
            after = standing.get(number) or await store.challenges.get(number)
            assert after is not None
            check_challenge(before, after)
            out = {user for challenge, user in self.removed if challenge == number}
            assert out == set(after.users(Reply.REMOVED)), "somebody who was removed has come back"
            if number not in standing:
                told = ("challenge", number, after.answer) in self.refusals
                check_closed_challenge(after, now, told)
                if after.answer is Answer.ACCEPTED:
                    assert after.match in self.begun, "accepted, but not begun"
                    users = set(snapshot.matches[after.match].users)
                    assert users == set(after.users(Reply.IN)), "it was begun by others than those who play"
            self.challenges[number] = after
        begun_by = sorted(it.match for it in self.challenges.values() if it.match is not None)
        assert begun_by == sorted(self.begun), "a match has not one challenge that it was made by"

    async def _look_at_proposals(self, store: Store, snapshot: Snapshot) -> None:
        """Each is open, or was closed for a reason, and for good."""
        standing = {it.id: it for it in snapshot.proposals}
        for proposal in standing.values():
            if proposal.matter is Matter.SEAT:
                check_offered_seat(proposal, self.matches[proposal.match])
                self.proposals.setdefault(proposal.id, proposal)
        assert standing.keys() <= self.proposals.keys()
        assert len({(it.match, it.matter) for it in standing.values()}) == len(standing), (
            "asked twice at once"
        )
        for number, before in self.proposals.items():
            if before.answer is not Answer.OPEN:
                assert number not in standing, "a closed proposal is open again"
                continue
            after = standing.get(number) or await store.proposals.get(number)
            assert after is not None
            loaded = self.matches[after.match]
            if number in standing:
                check_proposal(after, loaded)
            else:
                told = ("proposal", number, after.answer) in self.refusals
                check_closed_proposal(after, loaded, told)
            self.proposals[number] = after
        accepted = Counter(
            it.match
            for it in self.proposals.values()
            if it.matter in (Matter.TAKEBACK, Matter.SEAT) and it.answer is Answer.ACCEPTED
        )
        for loaded in self.matches.values():
            check_takebacks(loaded, accepted[loaded.id])


def _own(match: StoredMatch | None) -> StoredMatch | None:
    """The match without what it tells of the first game, which changes on its own."""
    return None if match is None else replace(match, first=None)


def _over(matches: dict[int, StoredMatch]) -> set[tuple[int, tuple[DiscordId, ...]]]:
    """The matches that are over, and who played them."""
    return {(match.id, match.users) for match in matches.values() if match.finished_at is not None}


def _after(loaded: LoadedMatch, entry: Ply) -> LoadedMatch:
    """The table after one more entry, which is played on rather than replayed."""
    stored = replace(loaded.stored, log=(*loaded.stored.log, entry))
    return (
        LoadedMatch.of(stored) if back(entry) is not None else LoadedMatch(stored, loaded.match.play(*entry))
    )
