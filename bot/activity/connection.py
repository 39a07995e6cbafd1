"""A page that is open: it watches one match, and enters what its member does by the services that buttons use."""

import json
import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Awaitable, Mapping
from functools import singledispatchmethod
from types import MappingProxyType
from typing import Any

import structlog
from aiohttp import web
from isal import igzip

from bot.activity import messages
from bot.activity.boards import board, preview, version
from bot.activity.exercises import OpenPuzzle, OpenStep, Shown, open_exercise
from bot.activity.sessions import Session
from bot.activity.watching import Standing, Watching
from bot.app.errors import Refused
from bot.app.matches.exercise import NUMBER
from bot.app.matches.listed import archived, played_by
from bot.app.matches.loaded import IllegalMove, LoadedMatch
from bot.app.searches import NoChoice
from bot.app.services import Services
from bot.app.votes import voting_seat
from bot.ui.components.message_parts import visible_rejection
from bot.ui.evaluations import promise
from bot.ui.interactions.reply import BROKEN, ban_sentence, not_stored
from bot.ui.moves.play import show_vote
from bot.ui.posts.member_names import mentioned_in, without_mentions
from bot.ui.posts.requests import DISCORD_ERRORS
from bot.ui.services import Display, UiServices
from db.values.failures import StoreFailed, watching
from db.values.proposals import Matter
from render.board.annotations.advice import Advice
from rules.core.errors import RuleError
from rules.core.game import Seat
from rules.games import find

log = structlog.get_logger()

BURST, PER_SECOND = 30.0, 5.0
"""Messages that a page may send at once, and how many more each second."""
FAST = "You are faster than I can answer; wait a second."
PACKING = 2
"""The level of isal, 0 to 3."""
VOTED = "You vote for {move}. Until the vote ends you can vote for another move."
UNREAD = "That is no message of this page; load it again."


