"""Values that never change, cheap to make: what follows from one is worked out once and kept on it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar, dataclass_transform, overload

Kind = TypeVar("Kind")
Value = TypeVar("Value")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(kind: type[Kind]) -> type[Kind]:
    """Make a class a frozen dataclass.

    mypy refuses a change of its fields. While a program runs nothing does, since guarding them makes a state of a game
    cost five times as much, and a random game makes some thirty of them.
    """
    return dataclass(unsafe_hash=True)(kind)


class kept(Generic[Value]):  # noqa: N801 - a decorator, like `property`
    """A property that is worked out when it is first asked for. Like `cached_property`, without its lock."""

    def __init__(self, work_out: Callable[[Any], Value]) -> None:
        self.work_out = work_out
        self.__doc__ = work_out.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, instance: None, owner: type) -> "kept[Value]": ...
    @overload
    def __get__(self, instance: object, owner: type) -> Value: ...
    def __get__(self, instance: object | None, owner: type) -> "kept[Value] | Value":
        if instance is None:
            return self
        value = self.work_out(instance)
        setattr(instance, self.name, value)
        return value
