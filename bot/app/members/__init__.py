"""What concerns one member: their agenda, their preferences, their data."""
