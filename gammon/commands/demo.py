"""`gammon demo`: a first look without a position at hand."""

import click

from gammon.commands.analyze import show_answer
from gammon.commands.shared import json_option
from gammon.engine.question import Question

#: The opening 31, a middle game with much contact, and a cube decision in a match.
_POSITIONS = (
    "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10",
    "XGID=-b--B-C-CA-AdC-a-c-e-A--A-:0:0:1:62:0:0:0:0:10",
    "XGID=--CDBbC-B-----a----bdA-cc-:0:0:1:00:4:3:0:7:10",
)
_DEPTH = 3


@click.command()
@json_option("Write JSON lines instead of tables.")
def demo(as_json: bool) -> None:
    """Analyze three positions, as a first look."""
    from gammon.engine.engine import Engine
    from gammon.formats.position import Position

    engine = Engine()
    for text in _POSITIONS:
        position = Position.parse(text)
        if not as_json:
            click.echo(f'$ gammon analyze "{text}" --depth {_DEPTH}\n')
        show_answer(engine, Question(position=position, depth=_DEPTH), as_json)
        if not as_json:
            click.echo()
