"""`/challenge` and its form, the message of a challenge, and its buttons."""

import asyncio
import io
from collections.abc import Collection, Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Annotated, Any

import discord
import structlog
from discord import app_commands, ui

from bot.app.challenges.offers import can_stand
from bot.app.challenges.terms import NamedTerms
from bot.app.computers import played_by_computers
from bot.app.errors import Refused
from bot.app.mentions import PERSONAS, mention
from bot.app.services import Services
from bot.ui import autocomplete
from bot.ui.challenges.offers import KeepOfferingButton, OfferAgainButton, accept, with_redraw
from bot.ui.challenges.posting import answer_with_challenge, answer_with_open_challenge, challenge_instead
from bot.ui.challenges.wording import GAMES_OPTION, USUAL_GAMES, challenge_text, declined_sentence
from bot.ui.components.message_parts import (
    Part,
    card,
    gallery,
    game_option,
    menu_options,
    message,
    sheet_of_games,
)
from bot.ui.computers import PlayMeButton, choose_game
from bot.ui.interactions.buttons import CheckedForm, FormButton, IdButton, IdSelect, PersistentItem, open_form
from bot.ui.interactions.reply import NOBODY, Content, Context, Interaction, edit, refuse, respond
from bot.ui.lessons import LessonButton, LessonsButton, RulesSelect, learn_button
from bot.ui.posts.outbox import Draft, rewound
from bot.ui.posts.requests import DISCORD_ERRORS
from bot.ui.services import ServicePublisher
from db.values.challenges import ANY_GAME, Answer, Challenge, Order, Reply
from db.values.members import Notice, level_of
from db.values.places import DiscordId
from db.values.posts import News, Occasion, Post, PostKind
from render.board.phrases import counted
from render.games import HOSTED_GAMES
from render.lessons import in_play
from rules.games import SIZE_NAMES, find
from rules.lessons import lesson_of

CHOOSES = "The opponent chooses the game"
"""The label of an open choice in menus."""


class ChallengeForm(CheckedForm):
    """Asks for the game, the size, the clock and the number of games of a challenge to one member.

    Without a `member`, it asks for the member too.
    """

    def __init__(self, member: discord.User | None = None) -> None:
        super().__init__(title="Challenge to a game", timeout=None)
        self.member = member
        self.opponent = ui.UserSelect[Any](custom_id="member", placeholder="Choose a member")
        if member is None:
            about = "For three to six players, in Maze or Co-Compositeness, send /challenge without a member."
            self.ask("Opponent", self.opponent, about)
        about = "When they accept; the size is the standard one."
        any_game = discord.SelectOption(label=CHOOSES, value=ANY_GAME, description=about)
        games = [any_game, *(game_option(game) for game in HOSTED_GAMES)]
        self.game = self.ask(
            "Game", ui.Select[Any](custom_id="game", placeholder="Choose a game", options=games)
        )
        self.size = self.ask("Size", _radio("size", {name: name for name in SIZE_NAMES}, "standard"))
        clock = ui.TextInput[Any](
            custom_id="clock",
            placeholder="24h, 3d, 3d+12h up to 7d, 15m+10s or none",
            required=False,
            max_length=50,
        )
        about = "Time for each move, or for all moves plus seconds per move. Empty: the usual clock here."
        self.clock = self.ask("Clock", clock, about)
        named = {value: name.capitalize() for value, (name, _) in GAMES_OPTION.items()}
        self.games = self.ask("Games", _radio("games", named, USUAL_GAMES))

    async def on_submit(self, interaction: Interaction) -> None:
        _, options = GAMES_OPTION[self.games.value or USUAL_GAMES]
        named = NamedTerms(
            self.game.values[0], self.size.value or "", clock=self.clock.value, options=options
        )
        member = self.member or self.opponent.values[0]
        await answer_with_challenge(interaction, member, named)  # type: ignore[arg-type]  # a Member is a User here


def _radio(custom_id: str, labels: Mapping[str, str], chosen: str) -> ui.RadioGroup[Any]:
    options = [
        discord.RadioGroupOption(label=label, value=value, default=value == chosen)
        for value, label in labels.items()
    ]
    return ui.RadioGroup(custom_id=custom_id, options=options)


