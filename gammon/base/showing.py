"""Rendering of answers for people and programs.

An answer does not contain its presentation. Its `str`, a notebook and `to_json` call this module,
which imports the module `view` of the answer's package when it is needed.
"""

from importlib import import_module
from typing import Any


def view_module(answer: object) -> Any:
    """Return the module that renders an answer, such as `gammon.view` for an `Analysis`.

    The module has the functions `view_of`, `html_of` and `json_of`, as `gammon.view` has.
    """
    package = type(answer).__module__.partition(".")[0]
    try:
        return import_module(f"{package}.view")
    except ModuleNotFoundError:
        return import_module("gammon.view")  # raises an error that names the types it renders


def text_of(answer: object) -> str:
    """Return an answer as a table for people."""
    text: str = import_module("gammon.view.tables").plain_text(view_module(answer).view_of(answer))
    return text


class Rendered:
    """An answer whose `str` is a table for people; a notebook displays it as HTML."""

    def __str__(self) -> str:
        return text_of(self)

    def _repr_html_(self) -> str:
        html: str = view_module(self).html_of(self)
        return html
