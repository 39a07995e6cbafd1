"""The games one by one: positions and known truths, also against the second implementations of tests.rules.plain."""
