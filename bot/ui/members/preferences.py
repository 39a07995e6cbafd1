"""`/preferences`: the choices of a member, in one private message with a page for each subject.

The form for the wish to be told of open challenges is here, too.
"""

import io
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Annotated, Any, cast

import discord
import structlog
from discord import app_commands, ui

from bot.app.clocks.dates import zone_of
from bot.app.errors import Refused
from bot.app.members.absence import LONGEST, PER_YEAR, is_away, left_in_year
from bot.app.members.digests import read_hour, read_hours, read_zone
from bot.app.mentions import mention
from bot.app.replay import packed
from bot.ui.components.message_parts import (
    Part,
    card,
    chart_file,
    items_below,
    marked_games,
    members_menu,
    menu_options,
)
from bot.ui.interactions.buttons import Form, FormButton, IdButton, IdSelect, PersistentItem, form_menu, used
from bot.ui.interactions.reply import Content, Context, Interaction, edit, respond
from db.values.members import FOREVER, Digest, Interest, Member, MemberChange, Notice
from db.values.places import DiscordId
from render.board.phrases import counted
from render.charts.theme_sample import theme_sample
from render.games import HOSTED_GAMES
from rules.core.notation import joined
from rules.games import find

log = structlog.get_logger()

ABOUT = (
    "### What Pencilbox keeps about you\n"
    "To host games: the Discord ids of players, servers, channels and messages; moves with their times; results,"
    " ratings, achievements and titles; the games that you follow; your votes in vote games;"
    " the day on which you last used me;"
    " and your choices in `/preferences`."
    " I keep no names, and nothing that you write in Discord.\n"
    "The data is kept until you delete it here, or until you have not used me for {months} months."
)


class PrivacyButton(IdButton, word="privacy:show", label="Your data…"):
    """Tells the member what is kept about them, with buttons to export and to delete it, and the operator's links."""

    async def answer(self, context: Context) -> Content:
        about = ABOUT.format(months=context.services.retention.months)
        text = "\n".join((about, *context.ui_services.links.line))
        return Content(text, items_below(ExportButton(), DeleteButton()))


class ExportButton(IdButton, word="privacy:export", label="Export my data"):
    """Exports everything that is kept about the member who presses it."""

    async def answer(self, context: Context) -> Content:
        exported = await context.services.privacy.export(context.user)
        file = discord.File(io.BytesIO(packed(exported)), filename="pencilbox-data.json")
        return Content(
            "Everything that Pencilbox keeps about you, table by table. It includes your own hidden moves.",
            file=file,
        )


class DeleteButton(
    IdButton, word="privacy:delete", label="Delete my data…", style=discord.ButtonStyle.danger
):
    """Asks for confirmation, and lists what will be deleted."""

    async def answer(self, context: Context) -> Content:
        matches, challenges = await context.services.privacy.still_in(context.user)
        return Content(question(matches, challenges), items_below(ReallyDeleteButton()))


class ReallyDeleteButton(
    IdButton, word="privacy:really-delete", label="Yes, delete it all", style=discord.ButtonStyle.danger
):
    """Deletes everything that is kept about the member who presses it."""

    async def answer(self, context: Context) -> None:
        await context.services.privacy.forget(context.user)
        context.ui_services.outbox.wake()
        await edit(context, content=DELETED, view=None)


DELETED = (
    "Everything that Pencilbox kept about you is deleted. The boards and challenges that name you are being edited,"
    " which may take a while. Other messages in Discord, such as announced results, may still name you: ask a moderator"
    " to delete them. If you play again, you start from the beginning."
)


def question(matches: int, challenges: int) -> str:
    """Return the question before the data of a member in so many running matches and open challenges is deleted."""
    open_ones = (matches, "running game"), (challenges, "open challenge")
    left = [counted(number, what) for number, what in open_ones if number]
    leave = (
        f"- You leave {' and '.join(left)}: the games are resigned, the challenges withdrawn.\n"
        if left
        else ""
    )
    return (
        f"**Delete everything that Pencilbox keeps about you?** This cannot be undone.\n{leave}"
        "- Your preferences are deleted. So are all blocks: those that you set and those that others set against you.\n"
        "- Finished games stay for the other players, with **a former member** in your place.\n"
        "- Your results are removed from the leaderboards."
    )


NUMBERS = (1, 2, 3, 5, 10)
"""The numbers of notifications of a day that can be chosen."""
ABOUT_ZONES = "A name follows daylight saving time, an offset does not."
HERE, ELSEWHERE, STOP = "here", "elsewhere", "stop"


