"""What takes long to work out and many ask for, in the memory of each process."""

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

from django.db import connection

T = TypeVar("T")


class Kept(Generic[T]):
    """The last few values, by a version that differs whenever the value could.

    The value is shared, so nobody may change it. Unlike a cache of Django's it is not copied:
    a season's standing is 10,000 objects, and reading a copy takes half as long as making it.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._values: OrderedDict[str, T] = OrderedDict()
        self._lock = Lock()

    def get(self, version: str, make: Callable[[], T]) -> T:
        """The value of this version, made if it is not there. Inside a transaction, where what was
        read may still be rolled back, it is made each time."""
        if connection.in_atomic_block:
            return make()
        with self._lock:
            if version in self._values:
                self._values.move_to_end(version)
                return self._values[version]
        value = make()
        with self._lock:
            self._values[version] = value
            while len(self._values) > self._most:
                self._values.popitem(last=False)
        return value
