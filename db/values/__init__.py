"""Plain values that are stored, and the errors of storing them. Times are aware and in UTC.

`matches`, `standings` and `members` are packages. `db.stores` has the queries at the same paths. The values are free
of any database library.
"""
