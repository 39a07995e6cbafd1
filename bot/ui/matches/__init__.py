"""The boards of matches as messages: panel, controls, threads, announced results, clocks."""
