"""A local Discord: gateway, REST API and a page for its members. See README.md beside this file."""

from bot.sandbox.faults import Fault
from bot.sandbox.rest.wire import Exchange
from bot.sandbox.server import Sandbox
from bot.sandbox.world.clock import Clock, ManualClock, SystemClock
from bot.sandbox.world.store import StoreError

__all__ = ["Clock", "Exchange", "Fault", "ManualClock", "Sandbox", "StoreError", "SystemClock"]
