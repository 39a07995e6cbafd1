"""Publishing boards: one message per match.

While the message is young and near the end of its channel, each move edits it, and a short message mentions the player
who is next. Otherwise the board is posted again at the end of the channel, with the mention, and the message before is
deleted.
"""

from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import discord
import structlog
from discord import ui

from bot.app.automatic import AutomaticMoves
from bot.app.errors import Refused
from bot.app.matches.loaded import LoadedMatch
from bot.app.mentions import mentions
from bot.app.proposals import still_to_agree
from bot.app.services import Services
from bot.ui.challenges.message import CardPublisher
from bot.ui.components.message_parts import Rows, board_picture
from bot.ui.components.wording import board_link
from bot.ui.events.votes import with_servers
from bot.ui.interactions.reply import place_of
from bot.ui.matches.panel import choice_panel, gains, introduces, panel, secret_choice, shown_by, still_asked
from bot.ui.matches.results import ResultPublisher, VoidPublisher
from bot.ui.matches.threads import Pins, Threads
from bot.ui.moves.controls import parts_on_board
from bot.ui.posts.clients import Clients
from bot.ui.posts.direct_messages import Sent
from bot.ui.posts.member_names import name_strangers, strangers_in, without_mentions
from bot.ui.posts.outbox import READING, ChannelGone, Draft, Outbox, Publisher, rewound
from bot.ui.posts.permissions import missing_permissions, permission_channel
from bot.ui.posts.posting import BESIDE, is_post
from bot.ui.posts.requests import DISCORD_ERRORS, UNKNOWN_CHANNEL
from bot.ui.posts.turn_notices import (
    companions_of,
    is_current,
    message_name,
    users_to_notify,
)
from bot.ui.proposals import proposal_sentence
from bot.ui.services import UiServices
from db.values.challenges import Answer
from db.values.matches import panel_of
from db.values.members import Notice
from db.values.places import DiscordId, Place
from db.values.posts import News, Occasion, Post, PostKind
from db.values.proposals import Proposal

log = structlog.get_logger()

YOUNG = timedelta(hours=1)
"""Age up to which a board is edited. Discord allows three edits of older messages in six seconds per channel."""
UNSEEN = timedelta(minutes=10)
"""The same age where the bot may not read the channel, and so cannot tell if the board is near its end."""
NEAR = 5
"""Largest number of messages below a board that is near the end of its channel."""
CHECKED_FOR = timedelta(seconds=30)
"""Time for which a board that was near the end counts as near, so that quick games rarely read their channel."""
MOMENT = 1.0
"""Seconds for which a board waits for the move of a computer player, so that it shows both moves."""
PATIENCE = 10.0
"""The same time where the bot can only answer a member, and so could not show the answer later."""
REMEMBERED = 1000
"""Boards of which the time of the last check is remembered."""


async def board_of(
    services: Services,
    ui_services: UiServices,
    loaded: LoadedMatch,
    guild: DiscordId | None,
    theme: str,
    proposals: Sequence[Proposal],
    *,
    forced: int = 0,
    suited: int | None = None,
) -> tuple[ui.LayoutView, Callable[[], Awaitable[Sequence[discord.File]]]]:
    """Return the board of a match as it is shown in a server, and the function that draws its picture.

    `forced` and `suited` are as in `panel`.
    """
    poll, names = None, ui_services.member_names
    if loaded.team is not None:
        found = await services.votes.poll(loaded, guild)
        poll = with_servers(found, ui_services.clients, loaded.stored.place.guild)
    view = panel(
        loaded,
        theme,
        live=True,
        forced=forced,
        gains=await gains(services, loaded),
        announced=None if loaded.match.over else services.administration.announcement,
        proposals=proposals,
        suited=suited,
        now=services.clock.now(),
        touch=ui_services.touched_matches is not None,
        poll=poll,
    )
    if loaded.between_servers:
        name_strangers(view, await strangers_in(services, names, loaded, guild))

    async def files() -> Sequence[discord.File]:
        return [await board_picture(loaded, theme, names, parts_on_board(loaded))]

    return view, files


