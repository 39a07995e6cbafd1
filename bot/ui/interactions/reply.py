"""The one way to answer an interaction: acknowledge or wait, run, show what has changed, and answer the member.

Only the member who acted sees a refusal.
"""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar, cast

import discord
import structlog
from discord import app_commands
from discord.utils import format_dt

from bot.app.errors import Refused
from bot.app.matches.loaded import IllegalMove
from bot.app.services import Services
from bot.app.tasks.background import begin_request
from bot.ui.components.message_parts import Part, card, gallery, message, rejection_picture
from bot.ui.posts.answers import FirstAnswer, Outcome, SentAnswer
from bot.ui.posts.member_names import mentioned_in, names_of_opponents, texts_of, without_mentions
from bot.ui.posts.posting import ANSWERED_BY_POST, is_post
from bot.ui.posts.requests import DISCORD_ERRORS, UNKNOWN_MESSAGE
from bot.ui.services import Display, UiServices
from db.values.administration import Ban
from db.values.failures import StoreFailed, watching
from db.values.places import DiscordId, Place
from rules.core.errors import RuleError, shown

Interaction = discord.Interaction[Any]

_COUNTED = "counted"
_REMARKS = "remarks"


class Bot(Protocol):
    """The attributes of a client that are needed to answer its interactions."""

    services: Services
    ui_services: UiServices
    display: Display


@dataclass(frozen=True, slots=True)
class Context:
    """An interaction of a member, with the services that are needed to answer it."""

    interaction: Interaction
    services: Services
    ui_services: UiServices
    display: Display
    user: DiscordId
    place: Place
    first_answer: FirstAnswer

    async def theme(self) -> str:
        """Return the theme of pictures that only this member sees."""
        return await self.services.preferences.theme(self.place, self.user)


def context_of(interaction: Interaction) -> Context:
    """Return the context of an interaction. From now on, the log lines of this task carry its request id."""
    begin_request(request_id(interaction))
    bot = cast(Bot, interaction.client)
    first_answer = FirstAnswer(
        interaction,
        bot.ui_services.posting.acknowledging,
        thinking=is_command(interaction),
        editing=bot.ui_services.posting.editing(interaction),
    )
    user, place = interaction.user.id, place_of(interaction)
    return Context(interaction, bot.services, bot.ui_services, bot.display, user, place, first_answer)


def count_ended(interaction: Interaction, outcome: Outcome) -> None:
    """Count the outcome of an interaction once."""
    if _COUNTED not in interaction.extras:
        interaction.extras[_COUNTED] = True
        cast(Bot, interaction.client).ui_services.meter.interaction_ended(interaction, outcome)


def request_id(interaction: Interaction) -> str:
    """Return the request id of an interaction, by which an operator finds its log lines."""
    return blake2b(str(interaction.id).encode(), digest_size=3).hexdigest()


def place_of(interaction: Interaction) -> Place:
    """Return the place of an interaction.

    A server of which the bot is not a member, because a member installed the app, counts as direct messages.
    """
    assert interaction.channel_id is not None
    guild = interaction.guild_id
    if guild is None or interaction.client.get_guild(guild) is None:
        return Place(None, interaction.channel_id)
    return Place(guild, interaction.channel_id, getattr(interaction.channel, "parent_id", None))


T = TypeVar("T", str, int)

log = structlog.get_logger()


async def suggest(interaction: Interaction, choices: Sequence[app_commands.Choice[T]] = ()) -> None:
    """Answer a completion with these suggestions.

    A lost or late answer does no harm: Discord asks again at the next letter.
    """
    try:
        await interaction.response.autocomplete([*choices])
    except (*DISCORD_ERRORS, RuntimeError) as error:
        # aiohttp raises this for a closed session, as when the shard has moved to another process.
        if isinstance(error, RuntimeError) and not interaction.client.is_closed():
            raise
        log.info("suggestions.delivery_failed", error=type(error).__name__)
        # Without this, discord.py would answer again and log an error.
        interaction.response._response_type = discord.InteractionResponseType.autocomplete_result


BROKEN = "Something went wrong on my side. Nothing that was stored is lost; please try again in a moment."
TELL = "If it happens again, tell the operator: {request}. {contact}"

NOT_STORED = "My database does not answer at the moment, so nothing was stored. Please try again in a moment."
MAYBE_STORED = (
    "My database stopped answering in the middle, so what you did may be stored already: `/games` shows how things "
    "stand, and trying again does no harm."
)

NOT_ACCEPTED = (
    "Discord did not accept all that I sent. What you did counts if it was legal; `/board` shows the game."
)

