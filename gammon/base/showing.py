"""The one door from an answer to what people and programs see of it.

An answer does not know how it is shown. Its `str`, a notebook and `to_json` ask here. The
answers of a package are shown by the module `view` of that package, which is imported then.
"""

from importlib import import_module
from typing import Any


def view_module(answer: object) -> Any:
    """Return the module that shows answers of a type, such as `gammon.view` for an `Analysis`.

    It has functions `view_of`, `html_of` and `json_of`, as that one has.
    """
    package = type(answer).__module__.partition(".")[0]
    try:
        return import_module(f"{package}.view")
    except ModuleNotFoundError:
        return import_module("gammon.view")  # which names the types that it shows


def text_of(answer: object) -> str:
    """Return an answer as a table for people."""
    text: str = import_module("gammon.view.plain").plain_text(view_module(answer).view_of(answer))
    return text


class Shown:
    """An answer whose `str` is a table for people, and which a notebook shows, too."""

    def __str__(self) -> str:
        return text_of(self)

    def _repr_html_(self) -> str:
        html: str = view_module(self).html_of(self)
        return html
