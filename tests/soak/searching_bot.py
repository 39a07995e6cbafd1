"""`python -m tests.soak.searching_bot`: the bot, which searches channels for unrecorded messages at once.

The bot relies on Discord's nonces for the first minute. Where a test lets Discord forget them, this bot is run instead.
"""

import sys
from datetime import timedelta

import bot.__main__ as wiring
from bot.ui.kit.posts import outbox

if __name__ == "__main__":
    outbox.STALE = timedelta()
    sys.exit(wiring.main())
