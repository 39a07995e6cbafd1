"""Hostile inputs in any number: `python -m tests.fuzz --inputs 1000000 --seed 1`."""
