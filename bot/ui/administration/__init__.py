"""`/admin`, for the owner of the bot, in one server alone."""
