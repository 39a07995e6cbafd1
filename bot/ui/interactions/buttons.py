"""The base classes of buttons, menus and forms.

A subclass defines its label and its answer. Buttons and menus outlive the process: their custom id holds their state.
"""

import re
from abc import abstractmethod
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import Field, dataclass, field, fields
from functools import cache
from typing import Annotated, Any, ClassVar, Generic, Self, TypeVar, cast, dataclass_transform
from weakref import WeakValueDictionary

import discord
import structlog
from discord import ui

from bot.app.errors import Refused
from bot.app.matches.listed import Listed
from bot.ui.components.message_parts import menu_options, walk
from bot.ui.interactions.reply import (
    Context,
    Interaction,
    Response,
    answer,
    answer_error,
    context_of,
    count_ended,
    refuse,
    respond,
    turned_away,
)
from bot.ui.posts.answers import Outcome, in_time
from bot.ui.posts.requests import DISCORD_ERRORS
from rules.core.errors import RuleError

log = structlog.get_logger()

LONGEST_TITLE = 45
"""Characters that Discord allows for the title of a form."""
FORGOTTEN_AFTER = 3600.0
"""Seconds after which an opened form can no longer be submitted. Discord does not report closed forms."""

LONGEST_TEXT = 4000
"""The most characters that Discord takes in a line of a form."""
UNFIT = "Some values are not valid; open the form again."

_open: WeakValueDictionary[str, ui.Modal] = WeakValueDictionary()
"""By custom id: the forms that discord.py keeps, because they can be submitted."""


Inner = TypeVar("Inner", bound=ui.Item[Any])


class CheckedForm(ui.Modal):
    """A form that checks its values itself, so that the bot does not depend on checks by Discord."""

    def ask(self, text: str, component: Inner, about: str | None = None) -> Inner:
        """Add a field below the others with this label, and return it."""
        self.add_item(ui.Label(text=text, description=about, component=component))
        return component

    async def interaction_check(self, interaction: Interaction, /) -> bool:
        """Return True if all fields have valid values. If not, tell the member."""
        if await turned_away(interaction):
            return False
        if all(map(_filled, self.walk_children())):
            return True
        await refuse(interaction, Refused(UNFIT))
        return False

    async def on_error(self, interaction: Interaction, error: Exception, /) -> None:  # type: ignore[override]  # a Modal has no item
        """Log an error that was raised before the answer, and tell the member."""
        await answer_error(interaction, error)


def _filled(field: ui.Item[Any]) -> bool:
    match field:
        case ui.TextInput():
            return len(field.value) <= (field.max_length or LONGEST_TEXT) and bool(
                field.value or not field.required
            )
        case ui.Select():
            values = set(field.values)
            least = field.min_values if field.required else 0
            return least <= len(values) and values <= {option.value for option in field.options}
        case ui.UserSelect() | ui.ChannelSelect():
            # discord.py leaves ids that Discord does not describe as text.
            known = not any(isinstance(value, str) for value in field.values)
            least = field.min_values if field.required else 0
            return known and least <= len(field.values) <= field.max_values
        case ui.RadioGroup():
            offered = {option.value for option in field.options}
            return field.value in offered or (field.value is None and not field.required)
    return True


class Form(CheckedForm):
    """A form whose submission is answered like the press of a button. Each opened form has its own custom id."""

    def __init__(self, title: str) -> None:
        """Create a form. The title is cut at Discord's limit."""
        super().__init__(title=title[:LONGEST_TITLE], timeout=None)

    @abstractmethod
    async def answer(self, context: Context) -> Response:
        """Do what this is for, and return the answer for the member. Raises Refused or RuleError."""

    async def on_submit(self, interaction: Interaction) -> None:
        await respond(interaction, self.answer)


