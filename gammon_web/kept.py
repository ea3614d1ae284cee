"""Results that the server keeps for as long as it runs: the latest ones, up to a number."""

import threading
from typing import Any


class Kept(dict[str, list[Any]]):
    """Lists by their keys. Where they have too many entries in all, the oldest lists go.

    Args:
        most: entries of all lists, at most; the latest list stays in any case.
    """

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most, self._entries = most, 0
        self._lock = threading.Lock()

    def __setitem__(self, key: str, value: list[Any]) -> None:
        with self._lock:
            self._entries += len(value) - len(self.pop(key, ()))
            super().__setitem__(key, value)
            while self._entries > self._most and len(self) > 1:
                self._entries -= len(self.pop(next(iter(self))))