def spell_interest(wish: Interest | None, guild: DiscordId | None, now: datetime) -> str:
    """Return a sentence about a wish as it is read in a server, or in direct messages (None)."""
    if wish is None:
        return "I do not tell you when somebody looks for opponents."
    games = "any game" if not wish.games else joined([find(key).sheet.title for key in wish.games])
    if (wish.first_hour, wish.end_hour) == (0, 24):
        hours = "at any hour"
    else:
        hours = f"from {wish.first_hour:02}:00 to {wish.end_hour:02}:00"
    often = "once" if wish.most == 1 else f"{wish.most} times"
    return (
        f"I tell you when somebody looks for opponents in {games}, {_where(wish, guild)}: "
        f"{hours}, at most {often} a day. "
        f"Your time zone is {wish.zone}, where it is {now.astimezone(zone_of(wish.zone)):%H:%M} now."
    )


def _where(wish: Interest, guild: DiscordId | None) -> str:
    """Return the servers of a wish, as they are named in a server, or in direct messages (None)."""
    others = len(wish.guilds) - (guild in wish.guilds)
    if guild in wish.guilds:
        return "in this server" + (f" and {counted(others, 'other')}" if others else "")
    return f"in {counted(others, 'server')}" + ("" if guild is None else ", but not in this one")


class InterestButton(FormButton, word="interest", label="When somebody wants to play…"):
    """Opens the form of the wish to be told when somebody looks for opponents."""

    async def form(self, context: Context) -> "InterestForm":
        wish, guild = await context.services.store.interests.get(context.user), context.place.guild
        if wish is None and guild is None:
            raise Refused("Use `/preferences` in the server in which you want to play.")
        return InterestForm(wish, context.user, guild)


def zone_field(zone: str | None) -> ui.TextInput[Any]:
    """Return the field of a form in which a member types a time zone."""
    examples = "Berlin, UTC+2, or your time now: 20:15"
    return ui.TextInput(custom_id="zone", default=zone, placeholder=examples, max_length=40)


class InterestForm(Form):
    """Asks for the games, the hours, the time zone, the daily number and the server of notifications."""

    def __init__(self, wish: Interest | None, user: DiscordId, guild: DiscordId | None) -> None:
        super().__init__("When somebody wants to play")
        chosen = wish or Interest(user)
        options = marked_games(HOSTED_GAMES, chosen.games)
        games = ui.Select[Any](
            custom_id="games",
            placeholder="All games",
            options=options,
            min_values=0,
            max_values=len(options),
            required=False,
        )
        self.games = self.ask("Games", games, "None chosen means all.")
        between = f"{chosen.first_hour}-{chosen.end_hour}"
        hours = ui.TextInput[Any](custom_id="hours", default=between, max_length=20)
        self.hours = self.ask("Hours", hours, "In your time zone, like 18-23.")
        self.zone = self.ask("Time zone", zone_field(None if wish is None else wish.zone), ABOUT_ZONES)
        often = {str(number): f"{counted(number, 'time')} a day" for number in NUMBERS}
        self.most = self.ask("At most", form_menu("most", often, str(chosen.most)))
        where = ui.RadioGroup[Any](custom_id="where", options=_places(wish, guild))
        self.where = self.ask("Where", where)

    async def answer(self, context: Context) -> Content:
        services, user, guild = context.services, context.user, context.place.guild
        now = services.clock.now()
        if self.where.value == STOP:
            await services.store.interests.forget(user)
        else:
            first, end = read_hours(self.hours.value)
            zone = read_zone(self.zone.value, now)
            wish = Interest(user, tuple(self.games.values), first, end, zone, int(self.most.values[0]))
            await services.interests.choose(wish, guild, here=self.where.value == HERE)
        text = spell_interest(await services.store.interests.get(user), guild, now)
        return Content(text, name="interest")


def _places(wish: Interest | None, guild: DiscordId | None) -> list[discord.RadioGroupOption]:
    """Return the options for the servers of a wish: this one, those that were chosen before, or none."""
    others = [it for it in (wish.guilds if wish is not None else ()) if it != guild]
    here = wish is None or guild in wish.guilds
    options = []
    if guild is not None:
        label = "In this server, too" if others else "In this server"
        options.append(discord.RadioGroupOption(label=label, value=HERE, default=here))
    if others:
        label = f"In {counted(len(others), 'other server' if guild is not None else 'server')} only"
        options.append(
            discord.RadioGroupOption(label=label, value=ELSEWHERE, default=guild is None or not here)
        )
    options.append(discord.RadioGroupOption(label="Nowhere: do not tell me", value=STOP))
    return options


