"""`/board`: the board once more, for everybody or for oneself."""

from typing import Any

import discord

from bot.ui.kit.pictures import picture
from bot.ui.kit.reply import Said, answer
from bot.ui.kit.services import desk_of, place_of
from bot.ui.matches.panel import panel
from bot.ui.matches.text_board import letters


async def show_board(interaction: discord.Interaction[Any], game: int | None, *, as_text: bool) -> None:
    """Show a board again.

    A player's own running game moves down to the end of the channel, without calling anybody; in letters, or for
    somebody who does not play, it is shown to the one who asked alone.
    """

    async def act() -> Said | None:
        desk = desk_of(interaction)
        user, place = interaction.user.id, place_of(interaction)
        table = await desk.matches.shown(user, place, game)
        if as_text:
            return letters(table, user)
        if (
            user in table.stored.users
            and place.channel == table.stored.place.channel
            and not table.match.over
        ):
            await desk.show(table.id, again=True)
            return None
        theme = await desk.theme(place, user)
        alone = await desk.matches.by_itself(table)
        awards, changes = await desk.awards.new(table), await desk.ratings.changes(table)
        view = panel(table, theme, live=False, by_itself=alone, awards=awards, changes=changes)
        return Said("", view, await picture(table, theme))

    await answer(interaction, act)
