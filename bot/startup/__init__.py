"""All that a start needs before there is a bot: command line, settings, log, memory, clock, the local Discord."""
