"""`/board`: the board once more, for everybody or for one member."""

from bot.ui.kit.answers.acting import Acting
from bot.ui.kit.answers.reply import Said
from bot.ui.kit.content.pictures import board_picture
from bot.ui.matches.boards.panel import panel
from bot.ui.matches.boards.text_board import show_text_board


async def show_board(acting: Acting, game: int | None, *, as_text: bool) -> Said | None:
    """Show a board again.

    A player's own running game is posted again at the end of its channel, without notifying anybody. The board as text,
    and the board of a game that the member does not play, is shown to the member alone.
    """
    user, place = acting.user, acting.place
    table = await acting.services.matches.shown(user, place, game)
    if as_text:
        return show_text_board(table, user)
    if user in table.stored.users and place.channel == table.stored.place.channel and not table.match.over:
        await acting.display.show(table.id, again=True)
        return None
    theme = await acting.theme()
    forced = await acting.services.matches.by_itself(table)
    awards, changes = await acting.services.awards.new(table), await acting.services.ratings.changes(table)
    view = panel(table, theme, live=False, forced=forced, awards=awards, changes=changes)
    return Said("", view, await board_picture(table, theme))
