"""One question to every front end: the program, its line protocol, and a server."""

import json
from typing import Any

from tests.engine.commands.program import run


def served(path: str, **asked: Any) -> Any:
    """The answer of a server that goes to depth 5, where one can be had."""
    from tests.web.asking import API, application, ask

    return ask(f"{API}/{path}", app=application(depth=5)[0], **asked)


def answers_of(position: str, dice: str, **settings: Any) -> list[Any]:
    """The analyses of a roll: of options, of a line of JSON, and of a server."""
    options = [f"--{name.replace('_', '-')}={value}" for name, value in settings.items()]
    typed = run("analyze", position, "--dice", dice, "--json", *options)
    line = json.dumps({"position": position, "dice": dice, **settings})
    piped = run("analyze", "-", stdin=line)
    answered = served("analyze", id=position, dice=dice, **settings)
    return [json.loads(typed.stdout), json.loads(piped.stdout), answered.json]
