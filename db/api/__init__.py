"""The interface of the store: for each subject its plain values and the protocol of the queries about it.

`matches`, `standings` and `members` are packages, and `db.stores` has the same modules at the same paths. The interface
is free of any database library. Times are aware and in UTC. Each method of a protocol is one transaction: if it
raises, nothing was stored.
"""
