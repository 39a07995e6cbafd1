"""`/help`: what one can do right now, and the way to everything else."""

from collections.abc import Collection, Sequence
from functools import singledispatch
from typing import Any, cast

import discord
from discord import AppCommandType, app_commands, ui
from discord.ext import commands
from discord.utils import format_dt

from bot.app.matches.table import Table
from bot.app.members.agenda import Agenda, agenda
from bot.app.mentions import against
from bot.ui.challenges.venue import ALONE
from bot.ui.challenges.wording import summary
from bot.ui.kit.acting import Acting
from bot.ui.kit.buttons import PersistentItem
from bot.ui.kit.mentions import board_link, message_link
from bot.ui.kit.reply import Said
from bot.ui.matches.controls import RulesButton, TextBoardButton
from bot.ui.moves.buttons import BUTTON_LIMIT
from bot.ui.moves.menu import MENU_LIMIT
from bot.ui.moves.typed import how_to_write
from bot.ui.proposals.message import proposal_sentence
from bot.ui.rules import rules_message
from db.api.challenges import Challenge
from db.api.places import DiscordId, Place
from db.api.proposals import Proposal
from render.hosted_games import HOSTED_GAMES
from rules.core.prompt import Prompt, RowPrompt, StepPrompt, WordsPrompt
from rules.games import find


async def show_help(acting: Acting) -> Said:
    """Show this member what fits the moment."""
    place = acting.place
    found = await agenda(
        acting.services.matches, acting.services.challenges, acting.services.proposals, acting.user, place
    )
    withheld = (await acting.services.preferences.guild(place.guild)).withheld
    offered = [game.key for game in HOSTED_GAMES if game.key not in withheld]
    manages = acting.interaction.is_guild_integration() and acting.interaction.permissions.manage_guild
    alone = acting.interaction.context.dm_channel
    return Said("", guidance(found, place, offered, manages=manages, alone=alone))


def guidance(
    found: Agenda, place: Place, offered: Collection[str], *, manages: bool, alone: bool
) -> ui.LayoutView:
    """The help of a member with this agenda; `offered` are the keys of the games that may be started here, where nobody
    else is if they are `alone`."""
    box: ui.Container[Any] = ui.Container()
    due = _nearest([it.table for it in found.due], place)
    table = due or _nearest([*found.waiting, *found.watching], place)
    texts = [on_turn(due, found.user, place)] if due else []
    if len(found.due) > 1:
        texts.append(f"{len(found.due) - 1} more of your games wait for you: `/games`.")
    texts += [proposed(*found.proposed[0])] if found.proposed else []
    texts += [challenged(found.asked)] if found.asked else []
    if not texts and found.waiting and table:
        texts.append(waiting(table))
    elif not texts and found.sent:
        texts.append(not_begun(found.sent[0]))
    elif not texts and found.joinable:
        texts.append(joinable(found.joinable[0]))
    elif not texts and table:
        texts.append(watching(table))
    texts = texts or [nothing_yet(offered)]
    if alone:
        texts.append(ALONE)
    if manages:
        texts.append("-# You manage this server: `/settings` says where games are played, which, and how.")
    for text in texts:
        box.add_item(ui.TextDisplay(text))
    box.add_item(ui.ActionRow(RulesSelect([game.key for game in HOSTED_GAMES])))
    row: ui.ActionRow[Any] = ui.ActionRow(CommandsButton())
    if table and not found.asked:
        row.add_item(RulesButton(table.stored.setup.game))
        if table.stored.place.near(place):
            row.add_item(TextBoardButton(table.id))
    box.add_item(row)
    view = ui.LayoutView(timeout=None)
    view.add_item(box)
    return view


def on_turn(table: Table, user: DiscordId, place: Place) -> str:
    """How to move on this board."""
    prompt = table.match.observe(table.seat_of(user)).prompt
    assert prompt is not None
    words = f"### It is your turn\n{_name(table)}: {prompt.ask}\n{_way(prompt)}"
    played = table.stored.place
    if played == place:
        return words
    where = "elsewhere" if played.guild is None else f"in <#{played.channel}>"
    return f"{words}\nIt is played {where}."


def proposed(proposal: Proposal, table: Table) -> str:
    """How to answer a draw that is offered, or a takeback that is asked for."""
    return (
        f"### You are asked for your consent\n{_name(table)}: {proposal_sentence(proposal, table)}\n"
        "Press **Accept** or **Decline** under that message; it stands until the next move."
    )


def challenged(asked: Sequence[Challenge]) -> str:
    """How to answer a challenge, the oldest first."""
    first = asked[0]
    more = f"\n{len(asked) - 1} more wait for your answer: `/games`." if len(asked) > 1 else ""
    return (
        f"### You are challenged\n{summary(first)}: {_offered(first)}, open until {format_dt(first.expires_at, 'R')}.\n"
        f"Press **Accept** or **Decline** under the challenge. `/preferences` says when you want none.{more}"
    )


def waiting(table: Table) -> str:
    """What one can do while others are on turn."""
    due = " and ".join(f"<@{user}>" for user in table.waiting_for)
    return (
        f"### The others are on turn\n{_name(table)} waits for {due}. `/preferences` says how you hear of your turn.\n"
        "`/board` shows the board again, `/draw` offers a draw, `/takeback` asks for your last move back, `/resign`"
        " gives the game up."
    )


