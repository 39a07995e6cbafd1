"""Proposals: draws, takebacks, more time and pauses, which need the consent of everybody who still plays."""

from datetime import datetime, timedelta

import structlog

from bot.app.clocks.arithmetic import extension
from bot.app.errors import Refused
from bot.app.matches.free_seats import is_free, takeover
from bot.app.matches.listed import in_own_server
from bot.app.matches.loaded import LoadedMatch, back_to, target
from bot.app.matches.matches import Matches, is_visible
from bot.app.mentions import mention, mentions
from bot.app.system import Clock
from db.store import Store
from db.values.challenges import Answer
from db.values.failures import StoreFailed
from db.values.matches import MovedOn
from db.values.members import is_computer
from db.values.places import DiscordId, Place
from db.values.proposals import Matter, NewProposal, Proposal, ProposalClosed, ProposalExists
from rules.core.game import Seat
from rules.core.match import DRAW, LEAVING

log = structlog.get_logger()


class Proposals:
    """The service of proposals, and of pauses. Methods raise Refused; then nothing was changed.

    A proposal stands until the next move that everybody sees. Players who leave are not asked any more.
    """

    def __init__(self, store: Store, clock: Clock, matches: Matches) -> None:
        self._store = store
        self._clock = clock
        self._matches = matches

    async def propose(self, match: int, user: DiscordId, matter: Matter) -> Proposal:
        """Propose something, and return the proposal as it then stands.

        Offering a draw or asking for a pause while another player has done so agrees to that.
        """
        while True:
            loaded, seat = await self._matches.playing(match, user)
            try:
                return await self._propose(loaded, seat, matter)
            except MovedOn:
                log.info("proposal.match_changed", match=match)

    async def _propose(self, loaded: LoadedMatch, seat: Seat, matter: Matter) -> Proposal:
        """Store a proposal of a seat. Raises MovedOn."""
        self._check_possible(loaded, seat, matter)
        await self.close_decided(loaded.id)
        last = await self._store.proposals.last(loaded.id, matter, seat)
        if last is not None and last.answer in _NO and not _moved(loaded, seat, last.shown):
            raise Refused(
                f"You have already {PROPOSED[matter]} since your last move; try again after your next one."
            )
        new = NewProposal(loaded.id, matter, seat, loaded.shown, self._clock.now())
        try:
            return await self._store.proposals.add(new, loaded.plies)
        except ProposalExists as proposed:
            other = proposed.proposal
        if other.seat != seat and matter in (Matter.DRAW, Matter.PAUSE):
            return await self.agree(other.id, loaded.stored.users[seat])
        if other.seat != seat:
            asker = loaded.stored.users[other.seat]
            raise Refused(f"{mention(asker)} has already {PROPOSED[matter]}; answer that first.")
        raise Refused(f"You have already {PROPOSED[matter]}; that waits for an answer.")

    def _check_possible(self, loaded: LoadedMatch, seat: Seat, matter: Matter) -> None:
        """Raise Refused if something is impossible even with the consent of all."""
        time_control = loaded.stored.time_control
        if matter is Matter.SEAT:
            raise Refused("A seat is offered to a computer player only when its player leaves.")
        if matter is Matter.TAKEBACK:
            target(loaded.match, seat)
        if matter in (Matter.TIME, Matter.PAUSE) and time_control is None:
            raise Refused(f"{loaded.name} has no clock, so your time does not run out.")
        if (
            matter is Matter.TIME
            and time_control
            and time_control.per_move
            and seat not in loaded.match.to_move
        ):
            raise Refused("Your clock starts again at your next turn; ask for more time then.")
        if matter is Matter.PAUSE and is_paused(loaded, self._clock.now()):
            raise Refused(f"{loaded.name} is paused already.")

    async def end_pause(self, match: int, user: DiscordId) -> None:
        """End the pause of a match for one of its players."""
        loaded, _ = await self._matches.playing(match, user)
        move_log, stored = self._matches.move_log, loaded.stored
        async with move_log.shard_clocks.storing(stored.place.guild, stored.time_control) as now:
            if not await self._store.clocks.end_pause(match, now):
                raise Refused(f"{loaded.name} is not paused.")
        move_log.ticked.set()

    async def agree(self, proposal: int, user: DiscordId) -> Proposal:
        """Agree to a proposal for `user`. The last consent carries the proposal out."""
        found, loaded, seat = await self._open(proposal, user)
        if seat == found.seat:
            names = mentions(still_to_agree(found, loaded))
            raise Refused(f"This waits for {names}, because you asked for it yourself.")
        await self._matches.move_log.check_time(loaded.id)
        agreed = False
        try:
            await self._store.proposals.agree(proposal, seat, self._clock.now())
            agreed = True
            return await self._carry_out(proposal)
        except ProposalClosed as error:
            # The process that shows the board may have carried it out already, with this consent.
            if agreed and error.proposal.answer is Answer.ACCEPTED:
                return error.proposal
            raise Refused(reason_closed(error.proposal)) from None

    async def refuse(self, proposal: int, user: DiscordId) -> Proposal:
        """Decline a proposal for a player who was asked, or withdraw it for the proposer."""
        found, _, seat = await self._open(proposal, user)
        answer = Answer.WITHDRAWN if seat == found.seat else Answer.DECLINED
        try:
            return await self._store.proposals.close(proposal, answer, self._clock.now())
        except ProposalClosed as error:
            raise Refused(reason_closed(error.proposal)) from None

    async def check_visible(self, proposal: int, user: DiscordId, place: Place) -> None:
        """Raise Refused unless `user` may know of the match of a proposal at `place`, as if there was no proposal."""
        found = await self._store.proposals.get(proposal)
        if found is None or not await is_visible(self._store, found.match, user, place):
            raise Refused(GONE)

    async def _find(self, proposal: int) -> Proposal:
        """Return the proposal with this number. Raises Refused if there is none."""
        found = await self._store.proposals.get(proposal)
        if found is None:
            raise Refused(GONE)
        return found

    async def on_board(self, loaded: LoadedMatch) -> list[Proposal]:
        """Return the proposals that a board shows, oldest first: open ones, and those answered at this position.

        Players may agree on more time any number of times, so of the answered ones only the newest of each seat and
        matter is shown.
        """
        if loaded.match.over or not loaded.stored.context.proposals:
            return []
        made = await self._store.proposals.made_at(loaded.id, loaded.shown)
        newest = {(it.seat, it.matter): it.id for it in made if it.answer is not Answer.OPEN}
        return [it for it in made if it.answer is Answer.OPEN or it.id in newest.values()]

    async def waiting(self, user: DiscordId) -> list[tuple[Proposal, LoadedMatch]]:
        """Return the open proposals that wait for the answer of `user`, oldest first, each with its match."""
        found = []
        for proposal in await self._store.proposals.open(user=user):
            try:
                loaded = await self._matches.load(proposal.match)
            except StoreFailed:
                raise
            except Exception as error:
                # The other proposals are shown. The text of the error may quote a hidden move.
                log.error("match.unreadable", match=proposal.match, error=type(error).__name__)
                continue
            if _fits(proposal, loaded) and user in still_to_agree(proposal, loaded):
                found.append((proposal, loaded))
        seen = await in_own_server(self._store, user, [loaded for _, loaded in found])
        return [(proposal, loaded) for (proposal, _), loaded in zip(found, seen, strict=True)]

    async def close_decided(self, match: int) -> list[Proposal]:
        """Close proposals that the match has moved past, carry out those that all agree on; return the closed ones."""
        closed = []
        for found in await self._store.proposals.open(match):
            try:
                now = await self._carry_out(found.id)
            except (ProposalClosed, Refused):
                # It was answered just now, or the time of a player is over, which ends the match.
                continue
            if now.answer is not Answer.OPEN:
                closed.append(now)
        return closed

    async def _open(self, proposal: int, user: DiscordId) -> tuple[Proposal, LoadedMatch, Seat]:
        """Return an open proposal, its match, and the seat of a member who plays it. Raises Refused."""
        await self.close_decided((await self._find(proposal)).match)
        found = await self._find(proposal)
        if found.answer is not Answer.OPEN:
            raise Refused(reason_closed(found))
        loaded = await self._matches.load(found.match)
        seat = loaded.seat_of(user)
        if seat is None or seat not in loaded.match.playing:
            raise Refused(f"Only those who play {loaded.name} can answer this.")
        return found, loaded, seat

    async def _carry_out(self, proposal: int) -> Proposal:
        """Carry out a proposal if all agree, or close it if the match has changed. Raises ProposalClosed."""
        while True:
            found = await self._find(proposal)
            if found.answer is not Answer.OPEN:
                raise ProposalClosed(found)
            loaded = await self._matches.load(found.match)
            if not _fits(found, loaded):
                return await self._store.proposals.close(proposal, Answer.EXPIRED, self._clock.now())
            if still_to_agree(found, loaded):
                return found
            try:
                await self._do(found, loaded)
            except MovedOn:
                continue
            return await self._find(proposal)

    async def _do(self, proposal: Proposal, loaded: LoadedMatch) -> None:
        """Carry out an agreed proposal. Raises MovedOn or ProposalClosed."""
        match proposal.matter:
            case Matter.DRAW:
                await self._matches.agreed(loaded, loaded.match.play(None, DRAW).log[-1], proposal.id)
            case Matter.TAKEBACK:
                entry = back_to(target(loaded.match, proposal.seat))
                await self._matches.agreed(loaded, entry, proposal.id)
            case Matter.SEAT:
                entry, change = takeover(proposal, loaded)
                await self._store.members.change(change.computer, computer=True)
                await self._matches.agreed(loaded, entry, proposal.id, change)
            case _:
                await self._change_clocks(proposal, loaded)

    async def _change_clocks(self, proposal: Proposal, loaded: LoadedMatch) -> None:
        """Give more time or pause a match. Raises MovedOn, ProposalClosed, and TimeIsOver where time has decided it."""
        move_log, time_control = self._matches.move_log, loaded.stored.time_control
        assert time_control is not None
        await move_log.check_time(loaded.id)
        async with move_log.shard_clocks.storing(loaded.stored.place.guild, time_control) as now:
            if proposal.matter is Matter.TIME:
                more = extension(time_control)
                await self._store.clocks.carry_out(proposal, loaded.plies, now, more=more)
            else:
                await self._store.clocks.carry_out(proposal, loaded.plies, now, until=now + LONGEST_PAUSE)
        move_log.ticked.set()


