"""The commands `anki`, `drill`, `review` and `study`, each imported when it is used."""

import click

from gammon.commands.group import CommandSet


def _load(name: str) -> click.Command:
    match name:
        case "anki":
            from gammon_study.commands.anki import anki

            return anki
        case "drill":
            from gammon_study.commands.drill import drill

            return drill
        case "review":
            from gammon_study.commands.review import review

            return review
        case "study":
            from gammon_study.commands.study import study

            return study
    raise KeyError(name)


#: The commands, each with the first sentence of its help. A test compares both.
COMMANDS = CommandSet(
    {
        "anki": "Make cards for Anki of positions.",
        "drill": "Ask about positions, and show what answers lose.",
        "review": "Analyze a match: what each decision cost.",
        "study": "Keep matches, and show what their players get wrong.",
    },
    _load,
)
