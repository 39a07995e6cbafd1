"""The contract with Discord: checks of every request of a bot and every answer of the local Discord.

A test takes the fixture `contract` and passes it as `Sandbox(observe=contract)`; a client that has access to the
gateway's payloads calls `contract.event(payload)` for each. Any violation fails the test at its end.
"""