MODERATED = 200000
"""Discord's code for an answer that AutoMod has blocked. It checks answers of applications that a member installed."""
BLOCKED = (
    "AutoMod of this server has blocked my answer. What you did counts; `/games` in my direct messages lists your "
    "games. Somebody who manages the server can change AutoMod, or add me to the server."
)

NOBODY = discord.AllowedMentions.none()

_COMPONENTS = "components"
_REFUSAL = "refusal"
"""The name of refusals. A refusal is deleted at the member's next interaction that is not refused."""

Arguments = ParamSpec("Arguments")


@dataclass(frozen=True, slots=True)
class Content:
    """The content of a message: text, components and files.

    A private answer that has a `name` replaces the member's earlier answer of this name. Content with a `version` does
    not replace content of a later version: a number of plies, or the state of a puzzle run.
    """

    text: str
    view: discord.ui.View | discord.ui.LayoutView | None = None
    file: discord.File | None = None
    files: Sequence[discord.File] = ()
    name: str = ""
    version: tuple[int, ...] = ()

    @property
    def attached(self) -> list[discord.File]:
        """Return all files, in the order in which they are shown."""
        return [*([self.file] if self.file else []), *self.files]


def pictured(
    heading: str, picture: discord.File, *below: Part, spoiler: bool = False, name: str = ""
) -> Content:
    """Return a framed message with a picture between its heading and further parts; see `Content` for the name."""
    shown = gallery(picture.filename, picture.description or "", spoiler=spoiler)
    return Content("", card(heading, shown, *below), picture, name=name)


Response = Content | str | None
"""The private answer to an interaction; None if a changed message is the answer."""
Remark = Callable[[Context], Awaitable[Content | None]]
"""A function that runs after an answer. It returns a private message that is to follow, or None."""


async def respond(
    interaction: Interaction,
    act: Callable[Concatenate[Context, Arguments], Awaitable[Response]],
    *args: Arguments.args,
    **kwargs: Arguments.kwargs,
) -> None:
    """Run `act`, and send the member its answer or its refusal. It has effects only after an acknowledgement.

    If Discord refuses the acknowledgement, Discord has told the member that the interaction failed.
    """
    await answer(interaction, lambda context: act(context, *args, **kwargs))


async def answer(
    interaction: Interaction,
    act: Callable[[Context], Awaitable[Response]],
    *,
    at_once: bool = False,
    dismissed: bool = False,
) -> None:
    """Respond to an interaction, and count the outcome.

    The acknowledgement waits a short time for the answer: a private message, or the change of the message whose button
    was pressed. If the answer comes in time, it is the only request. Before `act` stores or posts anything, the
    interaction is acknowledged; if Discord refuses that, Refused is raised. With `at_once` the effects do not wait, and
    remain if Discord refuses the answer. With `dismissed`, a private message that was used is deleted in the end.
    """
    context = context_of(interaction)
    first_answer = context.first_answer
    first_answer.at_once = at_once
    with context.ui_services.posting.acknowledging.answering(interaction.id, first_answer) as first:
        if not first:
            count_ended(interaction, Outcome.ANSWERED)
            return
        await _answer(context, act, dismissed=dismissed and private(interaction))
    if dismissed:
        await dismiss(context)


async def _answer(
    context: Context, act: Callable[[Context], Awaitable[Response]], *, dismissed: bool
) -> None:
    interaction, first_answer, ended = context.interaction, context.first_answer, Outcome.FAILED
    context.ui_services.running_answers.add_current()
    try:
        if first_answer.may_wait:
            # Before a message can be deleted, its use has to be acknowledged.
            (first_answer.begin if dismissed else first_answer.wait)()
        elif not await first_answer.acknowledge():
            ended = Outcome.ANSWERED if first_answer.by_another else Outcome.LATE
            return
        elif is_command(interaction):
            await context.ui_services.posting.acknowledging.others()
        with watching(first_answer.before_effects) as stored:
            try:
                response, outcome = await _run(context, act)
            except Exception as error:
                response, outcome = failed(interaction, error, stored=bool(stored)), Outcome.FAILED
        # Without a delivered answer, Discord tells the member that the interaction failed.
        delivered = not first_answer.over and await _deliver(context, response)
        if first_answer.by_another:
            outcome = Outcome.ANSWERED
        elif first_answer.late:
            outcome = Outcome.LATE
        elif not delivered:
            outcome = Outcome.FAILED
        if outcome is Outcome.ANSWERED:
            await _delete_older_refusal(context)
        ended = outcome
    finally:
        count_ended(interaction, ended)
    if ended is Outcome.ANSWERED:
        await _remark(context)


