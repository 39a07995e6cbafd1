"""The buttons of a board besides those for a move, the menu behind **More**, and the board as text.

Members who do not play follow a match by a button behind **More**.
"""

from collections.abc import Iterable
from typing import Any

import discord
import structlog
from discord import ui

import render
from bot.app.errors import Refused
from bot.app.matches.exercise import entered
from bot.app.matches.forgotten import OPPONENTS_END_AFTER
from bot.app.matches.loaded import LoadedMatch, Seal, seals
from bot.app.mentions import mention
from bot.ui.components.message_parts import items_below, message, picture_of, seat_token, whole_picture
from bot.ui.components.wording import CHECK, linked_name
from bot.ui.conditional import ConditionalButton
from bot.ui.evaluations import promise
from bot.ui.events.wording import linked_title
from bot.ui.interactions.buttons import ConfirmForm, Form, FormButton, GameKey, IdButton, MatchButton
from bot.ui.interactions.checks import moderates
from bot.ui.interactions.reply import Content, Context, edit, in_place
from bot.ui.lessons import show_lesson
from bot.ui.moves.controls import effects, try_moves
from bot.ui.moves.play import PlayItButton, hint_name, menu_name
from bot.ui.moves.prompts import how_to_write
from bot.ui.posts.outbox import Outbox
from bot.ui.posts.permissions import shows_to
from bot.ui.posts.requests import DISCORD_ERRORS, NotYet
from bot.ui.proposals import DrawButton, TakebackButton, clock_buttons
from bot.ui.replay import SaveButton
from bot.ui.reports import ReportButton, can_be_reported
from db.values.places import DiscordId
from db.values.posts import PostKind
from render import RejectedMove, RejectedMoves
from render.picture import leaves_out
from rules.core.errors import Illegal
from rules.core.game import Seat
from rules.core.notation import joined
from rules.core.prompt import Prompt

NAME = "follow"
"""The name of the private answers about following, by which a newer one replaces an older one."""
END, MOVES, STOP = "end", "moves", "stop"
LABELS = {END: "Its end", MOVES: "Each move and its end", STOP: "Stop following"}


def can_be_followed(loaded: LoadedMatch, user: DiscordId) -> bool:
    """Return True if a member can follow a match that they see."""
    return not loaded.match.over and loaded.stored.place.guild is not None and loaded.seat_of(user) is None


class FollowButton(MatchButton, word="follow", label="Follow…"):
    """Asks what a member wants to be told of a game of others."""

    async def answer(self, context: Context) -> Content:
        loaded, followed = await context.services.followers.check(self.match, context.user, context.place)
        offered = [what for what, moves in ((END, False), (MOVES, True)) if moves is not followed]
        if followed is not None:
            offered.append(STOP)
        text = f"**{loaded.name}**: what should I write to you about?"
        buttons = (FollowingButton(loaded.id, what) for what in offered)
        return Content(text, items_below(*buttons), name=NAME)


class FollowingButton(IdButton, word="following", label=LABELS):
    """Follows the end or the moves of a game, or ends that."""

    match: int
    what: str

    async def check_visible(self, context: Context) -> None:
        """Check nothing for a member who stops: the list of games shows what they follow anywhere."""
        if self.what != STOP:
            await super().check_visible(context)

    async def answer(self, context: Context) -> Content:
        followers, user = context.services.followers, context.user
        if self.what == STOP:
            loaded = await followers.stop(self.match, user)
            return Content(f"You no longer follow {linked_name(loaded)}.", name=NAME)
        await self._check_seen(context)
        loaded = await followers.follow(self.match, user, context.place, moves=self.what == MOVES)
        told = "at its end" if self.what == END else "after its moves, once a minute at most, and at its end"
        text = f"You follow {linked_name(loaded)}: I write to you {told}. `/games` lists the games that you follow."
        return Content(text, name=NAME)

    async def _check_seen(self, context: Context) -> None:
        """Raise Refused in a private thread, and where the member does not see the channel of the game."""
        loaded, _ = await context.services.followers.check(self.match, context.user, context.place)
        guild, member = context.interaction.guild, context.interaction.user
        if (
            guild is None
            or not isinstance(member, discord.Member)
            or not shows_to(guild, member, loaded.stored.place)
        ):
            raise Refused("You can follow games only in channels that you see, and none in a private thread.")


log = structlog.get_logger()

