"""The background task that sends queued direct messages, one after the other, and the daily message to a member."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import structlog
from discord.utils import format_dt

from bot.app.errors import Refused
from bot.app.matches.forgotten import last_entry
from bot.app.matches.loaded import LoadedMatch
from bot.app.members.digests import Contents
from bot.app.mentions import mention
from bot.app.services import Services
from bot.app.tasks.background import set_within
from bot.ui.challenges.offers import WANTED, WHY_TOLD
from bot.ui.challenges.wording import (
    declined_sentence,
    linked_title,
    resting_sentence,
    standing_line,
    summary,
    wanted_text,
)
from bot.ui.components.message_parts import with_emoji
from bot.ui.components.wording import board_link, linked_name, message_link, result, with_opponents
from bot.ui.events.votes import drawn_sentence
from bot.ui.events.wording import event_link, news_text
from bot.ui.matches.boards import BoardPublisher
from bot.ui.posts.answers import DirectOutcome
from bot.ui.posts.direct_messages import NotDelivered, Reserved, Sent
from bot.ui.posts.member_names import mentioned_in, names_of_opponents, without_mentions
from bot.ui.posts.permissions import sees
from bot.ui.posts.posting import BESIDE
from bot.ui.posts.requests import NotYet, retried_if_temporary
from bot.ui.posts.turn_notices import is_current, news, running_out, waiting_since
from bot.ui.proposals import proposal_sentence
from bot.ui.puzzles.posts import goal
from bot.ui.services import UiServices
from db.values.challenges import Answer, Challenge, Reply
from db.values.events import EventState
from db.values.members import Notice
from db.values.places import DiscordId, Place
from db.values.posts import FOLLOWED_END, RESTS, Companion, Occasion, PostKind, QueuedMessage
from rules.games import find

LONGEST = 2000
"""The most characters of a message."""
FOOT = (
    "-# Once a day, as you chose. `/preferences` changes the hour or ends it; `/games` lists all your games."
)
MORE = "- and more, which `/games` lists"


async def digest(
    services: Services, ui_services: UiServices, user: DiscordId, day: int
) -> tuple[str, Place | None] | None:
    """Return the daily message of a member, and the place of the board that has waited longest, if there is one.

    Return None if there is nothing to tell. `day` is an ordinal number.
    """
    found = await services.digests.contents(user, day)
    if found is None:
        return None
    offers = [it for it in found.offers if await sees(ui_services.clients, user, it.place)]
    lines = [*_games(found, user), *_block("Open games", [_offer(it) for it in offers])]
    puzzle = await services.daily_puzzles.undone(user)
    if puzzle is not None:
        title = with_emoji(puzzle.game, find(puzzle.game).sheet.title)
        lines.append(f"**Puzzle of the day**: {title}. {goal(puzzle)} `/puzzle` shows it.")
    shown = ((it.stored.place.guild, it.stored.panel) for it in found.due)
    place = next((Place(guild, panel.channel) for guild, panel in shown if panel is not None), None)
    return fitted(await _named(services, ui_services, user, lines)), place


async def _named(
    services: Services, ui_services: UiServices, user: DiscordId, texts: Sequence[str]
) -> list[str]:
    """Return texts for a member with the names of opponents from other servers in the place of mentions."""
    opponents = await services.store.events.opponents(None, user, mentioned_in(*texts))
    names = await names_of_opponents(ui_services.member_names, opponents)
    return [without_mentions(it, names) for it in texts]


def _games(found: Contents, user: DiscordId) -> Iterator[str]:
    """Yield the lines about the member's own games."""
    due = []
    for it in found.due:
        line = f"{with_opponents(it, user)} · your turn came {format_dt(it.since(user), 'R')}"
        until = it.until(user)
        due.append(line if until is None else f"{line}, your time ends {format_dt(until, 'R')}")
    yield from _block(f"Your turn ({len(due)})", due)
    asked = [
        f"{linked_title(it)}: {summary(it)}, expires {format_dt(it.expires_at, 'R')}" for it in found.asked
    ]
    asked += [f"{linked_name(loaded)}: {proposal_sentence(it, loaded)}" for it, loaded in found.proposed]
    yield from _block(f"To answer ({len(asked)})", asked)
    yield from _block("Results", [f"{linked_name(it)}: {result(it)}" for it in found.results])
    yield from _block("Your standing offers", [standing_line(it, own=True) for it in found.resting])


