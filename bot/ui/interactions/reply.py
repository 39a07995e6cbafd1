"""The one way to answer an interaction: acknowledge, run, show what has changed, and answer the member.

Only the member who acted sees a refusal.
"""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Concatenate, ParamSpec, cast

import discord
import structlog

from bot.app.errors import Refused
from bot.app.matches.table import IllegalMove
from bot.app.tasks.background import begin_request
from bot.ui.components.layout import message
from bot.ui.components.pictures import rejection_picture
from bot.ui.interactions.acting import Acting, Bot, Interaction, acting_of, count_ended, request_id
from bot.ui.meter import Outcome
from bot.ui.posts.first_answer import FirstAnswer
from bot.ui.posts.posting import DISCORD_ERRORS
from db.values.failures import StoreFailed, watching
from rules.core.errors import RuleError

log = structlog.get_logger()

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

Arguments = ParamSpec("Arguments")


@dataclass(frozen=True, slots=True)
class Said:
    """An answer that only the member who acted sees: text, components and files."""

    text: str
    view: discord.ui.View | discord.ui.LayoutView | None = None
    file: discord.File | None = None
    files: Sequence[discord.File] = ()

    @property
    def attached(self) -> list[discord.File]:
        """Return all files, in the order in which they are shown."""
        return [*([self.file] if self.file else []), *self.files]


Response = Said | str | None
"""The answer to an interaction; None where the board or the changed message is answer enough."""


async def respond(
    interaction: Interaction,
    act: Callable[Concatenate[Acting, Arguments], Awaitable[Response]],
    *args: Arguments.args,
    **kwargs: Arguments.kwargs,
) -> None:
    """Acknowledge, run `act`, and send the member its answer or the refusal; an illegal move gets a picture too.

    If Discord refuses the acknowledgement, `act` is not run: Discord has told the member that the interaction failed.
    """
    await answer(interaction, lambda acting: act(acting, *args, **kwargs))


async def answer(
    interaction: Interaction, act: Callable[[Acting], Awaitable[Response]], *, changing: bool = False
) -> None:
    """Respond to an interaction, and count how that ended.

    With `changing`, for a button whose own message changes, that change can be the acknowledgement: one request less.
    The acknowledgement waits for it, but not long. If it is refused then, what was done stands.
    """
    acting, ended = acting_of(interaction), Outcome.FAILED
    acting.ui_services.running_answers.add_current()
    first_answer = FirstAnswer(
        interaction, acting.ui_services.acknowledging, thinking=is_command(interaction)
    )
    try:
        if (
            changing
            and first_answer.may_wait
            and acting.ui_services.posting.reaches(acting.place)
            and not private(interaction)
        ):
            first_answer.wait()
        elif not await first_answer.acknowledge():
            ended = Outcome.ANSWERED if first_answer.by_another else Outcome.LATE
            return
        elif is_command(interaction):
            await acting.ui_services.acknowledging.others()
        with watching() as stored:
            try:
                response, outcome = await _run(acting, act, first_answer)
            except Exception as error:
                response, outcome = failed(interaction, error, stored=bool(stored)), Outcome.FAILED
        if not await first_answer.acknowledge():
            outcome = Outcome.ANSWERED if first_answer.by_another else Outcome.LATE
        if not first_answer.by_another and not await _deliver(interaction, response):
            outcome = outcome if outcome is Outcome.LATE else Outcome.FAILED
        ended = outcome
    finally:
        count_ended(interaction, ended)


def is_blocked(error: Exception) -> bool:
    """True if AutoMod has blocked a message."""
    return isinstance(error, discord.HTTPException) and error.code == MODERATED


def failed(interaction: Interaction, error: Exception, *, stored: bool = False) -> str:
    """Log the error in which an interaction ended, and return what the member is told.

    `stored` is True if something was stored before.
    """
    if isinstance(error, StoreFailed):
        log.error("database failed", error=error.cause)
        return MAYBE_STORED if stored or error.commit_unknown else NOT_STORED
    log.error("interaction failed", exc_info=error)
    return broken(interaction)


def broken(interaction: Interaction) -> str:
    """Return the answer to an interaction that ended in an error, with the id of its lines in the log.

    It says how to reach the operator.
    """
    contact = cast(Bot, interaction.client).ui_services.links.contact
    return f"{BROKEN} {TELL.format(request=request_id(interaction), contact=contact)}"


