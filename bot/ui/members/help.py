"""`/help`: what a member can do now, and the list of all commands."""

from collections.abc import Collection, Sequence
from functools import singledispatch
from typing import Any, cast

import discord
from discord import AppCommandType, app_commands, ui
from discord.ext import commands
from discord.utils import format_dt

from bot.app.lessons import taught
from bot.app.matches.listed import Listed
from bot.app.matches.loaded import LoadedMatch
from bot.app.members.agenda import Agenda, agenda
from bot.app.mentions import against, mentions
from bot.ui import autocomplete
from bot.ui.challenges.wording import linked_title, summary
from bot.ui.components.message_parts import card, gallery, message, sheet_of_games, with_emoji
from bot.ui.components.wording import announcement_lines, linked_name
from bot.ui.computers import PlayMeButton
from bot.ui.interactions.buttons import IdButton
from bot.ui.interactions.checks import ALONE
from bot.ui.interactions.reply import Content, Context, Interaction, respond
from bot.ui.lessons import LearnButton, RulesSelect, show_lesson
from bot.ui.matches.board_actions import RulesButton, TextBoardButton
from bot.ui.members.preferences import InterestButton
from bot.ui.moves.controls import each_has_button
from bot.ui.moves.prompts import how_to_write, open_label
from bot.ui.proposals import proposal_sentence
from bot.ui.puzzles.buttons import PuzzleButton
from bot.ui.puzzles.posts import goal
from bot.ui.reports import FeedbackButton
from bot.ui.services import NO_LINKS, Links
from db.values.administration import Announcement
from db.values.challenges import Challenge
from db.values.places import DiscordId, Place
from db.values.proposals import Proposal
from render.board.phrases import counted
from render.games import HOSTED_GAMES
from rules.core.prompt import Prompt, RowPrompt, StepPrompt, WordsPrompt
from rules.games import find
from rules.puzzles.puzzle import Puzzle


def everything(
    slash: Sequence[app_commands.Command[Any, ..., Any] | app_commands.Group],
    menus: Sequence[app_commands.ContextMenu],
    permissions: discord.Permissions,
    *,
    installed: bool,
) -> str:
    """Return a line for each command that is available to a member with these permissions.

    `installed` is True in a server that has installed the bot.
    """
    mine = [
        command
        for command in slash
        if (command.default_permissions is None or command.default_permissions <= permissions)
        and (installed or command.allowed_contexts is None)
    ]
    lines = [
        f"`/{command.name}` {command.description}" for command in sorted(mine, key=lambda found: found.name)
    ]
    lines += [
        f"**{menu.name}**: in the menu of a {'member' if menu.type is AppCommandType.user else 'message'}, under Apps."
        for menu in menus
    ]
    return "\n".join(["### All commands", *lines])


class CommandsButton(IdButton, word="help:commands", label="All commands"):
    """Shows all commands."""

    async def answer(self, context: Context) -> Content:
        tree = cast(commands.Bot, context.interaction.client).tree
        menus = [
            *tree.get_commands(type=AppCommandType.user),
            *tree.get_commands(type=AppCommandType.message),
        ]
        slash = tree.get_commands(type=AppCommandType.chat_input)
        installed = context.interaction.is_guild_integration()
        text = everything(slash, menus, context.interaction.permissions, installed=installed)
        return Content("", message(text))


async def show_help(context: Context) -> Content:
    """Show this member the help that fits their games and challenges."""
    place = context.place
    found = await agenda(
        context.services.matches, context.services.challenges, context.services.proposals, context.user, place
    )
    withheld = (await context.services.preferences.guild(place.guild)).withheld
    offered = [game.key for game in HOSTED_GAMES if game.key not in withheld]
    manages = context.interaction.is_guild_integration() and context.interaction.permissions.manage_guild
    alone = context.interaction.context.dm_channel
    tried = await context.services.lessons.tried(context.user, place)
    begins = not any((found.due, found.proposed, found.asked, found.waiting, found.sent))
    begins = begins and not (found.joinable or found.watching or tried)
    picture = await sheet_of_games(offered, await context.theme()) if begins and offered else None
    puzzle = await context.services.daily_puzzles.undone(context.user)
    nearest = _nearest([one.loaded for one in found.due], place)
    due = None if nearest is None else await context.services.matches.load(nearest.id)
    if due is not None and context.user not in due.waiting_for:
        due = None  # The match has changed since the list was read.
    return Content(
        "",
        guidance(
            found,
            place,
            offered,
            due=due,
            manages=manages,
            alone=alone,
            tried=tried,
            picture=picture,
            puzzle=puzzle,
            announced=context.services.administration.announcement,
            links=context.ui_services.links,
        ),
        picture,
    )