async def _delete_older_refusal(context: Context) -> None:
    """Delete the member's last refusal, unless it came after this interaction: nobody has read that yet."""
    answers, this = context.ui_services.private_answers, context.interaction.id
    refusal = answers.newest(context.user, _REFUSAL)
    if refusal is not None and refusal.id < this:
        await delete_taken(filter(None, [answers.take(context.user, _REFUSAL, this)]))


def remark_later(context: Context, remark: Remark) -> None:
    """Let a function run once the interaction is answered, before the functions that run after every answer."""
    context.interaction.extras.setdefault(_REMARKS, []).append(remark)


async def _remark(context: Context) -> None:
    """Send the first private message that is to follow an answer, if there is one."""
    own: list[Remark] = context.interaction.extras.get(_REMARKS, [])
    try:
        for remark in (*own, *context.ui_services.remarks):
            if (content := await remark(context)) is not None:
                await _send_privately(context.interaction, await name_opponents(context, content))
                break
    except (StoreFailed, *DISCORD_ERRORS) as error:
        log.info("remark.not_delivered", error=type(error).__name__)


def is_blocked(error: Exception) -> bool:
    """Return True if AutoMod has blocked a message."""
    return isinstance(error, discord.HTTPException) and error.code == MODERATED


def failed(interaction: Interaction, error: Exception, *, stored: bool = False) -> str:
    """Log the error by which an interaction failed, and return the answer for the member.

    `stored` is True if something was stored before the error.
    """
    if isinstance(error, StoreFailed):
        return not_stored(error, stored=stored)
    log.error("interaction.failed", exc_info=error)
    return broken(interaction)


def not_stored(error: StoreFailed, *, stored: bool) -> str:
    """Log a failure of the database, and return the answer for the member; `stored` is that of `failed`."""
    log.error("database.failed", error=error.cause)
    return MAYBE_STORED if stored or error.commit_unknown else NOT_STORED


def broken(interaction: Interaction) -> str:
    """Return the answer to an interaction that failed, with its request id and the contact of the operator."""
    contact = cast(Bot, interaction.client).ui_services.links.contact
    return f"{BROKEN} {TELL.format(request=request_id(interaction), contact=contact)}"


async def answer_error(interaction: Interaction, error: Exception) -> None:
    """Log an error that was raised before `respond` was called, and tell the member."""
    begin_request(request_id(interaction))
    sentence = failed(interaction, getattr(error, "original", error))
    count_ended(interaction, Outcome.FAILED)
    if not interaction.response.is_done():
        await refuse(interaction, Refused(sentence))


async def refuse(interaction: Interaction, refusal: Refused | RuleError) -> None:
    """Answer an interaction that is not acknowledged yet with a refusal."""

    async def act(_: Context) -> str:
        raise refusal

    await respond(interaction, act)


def private(interaction: Interaction) -> bool:
    """Return True if only this member sees the message whose button or menu was used, and it is not a post."""
    message = interaction.message
    return message is not None and message.flags.ephemeral and not is_post(message)


def on_private_post(interaction: Interaction) -> bool:
    """Return True if the message whose button or menu was used is a post that only this member sees."""
    message = interaction.message
    return message is not None and message.flags.ephemeral and is_post(message)


async def change(context: Context, content: Content) -> None:
    """Replace the message whose button or form was used. Without a view it loses its buttons."""
    content = await name_opponents(context, content)
    # A message that is all components has no content.
    text = content.text or discord.utils.MISSING
    parts: dict[str, Any] = {"content": text, "view": content.view, "attachments": content.attached}
    await edit(context, version=content.version, **parts)


async def edit(context: Context, *, version: tuple[int, ...] = (), **parts: Any) -> None:
    """Edit the message whose button or form was used, unless it shows a later version already.

    `parts` are arguments of discord.py's edit.
    """
    parts["allowed_mentions"] = NOBODY
    if (used := context.interaction.message) is None:
        await _edit(context, parts)
        return
    async with context.ui_services.private_answers.changing(used.id, version) as newer:
        if newer:
            await _edit(context, parts)


async def _edit(context: Context, parts: dict[str, Any]) -> None:
    if await context.first_answer.change_message(**parts):
        return
    if not await context.first_answer.acknowledge():
        return
    for file in parts.get("attachments", ()):
        file.reset()
    try:
        await context.interaction.edit_original_response(**parts)
    except discord.NotFound as error:
        if error.code != UNKNOWN_MESSAGE or not private(context.interaction):
            raise
        # The member has dismissed the message, or it was outdated meanwhile.
        log.info("private_message.gone")


