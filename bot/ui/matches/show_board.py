"""`/board`: the board once more, for everybody or for oneself."""

from bot.ui.kit.acting import Acting
from bot.ui.kit.pictures import board_picture
from bot.ui.kit.reply import Said
from bot.ui.matches.panel import panel
from bot.ui.matches.text_board import show_text_board


async def show_board(acting: Acting, game: int | None, *, as_text: bool) -> Said | None:
    """Show a board again.

    A player's own running game moves down to the end of the channel, without calling anybody; in letters, or for
    somebody who does not play, it is shown to the one who asked alone.
    """
    user, place = acting.user, acting.place
    table = await acting.services.matches.shown(user, place, game)
    if as_text:
        return show_text_board(table, user)
    if user in table.stored.users and place.channel == table.stored.place.channel and not table.match.over:
        await acting.display.show(table.id, again=True)
        return None
    theme = await acting.theme()
    alone = await acting.services.matches.by_itself(table)
    awards, changes = await acting.services.awards.new(table), await acting.services.ratings.changes(table)
    view = panel(table, theme, live=False, by_itself=alone, awards=awards, changes=changes)
    return Said("", view, await board_picture(table, theme))