LONGEST_PAUSE = timedelta(days=14)
"""The time after which a pause ends by itself."""

GONE = "This offer no longer exists; `/games` lists your games."

PROPOSED = {
    Matter.DRAW: "offered a draw",
    Matter.TAKEBACK: "asked for a takeback",
    Matter.TIME: "asked for more time",
    Matter.PAUSE: "asked for a pause",
}
"""The deeds of players who propose, as predicates."""

_NO = (Answer.DECLINED, Answer.WITHDRAWN, Answer.EXPIRED)


def is_paused(loaded: LoadedMatch, now: datetime) -> bool:
    """Return True if a match goes on, but its clocks stand still because all players have agreed on that."""
    until = loaded.stored.paused_until
    return not loaded.match.over and until is not None and until > now


def still_to_agree(proposal: Proposal, loaded: LoadedMatch) -> tuple[DiscordId, ...]:
    """Return the members whose consent is still missing."""
    given, users = (proposal.seat, *proposal.agreed), loaded.stored.users
    asked = [users[seat] for seat in loaded.match.playing if seat not in given]
    # Computer players are not asked if another one may join them.
    return tuple(it for it in asked if proposal.matter is not Matter.SEAT or not is_computer(it))


def reason_closed(proposal: Proposal) -> str:
    """Return the reason why a proposal that is not open cannot be answered."""
    match proposal.answer:
        case Answer.ACCEPTED:
            return "This has been agreed to already."
        case Answer.DECLINED:
            return "This was declined."
        case Answer.WITHDRAWN:
            return "This was withdrawn."
        case _:
            return "The game has moved on, so this no longer applies."


def _fits(proposal: Proposal, loaded: LoadedMatch) -> bool:
    """Return True if nothing that everybody may know of has happened since the proposal, except that others left."""
    if proposal.matter is Matter.SEAT:
        return is_free(proposal, loaded)
    if loaded.match.over or proposal.seat not in loaded.match.playing:
        return False
    since = loaded.since(proposal.shown)
    if proposal.matter is Matter.DRAW:
        return all(seat is not None and text in LEAVING for seat, text in since)
    if since or proposal.matter is not Matter.TAKEBACK:
        return not since
    try:
        target(loaded.match, proposal.seat)
    except Refused:
        return False
    return True


def _moved(loaded: LoadedMatch, seat: Seat, shown: int) -> bool:
    return any(who == seat for who, _ in loaded.since(shown))