async def answer_error(interaction: Interaction, error: Exception) -> None:
    """Log an error that came before the answer to an interaction began, and tell the member."""
    begin_request(request_id(interaction))
    said = failed(interaction, getattr(error, "original", error))
    count_ended(interaction, Outcome.FAILED)
    if not interaction.response.is_done():
        await refuse(interaction, Refused(said))


async def refuse(interaction: Interaction, refusal: Refused | RuleError) -> None:
    """Answer an interaction that is not acknowledged yet with a refusal."""

    async def act(_: Acting) -> str:
        return str(refusal)

    await respond(interaction, act)


def private(interaction: Interaction) -> bool:
    """True if only this member sees the message whose button or menu was used."""
    return interaction.message is not None and interaction.message.flags.ephemeral


async def change(acting: Acting, said: Said) -> None:
    """Replace the message whose button or form was used. Without a view it loses its buttons."""
    # A message that is all components has no content.
    content = said.text or discord.utils.MISSING
    await acting.interaction.edit_original_response(
        content=content, view=said.view, attachments=said.attached, allowed_mentions=NOBODY
    )


async def dismiss(interaction: Interaction) -> None:
    """Delete the private message whose menu was used, if it is one."""
    if not private(interaction):
        return
    try:
        await interaction.delete_original_response()
    except DISCORD_ERRORS as error:
        log.info("private message not deleted", error=type(error).__name__)


async def _run(
    acting: Acting, act: Callable[[Acting], Awaitable[Response]], first_answer: FirstAnswer
) -> tuple[Response, Outcome]:
    """Run `act` and show what has changed. Returns the answer of `act`, or the refusal, and which of them it is."""
    interaction = acting.interaction
    thinking = is_command(interaction)
    outcome = Outcome.ANSWERED
    with acting.ui_services.posting.through(interaction, thinking=thinking, first_answer=first_answer):
        response: Response
        try:
            response = await act(acting)
        except IllegalMove as refusal:
            picture = await rejection_picture(refusal, await acting.theme())
            response, outcome = Said(str(refusal), file=picture), Outcome.REFUSED
        except (Refused, RuleError) as refusal:
            response, outcome = str(refusal), Outcome.REFUSED
        except DISCORD_ERRORS as error:
            outcome = Outcome.FAILED
            log.warning("discord refused a call", error=type(error).__name__, detail=str(error))
            response = BLOCKED if is_blocked(error) else NOT_ACCEPTED
        await acting.display.deliver(interaction)
    return response, outcome


def answers_in_components(interaction: Interaction) -> None:
    """Note that components stand in the place of the answer, where Discord then takes no plain text."""
    interaction.extras[_COMPONENTS] = True


async def _deliver(interaction: Interaction, response: Response) -> bool:
    """Send the answer. Return False if Discord refuses it; where AutoMod has blocked it, the member is told."""
    try:
        await _send(interaction, response)
    except DISCORD_ERRORS as error:
        log.warning("answer not delivered", error=type(error).__name__, code=getattr(error, "code", None))
        if is_blocked(error):
            with suppress(*DISCORD_ERRORS):
                await _send(interaction, BLOCKED)
        return False
    return True


async def _send(interaction: Interaction, response: Response) -> None:
    if response is None:
        if is_command(interaction):
            await interaction.delete_original_response()
        return
    answer = Said(response) if isinstance(response, str) else response
    if answer.view is None and _COMPONENTS in interaction.extras:
        answer = Said("", message(answer.text))
    content = answer.text or discord.utils.MISSING
    view: Any = answer.view or discord.utils.MISSING
    files = answer.attached or discord.utils.MISSING
    if is_command(interaction):
        await interaction.edit_original_response(
            content=content, view=view, attachments=files, allowed_mentions=NOBODY
        )
    else:
        await interaction.followup.send(
            content=content, view=view, files=files, ephemeral=True, allowed_mentions=NOBODY
        )


def is_command(interaction: Interaction) -> bool:
    """True if the answer stands in a message of its own that Discord has announced; False for buttons and menus."""
    if interaction.type is discord.InteractionType.application_command:
        return True
    # A modal opened by a command has no message to update, so it is answered like the command itself.
    return interaction.type is discord.InteractionType.modal_submit and interaction.message is None