def _block(heading: str, lines: Sequence[str]) -> list[str]:
    """Return a list with its heading; nothing if the list is empty."""
    return [f"**{heading}**", *(f"- {line}" for line in lines)] if lines else []


def _offer(offer: Challenge) -> str:
    return f"{linked_title(offer)}: {summary(offer)}" if offer.standing is None else standing_line(offer)


def fitted(lines: Sequence[str]) -> str:
    """Return the lines and the foot, as far as they fit into a message."""
    if len("\n".join([*lines, FOOT])) <= LONGEST:
        return "\n".join([*lines, FOOT])
    left, fitting = LONGEST - len(f"{MORE}\n{FOOT}"), list[str]()
    for line in lines:
        left -= len(line) + 1
        if left < 0:
            break
        fitting.append(line)
    return "\n".join([*fitting, MORE, FOOT])


log = structlog.get_logger()

TASK = "direct messages"
"""The name of the background task, under which failed messages are stored."""
PAGE = 200
"""Messages that one round reads."""
PAUSE = 5.0
"""Seconds between two rounds if no message is queued meanwhile."""


CLOSED = (
    "your direct messages are closed to me, so I cannot send you the daily message. I ping you under your boards again;"
    " `/preferences` changes that."
)


@dataclass(frozen=True, slots=True)
class _Letter:
    """The content of a direct message, and the place where the member is mentioned if it cannot be delivered.

    Without a place they are not told then. With `public` they are mentioned there in any case. `companion` describes a
    message beside a board that is deleted once it is out of date; None for other messages.
    """

    text: str
    place: Place | None
    mark: int = 0
    companion: Companion | None = None
    public: bool = False


