"""`gammon hypergammon`: exact values of positions, and games against perfect play."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from gammon.base.errors import IllegalPositionError
from gammon.commands.group import Commands
from gammon.commands.options import PLACE, Integer
from gammon.commands.shared import (
    TakesPosition,
    echo_json,
    json_option,
    print_view,
    read_position,
    seed_option,
)

if TYPE_CHECKING:
    from gammon.formats.position import Position

F = TypeVar("F", bound=Callable[..., Any])


def _table_option() -> Callable[[F], F]:
    return click.option(
        "--table",
        required=True,
        type=PLACE,
        metavar="FILE",
        help="The table, made by `gammon reproduce hypergammon`.",
    )


@click.group(cls=Commands)
def hypergammon() -> None:
    """Show exact values of hypergammon, or play it.

    Hypergammon is backgammon with three checkers a side, which begin on the 24, 23 and 22 points.
    `gammon reproduce hypergammon --out FOLDER` makes the table: FOLDER/hypergammon-3.npy.
    """


@hypergammon.command(cls=TakesPosition)
@click.argument("position", nargs=-1)
@_table_option()
@click.option("--dice", metavar="DICE", help="A roll, such as 31: show the value of each play.")
@json_option()
def ask(position: tuple[str, ...], table: Path, dice: str | None, as_json: bool) -> None:
    """Show the exact values of POSITION, or of the plays of a roll.

    POSITION is written as for `gammon analyze`; without it, the start of the game is meant. Of each
    side at most three checkers are on the board, and the others of the three are off. Values are
    for money, in points per unit of the cube, without the Jacoby rule and without beavers: for
    rolling without a cube, and with the cube at the player on roll, in the middle, and at the
    opponent. A double is worth twice the last of these, or 1 if the opponent passes.

    \b
    gammon hypergammon ask --table hypergammon-3.npy --dice 31
    """
    from gammon.formats.position import Position
    from gammon.rules.dice import parse_dice
    from gammon_lab.games.hypergammon import opening
    from gammon_lab.hypergammon.judge import valued_plays
    from gammon_lab.hypergammon.table import ExactTable
    from gammon_lab.view import exact_plays_view, exact_view

    exact = ExactTable.load(table)
    asked = read_position(position) if position else Position(opening(exact.checkers))
    _check_fits(asked, exact.checkers)
    roll = parse_dice(dice) if dice else asked.dice
    if roll is None:
        answer = exact.exact(asked.points)
        if as_json:
            echo_json({"position": asked.position_id, **answer.to_json()})
        else:
            print_view(exact_view(answer))
        return
    plays = valued_plays(exact, asked, roll)
    if as_json:
        listed = [{"play": name, **value.to_json()} for name, value in plays]
        echo_json({"position": asked.position_id, "dice": list(roll), "plays": listed})
    else:
        print_view(exact_plays_view(plays))


def _check_fits(position: "Position", checkers: int) -> None:
    """Check that a position has few enough checkers, and that its game is not over.

    Raises:
        IllegalPositionError: it is not so.
    """
    own = sum(max(count, 0) for count in position.points)
    their = -sum(min(count, 0) for count in position.points)
    if not (1 <= own <= checkers and 1 <= their <= checkers):
        raise IllegalPositionError(
            f"{position.position_id!r}: {own} and {their} checkers on the board, expected 1 to "
            f"{checkers} of each side"
        )


@hypergammon.command()
@click.argument("players", nargs=-1, required=True)
@_table_option()
@click.option(
    "--games",
    default=1000,
    show_default=True,
    type=Integer(20, 1_000_000, 2),
    metavar="N",
    help="Games of each player, an even number.",
)
@seed_option("the dice")
@json_option()
def play(players: tuple[str, ...], table: Path, games: int, seed: int, as_json: bool) -> None:
    """Let PLAYERS play against perfect play, without a cube.

    The table judges each of their decisions. The losses of a player's decisions add up to what the
    player gives away in a game on average, free of the luck of the dice. PR is 500 times the mean
    loss of a decision.
    PLAYERS are written as for `gammon match`, with a depth, a model, a filter or noise. The
    networks that ship have not learned hypergammon.

    \b
    gammon hypergammon play depth=1 depth=3 --table hypergammon-3.npy
    """
    from gammon.match.player import parse_player
    from gammon.view.progress import counted
    from gammon_lab.hypergammon.judge import chooser_of, judge
    from gammon_lab.hypergammon.table import ExactTable
    from gammon_lab.view import judged_view

    exact = ExactTable.load(table)
    choosers = {str(parsed): chooser_of(parsed, exact.checkers) for parsed in map(parse_player, players)}
    judged = {}
    for name, choose in choosers.items():
        with counted(games) as show:

            def on_done(done: int, total: int, name: str = name) -> None:
                show(done, name)

            judged[name] = judge(exact, choose, games, seed, on_done)
    if as_json:
        echo_json({"players": {name: result._asdict() for name, result in judged.items()}})
    else:
        print_view(judged_view(judged))
