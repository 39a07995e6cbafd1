"""Notifying members of their turn, as they chose in `/preferences`."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime

import discord
import structlog

from bot.app.matches.forgotten import WARN_AFTER, ends_at
from bot.app.matches.loaded import LoadedMatch, back
from bot.app.members.preferences import Preferences
from bot.app.mentions import mention
from bot.app.proposals import still_to_agree
from bot.ui.components.message_parts import message as plain_message
from bot.ui.components.wording import linked_name
from bot.ui.posts.answers import DirectOutcome
from bot.ui.posts.direct_messages import DirectMessages, NotDelivered, Sent
from bot.ui.posts.posting import Posting
from bot.ui.posts.requests import DISCORD_ERRORS, is_temporary
from db.values.challenges import Answer
from db.values.clocks import TimeControl
from db.values.matches import Panel
from db.values.members import Notice, is_person
from db.values.places import DiscordId, Place, former
from db.values.posts import Companion, News, Occasion
from db.values.proposals import Proposal
from rules.core.game import Seat

log = structlog.get_logger()


class TurnNotices:
    """Notifies members once per turn: by a mention under the board, by a direct message, or not at all."""

    def __init__(self, posting: Posting, preferences: Preferences, direct_messages: DirectMessages) -> None:
        self._posting = posting
        self._preferences = preferences
        self._direct_messages = direct_messages

    async def by_notice(
        self,
        users: Iterable[DiscordId],
        loaded: LoadedMatch | None = None,
        time_control: TimeControl | None = None,
    ) -> dict[Notice, list[DiscordId]]:
        """Return the users by their chosen notice; every notice is a key. Computer players are left out.

        The choices are taken from `loaded` if it has them, and `time_control` is that of its match or of a challenge.
        Where a clock has less than a day, a daily message would be too late, so its members count as those to ping.
        """
        time_control = time_control if loaded is None else loaded.stored.time_control
        hurried = time_control is not None and not time_control.lasting
        found: dict[Notice, list[DiscordId]] = {notice: [] for notice in Notice}
        for user in users:
            if not is_person(user):
                continue
            read = None if loaded is None else loaded.chosen_by(user)
            notice = (read or await self._preferences.member(user)).notice
            found[Notice.PING if hurried and notice is Notice.DIGEST else notice].append(user)
        return found

    async def write(self, users: Collection[DiscordId], guild: DiscordId | None, news: News) -> None:
        """Queue a direct message to each of `users`; `guild` is the server of what it is about."""
        await self._direct_messages.queue(users, guild, news)

    async def write_instead(self, loaded: LoadedMatch, users: Iterable[DiscordId]) -> None:
        """Queue direct messages to users who want to be notified, about a board that cannot be shown yet."""
        users_by_notice = await self.by_notice(users, loaded)
        written = (*users_by_notice[Notice.PING], *users_by_notice[Notice.DIRECT])
        await self.write(written, loaded.stored.place.guild, News(Occasion.HELD, loaded.id, loaded.plies))

    async def deliver(
        self,
        user: DiscordId,
        text: str,
        once: str,
        place: Place | None,
        *,
        turn: datetime | None = None,
        mark: int = 0,
    ) -> Sent | None:
        """Send a direct message now, or mention the user at `place`, if given, if Discord does not deliver it.

        Return None if neither is possible. `once` and `mark` are those of `mention`, and `turn` that of
        DirectMessages.send. Raises NotYet, and DISCORD_ERRORS if it may succeed later.
        """
        try:
            return await self._direct_messages.send(user, text, once, turn=turn)
        except NotDelivered as refusal:
            if place is None:
                return None
            closed = refusal.outcome is DirectOutcome.CLOSED
        reason = (
            "Your direct messages are closed to me" if closed else "I could not send you a direct message"
        )
        text = f"{mention(user)}: {text} {reason}, so I mention you here."
        return await self.mention(place, text, [user], f"{once} {user}", mark=mark)

    async def remind(
        self,
        loaded: LoadedMatch,
        seat: Seat,
        sentence: str,
        about: str = "",
        occasion: Occasion = Occasion.REMINDER,
    ) -> list[Companion]:
        """Remind a member by a sentence that a match waits, as they chose. Return the message if it is a mention.

        A direct message says what belongs to its `occasion` instead.

        A second call within minutes with the same `about` sends no second message. While moves are secret, the message
        is a direct one, since the time of a reminder could tell when the last secret move was made. Raises
        DISCORD_ERRORS if it may succeed later.
        """
        user, panel = loaded.stored.users[seat], loaded.stored.panel
        notice = (await self._preferences.member(user)).notice
        if (panel is None and not loaded.stored.private) or notice is Notice.NONE:
            return []
        if notice is Notice.DIGEST and occasion is not Occasion.REMINDER:
            return []  # The daily message lists the match.
        secret = loaded.secret and not loaded.stored.clocks
        open_ = self._posting.at(loaded.stored.place).open
        if panel is None or secret or notice in (Notice.DIRECT, Notice.DIGEST) or not open_:
            news = News(occasion, loaded.id, loaded.plies)
            await self.write([user], loaded.stored.place.guild, news)
            return []
        name = f"reminder{about} {loaded.id} {seat} {loaded.plies} {loaded.stored.started_at}"
        place = Place(loaded.stored.place.guild, panel.channel)
        sent = await self.mention(place, f"{mention(user)} {sentence}", [user], name)
        return [] if sent is None else companions_of(loaded, {user: sent})

    async def mention(
        self,
        place: Place,
        text: str,
        users: Collection[DiscordId],
        once: str | None = None,
        *,
        mark: int = 0,
    ) -> Sent | None:
        """Post a text that mentions users. Return None if Discord refuses it.

        `once` as in PostTarget.send; `mark` as in bot.ui.posts.outbox. Raises DISCORD_ERRORS if it may
        succeed later.
        """
        target = self._posting.at(place)
        if not target.open:
            return None
        view = plain_message(text)
        view.children[0].id = mark or None
        try:
            return Sent(place.channel, await target.send(view=view, notify=users, once=once))
        except DISCORD_ERRORS as error:
            if is_temporary(error):
                raise
            log.warning("mention.refused", channel=place.channel, error=type(error).__name__)
        return None


def message_name(loaded: LoadedMatch) -> str:
    """Return the name of the messages that a board sends to players; see PostTarget.send."""
    return f"call {loaded.id} {loaded.shown} {loaded.stored.started_at}"


def companions_of(
    loaded: LoadedMatch, sent: Mapping[DiscordId, Sent], proposal: int | None = None
) -> list[Companion]:
    """Return the mentions beside a board that are deleted once the player has moved or answered a proposal.

    Notices of the end of a game are kept, so none are returned.
    """
    if loaded.match.over:
        return []
    seats = ((loaded.seat_of(user), one) for user, one in sent.items())
    return [Companion(one.channel, one.message, seat, loaded.plies, proposal) for seat, one in seats]


def running_out(loaded: LoadedMatch, deadline: datetime) -> str:
    """Return the sentence that reminds a player of a deadline."""
    return f"Your time in {linked_name(loaded)} ends {discord.utils.format_dt(deadline, 'R')}."


def waiting_since(loaded: LoadedMatch, since: datetime, now: datetime) -> str:
    """Return the sentence that reminds a player of a match without a clock, and of its end if that is near."""
    began = discord.utils.format_dt(since, "R")
    sentence = f"{linked_name(loaded)} is waiting for your move. Your turn began {began}."
    if now - since < WARN_AFTER:
        return sentence
    end = discord.utils.format_dt(ends_at(since, now), "R")
    return f"{sentence} If you do not move, the game ends without a result {end}."


def news(loaded: LoadedMatch) -> str:
    """Return the sentence by which a direct message tells a player of a board."""
    return f"**{loaded.name}** is over." if loaded.match.over else f"It is your turn in **{loaded.name}**."


def users_to_notify(loaded: LoadedMatch, before: Panel | None, forced: int) -> list[DiscordId]:
    """Return the members whose turn has come since the board before; at the end, those who did not end the game.

    The last `forced` plies were played automatically.
    """
    moved_now = _present(loaded, before)
    if loaded.match.over:
        last = loaded.stored.log[-1 - forced].seat if forced < loaded.plies else None
        others = (loaded.stored.users[seat] for seat in loaded.match.playing if seat != last)
        return [user for user in others if not former(user) and user not in moved_now]
    if before is None:
        # Who plays with computer players alone has just begun the game.
        return list(loaded.waiting_for) if sum(map(is_person, loaded.stored.users)) > 1 else []
    already_waiting = loaded.back_to(before.plies).waiting_for
    since = loaded.stored.log[before.plies :]
    moved = {seat for seat, _ in since}
    return [
        user
        for user in loaded.waiting_for
        if user not in moved_now
        and (
            user not in already_waiting
            or loaded.seat_of(user) in moved
            or any(back(entry) is not None for entry in since)
        )
    ]


def _present(loaded: LoadedMatch, before: Panel | None) -> list[DiscordId]:
    """Return the member who has just moved and was answered at once, by computers or conditional moves, if any."""
    log, start = loaded.stored.log, 0 if before is None else before.plies
    for index in reversed(range(start, len(log))):
        seat = log[index].seat
        if seat is None:
            break
        user = loaded.stored.users[seat]
        if is_person(user) and index not in loaded.stored.conditional:
            return [user] if index < len(log) - 1 else []
    return []


def is_current(loaded: LoadedMatch, one: Companion, proposals: Sequence[Proposal]) -> bool:
    """Return True if a mention is still valid: the player is publicly on turn, or has to answer a proposal."""
    if one.seat is None:
        return False
    if one.proposal is not None:
        open_ = (it for it in proposals if it.id == one.proposal and it.answer is Answer.OPEN)
        return any(loaded.stored.users[one.seat] in still_to_agree(it, loaded) for it in open_)
    if one.seat not in loaded.match.to_move:
        return False
    since = loaded.since(loaded.back_to(one.plies).shown)
    return all(entry.seat != one.seat and back(entry) is None for entry in since)
