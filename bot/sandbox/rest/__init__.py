"""Discord's REST API, version 10, as far as a bot and its players need it; one module per kind of resource."""

from bot.sandbox.rest import channels, commands, guilds, interactions, messages, threads, users
from bot.sandbox.rest.wire import Route

ROUTES: tuple[Route, ...] = (
    *users.routes,
    *commands.routes,
    *interactions.routes,
    *guilds.routes,
    *channels.routes,
    *threads.routes,
    *messages.routes,
)