class DirectMessageTask:
    """Sends queued direct messages, and drops outdated ones."""

    def __init__(self, services: Services, ui_services: UiServices, boards: BoardPublisher) -> None:
        self._services = services
        self._ui_services = ui_services
        self._store = services.store
        self._clock = services.clock
        self._rounds = services.rounds
        self._turn_notices = ui_services.turn_notices
        self._touched = ui_services.touched_matches
        self._direct_messages = ui_services.direct_messages
        self._queued = ui_services.direct_messages.queued
        self._outbox = boards.outbox

    async def round(self) -> float:
        """Send messages that are due, and wait for others. Return the seconds to wait besides: none."""
        self._queued.clear()
        if await self.send_due() < PAGE:
            await set_within(self._queued, PAUSE)
        return 0.0

    async def send_due(self) -> int:
        """Send a page of messages that are due. Return how many were read."""
        failing = [int(item) for item in await self._rounds.waiting(TASK)]
        queued = await self._store.direct_messages.due(self._clock.now(), PAGE, failing)
        await self._rounds.each(TASK, queued, self._send, key=lambda it: it.id)
        return len(queued)

    async def _send(self, queued: QueuedMessage) -> None:
        """Send a message and delete it from the queue. Raises what Rounds.each expects."""
        letter = await self._letter(queued)
        if letter is not None:
            name = f"direct {queued.id}"
            try:
                with retried_if_temporary():
                    if queued.news.occasion is Occasion.DIGEST:
                        sent = await self._send_digest(queued, letter, name)
                    elif letter.public and letter.place is not None:
                        text = f"{mention(queued.user)}: {letter.text}"
                        sent = await self._turn_notices.mention(letter.place, text, [queued.user], name)
                    else:
                        sent = await self._turn_notices.deliver(
                            queued.user, letter.text, name, letter.place, turn=queued.turn, mark=letter.mark
                        )
            except NotYet as wait:
                until, reserved = self._clock.now() + wait.pause, isinstance(wait, Reserved)
                await self._store.direct_messages.postpone(queued.id, until, reserved=reserved)
                return
            if sent is not None and (one := letter.companion) is not None:
                await self._record(
                    queued, Companion(sent.channel, sent.message, one.seat, one.plies, one.proposal)
                )
        await self._store.direct_messages.forget(queued.id)

    async def _letter(self, queued: QueuedMessage) -> _Letter | None:
        """Return the message as it is now; None if it is out of date."""
        match queued.news.occasion:
            case Occasion.CHALLENGE:
                return await self._of_challenge(queued)
            case Occasion.EVENT:
                return await self._of_event(queued)
            case Occasion.DIGEST:
                found = await digest(self._services, self._ui_services, queued.user, queued.news.subject)
                return None if found is None else _Letter(*found)
            case _:
                return await self._of_match(queued)

    async def _send_digest(self, queued: QueuedMessage, letter: _Letter, once: str) -> Sent | None:
        """Send a daily message; raises as DirectMessages.send, but for a refusal.

        It goes into no channel, since it tells of other servers. A member who has closed their direct messages is
        pinged under their boards again, and told that where a board waits for them.
        """
        try:
            return await self._direct_messages.send(queued.user, letter.text, once, turn=queued.turn)
        except NotDelivered as refusal:
            if refusal.outcome is DirectOutcome.CLOSED:
                await self._services.preferences.choose(queued.user, notice=Notice.PING)
                if letter.place is not None:
                    text = f"{mention(queued.user)}: {CLOSED}"
                    await self._turn_notices.mention(letter.place, text, [queued.user], once)
        return None

    async def _of_challenge(self, queued: QueuedMessage) -> _Letter | None:
        """Return the message about a challenge; None if the member has answered, or the challenge is closed.

        The challenger is told that it was declined or rests, and members who wanted it that somebody looks for
        opponents.
        """
        # The task that posts the card keeps the lock until its message is stored.
        async with self._outbox.lock(PostKind.CARD, queued.news.subject):
            challenge = await self._services.store.challenges.get(queued.news.subject)
            card = await self._store.posts.get(PostKind.CARD, queued.news.subject)
        if challenge is not None and queued.news.number == RESTS:
            return await self._of_resting(challenge)
        if challenge is not None and queued.user == challenge.challenger:
            here = f"Ask somebody else in <#{challenge.place.channel}>, or play the computer with `/play`."
            return _Letter(f"{declined_sentence(challenge)} {here}", challenge.place)
        if challenge is None or card is None or card.message is None or challenge.answer is not Answer.OPEN:
            return None
        link = message_link(challenge.place, card.message)
        if queued.news.number == WANTED:
            if challenge.reply_of(queued.user) is not None:
                return None
            return _Letter(f"{wanted_text(challenge)} {link}\n{WHY_TOLD}", None)
        if challenge.reply_of(queued.user) is not Reply.ASKED:
            return None
        return _Letter(f"{summary(challenge)}. {link}", challenge.place)

    async def _of_resting(self, offer: Challenge) -> _Letter | None:
        """Return the message about a standing offer that rests; None if it is open again, or told otherwise."""
        notice = (await self._services.preferences.member(offer.challenger)).notice
        resting = offer.answer is Answer.OPEN and offer.standing is not None and offer.standing.rests
        if not resting or notice not in (Notice.PING, Notice.DIRECT):
            return None
        link = "" if offer.message is None else message_link(offer.place, offer.message)
        return _Letter(f"{resting_sentence(offer)} {link}", offer.place, public=notice is Notice.PING)

    async def _of_event(self, queued: QueuedMessage) -> _Letter | None:
        """Return the message about a stage that has begun, or a league that can be joined; None if it is out of date.

        It is if the member does not play in the stage any more, or has joined the league already.
        """
        event = await self._store.events.get(queued.news.subject)
        stage = queued.news.number
        if event is None or len(event.stages) != stage:
            return None
        plays = event.entrant(queued.user) is not None
        if event.state is not (EventState.RUNNING if stage else EventState.OPEN) or plays is not bool(stage):
            return None
        place = event.place
        if plays and event.versus is not None and event.versus.place is not None:
            entrant = event.entrant(queued.user)
            place = event.versus.place if entrant is not None and entrant.guest else place
        link = event_link(event, queued.user)
        return _Letter(f"{news_text(event, queued.news.number)} {link}", place)

    async def _of_match(self, queued: QueuedMessage) -> _Letter | None:
        """Return the message about a match; None if it is out of date."""
        async with self._outbox.lock(PostKind.BOARD, queued.news.subject):
            try:
                loaded = await self._services.matches.load(queued.news.subject)
            except Refused:
                return None  # The match was deleted.
        if queued.news.occasion is Occasion.FOLLOWED:
            return await self._of_followed(queued, loaded)
        if loaded.team is not None:
            return await self._of_drawn(queued, loaded)
        board, number = loaded.stored.post, queued.news.number
        seat, occasion = loaded.seat_of(queued.user), queued.news.occasion
        if board is None or seat is None:
            return None
        panel, place = loaded.stored.panel, replace(loaded.stored.place, channel=board.channel)
        link = "" if panel is None else board_link(place, panel)
        mark = BESIDE + board.id
        shared = await self._services.server_matches.guests(loaded)
        if shared is not None and queued.user in shared[1]:
            place = shared[0]
            copy = await self._store.posts.get(PostKind.COPY, loaded.id, str(place.guild))
            link = "" if copy is None or copy.message is None else message_link(place, copy.message)
        if shared is not None and place.guild and await self._store.servers.gone([place.guild]):
            link = f"I am no longer in your server; play here with `/board number:{loaded.id}` and `/move`."
        if loaded.match.over:
            if occasion not in (Occasion.TURN, Occasion.HELD) or number != loaded.plies:
                return None
            return _Letter(f"{news(loaded)} {link}", place, mark)
        proposals = await self._services.proposals.on_board(loaded)
        proposal = next((it for it in proposals if occasion is Occasion.PROPOSAL and it.id == number), None)
        plies = loaded.plies if occasion is Occasion.PROPOSAL else number
        companion = Companion(0, 0, seat, plies, None if proposal is None else proposal.id)
        if not is_current(loaded, companion, proposals) or (
            occasion is Occasion.PROPOSAL and proposal is None
        ):
            return None
        clock = loaded.stored.clocks[seat] if loaded.stored.clocks else None
        if occasion is Occasion.REMINDER:
            if clock is not None and clock.deadline is not None:
                text = running_out(loaded, clock.deadline)
            elif loaded.stored.time_control is None:
                text = waiting_since(loaded, last_entry(loaded), self._clock.now())
            else:
                return None
        elif occasion is Occasion.HELD:
            at = "" if panel is None else f" {board_link(loaded.stored.place, panel)}"
            text = f"{news(loaded)} Use `/board` there to see the board.{at}"
        elif proposal is not None:
            sentence = proposal_sentence(proposal, loaded)
            named = await _named(self._services, self._ui_services, queued.user, [sentence])
            text = f"**{loaded.name}**: {named[0]} {link}"
        else:
            tap = f" · [Tap the board]({self._touched.link(loaded.id)})" if self._touched is not None else ""
            text = f"{news(loaded)} {link}{tap}"
        return _Letter(text, place, mark, companion)

    async def _of_drawn(self, queued: QueuedMessage, loaded: LoadedMatch) -> _Letter | None:
        """Return the message to a volunteer who was drawn for secret moves; None if they do not play them any more."""
        seat = await self._services.volunteers.acts_for(loaded, queued.user)
        game = await self._store.votes.get(loaded.id)
        if seat is None or game is None:
            return None
        (duty,) = (it for it in await self._services.volunteers.duties(loaded, game) if it.seat == seat)
        there = await self._services.volunteers.at_side(loaded, seat)
        return _Letter(drawn_sentence(there, duty), there.stored.place)

    async def _of_followed(self, queued: QueuedMessage, loaded: LoadedMatch) -> _Letter | None:
        """Return the message about a match that a member follows; None if it is out of date, or if they may not see it.

        It tells nothing but that the board shows something new.
        """
        over = queued.news.number == FOLLOWED_END
        follows = over or await self._store.followers.wants_moves(loaded.id, queued.user)
        if loaded.stored.private or over is not loaded.match.over or not follows:
            return None
        if not await sees(self._ui_services.clients, queued.user, loaded.stored.place):
            return None
        if over:
            return _Letter(f"{linked_name(loaded)}, which you followed, is over.", None)
        moved = f"{linked_name(loaded)}, which you follow, has a new move."
        return _Letter(f"{moved} `/games` in its server lets you stop following it.", None)

    async def _record(self, queued: QueuedMessage, one: Companion) -> None:
        """Store a message among the companions of the board. Delete it if it is out of date."""
        match = queued.news.subject
        async with self._outbox.lock(PostKind.BOARD, match):
            board = await self._store.posts.get(PostKind.BOARD, match)
            if board is None:
                return
            loaded = await self._services.matches.load(match)
            proposals = await self._services.proposals.on_board(loaded)
            board = board.beside([one])
            if not is_current(loaded, one, proposals):
                board = await self._outbox.delete_companions(
                    board,
                    loaded.stored.place,
                    lambda it: it.seat is None or is_current(loaded, it, proposals),
                )
            await self._store.posts.keep(board)