class ChallengeButton(FormButton, word="challenge-somebody", label="Challenge somebody"):
    """Opens the form for a challenge to a member."""

    async def form(self, context: Context) -> ChallengeForm:
        return ChallengeForm()


GAME_CHOICES = [app_commands.Choice(name=CHOOSES, value=ANY_GAME), *autocomplete.HOSTED_CHOICES]

GAMES_CHOICES = [app_commands.Choice(name=name, value=value) for value, (name, _) in GAMES_OPTION.items()]

ORDER_CHOICES = [
    app_commands.Choice(name=name, value=order.value)
    for order, name in (
        (Order.LOT, "drawn by lot"),
        (Order.FIRST, "I begin"),
        (Order.LAST, "I go last"),
        (Order.LISTED, "in the order of joining, me first"),
    )
]


@app_commands.command(description="Challenge a member to a game, or ask who wants to play.")
@app_commands.describe(
    member="your opponent (default: anybody here may join; Maze and Co-Compositeness take up to 6 players)",
    game="the game to play (default: your opponent chooses it)",
    size="size of the board: quick, standard, long, or numbers like 7x4 (default: standard)",
    order="who sits where (default: drawn by lot)",
    clock="thinking time: 24h or 3d for each move, or 15m+10s for all moves (default: as usual here)",
    games="one game or two, rated or not (default: one game, rated if it has a clock)",
    call="a role to call; @everyone calls only those who are online (default: nobody is called)",
)
@app_commands.choices(game=GAME_CHOICES, order=ORDER_CHOICES, games=GAMES_CHOICES)
@app_commands.autocomplete(size=autocomplete.sizes, clock=autocomplete.clocks)
async def challenge(
    interaction: Interaction,
    member: discord.User | None = None,
    game: str = ANY_GAME,
    size: str = "",
    order: str = Order.LOT,
    clock: app_commands.Range[str, 0, 50] = "",
    games: str = USUAL_GAMES,
    call: discord.Role | None = None,
) -> None:
    _, options = GAMES_OPTION[games]
    named = NamedTerms(game, size, Order(order), clock, options)
    if member is None:
        await answer_with_open_challenge(interaction, named, call)
    elif call is not None:
        await refuse(
            interaction,
            Refused("Name a member or call a role, not both; a challenged member is notified anyway."),
        )
    else:
        await answer_with_challenge(interaction, member, named)


@app_commands.context_menu(name="Challenge to a game")
async def challenge_menu(interaction: Interaction, member: discord.User) -> None:
    bot = interaction.client.user
    if bot is not None and member.id == bot.id:
        await respond(interaction, choose_game)
    else:
        await open_form(interaction, ChallengeForm(member))


log = structlog.get_logger()


def to_choose_from(withheld: Collection[str]) -> list[str]:
    """Return the keys of the games from which an opponent may choose."""
    return [it.key for it in HOSTED_GAMES if it.key not in withheld]


async def _picture(challenge: Challenge, theme: str, withheld: Collection[str]) -> discord.File | None:
    """Return the picture of the game in play, or of all the games from which the opponent may choose.

    Return None for a rematch, whose players know the game, and for a game without a lesson.
    """
    game = challenge.terms.game
    if challenge.terms.any_game:
        return await sheet_of_games(to_choose_from(withheld), theme)
    if challenge.rematch_of is None and lesson_of(game) is not None:
        picture = await asyncio.to_thread(in_play, game, theme)
        return discord.File(io.BytesIO(picture.png), filename=f"{game}.png", description=picture.alt)
    return None


ChallengeMessage = tuple[ui.LayoutView, discord.File | None]
"""The message of a challenge, and the picture that it refers to, if it has one."""


async def drawn(services: Services, challenge: Challenge) -> ChallengeMessage:
    """Return the message of a challenge as it looks in its server."""
    theme = await services.preferences.theme(challenge.place)
    withheld = (await services.preferences.guild(challenge.place.guild)).withheld
    timed = challenge.answer is Answer.OPEN and challenge.terms.time_control
    asked = challenge.users(Reply.IN, Reply.ASKED) if timed and timed.lasting else ()
    return await challenge_message(challenge, theme, withheld, await services.absences.of(asked))


