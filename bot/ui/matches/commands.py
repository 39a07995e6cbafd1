"""The commands of a running game: `/move` and `/board`. Everything else is in the menu **More** of a board."""

import re
from collections.abc import Sequence

from discord import app_commands

from bot.app.matches.listed import Listed
from bot.app.matches.matches import SeveralMatches
from bot.ui import autocomplete
from bot.ui.components.message_parts import board_picture, items_below, message
from bot.ui.interactions.buttons import MatchMenu
from bot.ui.interactions.reply import Content, Context, Interaction, Response, respond
from bot.ui.matches.board_actions import board_text, more_row
from bot.ui.matches.panel import gains, panel
from bot.ui.moves.play import play_by_command
from db.values.posts import PostKind


async def show_board(context: Context, number: int | None, *, as_text: bool) -> Response:
    """Show a board again.

    The board of a member's own running game is posted at the end of its channel, without notifying anybody. The board
    as text, and the board of another game, is shown to the member alone.
    """
    user, place, matches = context.user, context.place, context.services.matches
    try:
        loaded = (
            await matches.shown(user, place, None)
            if number is None
            else await matches.visible(number, user, place)
        )
    except SeveralMatches as several:
        kind = "text" if as_text else "board"
        return Content("Which board would you like to see?", items_below(BoardMenu(kind, several.matches)))
    if as_text:
        return Content("", message(board_text(loaded, loaded.seat_of(user)), more_row(loaded)))
    if user in loaded.stored.users and not loaded.match.over:
        if place.channel == loaded.stored.place.channel:
            await context.display.show(loaded.id, again=True)
            return None
        copy = await context.services.store.posts.get(PostKind.COPY, loaded.id, str(place.guild))
        if copy is not None and place.channel == copy.channel:
            await context.ui_services.outbox.publish(copy.kind, loaded.id, copy.key, anew=True)
            return None
    theme = await context.theme()
    forced = await matches.by_itself(loaded)
    found, now = await gains(context.services, loaded), context.services.clock.now()
    poll = await context.services.votes.poll(loaded, place.guild)
    secret = loaded.secret and user in loaded.waiting_for
    view = panel(loaded, theme, live=False, forced=forced, gains=found, now=now, poll=poll, secret=secret)
    return Content("", view, await board_picture(loaded, theme, context.ui_services.member_names))


class BoardMenu(MatchMenu, template=r"which-(?P<kind>board|text)"):
    """Shows the board of the chosen match."""

    def __init__(self, kind: str, matches: Sequence[Listed] = ()) -> None:
        self.kind = kind
        super().__init__(f"which-{kind}", matches)

    async def answer(self, context: Context) -> Response:
        return await show_board(context, self.match, as_text=self.kind == "text")


_MOVE_OF_MATCH = re.compile(r"#(?P<match>[0-9]{1,9})\s+(?P<text>.+)")
"""A move with the number of its game, as `/move` suggests it if several games wait."""


@app_commands.command(description="Make your move.")
@app_commands.describe(
    move="your move, written as on the board", number="the number of the game, if several wait for you"
)
@app_commands.autocomplete(move=autocomplete.moves)
@app_commands.autocomplete(number=autocomplete.running_games)
async def move(
    interaction: Interaction,
    move: app_commands.Range[str, 1, 200],
    number: int | None = None,
) -> None:
    numbered = _MOVE_OF_MATCH.fullmatch(move)
    if numbered and number is None:
        await respond(interaction, play_by_command, int(numbered["match"]), numbered["text"])
    else:
        await respond(interaction, play_by_command, number, move)


@app_commands.command(description="Show a board again with its buttons, as a picture or as text.")
@app_commands.describe(
    number="the number of the game (default: the game here)", as_text="as text instead of a picture"
)
@app_commands.autocomplete(number=autocomplete.running_games)
async def board(interaction: Interaction, number: int | None = None, as_text: bool = False) -> None:
    await respond(interaction, show_board, number, as_text=as_text)
