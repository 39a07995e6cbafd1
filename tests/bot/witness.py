"""Looks at all that is stored after a step, and explains it by what members were told: nothing else may be there."""

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime

from bot.app.clocks import out_of_time
from bot.app.table import Table
from bot.app.takebacks import back
from db.store import SqlStore
from db.values import (
    Answer,
    Challenge,
    DiscordId,
    Matter,
    Outcome,
    Proposal,
    Reply,
    Search,
    SeatClock,
    Standing,
    StoredMatch,
)
from rules.core.match import DRAW, LEAVING, VOID, Match, Ply

GUILDS = (1, 2)
ALL = 10**6


@dataclass(frozen=True)
class World:
    """Everything that players could notice; matches by number."""

    matches: dict[int, StoredMatch]
    challenges: list[Challenge]
    proposals: list[Proposal]


@dataclass
class Witness:
    """Remembers what the host confirmed, and the world as it was when it last looked."""

    seen: dict[int, StoredMatch] = field(default_factory=dict)
    begun: dict[int, Challenge] = field(default_factory=dict)
    """The challenge that each match was made by, as it then stood."""
    confirmed: list[tuple[int, Ply]] = field(default_factory=list)
    """Entries that somebody was told are made, but that were not looked for yet."""
    consents: dict[int, tuple[Proposal, set[DiscordId]]] = field(default_factory=dict)
    """By proposal: who proposed it or said yes to it."""
    forced: set[DiscordId] = field(default_factory=set)
    """Whose only legal move plays itself."""

    def consented(self, proposal: Proposal, user: DiscordId) -> None:
        """`user` proposed this, or said yes to it, and the host did not refuse."""
        self.consents.setdefault(proposal.id, (proposal, set()))[1].add(user)

    async def world(self, store: SqlStore) -> World:
        """All that is stored. A finished match is where members look for it: in the history of its server."""
        running = await store.running()
        pages = [await store.finished(Search(guild), ALL) for guild in GUILDS]
        finished = [match for page in pages for match in page.matches]
        for match in self.begun.keys() - {match.id for match in (*running, *finished)}:
            found = await store.load(match)
            assert found is not None
            assert found.place.guild is None, "a match of a server is neither running nor in its history"
            finished.append(found)
        assert all(match.finished_at is None for match in running)
        assert all(match.finished_at is not None for match in finished)
        matches = {match.id: match for match in (*running, *finished)}
        assert len(matches) == len(running) + len(finished)
        return World(matches, await store.challenges(), await store.open_proposals())

    async def look(self, store: SqlStore, now: datetime) -> None:
        """Raises AssertionError at anything that does not fit."""
        world = await self.world(store)
        assert world.matches.keys() == self.begun.keys()
        for match in world.matches.values():
            self._look_at(match, now)
        assert not self.confirmed, "a move that was confirmed is lost"
        self.seen = world.matches
        for proposal in world.proposals:
            _check_proposal(proposal, Table.of(world.matches[proposal.match]))
        for challenge in world.challenges:
            assert challenge.reply_of(challenge.challenger) is Reply.IN
            assert challenge.users(Reply.ASKED)
            assert challenge.match is None
        for match_id, challenge in self.begun.items():
            assert set(world.matches[match_id].users) == set(challenge.users(Reply.IN))
        for guild in GUILDS:
            assert await store.standings(guild, None, ALL) == _standings(guild, world.matches)

    def _look_at(self, match: StoredMatch, now: datetime) -> None:
        before = self.seen.get(match.id)
        if before is not None and before.finished_at is not None:
            assert match == before, "a finished match has changed"
            return
        table = Table.of(match)
        known = 0 if before is None else len(before.log)
        assert before is None or match.log[:known] == before.log, "what was played has changed"
        for index in range(known, len(match.log)):
            self._explain(before, table.back_to(index), match.log[index], now)
        assert len(match.times) == len(match.salts) == len(match.log)
        _check_result(match, table.match)
        _check_clocks(match, table.match, now)

    def _explain(self, before: StoredMatch | None, then: Table, entry: Ply, now: datetime) -> None:
        """`then` is the match without the entry."""
        match, seat = then.match, entry.seat
        assert not match.over, "something was entered after the end"
        late = () if before is None else out_of_time(before.clocks, now)
        if (then.id, entry) in self.confirmed:
            self.confirmed.remove((then.id, entry))
            told = seat is not None and entry.text in LEAVING and seat in match.playing
            assert told or seat in match.to_move or entry == Ply(None, VOID), "somebody acted out of turn"
        elif entry.text == "timeout":
            assert seat in late, "somebody who had time left lost on time"
        elif entry == Ply(None, DRAW):
            assert late == match.playing or self._agreed(then, Matter.DRAW), "a draw that not all agreed on"
        elif (plies := back(entry)) is not None:
            agreed = self._agreed(then, Matter.TAKEBACK)
            assert any(found.seat == match.log[plies].seat for found in agreed), (
                "a takeback not all agreed on"
            )
            assert not any(ply in match.secrets for ply in range(plies, len(match.log)))
        elif seat is None:
            assert match.to_move == (None,), "chance acted out of turn"
        else:
            assert then.stored.users[seat] in self.forced, "nobody played this"
            assert (match.to_move, match.legal()) == ((seat,), (entry.text,)), "a move that was a choice"

    def _agreed(self, then: Table, matter: Matter) -> list[Proposal]:
        """What all who still play have agreed on, with nobody having moved since."""
        playing = {then.stored.users[seat] for seat in then.match.playing}
        return [
            found
            for found, users in self.consents.values()
            if (found.match, found.matter) == (then.id, matter)
            and playing <= users
            and all(text in LEAVING for _, text in then.since(found.shown))
        ]


