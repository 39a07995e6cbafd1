"""Plain values that are stored, and the errors of storing them, one module for each subject.

Times are aware and in UTC. The values are free of any database library.
"""
