"""`/cup`, which opens a cup."""

from discord import app_commands

from bot.app.events.pairings import FEWEST, MOST
from bot.app.events.schedule import read_start
from bot.app.members.digests import zone_told
from bot.app.mentions import PERSONAS
from bot.ui import autocomplete
from bot.ui.events.buttons import show
from bot.ui.interactions.checks import check_place
from bot.ui.interactions.reply import Context, Interaction, respond
from db.values.events import Terms
from render.games import HOSTED_GAMES
from rules.core.sizes import read_size
from rules.games import find

GAMES_OF_TWO = [game for game in HOSTED_GAMES if game.seats[0] == 2]
GAME_CHOICES = [autocomplete.game_choice(game) for game in GAMES_OF_TWO]
COMPUTERS = [
    app_commands.Choice(name=f"{it.sign} {it.name} (level {it.level})", value=it.level) for it in PERSONAS
]
USUAL = 8
"""The number of players if none is named."""


@app_commands.command(description="Open a cup: everybody plays everybody, and a table shows the results.")
@app_commands.guild_only()
@app_commands.describe(
    game="the game to play",
    size="size of the board: quick, standard, long, or numbers like 7x4 (default: standard)",
    clock="thinking time: 24h or 3d for each move, or 15m+10s for all moves (default: as usual here)",
    players="the most players, 2 to 48 (default: 8)",
    start="when it starts, like Monday 18:00, 5 December or in 2 hours (default: when it is full)",
    rated="whether the games count for ratings (default: if they have a clock)",
    computers="computer players of this level take the seats that are free at the start (default: none)",
)
@app_commands.choices(game=GAME_CHOICES)
@app_commands.choices(computers=COMPUTERS)
@app_commands.autocomplete(size=autocomplete.sizes, clock=autocomplete.clocks)
async def cup(
    interaction: Interaction,
    game: str,
    size: str = "",
    clock: app_commands.Range[str, 0, 50] = "",
    players: app_commands.Range[int, FEWEST, MOST] = USUAL,
    start: app_commands.Range[str, 0, 50] = "",
    rated: bool | None = None,
    computers: int = 0,
) -> None:
    await respond(interaction, _open, game, size, clock, players, start, rated, computers)


async def _open(
    context: Context,
    game: str,
    size: str,
    clock: str,
    players: int,
    start: str,
    rated: bool | None,
    computers: int,
) -> str:
    """Open a cup in the channel of the interaction, and post it. Raises Refused and RuleError."""
    place, services = context.place, context.services
    check_place(context.interaction)
    await context.ui_services.permission_alerts.check(context.interaction, place)
    time_control = await services.preferences.time_control(place.guild, clock)
    options = tuple(read_size(find(game), size).items())
    terms = Terms(
        game, options, time_control, time_control is not None if rated is None else rated, players, computers
    )
    zone = await zone_told(services.store, context.user)
    starts_at = read_start(start, services.clock.now(), zone)
    event = await services.events.open(place, context.user, terms, starts_at)
    await show(context, event.id)
    return (
        "Your cup is open; press **Join** below it to play, too. **Manage…** is for you and for moderators."
    )
