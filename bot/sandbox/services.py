"""The services that the REST API and the calls of the page share."""

from dataclasses import dataclass

from bot.sandbox.faults import Faults
from bot.sandbox.gateway.gateway import Gateway
from bot.sandbox.interactions.interactions import Interactions
from bot.sandbox.messages.messages import Messages
from bot.sandbox.world.limits import GlobalLimit, Limit
from bot.sandbox.world.world import World


@dataclass(frozen=True, slots=True)
class Services:
    world: World
    messages: Messages
    interactions: Interactions
    gateway: Gateway
    faults: Faults
    limit: GlobalLimit
    old_edits: Limit
    new_direct_messages: Limit
    privileged: bool
    """True if the application has the message content intent, which also limits what it can read by REST."""