def not_begun(challenge: Challenge) -> str:
    """What one can do while one's challenge waits for others."""
    return (
        f"### Your game has not begun\n{summary(challenge)}: {_offered(challenge)}, open until"
        f" {format_dt(challenge.expires_at, 'R')}. The buttons under it let you out again, or call it off."
    )


def joinable(challenge: Challenge) -> str:
    """How to join a game that is open to all."""
    return (
        f"### You may join a game\n{summary(challenge)}: {_offered(challenge)}, open until"
        f" {format_dt(challenge.expires_at, 'R')}. The green button under it takes a seat. `/challenge` and `/lobby`"
        " start a game of your own."
    )


def watching(table: Table) -> str:
    """What one can do where others play."""
    players = against(table.stored.users)
    return (
        f"### Others play here\n{_name(table)}: {players}.\n**More** under the board shows it as text, and the rules;"
        " `/replay` shows how it came to this. `/challenge` and `/lobby` start a game of your own."
    )


def nothing_yet(offered: Collection[str]) -> str:
    """How to start, and what there is to play."""
    games = "\n".join(
        f"- **{game.sheet.title}**: {game.sheet.pitch}" for game in HOSTED_GAMES if game.key in offered
    )
    return (
        "### Start a game\nType `/challenge`, choose a member and a game; it begins when they have accepted. Then the"
        f" board comes, with all that you need under it. `/lobby` opens a game to whoever likes to join.\n{games}"
    )


def everything(
    slash: Sequence[app_commands.Command[Any, ..., Any] | app_commands.Group],
    menus: Sequence[app_commands.ContextMenu],
    permissions: discord.Permissions,
    *,
    installed: bool,
) -> str:
    """All commands that somebody with these permissions is offered, a line each, in a server that has `installed` the
    bot or elsewhere."""
    mine = [
        it
        for it in slash
        if (it.default_permissions is None or it.default_permissions <= permissions)
        and (installed or it.allowed_contexts is None)
    ]
    lines = [f"`/{it.name}` {it.description}" for it in sorted(mine, key=lambda it: it.name)]
    lines += [f"**{it.name}**: in the menu of a member, under Apps." for it in menus]
    return "\n".join(["### All commands", *lines])


@singledispatch
def _way(prompt: Prompt) -> str:
    """How to enter a move of this kind."""
    if len(prompt.choices) <= BUTTON_LIMIT:
        return f"Press your move under the board. {_typed(prompt)}"
    if len(prompt.choices) <= MENU_LIMIT:
        return f"Choose your move in the menu under the board. {_typed(prompt)}"
    return f"Choose in the menu under the board, then in the one that opens. {_typed(prompt)}"


@_way.register
def _step(prompt: StepPrompt) -> str:
    return f"Press your way under the board. {_typed(prompt)}"


@_way.register
def _row(prompt: RowPrompt) -> str:
    return (
        "Press **Secret move** under the board: nobody else sees what opens. Lay one card after the other, or type"
        f" {prompt.reds} times R and {prompt.blacks} times B in the order you like. Nothing counts before you seal it."
    )


@_way.register
def _words(prompt: WordsPrompt) -> str:
    return (
        "Press **Secret move** under the board: nobody else sees what opens. Name as many as you like, also with"
        f" `/move` (for example `{prompt.example}`), and then say `{prompt.stop}`."
    )


def _typed(prompt: Prompt) -> str:
    return f"Or type it, with **Move** or `/move`: for example `{prompt.example}`. {how_to_write(prompt)}"


def _nearest(tables: Sequence[Table], place: Place) -> Table | None:
    """The first of them that is played here, or the first at all."""
    here = (table for table in tables if table.stored.place == place)
    return next(here, tables[0] if tables else None)


def _name(table: Table) -> str:
    panel = table.stored.panel
    return (
        f"**{table.name}**" if panel is None else f"[{table.name}]({board_link(table.stored.place, panel)})"
    )


def _offered(challenge: Challenge) -> str:
    title = find(challenge.terms.game).sheet.title
    if challenge.message is None:
        return title
    return f"[{title}]({message_link(challenge.place, challenge.message)})"


class RulesSelect(PersistentItem[ui.Select[Any]], template="help:rules"):
    """Shows the rules of the game that is chosen."""

    def __init__(self, games: Sequence[str] = ()) -> None:
        options = [
            discord.SelectOption(
                label=find(key).sheet.title, value=key, description=find(key).sheet.pitch[:100]
            )
            for key in games
        ]
        super().__init__(ui.Select(custom_id="help:rules", placeholder="Read the rules of…", options=options))

    async def answer(self, acting: Acting) -> Said:
        return Said("", rules_message(find(self.item.values[0])))


class CommandsButton(PersistentItem[ui.Button[Any]], template="help:commands"):
    """Shows all commands."""

    def __init__(self) -> None:
        super().__init__(ui.Button(label="All commands", custom_id="help:commands"))

    async def answer(self, acting: Acting) -> Said:
        tree = cast(commands.Bot, acting.interaction.client).tree
        menus = [
            *tree.get_commands(type=AppCommandType.user),
            *tree.get_commands(type=AppCommandType.message),
        ]
        slash = tree.get_commands(type=AppCommandType.chat_input)
        installed = acting.interaction.is_guild_integration()
        text = everything(slash, menus, acting.interaction.permissions, installed=installed)
        view = ui.LayoutView(timeout=None)
        view.add_item(ui.TextDisplay(text))
        return Said("", view)
