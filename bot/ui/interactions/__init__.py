"""Answering an interaction: what it carries, its buttons and forms, and the one way to answer."""
