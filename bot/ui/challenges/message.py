"""The message of a challenge and its buttons."""

from collections.abc import Awaitable, Collection
from dataclasses import dataclass
from typing import Any, TypeVar

import discord
from discord import ui

from bot.app.mentions import mention
from bot.app.services import Services
from bot.ui.challenges.picture import picture_of, to_choose_from
from bot.ui.challenges.wording import buttons_text, challenge_text
from bot.ui.components.emoji import game_option
from bot.ui.components.layout import Part, card, gallery, message
from bot.ui.computers.play import PlayMeButton
from bot.ui.interactions.acting import Acting
from bot.ui.interactions.buttons import PersistentItem
from bot.ui.interactions.reply import Said
from bot.ui.lessons.pages import LessonButton, RulesSelect
from bot.ui.lessons.steps import LessonsButton, learn_button
from db.values.challenges import Answer, Challenge, Reply
from db.values.places import DiscordId
from render.games import HOSTED_GAMES

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class ChallengeMessage:
    """The message of a challenge, and the picture that it refers to, if it has one."""

    view: ui.LayoutView
    file: discord.File | None

    @property
    def files(self) -> list[discord.File]:
        """Return the files of the message."""
        return [] if self.file is None else [self.file]


async def drawn(services: Services, challenge: Challenge) -> ChallengeMessage:
    """Return the message of a challenge as it looks in its server."""
    theme = await services.preferences.theme(challenge.place)
    withheld = (await services.preferences.guild(challenge.place.guild)).withheld
    return await challenge_message(challenge, theme, withheld)


async def challenge_message(
    challenge: Challenge, theme: str | None, withheld: Collection[str] = ()
) -> ChallengeMessage:
    """Return the message of a challenge. While it is open, it shows the game in play, and its buttons answer it. A line
    above its box calls the members of a role.

    One that expired offers a game against the computer. A rematch has no picture, since its players know the game. An
    open challenge lets the opponent choose among all games that are not `withheld`. Without a theme, nothing is drawn.
    """
    text = challenge_text(challenge)
    if challenge.answer is not Answer.OPEN:
        return ChallengeMessage(card(text, *_rows(challenge)), None)
    rows = _choice_rows(challenge, to_choose_from(withheld)) if challenge.terms.any_game else _rows(challenge)
    below: list[Part] = [buttons_text(challenge), *rows]
    picture = None if theme is None else await picture_of(challenge, theme, withheld)
    shown: list[Part] = [] if picture is None else [gallery(picture.name, picture.alt)]
    view = card(text, *shown, *below)
    if challenge.call:
        view = message(challenge.call, *view.children)
    return ChallengeMessage(view, None if picture is None else picture.file)


def _choice_rows(challenge: Challenge, games: list[str]) -> list[ui.ActionRow[Any]]:
    """Return the rows of a challenge in which the opponent chooses one of these games."""
    label = "Withdraw" if challenge.public else "Decline"
    buttons = ui.ActionRow[Any](RefuseButton(challenge.id, label), LessonsButton())
    return [ui.ActionRow(ChooseGameSelect(challenge.id, games)), ui.ActionRow(RulesSelect(games)), buttons]


def _rows(challenge: Challenge) -> list[ui.ActionRow[Any]]:
    number = challenge.id
    if challenge.answer is Answer.EXPIRED:
        return [ui.ActionRow(PlayMeButton("Meanwhile, play me"))]
    if challenge.answer is not Answer.OPEN:
        return []
    game = challenge.terms.game
    how = [] if challenge.rematch_of is not None else [LessonButton(game), *learn_button(game)]
    if not challenge.public:
        return [ui.ActionRow(AcceptButton(number), RefuseButton(number), *how)]
    if challenge.terms.most == 2:
        return [ui.ActionRow(AcceptButton(number), RefuseButton(number, "Withdraw"), *how)]
    players = len(challenge.users(Reply.IN))
    return [
        ui.ActionRow(AcceptButton(number, "Join"), LeaveButton(number), *how),
        ui.ActionRow(
            StartButton(number, ready=players >= challenge.terms.fewest),
            RemovalsButton(number, anybody=players > 1),
            RefuseButton(number, "Close"),
        ),
    ]


class AcceptButton(PersistentItem[ui.Button[Any]], template=r"accept:(?P<challenge>[0-9]+)"):
    """Accepts a challenge, or joins a game that anybody may join."""

    def __init__(self, challenge: int, label: str = "Accept") -> None:
        self.challenge = challenge
        style = discord.ButtonStyle.success
        super().__init__(ui.Button(label=label, style=style, custom_id=f"accept:{challenge}"))

    async def answer(self, acting: Acting) -> None:
        await acting.ui_services.permission_alerts.check(acting.interaction, acting.place)
        accepting = acting.services.challenges.accept(self.challenge, acting.user)
        _, table = await with_redraw(acting, self.challenge, accepting)
        if table is not None:
            await acting.display.show(table.id)


