"""A year of a server of thirty members in minutes: the real bot and store on simulated time."""
