"""The controls of a match in a message with a position that one member plays alone: a lesson or a puzzle.

A button of a match carries everything in its custom id, so the same custom id behind a prefix is that button in that
message. What it says is shown in the message, and a move is judged there; nothing is played anywhere.
"""

from abc import abstractmethod
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar, cast

import discord
from discord import ui

from bot.app.errors import Refused
from bot.app.matches.solo import SoloMatch
from bot.app.matches.table import IllegalMove, Table
from bot.ui.kit.answers.acting import Acting, Interaction, acting_of
from bot.ui.kit.answers.buttons import FormButton, PersistentItem
from bot.ui.kit.answers.forms import Form, open_form
from bot.ui.kit.answers.reply import Response, Said, answer_error, change, refuse
from bot.ui.kit.content.layout import gallery
from bot.ui.kit.posts.first_answer import in_time
from bot.ui.moves.buttons.part_buttons import PartButton
from bot.ui.moves.play import PlayButton, TypeButton
from bot.ui.moves.secret.card_row import OrderButton, SealButton, SwapButton, TypeRowButton
from bot.ui.moves.secret.words import NameWordsButton, PointButton, StopButton
from db.api.places import DiscordId
from rules.core.errors import RuleError
from rules.core.game import Seat

KINDS: tuple[type[PersistentItem[Any]], ...] = (
    NameWordsButton,
    OrderButton,
    PartButton,
    PlayButton,
    PointButton,
    SealButton,
    StopButton,
    SwapButton,
    TypeButton,
    TypeRowButton,
)
"""The buttons by which moves are entered."""

Solo = TypeVar("Solo", bound=SoloMatch)


class SoloButton(PersistentItem[ui.Button[Any]], Generic[Solo]):
    """The button of a match with the custom id `inner`, in the message of a position that a member plays alone."""

    inner: str
    broken: str
    """The sentence about a button that no longer works."""

    @abstractmethod
    async def solo_match(self, acting: Acting) -> Solo:
        """Return the position at which the member is. Raises Refused."""

    @abstractmethod
    async def judged(self, acting: Acting, solo: Solo) -> Said:
        """Return the message after a move was made, legal or not."""

    @abstractmethod
    async def asked(self, acting: Acting, solo: Solo, said: Said) -> Said:
        """Return the message with what a control says, such as the moves from a cell."""

    @abstractmethod
    async def unchanged(self, acting: Acting, solo: Solo, refusal: str) -> Said:
        """Return the message as it was, with the sentence of a refusal, which may be empty."""

    async def answer(self, acting: Acting) -> Response:
        found = control(self.inner)
        if found is None:
            raise Refused(self.broken)
        await self.run(acting, found.answer)
        return None

    async def callback(self, interaction: Interaction) -> None:
        found = control(self.inner)
        if not isinstance(found, FormButton):
            await super().callback(interaction)
            return
        acting = acting_of(interaction)
        try:
            form = await in_time(self._form(acting, found))
            form.around = self.run
            await open_form(interaction, form)
        except (Refused, RuleError) as refusal:
            await refuse(interaction, refusal)
        except Exception as error:
            await answer_error(interaction, error)

    async def _form(self, acting: Acting, button: FormButton) -> Form:
        return await button.form(_within(acting, await self.solo_match(acting), []))

    async def run(self, acting: Acting, act: Callable[[Acting], Awaitable[Response]]) -> None:
        """Run what a control does with the position as the only match, and show the message as it is then."""
        solo = await self.solo_match(acting)
        shown: list[Said] = []
        said = ""
        try:
            response = await act(_within(acting, solo, shown))
            shown += [response] if isinstance(response, Said) else []
        except IllegalMove:
            pass  # The position has noted it.
        except (Refused, RuleError) as refusal:
            said = str(refusal)
        if solo.tried:
            answer = await self.judged(acting, solo)
        elif shown:
            answer = await self.asked(acting, solo, shown[-1])
        else:
            answer = await self.unchanged(acting, solo, said)
        await change(acting, answer)


def _within(acting: Acting, solo: SoloMatch, shown: list[Said]) -> Acting:
    """Return the interaction as it looks to a control: its match is the position, and what it changes is collected."""

    async def collect(said: Said) -> None:
        shown.append(said)

    services = replace(acting.services, matches=solo)
    return replace(acting, services=services, display=_NoDisplay(), changes=collect)


class _NoDisplay:
    """Shows nothing: the message is shown when the move was judged."""

    async def show(self, match: int, known: Table | None = None, *, again: bool = False) -> None: ...

    async def announce_reverted(self, match: int) -> None: ...

    async def invite(self, challenge: int, *, again: bool = False) -> None: ...

    async def deliver(self, interaction: discord.Interaction[Any]) -> None: ...

    def wake(self) -> None: ...

    async def settings_changed(self, guild: DiscordId) -> None: ...


@dataclass(frozen=True, slots=True)
class Pieces:
    """The answer of a control of a match in parts: its texts, its pictures, and its rows, which work in the message."""

    texts: list[str]
    pictures: list[ui.Item[Any]]
    rows: list[ui.ActionRow[Any]]


def pieces(said: Said, prefix: str, table: Table, seat: Seat) -> Pieces:
    """Take apart what a control says, with `prefix` before the custom ids of its buttons.

    The name of the match and the question are left out, since the message asks its own.
    """
    parts = [] if said.view is None else _rows_of(said.view)
    pictures: list[ui.Item[Any]] = [part for part in parts if isinstance(part, ui.MediaGallery)]
    texts = [part.content for part in parts if isinstance(part, ui.TextDisplay)]
    if said.file is not None and not pictures:
        pictures = [gallery(said.file.filename, said.file.description or "")]
    rows = [part for part in parts if isinstance(part, ui.ActionRow)]
    wrap(rows, prefix)
    return Pieces([_without_question(text, table, seat) for text in (said.text, *texts)], pictures, rows)


def _without_question(text: str, table: Table, seat: Seat) -> str:
    prompt = table.match.observe(seat).prompt
    question = "" if prompt is None else f" {prompt.ask}"
    return text.removeprefix(f"**{table.name}**:").removeprefix(question).strip()


def wrap(items: Iterable[ui.Item[Any]], prefix: str) -> None:
    """Put `prefix` before the custom ids of these controls, and of those inside them, if moves are entered by them."""
    for item in items:
        if isinstance(item, KINDS):
            item.item.custom_id = prefix + item.custom_id
        elif isinstance(item, ui.ActionRow):
            wrap(item.children, prefix)


def control(custom_id: str) -> PersistentItem[Any] | None:
    """Return the button of a match with this custom id, or None if no move is entered by it."""
    for kind in KINDS:
        if (found := kind.__discord_ui_compiled_template__.fullmatch(custom_id)) is not None:
            return kind.matched(found)
    return None


def _rows_of(view: ui.View | ui.LayoutView) -> list[ui.Item[Any]]:
    """Return the components of a message, those of a message with text as rows."""
    if isinstance(view, ui.LayoutView):
        (first, *_) = children = list(view.children)
        return list(first.children) if isinstance(first, ui.Container) else children
    rows: dict[int, list[ui.Item[Any]]] = {}
    for item in view.children:
        rows.setdefault(4 if item.row is None else item.row, []).append(item)
    return [ui.ActionRow(*cast("list[ui.Button[Any]]", rows[number])) for number in sorted(rows)]
