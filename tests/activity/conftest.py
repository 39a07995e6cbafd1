"""The application, for what shows it."""

from tests.app.conftest import host

__all__ = ["host"]
