"""The strength of the computer players: round robins and shares against fixed opponents."""