LABELS = {"slate": "Slate: dark", "paper": "Paper: light, for daylight"}
"""By name of the theme, in the order in which members see them."""


def swatches() -> ui.MediaGallery[Any]:
    """Return the gallery of the themes' samples; `swatch_files` must be attached to the message once."""
    gallery: ui.MediaGallery[Any] = ui.MediaGallery()
    for theme in LABELS:
        gallery.add_item(media=f"attachment://{theme}.png", description=f"How {theme} looks.")
    return gallery


async def swatch_files() -> list[discord.File]:
    """Return the sample pictures of the themes."""
    return [await chart_file(f"{it}.png", f"How {it} looks.", theme_sample, it) for it in LABELS]


def theme_options(chosen: str | None, otherwise: str) -> list[discord.SelectOption]:
    """Return the options of a theme menu; `otherwise` is the label of the option for no theme."""
    return menu_options({"same": otherwise, **LABELS}, chosen or "same")


def theme_chosen(value: str) -> str | None:
    """Return the theme of an option of `theme_options`, or None."""
    return value if value in LABELS else None


PAGES = {"notices": "Notifications", "play": "Play", "members": "Members"}
"""The pages, with the labels of their buttons: all choices together have more components than a message may have."""

PAGE_OF = {
    **dict.fromkeys(("theme", "forced", "confirm", "conditional"), "play"),
    **dict.fromkeys(("away", "listed"), "members"),
}
"""By choice: its page; all others are on that of notifications."""


async def show_preferences(context: Context) -> Content:
    """Show this member their choices, with a menu to change each."""
    return Content("", await preferences(context, context.user))


async def preferences(context: Context, user: DiscordId, page: str = "notices") -> ui.LayoutView:
    """Return a page of the message of a member's choices; see PAGES."""
    chosen = await context.services.preferences.member(user)
    match page:
        case "play":
            parts = _play(chosen, context.services.clock.now())
        case "members":
            parts = _members(chosen, await context.services.store.members.blocked(user))
        case _:
            parts = _notices(chosen, await context.services.digests.of(user), context.services.clock.now())
    turning: ui.ActionRow[Any] = ui.ActionRow(
        *(PreferencesPageButton(other, disabled=other == page) for other in PAGES)
    )
    return card(
        "### Your preferences\nThey apply in every server. Only you see this.",
        turning,
        *parts,
        ui.Separator(),
        ui.ActionRow(PrivacyButton()),
    )


def _notices(chosen: Member, digest: Digest, now: datetime) -> list[Part]:
    return [
        "**Your turn**, and questions of other players: how you want to be notified",
        _menu("notice", NOTICES, chosen.notice),
        f"-# {spell_digest(chosen, digest, now)}",
        ui.ActionRow(DigestButton()),
        "**Next game**: after your move, when other games wait for you",
        _switch("next", NEXT, on=chosen.next_game),
        "**Opponents**: a direct message when somebody looks for them",
        ui.ActionRow(InterestButton()),
    ]


def _play(chosen: Member, now: datetime) -> list[Part]:
    return [
        f"**Away**\n{_absence(chosen, now)}",
        ui.ActionRow(AwayButton(), *([BackButton()] if is_away(chosen, now) else [])),
        "**Moves that you press**",
        _switch("confirm", CONFIRM, on=chosen.confirms),
        "**Forced moves**: when you have only one legal move",
        _switch("forced", FORCED, on=chosen.forced),
        "**Conditional moves**: answers to moves that others have not made yet, behind **More**",
        _switch("conditional", CONDITIONAL, on=chosen.conditional),
        ui.Separator(),
        "**The theme** of pictures that only you see",
        swatches(),
        ui.ActionRow(PreferenceSelect("theme", options=theme_options(chosen.theme, "Same as the server"))),
    ]


def _members(chosen: Member, blocked: Sequence[DiscordId]) -> list[Part]:
    away = "no" if chosen.away_until is None else "for good" if chosen.away_until == FOREVER else "hours"
    return [
        f"**Challenges**\n{_reachable(chosen.away_until)}",
        _menu("away", AWAY, away),
        "**Blocked members** play no games with you from now on. They are not told.",
        _earlier(blocked),
        ui.ActionRow(BlockSelect(blocked[-MOST_SHOWN:])),
        "**Global leaderboards**; those of your servers always list you",
        _switch("listed", LISTED, on=chosen.listed),
    ]