class Allowance:
    """A token bucket."""

    def __init__(self) -> None:
        self._left, self._at = BURST, time.monotonic()

    def take(self) -> bool:
        """Return True if one more message is allowed now."""
        now = time.monotonic()
        self._left = min(BURST, self._left + (now - self._at) * PER_SECOND)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class Connection:
    """The socket of one page, for one member."""

    def __init__(
        self,
        socket: web.WebSocketResponse,
        session: Session,
        services: Services,
        ui_services: UiServices,
        display: Display,
        watching: Watching,
        *,
        packed: bool,
        refusals: Counter[str],
    ) -> None:
        """Create a connection. `packed` is True if the page can read messages that are compressed by gzip.

        `refusals` counts what is refused, by reason.
        """
        self._refusals = refusals
        self._socket = socket
        self._session = session
        self._services = services
        self._ui_services = ui_services
        self._display = display
        self._watching = watching
        self._allowance, self._previews = Allowance(), Allowance()
        self._open: int | None = None
        self._exercise: OpenStep | OpenPuzzle | None = None
        self._exercised: Shown | None = None
        self._looking = False
        self._sent: object = None
        """The match, and the version of its board, that was sent last."""
        self._packed = packed
        self._theme = ""
        self._drawing = self._drawn = 0
        """The boards that were begun, and the last of them that was sent."""

    async def begin(self, match: int | None) -> None:
        """Send the board of a match if one is named, and the member's games."""
        if match is not None:
            await self.receive(messages.Open(type="open", match=match))
        await self.receive(messages.Games(type="games"))

    async def receive(self, message: messages.Message | messages.Begin | None) -> None:
        """Do what the page asks for. What is refused is answered with the reason, and changes nothing."""
        if isinstance(message, messages.Preview):
            if not self._previews.take():
                self._refusals["rate"] += 1
                return  # it waits for no answer
        elif not self._allowance.take():
            await self._refuse("rate", FAST)
            return
        if message is None or isinstance(message, messages.Begin):
            await self._refuse("message", UNREAD)
            return
        administration = self._services.administration
        of_server = administration.ban_of_server(self._session.place.guild)
        if (ban := administration.ban_of_member(self._session.user) or of_server) is not None:
            await self._refuse("ban", ban_sentence(ban, server=ban is of_server))
            return
        if not self._ui_services.running_answers.admit(self._session.user):
            await self._refuse("rate", FAST)
            return
        self._services.retention.note(self._session.user, self._session.place.guild)
        with watching() as stored:
            try:
                await self._do(message)
            except IllegalMove as refusal:
                await self._refuse_move(refusal)
            except (Refused, RuleError) as refusal:
                await self._refuse("rules", str(refusal))
            except NoChoice:
                await self._refuse("search", "I have found no hint; please try again.")
            except StoreFailed as error:
                await self._refuse("failure", not_stored(error, stored=bool(stored)))
            except ConnectionResetError:
                raise  # the page is gone
            except Exception as error:
                log.error("activity.message_failed", exc_info=error)
                await self._refuse("failure", BROKEN)

    def close(self) -> None:
        """Stop watching."""
        self._watching.leave(self)

    @singledispatchmethod
    async def _do(self, message: messages.Message) -> None:
        raise TypeError(type(message))

    @_do.register
    async def _games(self, message: messages.Games) -> None:
        await self._send_games()

    @_do.register
    async def _open_match(self, message: messages.Open) -> None:
        await self._check(message.match)
        standing = await self._watching.standing(message.match)
        self._theme = await self._services.preferences.theme(self._session.place, self._session.user)
        self._open, self._exercise, self._looking, self._sent = message.match, None, False, None
        self._watching.watch(self, message.match, self._show)
        await self._show(standing)

    @_do.register
    async def _open_exercise(self, message: messages.Exercise) -> None:
        exercise = open_exercise(self._services, self._session.user, self._session.place, message)
        shown = await exercise.go()
        self._theme = await self._services.preferences.theme(self._session.place, self._session.user)
        self._watching.leave(self)
        self._open, self._exercise, self._looking, self._sent = None, exercise, False, None
        await self._send_exercise(shown)

    async def _send_exercise(self, shown: Shown) -> None:
        self._exercised = shown
        await self._send_board(
            shown.loaded,
            looking=not shown.asked,
            rejected=None if shown.refusal is None else visible_rejection(shown.refusal),
            advice=shown.advice,
            more=shown.spelled(),
        )

    @_do.register
    async def _look(self, message: messages.Look) -> None:
        if self._open is None:
            raise Refused("Open a game first.")
        standing = await self._watching.standing(self._open)
        loaded = standing.loaded
        self._looking = message.ply < loaded.shown
        if not self._looking:
            await self._show(standing)
            return
        # The entries that everybody may know of only ever grow.
        ply = bisect_left(range(loaded.plies + 1), message.ply, key=lambda it: loaded.back_to(it).shown)
        earlier, self._sent = loaded.back_to(ply), None
        await self._send_board(earlier, looking=True, last=loaded.shown)

    @_do.register
    async def _play(self, message: messages.Play) -> None:
        if message.match == NUMBER and self._exercise is not None:
            await self._send_exercise(await self._exercise.play(message.move, message.ply))
            return
        await self._check(message.match)
        place = self._session.place
        if await self._services.matches.voted(message.match):
            await self._services.votes.cast(
                message.match, self._session.user, place.guild, message.move, message.ply
            )
            self._looking, self._sent = False, None
            await self._show(await self._watching.standing(message.match))
            await self._published(show_vote(self._display, self._ui_services.outbox, message.match, place))
            return
        if not message.confirmed:
            move = await self._services.matches.to_confirm(
                message.match, self._session.user, message.move, message.ply
            )
            if move is not None:
                await self._send(
                    {"type": "confirm", "match": message.match, "ply": message.ply, "move": move}
                )
                return
        after = await self._services.matches.play(
            message.match, self._session.user, message.move, message.ply
        )
        self._looking = False
        await self._published(self._display.show(message.match, after))

    @_do.register
    async def _preview(self, message: messages.Preview) -> None:
        if message.match == NUMBER and self._exercised is not None:
            loaded, seat = self._exercised.loaded, self._exercised.loaded.seat_of(self._session.user)
        else:
            await self._check(message.match)
            loaded, seat, _ = await self._services.matches.prompt_for(
                message.match, self._session.user, message.ply
            )
        assert seat is not None
        found = await preview(loaded, seat, message.move, message.touched, self._theme)
        if found is not None:
            await self._send(found | {"asked": message.move or message.touched, "ply": message.ply})

    @_do.register
    async def _hint(self, message: messages.Hint) -> None:
        await self._check(message.match)
        hint = await self._services.hints.take(message.match, self._session.user)
        words = promise(hint.choice.value, exact=hint.choice.exact, players=hint.loaded.match.setup.players)
        advice = None if hint.loaded.secret else Advice(hint.choice.move)
        await self._send_board(hint.loaded, advice=advice, said=f"Hint: {hint.choice.move}. {words}".strip())
        await self._published(self._display.show(message.match))

    @_do.register
    async def _resign(self, message: messages.Resign) -> None:
        await self._check(message.match)
        await self._services.matches.resign(message.match, self._session.user)
        await self._published(self._display.show(message.match))

    @_do.register
    async def _propose(self, message: messages.Propose) -> None:
        await self._check(message.match)
        made = await self._services.proposals.propose(
            message.match, self._session.user, Matter(message.matter)
        )
        try:
            await self._services.computer_answers.answer(made)
        except NoChoice:
            log.info("activity.proposal_not_answered", match=message.match)  # it is answered later
        await self._published(self._display.show(message.match))

    @_do.register
    async def _reply(self, message: messages.Reply) -> None:
        proposals, user = self._services.proposals, self._session.user
        await proposals.check_visible(message.proposal, user, self._session.place)
        made = await (proposals.agree if message.agree else proposals.refuse)(message.proposal, user)
        await self._published(self._display.show(made.match))

    async def _check(self, match: int) -> None:
        await self._services.matches.check_visible(match, self._session.user, self._session.place)

    async def _published(self, showing: Awaitable[None]) -> None:
        """Show the board in its channel. If that fails, the outbox shows it later."""
        try:
            await showing
        except (Refused, *DISCORD_ERRORS) as error:
            log.info("activity.display_delayed", error=type(error).__name__)

    async def _show(self, standing: Standing) -> None:
        """Send the board, unless the member looks at an earlier position or nothing of theirs has changed."""
        voter = await self._voter(standing.loaded)
        now = standing.loaded.id, version(standing, self._session.user, voter)
        if self._looking or now == self._sent:
            return
        # At once, since the same change may be told again while this board is drawn.
        self._sent = now
        loaded, proposals = standing.loaded, standing.proposals
        if loaded.seat_of(self._session.user) is not None or voter is not None:
            await self._send_board(loaded, proposals=proposals)
            return
        seen = (now, self._theme, self._packed)
        await self._send_drawn(
            self._watching.shared(loaded.id, seen, self._encoded(loaded, proposals=proposals))
        )

    async def _refuse_move(self, refusal: IllegalMove) -> None:
        self._sent = None
        self._refusals["rules"] += 1
        await self._send_board(refusal.loaded, rejected=visible_rejection(refusal), refused=str(refusal))

    async def _send_board(self, loaded: LoadedMatch, **shown: Any) -> None:
        await self._send_drawn(self._encoded(loaded, **shown))

    async def _send_drawn(self, drawing: Awaitable[str | bytes]) -> None:
        self._drawing += 1
        number = self._drawing
        drawn = await drawing
        # A board that was begun later may have been drawn sooner.
        if number > self._drawn:
            self._drawn = number
            await self._transmit(drawn)

    async def _encoded(
        self,
        loaded: LoadedMatch,
        *,
        said: str = "",
        refused: str = "",
        last: int | None = None,
        more: Mapping[str, Any] = MappingProxyType({}),
        **shown: Any,
    ) -> str | bytes:
        """Return the message that shows a board. It is the same for all spectators with this theme who do not vote."""
        voter = None if shown.get("looking") else await self._voter(loaded)
        if voter is not None and (move := await self._services.votes.vote_of(loaded, self._session.user)):
            said = said or VOTED.format(move=move)
        seen = await board(
            loaded, self._session.user, self._theme, self._ui_services.member_names, voter=voter, **shown
        )
        text = json.dumps(
            seen
            | {"said": said, "refused": refused, "last": loaded.shown if last is None else last}
            | {**more}
        )
        return igzip.compress(text.encode(), PACKING) if self._packed else text

    async def _voter(self, loaded: LoadedMatch) -> Seat | None:
        """Return the seat for which the member votes now, or whose secret moves they were drawn to play, or None."""
        if loaded.secret:
            return await self._services.volunteers.acts_for(loaded, self._session.user)
        return voting_seat(loaded, self._session.place.guild)

    async def _send_games(self) -> None:
        """Send the running games of the member: first those that wait for them.

        Vote games are listed in the servers in which the member has voted.
        """
        user = self._session.user
        mine = await played_by(self._services.store, user)
        old = {it.id for it in archived(mine, user, self._services.clock.now())}
        games = [
            {"match": it.id, "title": it.name, "mine": user in it.waiting_for}
            for it in mine
            if it.id not in old
        ]
        games += [
            {
                "match": it.loaded.id,
                "title": it.loaded.name,
                "mine": it.ends_at is not None and it.move is None,
                "votes": True,
            }
            for it in await self._services.votes.ballots(user)
            if it.loaded.stored.place.near(self._session.place)
        ]
        games.sort(key=lambda it: (not it["mine"], it["match"]))
        puzzle = await self._services.daily_puzzles.puzzle(self._services.daily_puzzles.today)
        progress = (await self._services.lessons.progress(user)).values()
        lessons = [{"name": it.game, "title": find(it.game).sheet.name, "done": it.done} for it in progress]
        daily = None if puzzle is None else puzzle.name
        await self._send({"type": "games", "games": games, "puzzle": daily, "lessons": lessons})

    async def _refuse(self, reason: str, sentence: str) -> None:
        self._refusals[reason] += 1
        names = await self._ui_services.member_names.of(self._session.place.guild, mentioned_in(sentence))
        shown = {user: names[user][0] if names.get(user) else "a player" for user in mentioned_in(sentence)}
        await self._send({"type": "refused", "sentence": without_mentions(sentence, shown)})

    async def _send(self, message: Mapping[str, Any]) -> None:
        await self._transmit(json.dumps(message))

    async def _transmit(self, message: str | bytes) -> None:
        if self._socket.closed:
            return
        if isinstance(message, bytes):
            await self._socket.send_bytes(message)
        else:
            await self._socket.send_str(message)
