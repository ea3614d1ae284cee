"""Cube decisions and best plays by score and by the cube's place, as tables for people."""

from collections.abc import Callable
from typing import NamedTuple

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from gammon.answers.cube import CubeAction, CubeAnswer, CubeDecision
from gammon.answers.score_grid import PlayGrid, Score, ScoreGrid
from gammon.formats.position import Position
from gammon.formats.words import SEATS, cube_words
from gammon.shown.analysis import depth_words
from gammon.shown.heading import heading
from gammon.shown.tables import indented, new_table, without_last_columns

__all__ = [
    "GridWords", "play_grid_view", "play_grid_words", "score_grid_view", "score_grid_words",
]  # fmt: skip

_KEY = (
    "N no double, D double, T too good; then t take, p pass, b beaver; then the EMG that a "
    "double gains. A dash: no cube to turn."
)


class GridWords(NamedTuple):
    """The parts of a grid that are shown.

    Attributes:
        position: what it is about.
        said: who decides, and how the answers were found, in a line.
        scores: the table by score, with rows by the points of the player on roll; or None.
        notes: lines below it: the meaning of its cells.
        named: the table of the named scores, and of the cube's places.
        seconds: wall time.
    """

    position: Position
    said: str
    scores: Table | None
    notes: list[str]
    named: Table
    seconds: float


def score_grid_view(grid: ScoreGrid) -> RenderableType:
    """Show the decision at each score."""
    return _view(score_grid_words(grid))


def play_grid_view(grid: PlayGrid) -> RenderableType:
    """Show the best play at each score, by letters, and what the first play costs."""
    return _view(play_grid_words(grid))


def score_grid_words(grid: ScoreGrid) -> GridWords:
    """Return what is shown of decisions about the cube by score."""
    named = new_table("", "Decision", "No double", "Take", left=(0, 1), wrap=False)
    for name, decision in grid.named.items():
        taken = decision.double_take
        double = "" if taken is None else f"{taken.equity:+.4f}"
        named.add_row(name, decision.verdict, f"{decision.no_double.equity:+.4f}", double)
    return _words(grid, "on roll", lambda score: _cell(grid.scores[score]), _KEY, named)


def play_grid_words(grid: PlayGrid) -> GridWords:
    """Return what is shown of best plays by score."""
    letter = {play: _letter(number) for number, play in enumerate(grid.plays)}
    first = "Money's play" if "money" in grid.named else "The first play"
    named = new_table("", "Best", "Equity", f"{first} loses", left=(0, 1), wrap=False)
    for name, analysis in grid.named.items():
        best = analysis.candidates[0]
        lost = next(
            each.loss for each in analysis.candidates if each.play.notation == grid.plays[0]
        )
        play = f"{letter[best.play.notation]} {best.play}"
        named.add_row(name, play, f"{best.equity:+.4f}", f"{lost:.4f}")
    key = "; ".join(f"{sign} {play}" for play, sign in letter.items())
    assert grid.position.dice is not None, "the plays are of a roll"
    roll = "to play {}{}".format(*grid.position.dice)

    def cell(score: Score) -> str:
        return letter[grid.scores[score].candidates[0].play.notation]

    return _words(grid, roll, cell, f"{key}.", named)


def _letter(number: int) -> str:
    """Return A, B, ... Z, A1, B1, ..."""
    more, place = divmod(number, 26)
    return f"{chr(ord('A') + place)}{more or ''}"


def _words(
    grid: ScoreGrid | PlayGrid,
    does: str,
    cell: Callable[[Score], str],
    key: str,
    named: Table,
) -> GridWords:
    """Return what is shown of a grid.

    Args:
        grid: the grid.
        does: that player does so.
        cell: of a score.
        key: the meaning of cells.
        named: the table of the named scores.
    """
    context = grid.position.context
    player, opponent = SEATS[context.on_roll], SEATS[-context.on_roll]
    aways = range(1, grid.away + 1)
    table = new_table(f"{player} needs", *(f"{opponent} {away}" for away in aways), wrap=False)
    for own in aways:
        table.add_row(str(own), *(cell((own, their)) for their in aways))
    said = f"{player} {does}, exact to {depth_words(grid.depth, grid.level)}, "
    if not grid.away:
        said += "by the cube's place"
        return GridWords(grid.position, said, None, [], named, grid.seconds)
    terms = grid.scores[grid.away, grid.away].terms
    assert terms is not None, "with the cube there are terms"
    said += f"{cube_words(terms.cube, terms.owner * context.on_roll)}, by score"
    late = "Where a side needs 1, it is a game after the Crawford game."
    return GridWords(grid.position, said, table, [key, late], named, grid.seconds)


def _view(words: GridWords) -> RenderableType:
    by_score: list[RenderableType] = []
    if words.scores is not None:
        notes = [indented(Text(note)) for note in words.notes]
        by_score = [indented(without_last_columns(words.scores, 2)), "", *notes, ""]
    return Group(
        *heading(words.position, words.said, []),
        "",
        *by_score,
        indented(words.named),
        "",
        indented(Text(f"{words.seconds:.2f} s")),
    )


def _cell(decision: CubeDecision) -> str:
    """Return a decision in a few letters, with what a double gains."""
    gain = decision.gain
    if gain is None or decision.answer is None:
        return "-"
    action = {CubeAction.NO_DOUBLE: "N", CubeAction.DOUBLE: "D", CubeAction.TOO_GOOD: "T"}
    answer = {CubeAnswer.TAKE: "t", CubeAnswer.PASS: "p", CubeAnswer.BEAVER: "b"}
    return f"{action[decision.action]}{answer[decision.answer]} {gain:+.2f}"
