"""The state of the local Discord: its servers, members, channels, messages and interactions."""