class ChooseGameSelect(PersistentItem[ui.Select[Any]], template=r"choose-game:(?P<challenge>[0-9]+)"):
    """Accepts an open challenge by choosing its game."""

    def __init__(self, challenge: int, games: Collection[str] | None = None) -> None:
        self.challenge = challenge
        options = [game_option(game) for game in HOSTED_GAMES if games is None or game.key in games]
        super().__init__(
            ui.Select(
                custom_id=f"choose-game:{challenge}",
                placeholder="Accept: choose the game to play",
                options=options,
            )
        )

    async def answer(self, acting: Acting) -> None:
        await acting.ui_services.permission_alerts.check(acting.interaction, acting.place)
        accepting = acting.services.challenges.accept(self.challenge, acting.user, self.item.values[0])
        _, table = await with_redraw(acting, self.challenge, accepting)
        if table is not None:
            await acting.display.show(table.id)


class RefuseButton(PersistentItem[ui.Button[Any]], template=r"refuse:(?P<challenge>[0-9]+)"):
    """Declines a challenge; the challenger withdraws it."""

    def __init__(self, challenge: int, label: str = "Decline") -> None:
        self.challenge = challenge
        super().__init__(ui.Button(label=label, custom_id=f"refuse:{challenge}"))

    async def answer(self, acting: Acting) -> None:
        refusing = acting.services.challenges.refuse(self.challenge, acting.user)
        await with_redraw(acting, self.challenge, refusing)


class LeaveButton(PersistentItem[ui.Button[Any]], template=r"leave:(?P<challenge>[0-9]+)"):
    """Leaves a game that has not begun."""

    def __init__(self, challenge: int) -> None:
        self.challenge = challenge
        super().__init__(ui.Button(label="Leave", custom_id=f"leave:{challenge}"))

    async def answer(self, acting: Acting) -> None:
        leaving = acting.services.challenges.leave(self.challenge, acting.user)
        await with_redraw(acting, self.challenge, leaving)


class StartButton(PersistentItem[ui.Button[Any]], template=r"start:(?P<challenge>[0-9]+)"):
    """Starts the game with the members who have joined."""

    def __init__(self, challenge: int, *, ready: bool = True) -> None:
        self.challenge = challenge
        style = discord.ButtonStyle.primary
        super().__init__(
            ui.Button(label="Start", style=style, custom_id=f"start:{challenge}", disabled=not ready)
        )

    async def answer(self, acting: Acting) -> None:
        await acting.ui_services.permission_alerts.check(acting.interaction, acting.place)
        starting = acting.services.challenges.start(self.challenge, acting.user)
        table = await with_redraw(acting, self.challenge, starting)
        await acting.display.show(table.id)


class RemovalsButton(PersistentItem[ui.Button[Any]], template=r"removals:(?P<challenge>[0-9]+)"):
    """Shows the challenger privately the members who can be removed."""

    def __init__(self, challenge: int, *, anybody: bool = True) -> None:
        self.challenge = challenge
        super().__init__(ui.Button(label="Remove…", custom_id=f"removals:{challenge}", disabled=not anybody))

    async def answer(self, acting: Acting) -> Said:
        challenges = acting.services.challenges
        checking = challenges.removable(self.challenge, acting.user)
        return Said("", removals(await with_redraw(acting, self.challenge, checking)))


class RemoveButton(PersistentItem[ui.Button[Any]], template=r"remove:(?P<challenge>[0-9]+):(?P<user>[0-9]+)"):
    """Removes one member from a game that has not begun."""

    def __init__(self, challenge: int, user: DiscordId) -> None:
        self.challenge, self.user = challenge, user
        style = discord.ButtonStyle.danger
        super().__init__(ui.Button(label="Remove", style=style, custom_id=f"remove:{challenge}:{user}"))

    async def answer(self, acting: Acting) -> None:
        challenges = acting.services.challenges
        after = await challenges.remove(self.challenge, acting.user, self.user)
        await acting.display.invite(self.challenge)
        await acting.interaction.edit_original_response(view=removals(after))


def removals(challenge: Challenge) -> ui.LayoutView:
    """Return a message of the members who have joined, each with a button that removes them."""
    others = [user for user in challenge.users(Reply.IN) if user != challenge.challenger]
    head = "A member whom you remove cannot join again." if others else "Nobody else has joined."
    sections: list[ui.Item[Any]] = [
        ui.Section(ui.TextDisplay(mention(user)), accessory=RemoveButton(challenge.id, user))
        for user in others
    ]
    return message(head, *sections)


async def with_redraw(acting: Acting, challenge: int, replying: Awaitable[Result]) -> Result:
    """Await a reply to a challenge, and show the challenge's state on its card.

    A refused reply updates the card too: the bot may have been stopped before it could.
    """
    try:
        return await replying
    finally:
        await acting.display.invite(challenge)
