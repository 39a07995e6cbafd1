"""The interface of the store: for each subject its plain values and the protocol of the queries about it.

It is free of any database library. Times are aware and in UTC. Each method of a protocol is one transaction: if it
raises, nothing was stored.
"""
