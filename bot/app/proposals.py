"""Proposals: draws and takebacks, which need the consent of everybody who still plays."""

import structlog

from bot.app.errors import Refused
from bot.app.matches.matches import Matches, is_visible
from bot.app.matches.table import Table, back_to, target
from bot.app.mentions import mention
from bot.app.system import Clock
from db.store import Store
from db.values.challenges import Answer
from db.values.failures import StoreFailed
from db.values.matches import MovedOn
from db.values.places import DiscordId, Place
from db.values.proposals import Matter, NewProposal, Proposal, ProposalClosed, ProposalExists
from rules.core.game import Seat
from rules.core.match import DRAW, LEAVING

log = structlog.get_logger()


class Proposals:
    """Offers of a draw and requests to take a move back. Methods raise Refused; then nothing was changed.

    A proposal stands until the next move that everybody sees. Players who leave are not asked any more.
    """

    def __init__(self, store: Store, clock: Clock, matches: Matches) -> None:
        self._store = store
        self._clock = clock
        self._matches = matches

    async def propose(self, match: int, user: DiscordId, matter: Matter) -> Proposal:
        """Propose something, and return the proposal as it then stands.

        Offering a draw while another player's offer is open accepts that offer.
        """
        while True:
            table, seat = await self._matches.playing(match, user)
            try:
                return await self._propose(table, seat, matter)
            except MovedOn:
                log.info("proposal.match_changed", match=match)

    async def _propose(self, table: Table, seat: Seat, matter: Matter) -> Proposal:
        """Raises MovedOn."""
        if matter is Matter.TAKEBACK:
            target(table.match, seat)
        await self.close_decided(table.id)
        last = await self._store.proposals.last(table.id, matter, seat)
        if last is not None and last.answer in _NO and not _moved(table, seat, last.shown):
            raise Refused(
                f"You have asked for {NOUN[matter]} since your last move; ask again after your next."
            )
        new = NewProposal(table.id, matter, seat, table.shown, self._clock.now())
        try:
            return await self._store.proposals.add(new, table.plies)
        except ProposalExists as proposed:
            other = proposed.proposal
        if other.seat != seat and matter is Matter.DRAW:
            return await self.agree(other.id, table.stored.users[seat])
        if other.seat != seat:
            asker = table.stored.users[other.seat]
            raise Refused(f"{mention(asker)} has asked for {NOUN[matter]} already; answer that first.")
        raise Refused(f"You have asked for {NOUN[matter]} already; it waits for an answer.")

    async def agree(self, proposal: int, user: DiscordId) -> Proposal:
        """Agree to a proposal for `user`. The last consent carries the proposal out."""
        found, table = await self._open(proposal)
        seat = table.seat_of(user)
        if seat == found.seat:
            names = " and ".join(mention(other) for other in still_to_agree(found, table))
            raise Refused(f"This waits for {names}; you asked for it.")
        if seat is None or seat not in table.match.playing:
            raise Refused(f"Only those who play {table.name} can answer this.")
        await self._matches.move_log.check_time(table.id)
        try:
            await self._store.proposals.agree(proposal, seat, self._clock.now())
            return await self._carry_out(proposal)
        except ProposalClosed as error:
            raise Refused(reason_closed(error.proposal)) from None

    async def refuse(self, proposal: int, user: DiscordId) -> Proposal:
        """Decline a proposal for a player who was asked, or withdraw it for the proposer."""
        found, table = await self._open(proposal)
        seat = table.seat_of(user)
        if seat is None or seat not in table.match.playing:
            raise Refused(f"Only those who play {table.name} can answer this.")
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

    async def on_board(self, table: Table) -> list[Proposal]:
        """Return the proposals that a board shows, oldest first: open ones, and those answered at this position."""
        context = table.stored.context
        if table.match.over or (context is not None and not context.proposals):
            return []
        return await self._store.proposals.made_at(table.id, table.shown)

    async def waiting(self, user: DiscordId) -> list[tuple[Proposal, Table]]:
        """Return the open proposals that wait for the answer of `user`, oldest first, each with its match."""
        found = []
        for proposal in await self._store.proposals.open(user=user):
            try:
                table = await self._matches.table(proposal.match)
            except StoreFailed:
                raise
            except Exception as error:
                # The other proposals are shown. The text of the error may quote a hidden move.
                log.error("match.unreadable", match=proposal.match, error=type(error).__name__)
                continue
            if _fits(proposal, table) and user in still_to_agree(proposal, table):
                found.append((proposal, table))
        return found

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

    async def _open(self, proposal: int) -> tuple[Proposal, Table]:
        await self.close_decided((await self._find(proposal)).match)
        found = await self._find(proposal)
        if found.answer is not Answer.OPEN:
            raise Refused(reason_closed(found))
        return found, await self._matches.table(found.match)

    async def _carry_out(self, proposal: int) -> Proposal:
        """Carry out a proposal if all agree, or close it if the match has changed. Raises ProposalClosed."""
        while True:
            found = await self._find(proposal)
            if found.answer is not Answer.OPEN:
                raise ProposalClosed(found)
            table = await self._matches.table(found.match)
            if not _fits(found, table):
                return await self._store.proposals.close(proposal, Answer.EXPIRED, self._clock.now())
            if still_to_agree(found, table):
                return found
            try:
                await self._do(found, table)
            except MovedOn:
                continue
            return await self._find(proposal)

    async def _do(self, proposal: Proposal, table: Table) -> None:
        """Raises MovedOn or ProposalClosed."""
        match proposal.matter:
            case Matter.DRAW:
                await self._matches.agreed(table, table.match.play(None, DRAW).log[-1], proposal.id)
            case Matter.TAKEBACK:
                entry = back_to(target(table.match, proposal.seat))
                await self._matches.agreed(table, entry, proposal.id)


GONE = "This is gone; see `/games` for what you play."

NOUN = {Matter.DRAW: "a draw", Matter.TAKEBACK: "a takeback"}

_NO = (Answer.DECLINED, Answer.WITHDRAWN, Answer.EXPIRED)


def still_to_agree(proposal: Proposal, table: Table) -> tuple[DiscordId, ...]:
    """Return the members whose consent is still missing."""
    given = (proposal.seat, *proposal.agreed)
    return tuple(table.stored.users[seat] for seat in table.match.playing if seat not in given)


def reason_closed(proposal: Proposal) -> str:
    """Return the reason why a proposal that is not open cannot be answered."""
    match proposal.answer:
        case Answer.ACCEPTED:
            return "This was agreed on already."
        case Answer.DECLINED:
            return "This was declined."
        case Answer.WITHDRAWN:
            return "This was withdrawn."
        case _:
            return "The game has moved on since; this does not stand any more."


def _fits(proposal: Proposal, table: Table) -> bool:
    """Return True if nothing that everybody may know of has happened since the proposal, except that others left."""
    if table.match.over or proposal.seat not in table.match.playing:
        return False
    since = table.since(proposal.shown)
    if proposal.matter is Matter.DRAW:
        return all(seat is not None and text in LEAVING for seat, text in since)
    if since:
        return False
    try:
        target(table.match, proposal.seat)
    except Refused:
        return False
    return True


def _moved(table: Table, seat: Seat, shown: int) -> bool:
    return any(who == seat for who, _ in table.since(shown))
