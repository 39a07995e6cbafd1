"""The games one by one: positions, known truths, and second implementations to compare them with."""