class BoardPublisher(Publisher):
    """Publishes the boards of matches, and notifies their players."""

    kind = PostKind.BOARD

    def __init__(self, outbox: Outbox, clients: Clients, services: Services, ui_services: UiServices) -> None:
        super().__init__(outbox)
        self._clients = clients
        self._services, self._ui_services = services, ui_services
        self._matches = services.matches
        self._clock = services.clock
        self._turn_notices = ui_services.turn_notices
        self._alerts = ui_services.permission_alerts
        self._member_names = ui_services.member_names
        self._touch = ui_services.touched_matches is not None
        self._pins = Pins(clients)
        self.threads = Threads(clients, services, ui_services)
        self.automatic = AutomaticMoves(services, self._show_later)
        self._near: OrderedDict[DiscordId, datetime] = OrderedDict()
        """By message: the time when the board was last found near the end of its channel."""
        self._held: dict[DiscordId, set[int]] = {}
        """By member: the private matches that wait for an interaction of that member."""
        self._written: OrderedDict[int, int] = OrderedDict()
        """By match that cannot be shown now: the number of plies when its players were sent direct messages."""

    async def publish(self, subject: int, key: str = "", *, anew: bool = False) -> None:
        """Publish a board after a failure or a restart, after which moves may be due, too."""
        await self.show(subject, await self._matches.resume(subject), anew=anew)

    async def show(self, match: int, known: LoadedMatch | None = None, *, anew: bool = False) -> None:
        """Make Discord show a match; `known` is the match as it was just stored, which saves reading it.

        With `anew`, the board is posted again at the end of its channel, without notifying anybody. Where the bot can
        only answer, the board waits for the next interaction there, and players to notify get direct messages. Raises
        Refused if the bot may not post there, and DISCORD_ERRORS.
        """
        second = await self._show_one(match, known, anew=anew)
        if second is not None:
            await self._show_one(second)
        stored = self.outbox.store.matches.cached(match)
        if stored is None or stored.context.copied:
            self.outbox.wake()  # Its copy is published, too. A match of another process may have one.

    async def choose(self, loaded: LoadedMatch, text: str, rows: Rows, picture: discord.File) -> None:
        """Show the controls of a move that takes several presses on the private board that is being used."""
        async with self.outbox.lock(PostKind.BOARD, loaded.id):
            post = await self.outbox.store.posts.get(PostKind.BOARD, loaded.id)
            if post is None or post.message is None:
                return
            theme = loaded.server.theme or self._services.preferences.usual_theme
            view = choice_panel(loaded, text, rows, picture, theme, touch=self._touch)
            draft = Draft(loaded.stored.place, view, rewound(picture), post.progress)
            shown = await self.outbox.put(self, post, draft)
            if shown.message != post.message:
                await self.outbox.store.posts.keep(replace(shown, shown=post.shown))

    async def restore(self, match: int) -> None:
        """Show a private board again as it was before the first press of a move."""
        async with self.outbox.lock(PostKind.BOARD, match):
            loaded = await self._matches.load(match)
            post = loaded.stored.post
            if post is not None and post.message is not None:
                await self._show_now(loaded, replace(post, shown=None), None, anew=False)

    async def show_held(self, user: DiscordId) -> None:
        """Show the private matches that waited for an interaction of this member."""
        for match in self._held.pop(user, ()):
            await self._show_later(match)

    async def remove_untracked(self, place: Place, message: discord.Message) -> None:
        """Delete a board that was just used if the store knows another message of its match.

        Such a board was posted after the backup from which the database was restored, or by an interaction that cannot
        change it any more. A private board that is out of date is changed.
        """
        match = shown_by(message) if self.outbox.posting.is_unchanged(message.id) else None
        if match is None:
            return
        post = await self.outbox.store.posts.get(PostKind.BOARD, match[0])
        if post is not None and post.pending and place.viewer is not None:
            await self._show_later(match[0])
            post = await self.outbox.store.posts.get(PostKind.BOARD, match[0])
        if post is None or post.message in (None, message.id):
            return
        async with self.outbox.lock(PostKind.BOARD, match[0]):
            # The board that was used may have just been posted, and was not recorded yet.
            post = await self.outbox.store.posts.get(PostKind.BOARD, match[0])
        if post is None or post.tried_at is not None or post.message in (None, message.id):
            return
        if await self.outbox.store.posts.get(PostKind.COPY, match[0], str(place.guild)) is not None:
            return
        log.info("board.untracked", match=match[0], message=message.id)
        try:
            await self.outbox.posting.at(place).delete(message.id)
        except DISCORD_ERRORS as error:
            log.info("board.not_deleted", message=message.id, error=type(error).__name__)

    async def show_unreached(self, match: int) -> None:
        """Notify the players of a changed match where the bot can only answer, so that no round publishes it."""
        loaded = await self._matches.load(match)
        if not self.outbox.posting.reaches(loaded.stored.place):
            await self._show_later(match)

    async def _show_later(self, match: int) -> None:
        """Show a match that changed without an interaction. After a failure, the outbox publishes it later."""
        try:
            await self.show(match)
        except (Refused, *DISCORD_ERRORS) as error:
            log.warning("board.not_published", match=match, error=type(error).__name__)

    async def _show_one(
        self, match: int, known: LoadedMatch | None = None, *, anew: bool = False
    ) -> int | None:
        """Show a match. Return the second game if this is the first of two and over."""
        if self.automatic.thinks(match):
            place = (await self._matches.newest(match, known)).stored.place
            later = place.viewer is not None or self.outbox.posting.reaches(place)
            await self.automatic.wait(match, MOMENT if later else PATIENCE)
        lock = self.outbox.lock(PostKind.BOARD, match)
        # The task that has the lock may replace the message that `known` names.
        fresh = None if lock.locked() else known
        async with lock:
            loaded = await self._matches.newest(match, fresh)
            if loaded.stored.post is None or not self.outbox.shows(loaded.stored.post):
                return None
            if loaded.stored.post.message is None and not loaded.stored.private:
                loaded = await self.threads.opened(loaded)
            assert loaded.stored.post is not None
            second = await self._second_game(loaded)
            post = loaded.stored.post
            if anew:
                post = await self.outbox.begin_anew(post)
            if post.pending:
                await self._show_now(loaded, post, second, anew=anew)
        return second

    async def _show_now(self, loaded: LoadedMatch, post: Post, second: int | None, *, anew: bool) -> None:
        if not anew and self._unchanged(loaded, post):
            # An edit would reveal that hidden moves were made, or hide what its member is just choosing.
            await self.outbox.store.posts.keep(replace(post, shown=post.version, progress=loaded.plies))
            return
        place = loaded.stored.place
        forced = await self._matches.by_itself(loaded)
        users = [] if anew else await self._users_to_notify(loaded, post, forced, second)
        if not self._can_show(post, place, anew=anew):
            await self._write_instead(loaded, users)
            return
        self._written.pop(loaded.id, None)
        users = users if place.viewer is None else []
        proposals: Sequence[Proposal] = ()
        if loaded.stored.context.proposals:
            proposals = await self._services.proposals.on_board(loaded)
        users_by_notice = await self._turn_notices.by_notice(users, loaded)
        if loaded.between_servers:
            users_by_notice = await self._services.server_matches.notified_in(
                loaded, place.guild, users_by_notice
            )
        pinged, direct = users_by_notice[Notice.PING], users_by_notice[Notice.DIRECT]
        again = anew or await self._belongs_below(loaded, post, pinged)
        # An archived thread stays so if the board changes for another reason, such as a setting.
        reopens = not loaded.match.over and (post.progress < loaded.plies or bool(proposals))
        draft = await self._draft(loaded, proposals, forced, pinged, anew=again, reopens=reopens)
        before, progress, refusal = post.message, post.progress, None
        post = await self.outbox.stray_companions(post, place)
        self.outbox.unfinished.add(post.id)
        post = await self._put(loaded, post, draft)
        if post.message is None:
            await self._write_instead(loaded, [])
        new = [it for it in proposals if it.answer is Answer.OPEN and not it.told]
        try:
            if before == post.message or post.id in self.outbox.unmentioned:
                self.outbox.unmentioned.discard(post.id)
                post = await self._mention_players(loaded, post, pinged)
            if direct:
                await self._turn_notices.write(
                    direct, place.guild, News(Occasion.TURN, loaded.id, loaded.plies)
                )
            if progress < loaded.plies and loaded.stored.context.followers:
                await self._services.followers.tell(loaded)
            progress = post.progress
            post = await self._ask(loaded, post, new)
        except Refused as refused:
            # The board is shown. Players who could not be mentioned are notified once the bot may post there.
            refusal, post = refused, replace(post, shown=None, progress=progress)
        post = await self.outbox.delete_companions(
            post, place, lambda one: is_current(loaded, one, proposals)
        )
        try:
            running = not loaded.match.over and place.viewer is None
            wanted = running and loaded.server.pins
            if wanted != post.pinned:
                post = await self._pins.change(loaded, post, pinned=wanted)
        except DISCORD_ERRORS:
            # Players who were mentioned are not mentioned again when the pin is retried.
            await self.outbox.store.posts.keep(replace(post, shown=None))
            raise
        await self.outbox.store.posts.keep(post)
        self.outbox.unfinished.discard(post.id)
        if refusal is not None:
            raise refusal
        if new:
            await self.outbox.store.proposals.note_told([it.id for it in new])

    def _can_show(self, post: Post, place: Place, *, anew: bool) -> bool:
        """Return True if the board can be posted, or if it is private and its message can be edited."""
        target = self.outbox.posting.at(place)
        edits = place.viewer is not None and post.message is not None and target.edits(post.message)
        return target.open or (edits and not anew)

    async def _put(self, loaded: LoadedMatch, post: Post, draft: Draft) -> Post:
        """Post or edit the board. If its thread was deleted, the match continues in the parent channel."""
        store, place = self.outbox.store, draft.place
        try:
            try:
                return await self.outbox.put(self, post, draft)
            except discord.NotFound as error:
                parent = self._parent(place)
                if error.code != UNKNOWN_CHANNEL or parent is None:
                    raise
            await store.matches.move(loaded.id, parent, None)
            there = replace(draft, place=Place(place.guild, parent), anew=True)
            return await self.outbox.put(self, replace(post, message=None), there)
        except discord.NotFound as error:
            if error.code != UNKNOWN_CHANNEL:
                raise
            await store.posts.keep(self.outbox.given_up(post))
            await store.followers.forget(loaded.id)
        except Refused as refusal:
            raise Refused(f"What you did counts, but {refusal}") from None
        gone = "the channel of this game no longer exists, so I cannot post its board."
        raise ChannelGone(f"What you did counts, but {gone}")

    def _parent(self, place: Place) -> DiscordId | None:
        """Return the channel of a thread if messages can be posted there, which is not so in a forum."""
        if place.guild is None or place.parent is None:
            return None
        found = self._clients.get_channel(place.guild, place.parent)
        return place.parent if isinstance(found, discord.TextChannel) else None

    async def _draft(
        self,
        loaded: LoadedMatch,
        proposals: Sequence[Proposal],
        forced: int,
        notify: Sequence[DiscordId],
        *,
        anew: bool,
        reopens: bool,
    ) -> Draft:
        services = self._services
        theme = loaded.server.theme or services.preferences.usual_theme
        suited = await services.computer_games.suited_score(loaded) if introduces(loaded) else None
        if (secret := secret_choice(loaded)) is not None:
            picture = await secret.picture(theme)
            view = choice_panel(
                loaded,
                secret.question,
                secret.rows,
                picture,
                theme,
                introduced=True,
                suited=suited,
                touch=self._touch,
            )
            return Draft(loaded.stored.place, view, rewound(picture), loaded.plies, anew=anew)
        guild = loaded.stored.place.guild
        view, files = await board_of(
            services, self._ui_services, loaded, guild, theme, proposals, forced=forced, suited=suited
        )
        return Draft(loaded.stored.place, view, files, loaded.plies, notify, anew=anew, reopens=reopens)

    def _unchanged(self, loaded: LoadedMatch, post: Post) -> bool:
        """Return True if moves were made since a board was drawn, and it stays as it is.

        On a public board all of them are hidden; on a private one its member is still asked for the same secret move.
        """
        if post.message is None or post.progress >= loaded.plies:
            return False
        if loaded.stored.place.viewer is None:
            return loaded.only_hidden_since(post)
        return still_asked(loaded.back_to(post.progress), loaded)

    async def _users_to_notify(
        self, loaded: LoadedMatch, post: Post, forced: int, second: int | None
    ) -> list[DiscordId]:
        before = panel_of(post)
        if before is not None and before.plies >= loaded.plies:
            return []
        # Players who begin the second game are notified of the second game only.
        begin = () if second is None else (await self._matches.load(second)).waiting_for
        return [it for it in users_to_notify(loaded, before, forced) if it not in begin]

    async def _belongs_below(self, loaded: LoadedMatch, post: Post, pinged: Sequence[DiscordId]) -> bool:
        """Return whether the board is to be posted at the end of its channel, instead of being edited."""
        place = loaded.stored.place
        if post.message is not None and place.viewer is not None:
            return not self.outbox.posting.at(place).edits(post.message)
        if post.message is None or post.progress == loaded.plies:
            return False
        if not self.outbox.posting.reaches(place) or (loaded.match.over and bool(pinged)):
            return True
        now = self._clock.now()
        age = now - discord.utils.snowflake_time(post.message)
        if age >= YOUNG:
            return True
        checked = self._near.get(post.message)
        if checked is not None and timedelta() <= now - checked < CHECKED_FOR:
            return False
        near = await self._near_end(post, place, age)
        if near:
            self._near[post.message] = now
            if len(self._near) > REMEMBERED:
                self._near.popitem(last=False)
        return not near

    async def _near_end(self, post: Post, place: Place, age: timedelta) -> bool:
        """Return whether few messages stand below a board. Raises DISCORD_ERRORS."""
        assert post.message is not None
        own = {one.message for one in post.companions}
        if self.outbox.posting.newest_message(post.channel) in {post.message, *own}:
            return True
        guild = self._clients.get_guild(place.guild)
        if guild is None or missing_permissions(guild, permission_channel(guild, place)[0], READING):
            return age < UNSEEN
        channel = self._clients.channel(place.guild, post.channel)
        limit = NEAR + len(own) + 1
        try:
            below = [it.id async for it in channel.history(limit=limit, after=discord.Object(post.message))]
        except discord.NotFound as error:
            if error.code != UNKNOWN_CHANNEL:
                raise
            return True  # The thread was deleted; `put` finds out.
        except discord.Forbidden:
            return age < UNSEEN  # The bot was removed from a private thread; `put` finds out.
        return len(set(below) - own) <= NEAR

    async def _mention_players(self, loaded: LoadedMatch, post: Post, users: Sequence[DiscordId]) -> Post:
        """Mention users in one message below a board that was edited. Return the post with this message."""
        text = f"{mentions(users)}, your turn in {self._link(loaded, post)}."
        sent = await self._mention(loaded, post, text, users, message_name(loaded))
        return post.beside(companions_of(loaded, sent))

    async def _mention(
        self, loaded: LoadedMatch, post: Post, text: str, users: Sequence[DiscordId], name: str
    ) -> Mapping[DiscordId, Sent]:
        """Mention users, if there are any, in one message beside a board. Return the message by user.

        Raises Refused if the bot lacks a permission for that.
        """
        if not users:
            return {}
        place = replace(loaded.stored.place, channel=post.channel)
        # The permission may be granted before the refusal is read, and then it is no longer known as missing.
        lacked = self._alerts.missing_at(place, pictures=False)
        once = " ".join(map(str, (name, *users)))
        line = await self._turn_notices.mention(place, text, users, once, mark=BESIDE + post.id)
        if line is None and (lacked or self._alerts.missing_at(place, pictures=False)):
            missing = await self._alerts.report(place, pictures=False)
            raise Refused(f"What you did counts, but I may not post in <#{place.channel}>: {missing}.")
        return {} if line is None else dict.fromkeys(users, line)

    async def _ask(self, loaded: LoadedMatch, post: Post, proposals: Sequence[Proposal]) -> Post:
        """Notify the players who are to answer proposals. Return the post with these messages."""
        for proposal in proposals:
            if any(one.proposal == proposal.id for one in post.companions):
                continue  # The players were notified, which was not recorded.
            users = await self._turn_notices.by_notice(still_to_agree(proposal, loaded), loaded)
            names = await strangers_in(self._services, self._member_names, loaded, loaded.stored.place.guild)
            users[Notice.DIRECT] += [it for it in users[Notice.PING] if it in names]
            users[Notice.PING] = [it for it in users[Notice.PING] if it not in names]
            sentence = without_mentions(proposal_sentence(proposal, loaded), names)
            name = f"proposal {proposal.id} {proposal.made_at}"
            place = replace(loaded.stored.place, channel=post.channel)
            pinged = users[Notice.PING]
            text = f"{mentions(pinged)}: {sentence} Answer on the board of {self._link(loaded, post)}."
            sent = await self._mention(loaded, post, text, pinged, name)
            asking = News(Occasion.PROPOSAL, loaded.id, proposal.id)
            await self._turn_notices.write(users[Notice.DIRECT], place.guild, asking)
            post = post.beside(companions_of(loaded, sent, proposal.id))
        return post

    def _link(self, loaded: LoadedMatch, post: Post) -> str:
        board = panel_of(post)
        assert board is not None
        return f"[{loaded.name}]({board_link(loaded.stored.place, board)})"

    async def _write_instead(self, loaded: LoadedMatch, users: Sequence[DiscordId]) -> None:
        """Notify players by direct messages of a board that waits for the next interaction in its channel."""
        post = loaded.stored.post
        assert post is not None
        if (viewer := loaded.stored.place.viewer) is not None:
            self._held.setdefault(viewer, set()).add(loaded.id)
        if self._written.get(loaded.id) == loaded.plies:
            return
        self._written[loaded.id] = loaded.plies
        if len(self._written) > REMEMBERED:
            self._written.popitem(last=False)
        await self._turn_notices.write_instead(loaded, users)
        post = await self.outbox.delete_companions(
            post, loaded.stored.place, lambda one: one.seat is None or is_current(loaded, one, ())
        )
        await self.outbox.store.posts.keep(post)

    async def _second_game(self, loaded: LoadedMatch) -> int | None:
        """Return the game that followed a match as the second of two, or None."""
        if loaded.stored.games == 1 or loaded.stored.first is not None or not loaded.match.over:
            return None
        return await self.outbox.store.matches.second_game(loaded.id)


