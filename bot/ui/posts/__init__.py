"""Publishing messages: the outbox, the ways to post, permissions, notifications, and names of members."""
