"""Cube decisions by score, as a table for people."""

from rich.console import Group, RenderableType
from rich.text import Text

from gammon.cube import CubeAction, CubeAnswer, CubeDecision
from gammon.formats.words import SEATS, cube_words
from gammon.score_grid import ScoreGrid
from gammon.text.analysis import depth_words
from gammon.text.heading import heading
from gammon.text.tables import indented, new_table, without_last_columns

__all__ = ["score_grid_view"]

_KEY = (
    "N no double, D double, T too good; then t take, p pass, b beaver; then the EMG that a "
    "double gains. A dash: no cube to turn."
)


def score_grid_view(grid: ScoreGrid) -> RenderableType:
    """Show the decision at each score: rows by the points of the player on roll."""
    context = grid.position.context
    player, opponent = SEATS[context.on_roll], SEATS[-context.on_roll]
    aways = range(1, grid.away + 1)
    table = new_table(f"{player} needs", *(f"{opponent} {away}" for away in aways), wrap=False)
    for own in aways:
        cells = [_cell(grid.decisions[own, their]) for their in aways]
        table.add_row(str(own), *cells)
    named = new_table("", "Decision", "No double", "Take", left=(0, 1), wrap=False)
    for name, decision in grid.named.items():
        taken = decision.double_take
        double = "" if taken is None else f"{taken.equity:+.4f}"
        named.add_row(name, decision.verdict, f"{decision.no_double.equity:+.4f}", double)
    terms = grid.decisions[grid.away, grid.away].terms
    cube = cube_words(terms.cube, terms.owner * context.on_roll)
    said = f"{player} on roll, exact to {depth_words(grid.depth)}, {cube}, by score"
    late = "Where a side needs 1, it is a game after the Crawford game."
    return Group(
        *heading(grid.position, said, []),
        "",
        indented(without_last_columns(table, 2)),
        "",
        indented(Text(_KEY)),
        indented(Text(late)),
        "",
        indented(named),
        "",
        indented(Text(f"{grid.seconds:.2f} s")),
    )


def _cell(decision: CubeDecision) -> str:
    """Return a decision in a few letters, with what a double gains."""
    gain = decision.gain
    if gain is None or decision.answer is None:
        return "-"
    action = {CubeAction.NO_DOUBLE: "N", CubeAction.DOUBLE: "D", CubeAction.TOO_GOOD: "T"}
    answer = {CubeAnswer.TAKE: "t", CubeAnswer.PASS: "p", CubeAnswer.BEAVER: "b"}
    return f"{action[decision.action]}{answer[decision.answer]} {gain:+.2f}"
