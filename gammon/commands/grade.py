"""`gammon grade`: what players give away."""

import json

import click

from gammon.commands.shared import Compiling, json_option, seed_option
from gammon.views.console import print_view

__all__ = ["grade"]


@click.command(cls=Compiling)
@click.argument("players", nargs=-1, required=True)
@seed_option("Of noise.")
@json_option()
def grade(players: tuple[str, ...], seed: int, as_json: bool) -> None:
    """See how much the plays of PLAYERS give away, by the phase of the game.

    The decisions are 2,100 fixed ones of self-play, none of them forced, whose plays were
    searched to depth 5. PR is 500 times the mean loss of equity, in points. PLAYERS are
    written as for `gammon match`.
    """
    from gammon.match.grade import grade as graded
    from gammon.match.player import parse_player
    from gammon.views.match import grade_view

    found = {player: graded(player, seed=seed) for player in map(parse_player, players)}
    if as_json:
        plain = {
            str(player): {phase: each._asdict() for phase, each in grades.items()}
            for player, grades in found.items()
        }
        click.echo(json.dumps(plain))
    else:
        print_view(grade_view(found))
