"""The tables of matches, one module per subject as in db.values.matches."""