async def challenge_message(
    challenge: Challenge,
    theme: str,
    withheld: Collection[str] = (),
    absent: Mapping[DiscordId, datetime] = MappingProxyType({}),
) -> ChallengeMessage:
    """Return the message of a challenge, with a mention of the called role above its box.

    While the challenge is open, the message shows the game in play, and its buttons answer the challenge. A challenge
    of any game lets the opponent choose among the games that are not `withheld`. An expired challenge offers a game
    against the computer. `absent` holds the end of the absence of each player who is away, if that stops their clock.
    """
    text = challenge_text(challenge, absent)
    if challenge.answer is not Answer.OPEN:
        return card(text, *_rows(challenge)), None
    rows = _choice_rows(challenge, to_choose_from(withheld)) if challenge.terms.any_game else _rows(challenge)
    picture = await _picture(challenge, theme, withheld)
    shown: list[Part] = [] if picture is None else [gallery(picture.filename, picture.description or "")]
    view = card(text, *shown, *rows)
    if challenge.call:
        view = message(challenge.call, *view.children)
    return view, picture


def _choice_rows(challenge: Challenge, games: list[str]) -> list[ui.ActionRow[Any]]:
    """Return the rows of a challenge in which the opponent chooses one of these games."""
    label = "Withdraw" if challenge.public else "Decline"
    buttons = ui.ActionRow[Any](RefuseButton(challenge.id, label=label), LessonsButton())
    options = [game_option(game) for game in HOSTED_GAMES if game.key in games]
    choosing = ui.ActionRow[Any](ChooseGameSelect(challenge.id, options=options))
    return [choosing, ui.ActionRow(RulesSelect(games)), buttons]


def _rows(challenge: Challenge) -> list[ui.ActionRow[Any]]:
    number = challenge.id
    if challenge.answer is Answer.EXPIRED:
        return [ui.ActionRow(PlayMeButton(label="Meanwhile, play me"))]
    if challenge.answer is not Answer.OPEN:
        return []
    game = challenge.terms.game
    how = [] if challenge.rematch_of is not None else [LessonButton(game), *learn_button(game)]
    if not challenge.public:
        return [ui.ActionRow(AcceptButton(number), RefuseButton(number), *how)]
    if challenge.terms.most == 2:
        standing = challenge.standing
        accepting = AcceptButton(number, label="Accept" if standing is None else "Play")
        buttons: list[ui.Item[Any]] = [
            OfferAgainButton(number) if standing is not None and standing.rests else accepting,
            RefuseButton(number, label="Withdraw"),
            *how,
        ]
        if can_stand(challenge):
            buttons.append(KeepOfferingButton(number, label="Change…" if challenge.standing else ""))
        return [ui.ActionRow(*buttons)]
    players = challenge.users(Reply.IN)
    start = StartButton(number, disabled=len(players) < challenge.terms.fewest)
    rows: list[ui.ActionRow[Any]] = [
        ui.ActionRow(AcceptButton(number, label="Join"), LeaveButton(number), *how),
        ui.ActionRow(start, ChangeButton(number), RefuseButton(number, label="Close")),
    ]
    if players == (challenge.challenger, *challenge.computers):
        rows.append(ui.ActionRow(MembersSelect(number, challenge.terms.most - len(players))))
    return rows


class AcceptButton(IdButton, word="accept", label="Accept", style=discord.ButtonStyle.success):
    """Accepts a challenge, or joins an open game."""

    challenge: int

    async def answer(self, context: Context) -> str | None:
        return await accept(context, self.challenge)


class ChooseGameSelect(IdSelect, word="choose-game", placeholder="Accept: choose the game to play"):
    """Accepts an open challenge by choosing its game."""

    challenge: int

    async def answer(self, context: Context) -> str | None:
        return await accept(context, self.challenge, self.item.values[0])


class RefuseButton(IdButton, word="refuse", label="Decline"):
    """Declines a challenge; the challenger withdraws it."""

    challenge: int

    async def answer(self, context: Context) -> str | None:
        refusing = context.services.challenges.refuse(self.challenge, context.user)
        closed = await with_redraw(context, self.challenge, refusing)
        await tell_declined(context, closed)
        if closed.answer is not Answer.DECLINED:
            return None
        return f"You declined the challenge of {mention(closed.challenger)}."


