"""The commands `play`, `schema`, `serve` and `site`, each imported when it is used."""

import click

from gammon.commands.group import CommandSet


def _load(name: str) -> click.Command:
    match name:
        case "play":
            from gammon_web.commands.serve import play

            return play
        case "schema":
            from gammon_web.commands.serve import schema

            return schema
        case "serve":
            from gammon_web.commands.serve import serve

            return serve
        case "site":
            from gammon_web.commands.serve import site

            return site
    raise KeyError(name)


#: The commands, each with the first sentence of its help. A test compares both.
COMMANDS = CommandSet(
    {
        "play": "Play against gammon on a board in the browser.",
        "schema": "Print the JSON Schema of all answers in JSON.",
        "serve": "Show a board in the browser, and answer other programs by HTTP.",
        "site": "Write the board as a page that needs no server.",
    },
    _load,
)
