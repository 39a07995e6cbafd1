"""Many processes of the bot on one PostgreSQL: `python -m tests.many_processes` plays, kills and measures them."""