async def tell_declined(context: Context, challenge: Challenge) -> None:
    """Tell the challenger privately if a challenge was declined; where its card is deleted, nothing else says so.

    They are told by an answer to the interaction with which they made the challenge, while Discord accepts one, and
    else by a direct message unless they want no notices.
    """
    services, place = context.ui_services, challenge.place
    if challenge.answer is not Answer.DECLINED or not services.posting.reaches(place):
        return
    interaction = services.private_answers.to_challenger(challenge.id)
    if interaction is not None:
        buttons = ui.ActionRow[Any](
            ChallengeButton(label="Ask somebody else"), PlayMeButton(label="Play the computer")
        )
        view = message(declined_sentence(challenge), buttons)
        try:
            await interaction.followup.send(view=view, ephemeral=True, allowed_mentions=NOBODY)
        except DISCORD_ERRORS as error:
            log.info("challenger.not_told", challenge=challenge.id, error=type(error).__name__)
        else:
            return
    users = await services.turn_notices.by_notice([challenge.challenger])
    news = News(Occasion.CHALLENGE, challenge.id, 1)
    await services.turn_notices.write((*users[Notice.PING], *users[Notice.DIRECT]), place.guild, news)


class LeaveButton(IdButton, word="leave", label="Leave"):
    """Leaves a game that has not begun."""

    challenge: int

    async def answer(self, context: Context) -> None:
        leaving = context.services.challenges.leave(self.challenge, context.user)
        await with_redraw(context, self.challenge, leaving)


class StartButton(IdButton, word="start", label="Start", style=discord.ButtonStyle.primary):
    """Starts the game with the members who have joined."""

    challenge: int

    async def answer(self, context: Context) -> None:
        await context.ui_services.permission_alerts.check(context.interaction, context.place)
        starting = context.services.challenges.start(self.challenge, context.user)
        loaded = await with_redraw(context, self.challenge, starting)
        await context.display.show(loaded.id)


class ChangeButton(IdButton, word="removals", label="Change…"):
    """Shows the challenger privately what they can change: the seats, the computer players, and who has joined."""

    challenge: int

    async def answer(self, context: Context) -> Content:
        checking = context.services.challenges.of_host(self.challenge, context.user)
        return Content("", changes(await with_redraw(context, self.challenge, checking)))


class MembersSelect(PersistentItem[ui.UserSelect[Any]], template=r"ask:(?P<challenge>[0-9]+)"):
    """Challenges the chosen members, instead of leaving the game open to everybody."""

    def __init__(self, challenge: int, most: int = 1) -> None:
        self.challenge = challenge
        select: ui.UserSelect[Any] = ui.UserSelect(
            custom_id=f"ask:{challenge}",
            placeholder="Host: invite only these members",
            max_values=most,
        )
        super().__init__(select)

    async def answer(self, context: Context) -> str | None:
        return await challenge_instead(context, self.challenge, self.item.values)


class TableSelect(IdSelect, word="table"):
    """Changes the number of seats of an open game, or the number or the level of the computer players who have one."""

    challenge: int
    what: Annotated[str, "seats|computers|level"]

    async def answer(self, context: Context) -> None:
        services, user, value = context.services, context.user, self.item.values[0]
        loaded = None
        if self.what == "seats":
            after, loaded = await services.challenges.resize(self.challenge, user, int(value))
        else:
            offer = await services.challenges.of_host(self.challenge, user)
            count, level = map(int, value.split(":"))
            computers = await services.computer_games.seated(user, offer.terms.game, level or None, count)
            after = await services.challenges.seat_computers(self.challenge, user, computers)
        await context.display.invite(self.challenge)
        if loaded is not None:
            await context.display.show(loaded.id)
        await edit(context, view=changes(after))


class RemoveButton(IdButton, word="remove", label="Remove", style=discord.ButtonStyle.danger):
    """Removes one member from a game that has not begun."""

    challenge: int
    user: DiscordId

    async def answer(self, context: Context) -> None:
        challenges = context.services.challenges
        after = await challenges.remove(self.challenge, context.user, self.user)
        await context.display.invite(self.challenge)
        await edit(context, view=changes(after))