async def _redraw(context: Context, page: str) -> None:
    """Show a page of the choices as they are now in the message that was used."""
    await edit(context, view=await preferences(context, context.user, page))


def _reachable(away_until: datetime | None) -> str:
    if away_until is None:
        return "You can be challenged."
    if away_until == FOREVER:
        return "You cannot be challenged until you change this."
    return f"You cannot be challenged before {discord.utils.format_dt(away_until, 't')}."


def _absence(member: Member, now: datetime) -> str:
    """Return the lines about the absence of a member, and what it does."""
    days = left_in_year(member, now) // timedelta(days=1)
    rest = f"You can be away for {counted(days, 'more day')} in this year."
    if member.absent_until is None or not is_away(member, now):
        return f"While you are away, your clocks of a day or more stand still. {rest}"
    until = f"{discord.utils.format_dt(member.absent_until, 'F')} ({discord.utils.format_dt(member.absent_until, 'R')})"
    return f"You are away until {until}; your clocks of a day or more stand still. {rest}"


class AwayButton(FormButton, word="absent:until", label="Away until…"):
    """Asks a member until when they are away."""

    async def form(self, context: Context) -> Form:
        return AwayForm()


class AwayForm(Form):
    """Lets a member be away from now until a date."""

    def __init__(self) -> None:
        super().__init__("Away until…")
        placeholder = "5 December, Monday, 2026-12-05 or in 5 days"
        about = (
            f"From now on, for at most {LONGEST.days} days at a time and {PER_YEAR.days} in a year."
            " You can come back earlier."
        )
        until = ui.TextInput[Any](custom_id="until", placeholder=placeholder, max_length=50)
        self.until = self.ask("You are back on", until, about)

    async def answer(self, context: Context) -> str:
        until = await context.services.absences.begin(context.user, self.until.value)
        context.ui_services.outbox.wake()
        await _redraw(context, "play")
        when = f"{discord.utils.format_dt(until, 'F')} ({discord.utils.format_dt(until, 'R')})"
        return f"You are away until {when}. Boards and challenges say so. **I am back** ends it earlier."


class BackButton(IdButton, word="absent:back", label="I am back"):
    """Ends the absence of a member."""

    async def answer(self, context: Context) -> None:
        await context.services.absences.end(context.user)
        context.ui_services.outbox.wake()
        await _redraw(context, "play")


def spell_digest(member: Member, digest: Digest, now: datetime) -> str:
    """Return a sentence about the daily message of a member, or what it would be."""
    when = (
        f"{digest.hour:02}:00 ({digest.zone}, where it is {now.astimezone(zone_of(digest.zone)):%H:%M} now)"
    )
    if member.notice is not Notice.DIGEST:
        return f"One message a day would come at {when}, instead of single ones."
    return (
        f"One message a day comes at {when}: your games that wait, questions, results, open games and the puzzle."
        " A clock that runs out, and games with less than a day, are told at once."
    )


class DigestButton(FormButton, word="digest", label="One message a day…"):
    """Opens the form of the daily message."""

    async def form(self, context: Context) -> Form:
        return DigestForm(await context.services.digests.of(context.user))


class DigestForm(Form):
    """Lets a member be told once a day, at an hour of their time zone."""

    def __init__(self, digest: Digest) -> None:
        super().__init__("One message a day")
        hour = ui.TextInput[Any](custom_id="hour", default=str(digest.hour), max_length=10)
        self.hour = self.ask("Hour", hour, "In your time zone, like 18 or 6 pm.")
        unknown = digest.until is None and digest.zone == "UTC"
        self.zone = self.ask("Time zone", zone_field(None if unknown else digest.zone), ABOUT_ZONES)

    async def answer(self, context: Context) -> None:
        zone = read_zone(self.zone.value, context.services.clock.now())
        await context.services.digests.begin(context.user, read_hour(self.hour.value), zone)
        await _redraw(context, "notices")


MOST_SHOWN = 24
"""The most blocked members in the menu, which leaves room to add one: Discord allows 25."""