class ConfirmForm(Form):
    """A form that says what its submission does, which is done by `act`."""

    def __init__(self, title: str, text: str, act: Callable[[Context], Awaitable[Response]]) -> None:
        super().__init__(title)
        self.add_item(ui.TextDisplay(text))
        self._act = act

    async def answer(self, context: Context) -> Response:
        return await self._act(context)


async def open_form(interaction: Interaction, form: ui.Modal) -> None:
    """Answer an interaction with a form. If Discord refuses the form, Discord tells the member."""
    _open[form.custom_id] = form
    # discord.py would register the form after Discord's reply, and not find it if it was submitted before that.
    # `add_view` takes only a form without a timeout.
    interaction.client.add_view(form)
    form.timeout = FORGOTTEN_AFTER
    try:
        await interaction.response.send_modal(form)
    except DISCORD_ERRORS as error:
        form.stop()
        late = isinstance(error, discord.NotFound)
        count_ended(interaction, Outcome.LATE if late else Outcome.FAILED)
        log.warning("form.not_opened", error=type(error).__name__)
    except BaseException:
        form.stop()
        raise
    else:
        count_ended(interaction, Outcome.ANSWERED)


def form_menu(custom_id: str, labels: Mapping[str, str], chosen: str) -> ui.Select[Any]:
    """Return a menu of a form. `labels` are the texts of its options by value; `chosen` is the value at first."""
    return ui.Select(custom_id=custom_id, options=menu_options(labels, chosen))


def is_open(interaction: Interaction) -> bool:
    """Return True if the form of a submission is still known to this process."""
    return cast("dict[str, Any]", interaction.data)["custom_id"] in _open


IdMatch = re.Match[str]

_WORDS = re.compile("(?:^|:)([a-z]+)")
_compiled = cache(re.compile)
_NUMBER = re.compile("[0-9]+")
LARGEST_ID = 2**63 - 1
"""The largest id of Discord, and the largest number that the store holds."""
OUTDATED = "This button no longer works. `/games` lists your games."


class PersistentItem(ui.DynamicItem[Inner], Generic[Inner], template="(?!)"):
    """A button or menu that works after a restart.

    The named groups of its `ids`, a regular expression for its custom id, are the arguments of its constructor:
    text, or numbers if the parameter is annotated as int. It begins with a word, after `before`. discord.py never
    matches a custom id, since it would try all expressions in turn; `press` looks for the word instead.
    """

    kinds: ClassVar[dict[str, list[type["PersistentItem[Any]"]]]] = defaultdict(list)
    """All subclasses with a template, by the first letters of their word."""
    before: ClassVar[str] = ""
    ids: ClassVar[str]

    def __init_subclass__(cls, *, template: str | None = None) -> None:
        super().__init_subclass__(template="(?!)")
        if template is not None:
            cls.ids = template
            PersistentItem.kinds[_WORDS.findall(template)[0]].append(cls)

    @classmethod
    def pattern(cls) -> re.Pattern[str]:
        """Return the expression for the whole custom id. It is compiled when it is first used, not at the start."""
        return _compiled(cls.before + cls.ids)

    @property
    def template(self) -> re.Pattern[str]:
        return self.pattern()

    @abstractmethod
    async def answer(self, context: Context) -> Response:
        """Do what this is for, and return the answer for the member. Raises Refused or RuleError."""

    async def check_visible(self, context: Context) -> None:
        """Raise Refused if the custom id names something that is hidden from the member at this place."""
        services, user, place = context.services, context.user, context.place
        checks = {
            "match": services.matches.check_visible,
            "challenge": services.challenges.check_visible,
            "event": services.events.check_visible,
            "proposal": services.proposals.check_visible,
        }
        for name in self.template.groupindex:
            if name in checks:
                await checks[name](getattr(self, name), user, place)

    async def checked_answer(self, context: Context) -> Response:
        """Check the visibility of what the custom id names, and answer. Raises Refused or RuleError."""
        await self.check_visible(context)
        return await self.answer(context)

    async def callback(self, interaction: Interaction) -> None:
        await respond(interaction, self.checked_answer)

    def accepts(self, data: Mapping[str, Any], part: Any) -> bool:
        """Return True if `data` has the right type and options that `part` of the message offers."""
        offered = [option.value for option in getattr(part, "options", ())]
        chosen = data.get("values", [])
        largest = max(map(int, _NUMBER.findall(data["custom_id"])), default=0)
        right = self.item.type.value == data["component_type"] and largest <= LARGEST_ID
        return right and (not offered or (bool(chosen) and set(chosen) <= set(offered)))

    @classmethod
    def find(cls, custom_id: str) -> "PersistentItem[Any] | None":
        """Return the button or menu with this custom id, or None if there is none."""
        for word in _WORDS.findall(custom_id):
            for kind in cls.kinds.get(word, ()):
                if (found := kind.pattern().fullmatch(custom_id)) is not None:
                    return kind.matched(found)
        return None

    @classmethod
    def matched(cls, found: IdMatch) -> Self:
        """Return the button or menu for a match of its template."""
        return cls(**cls.arguments(found.groupdict()))

    @classmethod
    def arguments(cls, named: Mapping[str, str]) -> dict[str, Any]:
        """Return the arguments of the constructor from the named groups of the template."""
        types = cls.__init__.__annotations__
        return {name: int(text) if _is_number(types[name]) else text for name, text in named.items()}