def changes(challenge: Challenge) -> ui.LayoutView:
    """Return the message in which the challenger changes a game that has not begun."""
    if challenge.answer is not Answer.OPEN:
        return message("The game has begun.")
    terms, number = challenge.terms, challenge.id
    joined = [
        user for user in challenge.users(Reply.IN) if user not in (challenge.challenger, *challenge.computers)
    ]
    parts: list[Part] = []
    if challenge.public and not terms.any_game:
        fewest, most = find(terms.game).seats
        labels = {
            str(count): f"It begins by itself with {count} players" for count in range(fewest, most + 1)
        }
        seats = menu_options(labels, str(terms.most))
        parts += ["**Seats**", ui.ActionRow(TableSelect(number, "seats", options=seats))]
        if played_by_computers(terms.game) and terms.most > 2 and not joined:
            parts += [
                "**Computer players**; with them the game is casual",
                ui.ActionRow(TableSelect(number, "computers", options=_computer_counts(challenge, most - 2))),
            ]
            if challenge.computers:
                parts.append(ui.ActionRow(TableSelect(number, "level", options=_computer_levels(challenge))))
    parts.append("A member whom you remove cannot join again." if joined else "Nobody else has joined.")
    parts += [
        ui.Section(ui.TextDisplay(mention(user)), accessory=RemoveButton(number, user)) for user in joined
    ]
    return message(*parts)


def _computer_counts(challenge: Challenge, most: int) -> list[discord.SelectOption]:
    """Return the options for the number of the computer players; the first ones have the level that suits the host."""
    computers = challenge.computers
    level = level_of(computers[0]) if computers else 0
    labels = {"0:0": "None"} | {
        f"{count}:{level}": counted(count, "computer player") for count in range(1, most + 1)
    }
    return menu_options(labels, f"{len(computers)}:{level}")


def _computer_levels(challenge: Challenge) -> list[discord.SelectOption]:
    """Return the options for the level of the computer players, of whom there are some."""
    computers = challenge.computers
    return [
        discord.SelectOption(
            label=f"{found.name} (level {found.level})",
            value=f"{len(computers)}:{found.level}",
            emoji=found.sign,
            default=found.level == level_of(computers[0]),
        )
        for found in PERSONAS
        if played_by_computers(challenge.terms.game, found.level)
    ]


class CardPublisher(ServicePublisher):
    """Publishes the card of each challenge that somebody has to answer, and notifies the members who are asked.

    The card is deleted when the game begins, or when the challenge is declined or withdrawn.
    """

    kind = PostKind.CARD
    pictures = False
    by_response = True

    async def draft(self, post: Post) -> Draft | None:
        challenge = await self._services.store.challenges.get(post.subject)
        edit_only = post.message is None and challenge is not None and not self._waits(challenge)
        if challenge is None or (edit_only and post.tried_at is None):
            return None
        view, picture = await drawn(self._services, challenge)
        files = rewound() if picture is None else rewound(picture)

        asked = () if post.message is not None else challenge.users(Reply.ASKED)
        notices = await self._turn_notices.by_notice(asked, time_control=challenge.terms.time_control)
        call = "" if post.message is not None else challenge.call
        over = challenge.answer in (Answer.ACCEPTED, Answer.DECLINED, Answer.WITHDRAWN)
        removed = over and self.outbox.posting.reaches(challenge.place)
        return Draft(
            challenge.place,
            view,
            files,
            notify=notices[Notice.PING],
            call=call,
            edit_only=edit_only,
            removed=removed,
        )

    async def posted(self, post: Post, draft: Draft) -> None:
        challenge = await self._services.store.challenges.get(post.subject)
        if challenge is None or post.message is None or draft.edit_only:
            return
        users = await self._turn_notices.by_notice(challenge.users(Reply.ASKED))
        news = News(Occasion.CHALLENGE, challenge.id)
        await self._turn_notices.write(users[Notice.DIRECT], challenge.place.guild, news)

    def _waits(self, challenge: Challenge) -> bool:
        """Return True if a challenge waits for an answer."""
        asked = challenge.public or bool(challenge.users(Reply.ASKED))
        return challenge.answer is Answer.OPEN and asked and not challenge.late(self._services.clock.now())
