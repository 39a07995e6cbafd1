"""Commands, components and modals that members use, and the answers of the bot."""
