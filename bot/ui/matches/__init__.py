"""The board of a match: its message, its controls, its threads, its announcements."""
