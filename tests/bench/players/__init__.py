"""How strong the computer players are: round robins and shares against fixed opponents."""
