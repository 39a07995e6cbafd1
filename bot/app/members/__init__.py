"""One member: their agenda, their preferences, their data."""
