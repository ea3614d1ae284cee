"""`gammon grade`: how much equity players give away."""

from typing import TYPE_CHECKING

import click

from gammon.commands.shared import echo_json, json_option, print_view, seed_option

if TYPE_CHECKING:
    from gammon.match.player import Player
    from gammon_lab.experiments.grade import Grade


@click.command()
@click.argument("players", nargs=-1, required=True)
@seed_option("the errors of players with noise")
@json_option()
def grade(players: tuple[str, ...], seed: int, as_json: bool) -> None:
    """Measure how much the plays of PLAYERS give away.

    The decisions are fixed positions of self-play, none of them forced. Where strong players of
    three programs differ, rollouts judge their plays; elsewhere a search to depth 5 judges.
    PR (performance rating) is 500 times the mean loss of equity, in points: 0 is perfect. It
    is given for each phase of the game. PLAYERS are written as for `gammon match`.

    \b
    gammon grade depth=1 depth=3
    """
    from gammon.match.player import match_player_of, parse_player
    from gammon_lab.view import grade_view

    parsed = [parse_player(player) for player in players]
    for player in parsed:
        match_player_of(player)  # reports a player that cannot play before any is graded
    grades = {player: _graded(player, seed) for player in parsed}
    if as_json:
        plain = {
            str(player): {phase: result._asdict() for phase, result in by_phase.items()}
            for player, by_phase in grades.items()
        }
        echo_json({"players": plain})
    else:
        print_view(grade_view(grades))


def _graded(player: "Player", seed: int) -> "dict[str, Grade]":
    """Return the grades of a player; show how many decisions are done."""
    from gammon.view.progress import counted
    from gammon_lab.experiments.grade import grade as graded
    from gammon_study.library.reference import reference_decisions

    decisions = reference_decisions()
    with counted(len(decisions)) as show:
        return graded(player, decisions, seed, lambda done, _: show(done, str(player)))