GameKey = Annotated[str, "[a-z][a-z0-9]*"]
"""The key of a game, with the pattern of its text in a custom id."""
GameOrAll = Annotated[str, "[a-z-]+"]
"""The key of a game, or `-` for all games."""
TwoDigits = Annotated[int, "[0-9]{1,2}"]
Page = Annotated[int, "[0-9]{1,6}"]
"""The number of a page, from 0."""


def _is_number(kind: Any) -> bool:
    return getattr(kind, "__origin__", kind) is int


@dataclass_transform(eq_default=False, field_specifiers=(field,))
class IdItem(PersistentItem[Inner], Generic[Inner]):
    """A button or menu whose custom id consists of the word of its class and the values of the fields, in their order.

    The annotated attributes of subclasses are the arguments of their constructors.
    """

    word: ClassVar[str]
    labels: ClassVar[str | Mapping[str, str]] = ""
    in_id: "ClassVar[list[Field[Any]]]"

    def __init_subclass__(cls, *, word: str | None = None, template: str | None = None) -> None:
        dataclass(eq=False, repr=False)(cls)
        cls.in_id = [it for it in fields(cast("Any", cls)) if not it.kw_only]
        if word is not None:
            cls.word = word
            template = ":".join([word, *(f"(?P<{it.name}>{cls._pattern(it)})" for it in cls.in_id)])
        super().__init_subclass__(template=template)

    @property
    def values_in_id(self) -> list[str]:
        return [str(getattr(self, it.name)) for it in self.in_id]

    @classmethod
    def _pattern(cls, named: "Field[Any]") -> str:
        """Return the pattern of a field: what `Annotated` names; else digits, or the keys of the labels."""
        if (noted := getattr(named.type, "__metadata__", None)) is not None:
            return str(noted[0])
        if named.type is int:
            return "[0-9]+"
        assert isinstance(cls.labels, Mapping)
        return "|".join(cls.labels)


class IdButton(IdItem[ui.Button[Any]]):
    """A button. Its class has one label, or several by its last field; it may have a label or a style of its own."""

    usual_style: ClassVar[discord.ButtonStyle]

    label: str = field(default="", kw_only=True)
    style: discord.ButtonStyle | None = field(default=None, kw_only=True)
    disabled: bool = field(default=False, kw_only=True)

    def __init_subclass__(
        cls,
        *,
        word: str | None = None,
        label: str | Mapping[str, str] = "",
        style: discord.ButtonStyle = discord.ButtonStyle.secondary,
    ) -> None:
        if word is not None:
            cls.labels, cls.usual_style = label, style
        super().__init_subclass__(word=word)

    def __post_init__(self) -> None:
        values = self.values_in_id
        label = self.label or (self.labels if isinstance(self.labels, str) else self.labels[values[-1]])
        button: ui.Button[Any] = ui.Button(
            label=label,
            style=self.style or self.usual_style,
            custom_id=":".join([self.word, *values]),
            disabled=self.disabled,
        )
        super().__init__(button)


