"""Interactions: how commands, buttons, menus and forms are checked and answered."""
