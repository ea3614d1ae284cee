"""Pig solved (Neller and Presser 2004), and EinStein würfelt nicht! on a board of 3 x 3."""

from gammon import search
from gammon.games.nothing import NOTHING
from gammon_lab.experiments.study import NOT_RANDOM, Study
from gammon_lab.games import einstein, pig
from gammon_lab.reports.report import Cell, Citation, Figure, Report, Sheet, beside, printed, program
from gammon_study.view.plot import Axes, look

_NELLER = printed("T. Neller, C. Presser, Optimal Play of the Dice Game Pig (2004)", "as others quote it")
_TWIN = program("tests/naive/games.py")
#: Values by a second program of ours: Pig to 20, and EinStein with three stones a side.
_PIG_20, _SMALL = 0.6155585498, 0.3991769547
#: More plies than a game of EinStein on 3 x 3 has.
_LONGEST = 40


def _first_of_einstein() -> float:
    """Return the value of EinStein on a board of 3 x 3 to the first player."""
    game = einstein.game(3, 2)
    tree = search.TreeSearch(game, NOTHING)
    return tree.value([0] * game.width, _LONGEST, table=search.Table.allocate(game, 16)).value


def reproduce(study: Study) -> Report:
    """Solve the games, and compare with what is printed."""
    found: list[tuple[str, float, float, Citation]] = [
        ("Pig to 100: chance of the first player", 0.5306, float(pig.solve()[0, 0]), _NELLER),
        ("Pig to 20: chance of the first player", _PIG_20, float(pig.solve(20)[0, 0]), _TWIN),
        ("EinStein 3 x 3, three stones: value", _SMALL, _first_of_einstein(), _TWIN),
    ]
    rows: list[list[Cell]] = [
        [name, *beside(expected, ours, citation)] for name, expected, ours, citation in found
    ]
    sheet = Sheet("pig", "Values of the start", ("what", "expected", "ours", "difference", "source"), rows)
    return Report("Pig, solved", [sheet], [Figure("pig", _draw)], [NOT_RANDOM])


def _draw(axes: Axes) -> None:
    """Draw the chance of the first player by the goal."""
    goals = list(range(10, 121, 10))
    axes.plot(goals, [pig.solve(goal)[0, 0] for goal in goals], label="first player", **look("first player"))
    axes.set(xlabel="goal", ylabel="chance to win")