def _earlier(blocked: Sequence[DiscordId]) -> str:
    """Return a line about the blocked members for whom the menu has no room; "" if there are none."""
    if len(blocked) <= MOST_SHOWN:
        return ""
    names = ", ".join(mention(user) for user in blocked[:-MOST_SHOWN])
    return f"-# Blocked earlier: {names}. Choose one of these to unblock them."


AWAY = {
    "no": "Anybody can challenge me",
    "hours": "No challenges for 8 hours",
    "for good": "No challenges until I change this",
}
CONFIRM = {"off": "They count at once", "on": "They count after I have confirmed them"}
NEXT = {"on": "Link the one that has waited longest", "off": "Do not tell me"}
LISTED = {"on": "List me", "off": "Leave me out"}
FORCED = {"off": "I play it", "on": "It is played for me"}
CONDITIONAL = {"on": "I can enter them", "off": "Do not offer them; remove those that I have entered"}
NOTICES: Mapping[str, str] = {
    Notice.PING: "Ping me under the board",
    Notice.DIRECT: "Send me a direct message",
    Notice.DIGEST: "One direct message a day, at the hour below",
    Notice.NONE: "Do not tell me",
}


def _menu(what: str, labels: Mapping[str, str], chosen: str) -> ui.ActionRow[Any]:
    return ui.ActionRow(PreferenceSelect(what, options=menu_options(labels, chosen)))


def _switch(what: str, labels: Mapping[str, str], *, on: bool) -> ui.ActionRow[Any]:
    return _menu(what, labels, "on" if on else "off")


class PreferencesPageButton(IdButton, word="preferences:page", label=PAGES):
    """Turns to a page of the preferences."""

    page: str

    async def answer(self, context: Context) -> None:
        files = await swatch_files() if self.page == "play" else []
        view = await preferences(context, context.user, self.page)
        await edit(context, view=view, attachments=files)


class PreferenceSelect(IdSelect, word="prefer"):
    """Changes one choice, and shows the new ones."""

    what: Annotated[str, "theme|notice|forced|confirm|conditional|next|away|listed"]

    async def answer(self, context: Context) -> None:
        await _choose(context, context.user, self.what, self.item.values[0])
        await _redraw(context, PAGE_OF.get(self.what, "notices"))


async def _choose(context: Context, user: DiscordId, what: str, value: str) -> None:
    choices = context.services.preferences
    match what:
        case "theme":
            await choices.choose(user, theme=theme_chosen(value))
        case "notice" if value == Notice.DIGEST:
            await context.services.digests.begin(user)
        case "notice":
            await choices.choose(user, notice=Notice(value))
        case "away":
            if value == "no":
                await choices.choose(user, away_until=None)
            else:
                await choices.away(user, for_good=value == "for good")
        case "forced":
            await choices.choose(user, forced=value == "on")
            await _play_forced(context, user)
        case _:
            key = {"confirm": "confirms", "next": "next_game"}.get(what, what)
            await choices.choose(user, **cast(MemberChange, {key: value == "on"}))


async def _play_forced(context: Context, user: DiscordId) -> None:
    """Play the forced moves of this member, and show these games."""
    for loaded in await context.services.matches.mine(user):
        if user in loaded.waiting_for:
            with suppress(Refused):  # The move counts, even if its board cannot be posted.
                await context.display.show(loaded.id, await context.services.matches.resume(loaded.id))


class BlockSelect(PersistentItem[ui.UserSelect[Any]], template="prefer:blocked"):
    """Blocks the members who are added, and unblocks those who are removed."""

    def __init__(self, blocked: Sequence[DiscordId] = ()) -> None:
        super().__init__(members_menu("prefer:blocked", "Nobody is blocked", blocked, MOST_SHOWN + 1))

    async def answer(self, context: Context) -> None:
        user, chosen = context.user, {it.id for it in self.item.values}
        # discord.py leaves these ids as text.
        shown = {int(it.id) for it in getattr(used(context.interaction), "default_values", ())}
        services = context.services
        blocked = await services.store.members.blocked(user)
        try:
            for other in shown - chosen:
                if other in blocked:
                    await services.preferences.unblock(user, other)
            for other in chosen - shown:
                if other not in blocked:
                    await services.preferences.block(user, other)
                elif len(shown) >= MOST_SHOWN:
                    await services.preferences.unblock(user, other)
        finally:
            await _redraw(context, "members")


@app_commands.command(
    name="preferences", description="Change your preferences, block members, export or delete your data."
)
async def preferences_command(interaction: Interaction) -> None:
    await respond(interaction, show_preferences)
