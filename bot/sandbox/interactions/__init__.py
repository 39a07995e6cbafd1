"""The commands, components and modals that members use, and the responses of the bot."""