async def in_place(context: Context, content: Content) -> Content | None:
    """Replace the private message that was used by this content; return the content if no such message was used."""
    if not private(context.interaction):
        return content
    await change(context, content)
    return None


async def dismiss(context: Context) -> None:
    """Delete the private message whose menu was used, if it is one."""
    interaction = context.interaction
    if not private(interaction):
        return
    assert interaction.message is not None
    context.ui_services.private_answers.forget(interaction.message.id)
    if await context.first_answer.acknowledge():
        await _delete(interaction.delete_original_response)


async def delete_answers(context: Context, *names: str) -> None:
    """Delete the newest private answers of these names to the member, except the one that was just used."""
    await delete_taken(take_answers(context, *names))


def take_answers(context: Context, *names: str) -> list[SentAnswer]:
    """Forget and return the newest private answers of these names to the member, but for the one just used.

    Answers to later interactions stay. Those to earlier ones that are still running are deleted once they are sent.
    """
    used, this = context.interaction.message, context.interaction.id
    answers, waits = (
        context.ui_services.private_answers,
        context.ui_services.running_answers.others(context.user),
    )
    taken = (
        answers.note(context.user, name, this, None) if waits else answers.take(context.user, name, this)
        for name in names
    )
    return [sent for sent in taken if sent is not None and (used is None or sent.id != used.id)]


async def delete_taken(answers: Iterable[SentAnswer]) -> None:
    """Delete private answers that were taken."""
    for sent in answers:
        await _delete(sent.delete)


async def _delete(delete: Callable[[], Awaitable[None]]) -> None:
    """Delete a private message. The member may have dismissed it, and Discord allows it for some minutes only."""
    try:
        await delete()
    except DISCORD_ERRORS as error:
        log.info("private_message.delete_failed", error=type(error).__name__)


async def _run(context: Context, act: Callable[[Context], Awaitable[Response]]) -> tuple[Response, Outcome]:
    """Run `act`, and publish what waits for an interaction at this place. Return the answer and the outcome."""
    interaction, outcome = context.interaction, Outcome.ANSWERED
    with context.ui_services.posting.through(
        interaction, thinking=is_command(interaction), first_answer=context.first_answer
    ):
        response: Response
        try:
            response = await act(context)
        except IllegalMove as refusal:
            picture = await rejection_picture(refusal, await context.theme())
            response, outcome = Content(str(refusal), file=picture, name=_REFUSAL), Outcome.REFUSED
        except (Refused, RuleError) as refusal:
            response, outcome = Content(str(refusal), name=_REFUSAL), Outcome.REFUSED
        except DISCORD_ERRORS as error:
            outcome = Outcome.FAILED
            log.warning("request.refused", error=type(error).__name__, detail=str(error))
            response = BLOCKED if is_blocked(error) else NOT_ACCEPTED
        await context.display.deliver(interaction)
    return response if response is None else await name_opponents(context, response), outcome


async def name_opponents(context: Context, answer: Content | str) -> Content:
    """Return a message that names the members of other servers, whom Discord would show as unknown users.

    These are members who play in matches against this server, or against the reader of a direct message. The texts of
    a view are changed.
    """
    content = Content(answer) if isinstance(answer, str) else answer
    texts = texts_of(content.view)
    mentioned = mentioned_in(content.text, *(it.content for it in texts)) - {context.user}
    opponents = mentioned and await context.services.store.events.opponents(
        context.place.guild, context.user, mentioned
    )
    if not opponents:
        return content
    known = await names_of_opponents(context.ui_services.member_names, opponents)
    for item in texts:
        item.content = without_mentions(item.content, known)
    return replace(content, text=without_mentions(content.text, known))


def answers_in_components(interaction: Interaction) -> None:
    """Note that a message of components was sent as the answer. Discord accepts no plain text there afterwards."""
    interaction.extras[_COMPONENTS] = True


async def _deliver(context: Context, response: Response) -> bool:
    """Send the answer. Return False if Discord refuses it. If AutoMod has blocked it, the member is told."""
    try:
        await _send(context, response)
    except DISCORD_ERRORS as error:
        log.warning("answer.not_delivered", error=type(error).__name__, code=getattr(error, "code", None))
        if is_blocked(error):
            with suppress(*DISCORD_ERRORS):
                await _send(context, BLOCKED)
        return False
    return True