def _check_result(stored: StoredMatch, match: Match) -> None:
    winners = match.winners
    assert (stored.finished_at is not None) == (winners is not None), "over, but not finished, or the reverse"
    assert (stored.void is not None) == match.void
    if not winners:
        assert stored.outcomes is None
        return
    won = Outcome.DRAWN if len(winners) > 1 else Outcome.WON
    expected = [won if seat in winners else Outcome.LOST for seat in range(len(stored.users))]
    assert list(stored.outcomes or ()) == expected, "a result that is not the winners'"


def _check_clocks(stored: StoredMatch, match: Match, now: datetime) -> None:
    if stored.pace is None:
        assert not any(stored.clocks)
        return
    assert len(stored.clocks) == len(stored.users)
    for seat, clock in enumerate(stored.clocks):
        _check_clock(clock, seat in match.playing, seat in match.to_move, now)


def _check_clock(clock: SeatClock | None, playing: bool, on_turn: bool, now: datetime) -> None:
    if not playing:
        assert clock is None or clock.deadline is None, "the clock of somebody who has left runs"
        return
    assert clock is not None
    assert (clock.deadline is not None) == on_turn, "a clock runs exactly while its seat is on turn"
    if clock.deadline is not None:
        assert clock.deadline - clock.left <= now, "a clock was started in the future"


def _check_proposal(proposal: Proposal, table: Table) -> None:
    """An open one belongs to a match in which nothing has happened since but that others have left."""
    assert proposal.answer is Answer.OPEN
    assert not table.match.over, "a proposal outlived its match"
    assert proposal.seat in table.match.playing, "a proposal outlived its proposer"
    since = table.since(proposal.shown)
    assert all(text in LEAVING for _, text in since), "a proposal outlived the position it was made in"
    missing = set(table.match.playing) - {proposal.seat, *proposal.agreed}
    assert missing, "what all agree on was not done"


def _standings(guild: int, matches: dict[int, StoredMatch]) -> list[Standing]:
    counts = Counter(
        (user, outcome)
        for match in matches.values()
        if match.place.guild == guild
        for user, outcome in zip(match.users, match.outcomes or (), strict=False)
    )
    users = {user for user, _ in counts}
    rows = [Standing(user, *(counts[user, outcome] for outcome in Outcome)) for user in users]
    return sorted(rows, key=lambda row: (-row.won, -row.drawn, row.lost, row.user))