LONGEST = 4000
"""Characters of all texts in a message of components."""
LONGEST_POSITION = 1000
"""Characters that describe any position."""
SHORTEST_POSITION = 40
"""Characters below which a description of the position is left out."""
MOST_LISTED = 25
"""Legal moves that are listed; if there are more, their number is told."""
LONGEST_MOVES = 900
"""Characters for the legal moves with their effects; if these take more, the effects are left out."""


def board_text(loaded: LoadedMatch, observer: Seat | None) -> str:
    """Return the name, the position in words as far as there is room, the prompts, the text board and the seals."""
    observation = loaded.observe(observer)
    prompts = _prompts(loaded, observer)
    board = f"```\n{render.text_board(observation)}\n```"
    room = LONGEST - len(board) - len(prompts) - len(loaded.name) - len("****\n\n\n")
    position = render.alt(observation, min(LONGEST_POSITION, room)) if room >= SHORTEST_POSITION else ""
    return "\n".join(part for part in (f"**{loaded.name}**", position, prompts, board) if part)


def _prompts(loaded: LoadedMatch, observer: Seat | None) -> str:
    """Return a paragraph for each visible prompt of a player on turn; "" at the end."""
    seats = [seat for seat in loaded.match.to_move if seat is not None]
    if loaded.secret:
        seats = [seat for seat in seats if seat == observer]
    prompts = [(seat, loaded.observe(seat).prompt) for seat in seats]
    return "\n".join(_paragraph(loaded, seat, prompt, seat == observer) for seat, prompt in prompts if prompt)


def _paragraph(loaded: LoadedMatch, seat: Seat, prompt: Prompt, own: bool) -> str:
    heading = "Your turn" if own else f"The turn of {mention(loaded.stored.users[seat])}"
    return f"**{heading}.** {prompt.ask} {_moves(loaded, seat, prompt)}"


def _moves(loaded: LoadedMatch, seat: Seat, prompt: Prompt) -> str:
    number = len(prompt.choices)
    if not number:
        return f"Type it with `/move`, for example `{prompt.example}`."
    if number > MOST_LISTED:
        written = how_to_write(prompt)
        return f"{number} moves are legal, for example `{prompt.example}`. {written} `/move` suggests legal moves."
    told = effects(try_moves(loaded.match, seat, prompt.choices))
    moves = [f"`{text}`" for text in prompt.choices]
    described = [f"{move} ({effect})" if effect else move for move, effect in zip(moves, told, strict=True)]
    listed = joined(described, "or")
    return f"Legal moves: {listed if len(listed) <= LONGEST_MOVES else joined(moves, 'or')}."


class ResignButton(MatchButton, word="resign", label="Resign", style=discord.ButtonStyle.secondary):
    """Asks the player to confirm that they resign."""

    async def answer(self, context: Context) -> Content | None:
        loaded, _ = await context.services.matches.playing(self.match, context.user)
        really = items_below(ReallyResignButton(loaded.id))
        return await in_place(context, Content(f"Do you really want to resign {loaded.name}?", really))


class ReallyResignButton(
    MatchButton, word="really-resign", label="Yes, resign", style=discord.ButtonStyle.danger
):
    """Resigns."""

    async def answer(self, context: Context) -> None:
        loaded = await context.services.matches.resign(self.match, context.user)
        await edit(context, content=f"You resigned {loaded.name}.", view=None)
        await context.display.show(self.match)


class EndButton(FormButton, word="end", label="End this game…", style=discord.ButtonStyle.danger):
    """Asks a moderator for the reason to end a game, or to take the result of a finished game back."""

    match: int

    async def form(self, context: Context) -> Form:
        if not moderates(context):
            raise Refused(
                "Only moderators can end games, with the permission Manage Messages or Manage Server."
            )
        return EndForm(await context.services.matches.near(self.match, context.place))


class EndForm(Form):
    """Asks a moderator why a game ends; nobody wins it. The form opens for moderators only."""

    def __init__(self, loaded: LoadedMatch) -> None:
        super().__init__("Take the result back" if loaded.match.over else f"End {loaded.name}")
        self.match = loaded.id
        counts = "The game then counts for nobody." if loaded.match.over else "Nobody wins."
        reason = ui.TextInput[Any](max_length=200, custom_id="reason")
        self.reason = self.ask("Reason", reason, f"{counts} The board will show your reason.")

    async def answer(self, context: Context) -> str:
        loaded = await context.services.matches.break_off(self.match, context.place, self.reason.value)
        log.info("match.ended_by_moderator", match=self.match)
        if loaded.voided:
            await _announce_reverted(context.ui_services.outbox, self.match)
        await context.display.show(self.match)
        did = f"took the result of {loaded.name} back" if loaded.voided else f"ended {loaded.name}"
        ended = f"You {did}; its board shows your reason."
        recomputing = loaded.stored.rated and loaded.match.winners
        if recomputing and await context.services.store.ratings.recomputing():
            return f"{ended} Ratings that depend on its result follow shortly."
        return ended