async def _send(context: Context, response: Response) -> None:
    interaction, first_answer = context.interaction, context.first_answer
    to_command = is_command(interaction) and ANSWERED_BY_POST not in interaction.extras
    if response is None:
        if await first_answer.acknowledge() and to_command:
            await interaction.delete_original_response()
        return
    answer = Content(response) if isinstance(response, str) else response
    if answer.view is None and _COMPONENTS in interaction.extras:
        answer = Content("", message(answer.text), name=answer.name)
    sent: SentAnswer | None = await first_answer.send(answer.attached, **_parts(answer))
    if sent is None and to_command and not first_answer.by_another:
        sent = await interaction.edit_original_response(
            attachments=answer.attached or discord.utils.MISSING, **_parts(answer)
        )
    if sent is not None:
        await _note(interaction, answer, sent)
    elif not first_answer.by_another:
        await _send_privately(interaction, answer)


def _parts(answer: Content) -> dict[str, Any]:
    """Return the arguments of discord.py for sending an answer, without its files."""
    return {
        "content": answer.text or discord.utils.MISSING,
        "view": answer.view or discord.utils.MISSING,
        "allowed_mentions": NOBODY,
    }


async def _send_privately(interaction: Interaction, answer: Content) -> None:
    """Send a private message of its own. It replaces the member's earlier one of its name."""
    sent = await interaction.followup.send(
        files=answer.attached or discord.utils.MISSING, ephemeral=True, wait=True, **_parts(answer)
    )
    await _note(interaction, answer, sent)


async def _note(interaction: Interaction, answer: Content, sent: SentAnswer) -> None:
    """Remember a private answer that has a name, and delete the one that is outdated by a later interaction."""
    if answer.name:
        answers = cast(Bot, interaction.client).ui_services.private_answers
        outdated = answers.note(interaction.user.id, answer.name, interaction.id, sent)
        if outdated is not None:
            await _delete(outdated.delete)


def is_command(interaction: Interaction) -> bool:
    """Return True if the answer replaces the deferred message of a command; False for buttons and menus."""
    if interaction.type is discord.InteractionType.application_command:
        return True
    # A modal opened by a command has no message to update, so it is answered like the command itself.
    return interaction.type is discord.InteractionType.modal_submit and interaction.message is None


LONGEST_REASON = 200
"""The most characters of a reason."""
STAYS = ("preferences", "privacy:")
"""The command, and the beginning of the custom ids, that banned members can still use: they are about their data."""


async def refuse_if_banned(interaction: Interaction) -> bool:
    """Return True if the member or the server is banned. In that case the member is told."""
    administration = cast(Bot, interaction.client).services.administration
    of_server = administration.ban_of_server(interaction.guild_id)
    ban = administration.ban_of_member(interaction.user.id) or of_server
    if ban is None or _is_about_privacy(interaction):
        return False
    if interaction.type is discord.InteractionType.autocomplete:
        await suggest(interaction)
    else:
        await refuse(interaction, Refused(ban_sentence(ban, server=ban is of_server)))
    return True


def ban_sentence(ban: Ban, *, server: bool) -> str:
    """Return the refusal of a banned member, or of a member of a banned server."""
    until = "any more" if ban.until is None else f"until {format_dt(ban.until)}"
    reason = shown(ban.reason, LONGEST_REASON)
    if server:
        return f"I may not be used in this server {until} (reason: {reason})."
    return f"You may not use me {until} (reason: {reason}); you can still use `/preferences`."


def _is_about_privacy(interaction: Interaction) -> bool:
    data = cast("dict[str, Any]", interaction.data)
    command, start = STAYS
    return data.get("name") == command or str(data.get("custom_id", "")).startswith(start)


TOO_MANY = "I am still busy with your earlier requests, so I have ignored this one; try again in a moment."


async def turned_away(interaction: Interaction) -> bool:
    """Return True if an interaction must not be answered. In that case the member is told the reason.

    A member who presses faster than the bot can answer is refused, so that other members need not wait.
    """
    running_answers = cast(Bot, interaction.client).ui_services.running_answers
    if running_answers.admit(interaction.user.id):
        return await refuse_if_banned(interaction)
    if interaction.type is discord.InteractionType.autocomplete:
        await suggest(interaction)
        return True
    outcome = Outcome.TURNED_AWAY
    try:
        # This is a single request: no acknowledgement, and no posts that wait for an interaction at this place.
        await interaction.response.send_message(str(Refused(TOO_MANY)), ephemeral=True)
    except DISCORD_ERRORS as error:
        outcome = Outcome.LATE if isinstance(error, discord.NotFound) else Outcome.FAILED
        log.info("answer.not_delivered", error=type(error).__name__)
    count_ended(interaction, outcome)
    return True
