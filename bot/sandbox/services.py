"""What the REST API and the players' calls work with."""

from dataclasses import dataclass

from .faults import Faults
from .gateway import Gateway
from .interactions import Interactions
from .messages import Messages
from .world import World


@dataclass(frozen=True, slots=True)
class Services:
    world: World
    messages: Messages
    interactions: Interactions
    gateway: Gateway
    faults: Faults
    privileged: bool
    """Whether the application has the message content intent, which also rules what it reads by REST."""
