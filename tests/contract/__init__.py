"""The contract with Discord: checks of the requests of a bot and of the responses and events of the local Discord.

A test takes the fixture `contract` and passes it as `Sandbox(observe=contract)`. A client that has access to the
gateway's payloads calls `contract.event(payload)` for each. Any violation fails the test at its end.
"""