def guidance(
    found: Agenda,
    place: Place,
    offered: Collection[str],
    *,
    due: LoadedMatch | None = None,
    manages: bool,
    alone: bool,
    tried: Collection[str] = (),
    picture: discord.File | None = None,
    puzzle: Puzzle | None = None,
    announced: Announcement | None = None,
    links: Links = NO_LINKS,
) -> ui.LayoutView:
    """Return the help for a member with this agenda.

    `offered` are the keys of the games that can be started here. `due` is the match that waits for the member.
    `manages` is True if the member may change the server's settings, and `alone` if only the bot and the member are
    here. If nothing waits for the member, a lesson of a game that they have not `tried` and `puzzle`, the open puzzle
    of the day, are suggested, and in a server to be told who looks for opponents. A newcomer, who has tried nothing,
    sees the `picture` of the games instead.
    `announced` is the announcement of the owner, `links` are those of the operator.
    """
    loaded = due or _nearest([*found.waiting, *found.watching], place)
    urgent = _urgent(found, place, due)
    texts = urgent or [_state(found, loaded)]
    if alone:
        texts.append(ALONE)
    if manages:
        texts.append(
            "-# You manage this server: in `/settings`, **Set up** turns on a daily puzzle, results and more."
        )
    suggested: ui.ActionRow[Any] = ui.ActionRow()
    if not urgent and puzzle is not None and puzzle.game in offered and picture is None:
        title = with_emoji(puzzle.game, find(puzzle.game).sheet.title)
        texts.append(f"The puzzle of the day waits for you. {title}: {goal(puzzle)}")
        suggested.add_item(PuzzleButton(puzzle.name))
    untried = next((key for key in taught() if key in offered and key not in tried), None)
    if not urgent and untried is not None:
        texts.append(f"**Learn it** teaches you {find(untried).sheet.title} in two minutes.")
        suggested.add_item(LearnButton(untried))
    if not urgent and place.guild is not None and picture is None:
        suggested.add_item(InterestButton())
    row: ui.ActionRow[Any] = ui.ActionRow(PlayMeButton(), CommandsButton())
    if loaded and not found.asked:
        row.add_item(RulesButton(loaded.stored.setup.game))
        if loaded.stored.place.near(place):
            row.add_item(TextBoardButton(loaded.id))
    if links.feedback is not None:
        row.add_item(FeedbackButton())
    rules: ui.ActionRow[Any] = ui.ActionRow(RulesSelect([game.key for game in HOSTED_GAMES]))
    suggestions = (suggested,) if suggested.children else ()
    shown = [] if picture is None else [gallery(picture.filename, picture.description or "")]
    return card(*announcement_lines(announced), *texts, *shown, row, *suggestions, rules, *links.line)


def _urgent(found: Agenda, place: Place, due: LoadedMatch | None) -> list[str]:
    """Return sentences about everything that waits for the member."""
    texts = [on_turn(due, found.user, place)] if due else []
    if len(found.due) > 1:
        number = len(found.due) - 1
        texts.append(f"{counted(number, 'more game')} {_wait(number)} for your move: `/games`.")
    texts += [proposed(*found.proposed[0])] if found.proposed else []
    texts += [challenged(found.asked)] if found.asked else []
    return texts


def _state(found: Agenda, loaded: LoadedMatch | Listed | None) -> str:
    """Return a sentence for a member for whom nothing waits: about their games, other games, or how to begin."""
    if found.waiting and loaded:
        return waiting(loaded)
    if found.sent:
        return not_begun(found.sent[0])
    if found.joinable:
        return joinable(found.joinable[0])
    if loaded:
        return watching(loaded)
    return NOTHING_YET


def on_turn(loaded: LoadedMatch, user: DiscordId, place: Place) -> str:
    """Return how to move in this match."""
    prompt = loaded.match.observe(loaded.seat_of(user)).prompt
    assert prompt is not None
    words = f"### It is your turn\n{linked_name(loaded)}: {prompt.ask}\n{_way(prompt)}"
    played = loaded.stored.place
    if played == place:
        return words
    where = "elsewhere" if played.guild is None else f"in <#{played.channel}>"
    return f"{words}\nIt is played {where}."


def proposed(proposal: Proposal, loaded: LoadedMatch) -> str:
    """Return how to answer an offered draw or a requested takeback."""
    return (
        f"### You are asked to agree\n{linked_name(loaded)}: {proposal_sentence(proposal, loaded)}\n"
        "Press **Accept** or **Decline** under the board. You can answer until the next move."
    )


