"""Discord's contract, held against every request of a bot and every answer of the local Discord.

A test takes the fixture `contract` and passes it as `Sandbox(observe=contract)`; a client that hands on what the
gateway sends it calls `contract.event(payload)`. Any violation fails the test at its end.
"""
