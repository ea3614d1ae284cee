"""Cube decisions and best plays, by score and by the owner of the cube, as tables for people."""

from collections.abc import Callable

from rich.table import Table

from gammon.engine.analysis import Analysis, Kind
from gammon.engine.cube import CubeAction, CubeAnswer, CubeDecision
from gammon.engine.score_grid import PlayGrid, Score, ScoreGrid
from gammon.formats.context import SEATS, cube_words
from gammon.view.analysis import exact_words, is_filtered
from gammon.view.heading import limit_notes
from gammon.view.tables import new_table
from gammon.view.view import Columns, Part, View

_KEY = (
    "N no double, D double, T too good; then t take, p pass, b beaver; then the EMG that a "
    "double gains. A dash: no cube to turn."
)


def score_grid_view(grid: ScoreGrid) -> View:
    """Return the view of the cube decisions at each score."""
    named = new_table("", "Decision", "No double", "Take", left=(0, 1))
    for name, decision in grid.named.items():
        taken = decision.double_take
        double = "" if taken is None else f"{taken.equity:+z.4f}"
        named.add_row(name, decision.verdict, f"{decision.no_double.equity:+z.4f}", double)
    return _view(grid, "on roll", lambda score: _cell(grid.scores[score]), _KEY, named)


def play_grid_view(grid: PlayGrid) -> View:
    """Return the view of the best plays at each score, as letters, and the first play's losses."""
    letter = {play: _letter(number) for number, play in enumerate(grid.plays)}
    first = "Money's play" if "money" in grid.named else "The first play"
    named = new_table("", "Best", "Equity", f"{first} loses", left=(0, 1))
    for name, analysis in grid.named.items():
        best = analysis.candidates[0]
        plays = analysis.candidates
        lost = next(candidate.loss for candidate in plays if candidate.play.notation == grid.plays[0])
        play = f"{letter[best.play.notation]} {best.play}"
        named.add_row(name, play, f"{best.equity:+z.4f}", f"{lost:.4f}")
    key = "; ".join(f"{sign} {play}" for play, sign in letter.items())
    assert grid.position.dice is not None, "a grid of plays has a roll"
    roll = "to play {}{}".format(*grid.position.dice)

    def cell(score: Score) -> str:
        return letter[grid.scores[score].candidates[0].play.notation]

    return _view(grid, roll, cell, f"{key}.", named)


def _letter(number: int) -> str:
    """Return A, B, ... Z, A1, B1, ..."""
    more, place = divmod(number, 26)
    return f"{chr(ord('A') + place)}{more or ''}"


def _view(
    grid: ScoreGrid | PlayGrid, does: str, cell: Callable[[Score], str], key: str, named: Table
) -> View:
    """Return the view of a grid.

    Args:
        grid: the grid.
        does: the end of the phrase "X ...", such as "on roll".
        cell: returns the cell of a score.
        key: the meaning of the cells.
        named: the table of the named scores and the owners of the cube.
    """
    context = grid.position.context
    player, opponent = SEATS[context.on_roll], SEATS[-context.on_roll]
    aways = range(1, grid.away + 1)
    table = new_table(f"{player} needs", *(f"{opponent} {away}" for away in aways), wrap=False)
    for own in aways:
        table.add_row(str(own), *(cell((own, their)) for their in aways))
    filtered = any(map(_filtered, grid.every))
    exact = exact_words(grid.depth, grid.level, filtered, any(map(_static, grid.every)), grid.algorithm)
    if any(answer.depth > grid.depth for answer in grid.every):
        exact += ", some deeper"
    title = f"{player} {does}, {exact}, "
    notes = limit_notes(context, *(answer.terms for answer in grid.every))
    notes += [grid.noise_note] if grid.noise_note else []
    named.columns[0].no_wrap = True
    blocks: list[list[Part]] = [[Columns(named, len(named.columns))], [f"{grid.seconds:.2f} s"]]
    if not grid.away:
        return View(grid.position, f"{title}by the cube's place", notes, blocks)
    terms = grid.scores[grid.away, grid.away].terms
    title += f"{cube_words(terms.cube, terms.owner * context.on_roll)}, by score"
    late = "Where a side needs 1, it is a game after the Crawford game."
    if terms.owner:
        late += " At dmp, gammon-go and gammon-save the cube is centred."
    return View(grid.position, title, notes, [[Columns(table, 2)], [key, late], *blocks])


def _filtered(answer: Analysis | CubeDecision) -> bool:
    return answer.filtered if isinstance(answer, CubeDecision) else is_filtered(answer)


def _static(answer: Analysis | CubeDecision) -> bool:
    return isinstance(answer, CubeDecision) and answer.no_double.kind is Kind.STATIC


def _cell(decision: CubeDecision) -> str:
    """Return a decision as letters, with the gain of a double; see `_KEY`."""
    gain = decision.gain
    if gain is None or decision.answer is None:
        return "-"
    action = {CubeAction.NO_DOUBLE: "N", CubeAction.DOUBLE: "D", CubeAction.TOO_GOOD: "T"}
    answer = {CubeAnswer.TAKE: "t", CubeAnswer.PASS: "p", CubeAnswer.BEAVER: "b"}
    return f"{action[decision.action]}{answer[decision.answer]} {gain:+z.2f}"
