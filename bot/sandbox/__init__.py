"""A local Discord: gateway, REST API and a page for its members. See README.md beside this file."""

from .clock import Clock, ManualClock, SystemClock
from .exchange import Exchange
from .faults import Fault
from .server import Sandbox
from .store import StoreError

__all__ = ["Clock", "Exchange", "Fault", "ManualClock", "Sandbox", "StoreError", "SystemClock"]
