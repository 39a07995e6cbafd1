"""The mathematics of ratings: pure, and all that is known of openskill."""
