"""The parts that a start needs before the bot: command line, settings, log, memory, clock, the local Discord."""
