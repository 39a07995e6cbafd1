"""Conditions that everything stored must meet at any time."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from bot.app.conditional import after_moves
from bot.app.errors import Refused
from bot.app.matches.loaded import LoadedMatch, back
from bot.app.matches.move_log import turns_of
from bot.app.replay import exported
from db.values.challenges import Answer, Challenge, Order, Reply
from db.values.clocks import SeatClock
from db.values.matches import Outcome, StoredMatch, Variation
from db.values.members import is_computer
from db.values.places import former
from db.values.proposals import Matter, Proposal
from rules.core.match import LEAVING, Match
from rules.core.record import read_match


def check_began(match: StoredMatch, offer: Challenge, played: StoredMatch | None) -> None:
    """The match is the one they agreed to; `played` is the match of which it is a rematch."""
    assert match.setup == offer.terms.setup(len(match.users))
    assert offer.terms.fewest <= len(match.users) <= offer.terms.most
    assert (match.time_control, match.place.guild) == (offer.terms.time_control, offer.place.guild)
    assert (match.games, match.first) == (offer.terms.games, None)
    users = offer.users(Reply.IN)
    assert sorted(match.users) == sorted(users), "those who play are not those who are in"
    match offer.terms.order:
        case Order.FIRST:
            assert match.users[0] == offer.challenger
        case Order.LAST:
            assert match.users[-1] == offer.challenger
        case Order.LISTED:
            assert match.users == users
    if played is not None:
        assert match.users == (*played.users[1:], played.users[0]), "not everybody is one seat further"


def check_second(match: StoredMatch, first: StoredMatch) -> None:
    """The second game of two began when the first ended, on the same terms, with swapped seats."""
    assert match.games == first.games == 2
    assert first.first is None
    assert (match.setup, match.time_control, match.rated) == (first.setup, first.time_control, first.rated)
    assert match.place.guild == first.place.guild
    assert match.started_at == first.finished_at
    for user, before in zip(match.users, reversed(first.users), strict=True):
        assert user == before or (former(user) and former(before)), "the seats are not swapped"


def check_record(loaded: LoadedMatch) -> None:
    """The exported record that everybody may have leads to this match."""
    try:
        fields = exported(loaded)
    except Refused:
        assert loaded.secret or loaded.match.secrets
        return
    assert read_match(loaded.match.game, fields) == loaded.match


def check_turns(stored: StoredMatch) -> None:
    """The stored turns are those of the log."""
    if stored.finished_at is None and stored.log:
        assert stored.turns == turns_of(LoadedMatch.of(replace(stored, turns=None)))


def check_result(stored: StoredMatch, match: Match) -> None:
    winners = match.winners
    assert (stored.finished_at is not None) == (winners is not None), "over, but not finished, or the reverse"
    assert (stored.void is not None) == match.void
    if not winners:
        assert stored.outcomes is None
        return
    won = Outcome.DRAWN if len(winners) > 1 else Outcome.WON
    expected = [won if seat in winners else Outcome.LOST for seat in range(len(stored.users))]
    assert list(stored.outcomes or ()) == expected, "a result that is not the winners'"


def check_clocks(stored: StoredMatch, match: Match, now: datetime) -> None:
    if stored.time_control is None:
        assert not any(stored.clocks)
        return
    assert len(stored.clocks) == len(stored.users)
    for seat, clock in enumerate(stored.clocks):
        if is_computer(stored.users[seat]):
            assert clock is None, "a computer player has a clock"
            continue
        still = stored.stopped_until(seat) or now
        _check_clock(clock, seat in match.playing, seat in match.to_move, max(now, still))


def _check_clock(clock: SeatClock | None, playing: bool, on_turn: bool, latest: datetime) -> None:
    """`latest` is the time at which the clock may start to run: now, or the end of an absence or a pause."""
    if not playing:
        assert clock is None or clock.deadline is None, "the clock of somebody who has left runs"
        return
    assert clock is not None
    assert (clock.deadline is not None) == on_turn, "a clock runs exactly while its seat is on turn"
    if clock.deadline is not None:
        assert clock.deadline - clock.left <= latest, "a clock stands still for no reason"


def check_challenge(before: Challenge, after: Challenge) -> None:
    """Check how a challenge that was open may have changed."""
    for name in ("terms", "place", "challenger", "public", "made_at", "rematch_of"):
        assert getattr(after, name) == getattr(before, name)
    assert before.standing is None or after.standing is not None, "an offer stands no more, but is open"
    assert after.expires_at == before.expires_at or after.standing is not None
    assert after.reply_of(after.challenger) is Reply.IN
    users = after.users(*Reply)
    assert len(set(users)) == len(users), "somebody is in it twice"
    assert len(after.users(Reply.IN)) <= after.terms.most, "more than may play"
    if after.public:
        assert not after.users(Reply.ASKED, Reply.DECLINED)
    else:
        assert users == before.users(*Reply), "somebody has come or gone whom nobody asked"
        assert not after.users(Reply.REMOVED)
    if after.answer is Answer.OPEN:
        full = (
            len(after.users(Reply.IN)) == after.terms.most if after.public else not after.users(Reply.ASKED)
        )
        assert not full, "all are in, and it has not begun"
        assert after.match is None


def check_closed_challenge(after: Challenge, now: datetime, told: bool) -> None:
    """Check why it is not open any more; `told` says if a member was told that they closed it so."""
    match after.answer:
        case Answer.ACCEPTED:
            assert after.terms.fewest <= len(after.users(Reply.IN))
            assert after.public or not after.users(Reply.ASKED, Reply.DECLINED)
        case Answer.DECLINED:
            assert told
            assert len(after.users(Reply.DECLINED)) == 1
        case Answer.WITHDRAWN:
            assert told
            assert not after.users(Reply.DECLINED)
        case _:
            assert after.answer is Answer.EXPIRED, "it is lost"
            assert after.expires_at <= now, "it had time left"
    assert (after.match is not None) == (after.answer is Answer.ACCEPTED)
    assert after.standing is None or after.answer is not Answer.ACCEPTED, "an offer ended with a game"


def check_proposal(proposal: Proposal, loaded: LoadedMatch) -> None:
    """An open one belongs to a match in which nothing has happened since but that others have left."""
    assert proposal.answer is Answer.OPEN
    assert not loaded.match.over, "a proposal outlived its match"
    if proposal.matter is Matter.SEAT:
        check_offered_seat(proposal, loaded)
        return
    assert proposal.seat in loaded.match.playing, "a proposal outlived its proposer"
    since = loaded.since(proposal.shown)
    assert all(text in LEAVING for _, text in since), "a proposal outlived the position it was made in"
    missing = set(loaded.match.playing) - {proposal.seat, *proposal.agreed}
    assert missing, "what all agree on was not done"


def check_offered_seat(proposal: Proposal, loaded: LoadedMatch) -> None:
    """A seat that is offered is free, and no member has moved since it became so."""
    users, log = loaded.stored.users, loaded.stored.log
    who, text = log[proposal.shown - 1]
    assert who == proposal.seat, "a seat is offered that nobody has left"
    assert text in LEAVING, "a seat is offered that nobody has left"
    assert proposal.seat not in loaded.match.playing, "a seat is offered that is not free"
    since = (seat for seat, _ in log[proposal.shown :])
    assert all(seat is not None and is_computer(users[seat]) for seat in since), "an offer outlived a move"
    asked = {seat for seat in loaded.match.playing if not is_computer(users[seat])}
    assert asked - {*proposal.agreed}, "what all agree on was not done"


def check_closed_proposal(proposal: Proposal, loaded: LoadedMatch, told: bool) -> None:
    """Check why it is not open any more; `told` says if a member was told that they closed it so."""
    match proposal.answer:
        case Answer.ACCEPTED:
            assert loaded.match.agreed or proposal.matter is not Matter.DRAW, "accepted, and not done"
            taken = proposal.matter is not Matter.SEAT or loaded.stored.leavers[proposal.seat] is not None
            assert taken, "accepted, and not done"
        case Answer.DECLINED | Answer.WITHDRAWN:
            assert told, "nobody has said no"
        case _:
            assert proposal.answer is Answer.EXPIRED, "it is lost"
            assert loaded.since(proposal.shown) or loaded.match.over, (
                "it expired with nothing having happened"
            )


def check_variations(loaded: LoadedMatch, variations: Sequence[Variation], *, late: bool) -> None:
    """Those of a match follow from its position, and wait for another player; nothing waits if time has decided it."""
    assert not (loaded.match.over and variations), "conditional moves outlived their match"
    for one in [] if late else variations:
        assert one.plies == loaded.plies, "conditional moves were not compared with the log"
        assert loaded.seat_of(one.user) in loaded.match.playing
        assert one.user not in loaded.waiting_for, "an answer was not played"
        after_moves(loaded, one.moves)


def check_takebacks(loaded: LoadedMatch, accepted: int) -> None:
    """Every accepted takeback is done, and nothing else was taken back."""
    done = sum(back(entry) is not None for entry in loaded.stored.log)
    assert done == accepted, f"{accepted} takebacks were agreed on, {done} are done"
