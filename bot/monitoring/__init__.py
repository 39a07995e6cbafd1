"""The bot as seen from outside: alive, ready, and what it does. Nothing here knows a member or a move."""
