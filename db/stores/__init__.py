"""The store in an SQL database: one module for each subject, in the packages of db.api."""