class BotDisplay:
    """The implementation of Display (see bot.ui.services)."""

    def __init__(self, clients: Clients, services: Services, ui_services: UiServices) -> None:
        self._services = services
        self._posting = ui_services.posting
        self._outbox = outbox = ui_services.outbox
        self.boards = BoardPublisher(outbox, clients, services, ui_services)
        for publisher in (
            self.boards,
            CardPublisher(outbox, services, ui_services),
            ResultPublisher(outbox, services, ui_services),
            VoidPublisher(outbox, services, ui_services),
        ):
            outbox.add(publisher)

    async def show(self, match: int, known: LoadedMatch | None = None, *, again: bool = False) -> None:
        await self.boards.show(match, known, anew=again)

    async def choose(self, loaded: LoadedMatch, text: str, rows: Rows, picture: discord.File) -> None:
        await self.boards.choose(loaded, text, rows, picture)

    async def restore(self, match: int) -> None:
        await self.boards.restore(match)

    async def invite(self, challenge: int, *, again: bool = False) -> None:
        if again and (found := await self._services.store.challenges.get(challenge)) is not None:
            place = found.place
            if not self._posting.at(place).open or not self._services.ownership.owns(place.guild):
                raise Refused(f"I can post in <#{place.channel}> only when you ask me there.")
        await self._outbox.publish(PostKind.CARD, challenge, anew=again)

    async def deliver(self, interaction: discord.Interaction[Any]) -> None:
        place = place_of(interaction)
        if not self._posting.reaches(place) and self._services.ownership.shows(place.guild):
            await self._outbox.deliver(place)
        message, user = interaction.message, interaction.user.id
        if message is not None and (not message.flags.ephemeral or is_post(message)):
            viewer = user if message.flags.ephemeral else None
            await self.boards.remove_untracked(replace(place, viewer=viewer), message)
        await self.boards.show_held(user)
