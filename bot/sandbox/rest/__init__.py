"""Discord's REST API, version 10, as far as a bot and its members need the API. Each resource has a module."""

from bot.sandbox.rest import application, channels, guilds, messages
from bot.sandbox.rest.wire import Route

ROUTES: tuple[Route, ...] = (*application.routes, *guilds.routes, *channels.routes, *messages.routes)
