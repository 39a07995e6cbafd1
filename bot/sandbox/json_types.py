"""Types of JSON values."""

from typing import Any, TypeAlias

Object: TypeAlias = dict[str, Any]
"""A JSON object."""
Path: TypeAlias = tuple[str | int, ...]
"""The path of a field in a request's body, such as ("data", "components", 0, "custom_id")."""
