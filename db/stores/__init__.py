"""The store in an SQL database: one module for each subject of db.api."""
