"""Discord's REST API, version 10, as far as a bot and its members need it. Each resource has a module."""

from bot.sandbox.rest import channels, commands, emojis, guilds, interactions, messages, pins, threads, users
from bot.sandbox.rest.wire import Route

ROUTES: tuple[Route, ...] = (
    *users.routes,
    *commands.routes,
    *emojis.routes,
    *interactions.routes,
    *guilds.routes,
    *channels.routes,
    *threads.routes,
    *pins.routes,
    *messages.routes,
)
