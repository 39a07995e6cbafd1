"""The Activity, in the process of the tests."""
