"""Data that an earlier version stored, read and played on by the code of today."""
