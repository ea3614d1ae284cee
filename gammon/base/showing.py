"""The one door from an answer to its looks.

An answer does not know how it is shown. `print`, a notebook and `Review.page` ask here, and the
room `gammon.shown` finds what shows answers of that type. It is loaded only then.
"""

from importlib import import_module
from typing import Any


def look_of(answer: object, look: str, *how: Any) -> str:
    """Return an answer as somebody sees it.

    Args:
        answer: what is shown.
        look: one of the looks of `gammon.shown`.
        *how: what that look takes.
    """
    found = import_module("gammon.shown").look_of(answer, look, *how)
    if look == "text":
        found = import_module("gammon.shown.plain").plain_text(found)
    return str(found)


class Shown:
    """An answer whose `str` is a table for people, and which a notebook shows, too."""

    def __str__(self) -> str:
        return look_of(self, "text")

    def _repr_html_(self) -> str:
        return look_of(self, "html")