async def _announce_reverted(outbox: Outbox, match: int) -> None:
    """Announce that a result was reverted, before its board is changed. The outbox retries what fails."""
    for key in ("here", "results"):
        try:
            await outbox.publish(PostKind.VOID, match, key)
        except (Refused, NotYet, *DISCORD_ERRORS) as error:
            log.warning("post.not_published", match=match, kind=PostKind.VOID, error=type(error).__name__)


class EndByOpponentButton(FormButton, word="unanswered", label="End without a result"):
    """Asks a player who has waited for long to confirm that the game ends without a result."""

    match: int

    async def form(self, context: Context) -> Form:
        loaded, _ = await context.services.matches.playing(self.match, context.user)
        text = "The game ends at once without a result: nobody wins, and no rating changes."
        return ConfirmForm(f"End {loaded.name}", text, self._end)

    async def _end(self, context: Context) -> None:
        await context.services.forgotten.end_by_opponent(self.match, context.user)
        log.info("match.ended_by_opponent", match=self.match)
        await context.display.show(self.match)


class OpenButton(FormButton, word="open", label="Go public"):
    """Asks for a confirmation before a private game is shown to everybody in its channel."""

    match: int

    async def form(self, context: Context) -> Form:
        await self._check_playable_here(context)
        text = "Everybody in this channel will see the game from now on."
        return ConfirmForm("Go public", text, self._open)

    async def _check_playable_here(self, context: Context) -> None:
        """Raise Refused if the member does not play this match, or not in this channel."""
        loaded, _ = await context.services.matches.playing(self.match, context.user)
        channel = loaded.stored.place.channel
        if channel != context.place.channel:
            raise Refused(f"Press this button in <#{channel}>, where the game is played.")

    async def _open(self, context: Context) -> None:
        await self._check_playable_here(context)
        await context.ui_services.permission_alerts.check(context.interaction, context.place)
        await context.services.matches.open(self.match)
        # The private board, of which the store knows nothing now, is deleted when the interaction ends.
        await context.display.show(self.match)


class TextBoardButton(MatchButton, word="letters", label="Board as text"):
    """Shows the board as text."""

    async def answer(self, context: Context) -> Content:
        loaded = await context.services.matches.visible(self.match, context.user, context.place)
        return Content("", message(board_text(loaded, loaded.seat_of(context.user))))


class RulesButton(IdButton, word="rules", label="Rules"):
    """Shows how a game is played, and its rules."""

    game: GameKey

    async def answer(self, context: Context) -> Content:
        return await show_lesson(context, self.game)


class WhyNotButton(MatchButton, word="why", label="Why not?"):
    """Marks the moves that look legal but are forbidden, on a private picture of the board."""

    async def answer(self, context: Context) -> Content:
        loaded = await context.services.matches.visible(self.match, context.user, context.place)
        refusals = loaded.match.refusals()
        if not refusals:
            raise Refused(f"Every move that looks legal in {loaded.name} now is legal.")
        moves = RejectedMoves(tuple(RejectedMove(move, refusal.marks) for move, refusal in refusals))
        observation = loaded.observe(loaded.seat_of(context.user))
        picture = await picture_of(loaded, observation, await context.theme(), moves)
        return Content(
            f"**{loaded.name}**: these moves are not allowed now.\n{reasons(refusals)}", None, picture
        )


class WholeBoardButton(MatchButton, word="whole", label="Whole board"):
    """Shows the whole board with everything on it, on a private picture."""

    async def answer(self, context: Context) -> Content:
        loaded = await context.services.matches.visible(self.match, context.user, context.place)
        observation = loaded.observe(loaded.seat_of(context.user))
        if not leaves_out(observation):
            raise Refused(f"The board of {loaded.name} leaves nothing out now.")
        picture = await whole_picture(loaded, observation, await context.theme())
        return Content(f"**{loaded.name}**: the whole board. Open the picture to enlarge it.", None, picture)


