"""The mathematics of ratings: pure functions, and the only code that uses openskill."""
