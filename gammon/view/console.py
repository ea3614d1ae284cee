"""Output of tables for people and JSON for programs."""

import json
from collections.abc import Mapping
from typing import Any

from gammon.base.showing import view_module
from gammon.view import SCHEMA_VERSION, to_json


def print_view(view: Any) -> None:
    """Print a table or a group of tables on stdout, with colours on a terminal."""
    from rich.console import Console

    from gammon.view.tables import plain_text

    # No markup, because the name of a player may be `[link=...]` or `:x:`.
    console = Console(highlight=False, markup=False, emoji=False)
    if console.is_terminal:
        console.print(view, crop=False)
    else:
        print(plain_text(view))


def print_answer(answer: Any, as_json: bool, *how: Any) -> None:
    """Print an answer as a table, or as a line of JSON."""
    if as_json:
        echo_json(to_json(answer))
    else:
        print_view(view_module(answer).view_of(answer, *how))


def echo_json(values: Mapping[str, Any]) -> None:
    """Print an object as a line of JSON, beginning with the schema version."""
    print(json.dumps({"schema_version": SCHEMA_VERSION, **values}))
