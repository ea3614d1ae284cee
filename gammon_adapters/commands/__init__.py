"""The commands `embed`, `external` and `ubgi`, each imported when it is used."""

import click

from gammon.commands.group import CommandSet


def _load(name: str) -> click.Command:
    match name:
        case "embed":
            from gammon_adapters.commands.programs import embed

            return embed
        case "external":
            from gammon_adapters.commands.programs import external

            return external
        case "ubgi":
            from gammon_adapters.commands.programs import ubgi

            return ubgi
    raise KeyError(name)


#: The commands, each with the first sentence of its help. A test compares both.
COMMANDS = CommandSet(
    {
        "embed": "Write the engine for programs in C or JavaScript.",
        "external": "Play for GNU Backgammon as its external player.",
        "ubgi": "Answer a controller by the Universal Backgammon Interface.",
    },
    _load,
)
