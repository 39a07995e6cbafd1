"""Puzzles, which a member solves in private messages, and the posts about them."""