class IdSelect(IdItem[ui.Select[Any]]):
    """A menu of which `least` to `most` options are chosen. Its class may have a text for while none is."""

    placeholder: ClassVar[str | None]

    options: Sequence[discord.SelectOption] = field(default=(), kw_only=True)
    least: int = field(default=1, kw_only=True)
    most: int = field(default=1, kw_only=True)

    def __init_subclass__(cls, *, word: str | None = None, placeholder: str | None = None) -> None:
        cls.placeholder = placeholder
        super().__init_subclass__(word=word)

    def __post_init__(self) -> None:
        custom_id = ":".join([self.word, *self.values_in_id])
        select: ui.Select[Any] = ui.Select(
            custom_id=custom_id, placeholder=self.placeholder, options=[*self.options],
            min_values=self.least, max_values=self.most,
        )  # fmt: skip
        super().__init__(select)


class MatchButton(IdButton):
    """A button about one match."""

    match: int


class MatchMenu(PersistentItem[ui.Select[Any]]):
    """A menu from which a member chooses one of several matches. The private message with the menu is then deleted."""

    def __init__(self, custom_id: str, matches: Sequence[Listed] = ()) -> None:
        options = [discord.SelectOption(label=match.name, value=str(match.id)) for match in matches]
        super().__init__(ui.Select(custom_id=custom_id, placeholder="Which game?", options=options[:25]))

    @property
    def match(self) -> int:
        """The chosen match."""
        return int(self.item.values[0])

    async def callback(self, interaction: Interaction) -> None:
        await answer(interaction, self.checked_answer, dismissed=True)


class OpensForm(PersistentItem[ui.Button[Any]]):
    """A button that opens a form, without an acknowledgement: Discord accepts a form only as the first answer."""

    @abstractmethod
    async def form(self, context: Context) -> CheckedForm:
        """Return the form to open. Raises Refused or RuleError."""

    async def answer(self, context: Context) -> Response:
        await open_form(context.interaction, await in_time(self._checked_form(context)))
        return None

    async def _checked_form(self, context: Context) -> CheckedForm:
        await self.check_visible(context)
        return await self.form(context)

    async def callback(self, interaction: Interaction) -> None:
        try:
            await self.answer(context_of(interaction))
        except (Refused, RuleError) as refusal:
            await refuse(interaction, refusal)
        except Exception as error:
            await answer_error(interaction, error)


class FormButton(OpensForm, IdButton):
    """A button that opens a form. Its custom id consists of its word and its fields."""


async def press(interaction: Interaction) -> None:
    """Answer the use of a button or menu. Refuse one that is unknown, not in its message, or used in a wrong way."""
    data, part = cast("dict[str, Any]", interaction.data), used(interaction)
    item = None if part is None else PersistentItem.find(data["custom_id"])
    if item is None:
        await refuse(interaction, Refused(OUTDATED))
    elif not await turned_away(interaction):
        if item.accepts(data, part):
            item._refresh_state(interaction, data)
            await item.callback(interaction)
        else:
            await refuse(interaction, Refused(OUTDATED))


def used(interaction: Interaction) -> Any | None:
    """Return the button or menu that was used, from the message of the interaction; None if it is not there."""
    message, data = interaction.message, cast("dict[str, Any]", interaction.data)
    wanted = (data["component_type"], data["custom_id"])
    found = walk(message.components if message else ())
    return next(
        (part for part in found if (part.type.value, getattr(part, "custom_id", None)) == wanted), None
    )
