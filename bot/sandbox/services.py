"""What the REST API and the players' calls work with."""

from dataclasses import dataclass

from bot.sandbox.faults import Faults
from bot.sandbox.gateway.gateway import Gateway
from bot.sandbox.interactions.interactions import Interactions
from bot.sandbox.messages.messages import Messages
from bot.sandbox.world.world import World


@dataclass(frozen=True, slots=True)
class Services:
    world: World
    messages: Messages
    interactions: Interactions
    gateway: Gateway
    faults: Faults
    privileged: bool
    """Whether the application has the message content intent, which also rules what it reads by REST."""