def challenged(asked: Sequence[Challenge]) -> str:
    """Return how to answer the oldest of these challenges."""
    first = asked[0]
    number = len(asked) - 1
    more = (
        f"\n{counted(number, 'more challenge')} {_wait(number)} for your answer: `/games`." if number else ""
    )
    return (
        f"### You are challenged\n{summary(first)}: {linked_title(first)}."
        f" The challenge expires {format_dt(first.expires_at, 'R')}.\n"
        f"Press **Accept** or **Decline** under the challenge. In `/preferences` you can turn challenges off.{more}"
    )


def _wait(number: int) -> str:
    return "waits" if number == 1 else "wait"


def waiting(loaded: LoadedMatch | Listed) -> str:
    """Return what a player can do while others are on turn."""
    due = mentions(loaded.waiting_for)
    return (
        f"### It is not your turn\n{linked_name(loaded)} waits for {due}. In `/preferences` you choose how you are"
        " notified of your turn.\n"
        "`/board` shows the board again. **More** under it offers a draw, asks to take a move back, or resigns."
    )


def not_begun(challenge: Challenge) -> str:
    """Return what a member can do while their challenge waits for others."""
    return (
        f"### Your game has not begun\n{summary(challenge)}: {linked_title(challenge)}. The challenge"
        f" expires {format_dt(challenge.expires_at, 'R')}. With the buttons under it you can leave or withdraw it."
        " Meanwhile, play me: `/play`."
    )


def joinable(challenge: Challenge) -> str:
    """Return how to join a game that anybody may join."""
    return (
        f"### You can join a game\n{summary(challenge)}: {linked_title(challenge)}. The challenge"
        f" expires {format_dt(challenge.expires_at, 'R')}. Press the green button under it to join. `/challenge`"
        " starts a game of your own."
    )


def watching(loaded: LoadedMatch | Listed) -> str:
    """Return what a member can do where others play."""
    players = against(loaded.stored.users)
    return (
        f"### Others play here\n{linked_name(loaded)}: {players}.\n**More** under the board shows it as text, and the"
        " rules; `/replay` shows the moves so far. `/challenge` starts a game of your own."
    )


NOTHING_YET = (
    "### Start a game\n**Play me** or `/play` begins a game against the computer at once.\n`/challenge` asks a"
    " member, or anybody here, for a game. Everything that you need is under the board."
)
"""The advice on starting a game, for a member for whom nothing waits."""


@singledispatch
def _way(prompt: Prompt) -> str:
    """Return how to enter a move of this kind."""
    if each_has_button(prompt):
        return f"Press your move under the board. {_typed(prompt)}"
    return f"Press a move under the board, or a part to see its moves. {_typed(prompt)}"


@_way.register
def _step(prompt: StepPrompt) -> str:
    return f"Press a direction under the board. {_typed(prompt)}"


@_way.register
def _row(prompt: RowPrompt) -> str:
    return (
        f"Press **{open_label(prompt)}** under the board, unless your cards are there already: only you see them. Seal"
        f" them in the order proposed, lay some with the buttons first, or type {prompt.reds} times R and"
        f" {prompt.blacks} times B in any order. Nothing counts until you seal the row."
    )


@_way.register
def _words(prompt: WordsPrompt) -> str:
    return (
        f"Press **{open_label(prompt)}** under the board, unless the row is there already. Press the first and the last"
        f" card of each palindrome, or type as many as you like, also with `/move` (for example `{prompt.example}`)."
        f" At the end press **{prompt.stop.capitalize()}**."
    )


def _typed(prompt: Prompt) -> str:
    # A sentence with the same example would say nothing more.
    how = how_to_write(prompt)
    more = "" if prompt.example in how else f" {how}"
    return f"Or type it with **Type a move** or `/move`, for example `{prompt.example}`.{more}"


def _nearest(matches: Sequence[Listed], place: Place) -> Listed | None:
    """Return the first match that is played here, or else the first of all."""
    here = (loaded for loaded in matches if loaded.stored.place == place)
    return next(here, matches[0] if matches else None)


async def show_rules(context: Context, game: str | None) -> Content:
    """Show how a game is played. Without a name, show the only game of this channel, or a menu."""
    if game is None:
        here = {
            loaded.stored.setup.game for loaded in await context.services.matches.here(context.place.channel)
        }
        if len(here) != 1:
            return Content("", card(ui.ActionRow(RulesSelect([game.key for game in HOSTED_GAMES]))))
        (game,) = here
    return await show_lesson(context, game)


@app_commands.command(name="help", description="Show what you can do now, and all commands.")
async def help_(interaction: Interaction) -> None:
    await respond(interaction, show_help)


@app_commands.command(description="Show how a game is played, in pictures and in words.")
@app_commands.describe(game="the game (default: the one that is played in this channel)")
@app_commands.choices(game=autocomplete.ALL_CHOICES)
async def rules(interaction: Interaction, game: str | None = None) -> None:
    await respond(interaction, show_rules, game)