def reasons(refusals: tuple[tuple[str, Illegal], ...]) -> str:
    """Return a line for each rule: the sentence about the first move, and the other moves that break the same rule."""
    by_rule: dict[str, list[tuple[str, Illegal]]] = {}
    for move, refusal in refusals:
        by_rule.setdefault(refusal.rule, []).append((move, refusal))
    lines = []
    for (_, first), *others in by_rule.values():
        likewise = f" The same goes for {joined([move for move, _ in others])}." if others else ""
        lines.append(f"- {first}{likewise}")
    return "\n".join(lines)


class ProofButton(MatchButton, word="proof", label="Proof"):
    """Shows the seals of a game in full."""

    async def answer(self, context: Context) -> Content:
        loaded = await context.services.matches.visible(self.match, context.user, context.place)
        sealed = seals(loaded)
        if not sealed:
            raise Refused(f"Nothing is sealed in {loaded.name}.")
        return Content(f"**{loaded.name}**: the seals\n{proof(sealed)}\n\n{CHECK}")


def proof(sealed: Iterable[Seal]) -> str:
    """Return lines with the whole hashes, and with the hashed texts once the moves are opened."""
    return "\n".join(map(_whole, sealed))


def _whole(seal: Seal) -> str:
    line = f"{seat_token(seal.seat)} sealed `{seal.digest}`"
    return line if seal.text is None else f"{line}\nwhich is the SHA-256 of `{seal.text}`"


class HintButton(MatchButton, word="hint", label="Hint"):
    """Shows a good move to the player on turn, with a button that plays it. The board says that they took a hint."""

    async def answer(self, context: Context) -> Content:
        hint = await context.services.hints.take(self.match, context.user)
        await context.display.show(self.match)
        loaded, choice = hint.loaded, hint.choice
        # A hidden move has no place on the board that could be marked.
        advice = None if loaded.secret else render.Advice(choice.move)
        observation = loaded.observe(hint.seat)
        file = await picture_of(loaded, observation, await context.theme(), advice=advice)
        words = promise(choice.value, exact=choice.exact, players=loaded.match.setup.players)
        text = f"**{loaded.name}**: {entered(observation.prompt, choice.move)}. {words}".rstrip()
        button = PlayItButton(loaded.id, loaded.shown, choice.move)
        seen = "The board says" if loaded.stored.private else "The others can see"
        text = f"{text}\n-# {seen} that you took a hint."
        return Content(text, items_below(button), file, name=hint_name(self.match))


class MoreButton(MatchButton, word="more", label="More"):
    """Opens further controls for one member: reading for everybody, and for players what they can do."""

    async def answer(self, context: Context) -> Content:
        user = context.user
        loaded = await context.services.matches.visible(self.match, user, context.place)
        items: list[ui.Item[Any]] = [TextBoardButton(loaded.id), RulesButton(loaded.stored.setup.game)]
        if seals(loaded):
            items.append(ProofButton(loaded.id))
        if loaded.match.refusals():
            items.append(WhyNotButton(loaded.id))
        if leaves_out(loaded.observe(loaded.seat_of(user))):
            items.append(WholeBoardButton(loaded.id))
        if loaded.seat_of(user) in loaded.match.playing and not loaded.match.over:
            items += [DrawButton(loaded.id), TakebackButton(loaded.id)]
            items += [*clock_buttons(loaded, context.services.clock.now()), ResignButton(loaded.id)]
        elif can_be_followed(loaded, user):
            items.append(FollowButton(loaded.id))
        if context.services.conditional_moves.offered(loaded, user):
            items.append(ConditionalButton(loaded.id))
        text = f"**{loaded.name}**: what would you like to do?"
        if context.services.forgotten.can_be_ended_by(loaded, user):
            items.append(EndByOpponentButton(loaded.id))
            text += (
                f"\nNobody has moved for {OPPONENTS_END_AFTER.days} days. **End without a result** ends the game, and"
                " nobody wins."
            )
        if (event := await context.services.store.events.of_match(loaded.id)) is not None:
            text += f"\n-# It belongs to {linked_title(event, user, context.place.guild)}."
        items.append(SaveButton(loaded.id))
        if can_be_reported(context, loaded):
            items.append(ReportButton(loaded.id))
        if moderates(context) and loaded.stored.place.guild == context.place.guild:
            items.append(EndButton(loaded.id, label="Take the result back…" if loaded.match.over else ""))
        return Content(text, items_below(*items), name=menu_name(loaded.id))


def more_row(loaded: LoadedMatch) -> ui.ActionRow[Any]:
    """Return the row with the menu of a match, for a board that one member sees."""
    return ui.ActionRow(MoreButton(loaded.id))
