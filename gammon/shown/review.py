"""A review as tables for people: each player's figures, each game's, and the worst choices.

A notebook shows them with boards. The whole report is a file: `gammon.shown.page.whole`.
"""

from collections.abc import Callable
from functools import partial
from math import inf

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from gammon.answers.play import find_play
from gammon.formats.position import Position
from gammon.formats.stored import StoredAnalysis
from gammon.reviews.choice import Choice, ChoiceKind, CubeValues, cube_error
from gammon.reviews.review import Review
from gammon.reviews.totals import ErrorSums, Totals
from gammon.shown.analysis import depth_words
from gammon.shown.html import lines_html, table_html
from gammon.shown.tables import indented, new_table, without_last_columns
from gammon.svg import board

__all__ = [
    "choice_lines",
    "games_table",
    "match_words",
    "players_table",
    "review_html",
    "review_view",
    "units",
    "worth_format",
]

#: The worst choices that are shown, and the width of their boards.
_MOST, _SIZE = 5, 360
#: The rows of wrong choices about the cube.
_CUBE_ROWS = (
    (ChoiceKind.NO_DOUBLE, "  missed doubles"), (ChoiceKind.DOUBLE, "  wrong doubles"),
    (ChoiceKind.TAKE, "  wrong takes"), (ChoiceKind.PASS, "  wrong passes"),
)  # fmt: skip


def review_view(review: Review, player: int | None = None, most: int = 10) -> RenderableType:
    """Show a review.

    Args:
        review: the review.
        player: 0 or 1, whose figures are shown; None: both.
        most: how many of the worst choices are shown.
    """
    sides = (0, 1) if player is None else (player,)
    heads = [match_words(review)]
    heads.append(f"Analyzed to {depth_words(review.depth)}, with the cube")
    if review.transcript.stored_by:
        by = review.transcript.stored_by
        heads.append(f"Beside it stands the analysis in the file, by {by}")
    heads += [f"Note: {note}" for note in review.notes]
    worst = review.worst(player, most)
    last: list[RenderableType] = ["", Text("The worst choices", "bold")] if worst else []
    for rank, each in enumerate(worst, 1):
        said, xgid, *more = choice_lines(review, rank, each)
        last += [Text(said), _unbroken(xgid), *map(Text, more)]
    return Group(
        *(Text(head) for head in heads),
        "",
        indented(players_table(review, sides)),
        "",
        indented(Text(units(review))),
        "",
        indented(without_last_columns(games_table(review, sides), 3)),
        *last,
    )


def review_html(review: Review) -> str:
    """Return the tables of a review, and its worst choices."""
    parts = [
        lines_html(match_words(review), f"Analyzed to {depth_words(review.depth)}"),
        lines_html(*review.notes, units(review)),
        table_html(players_table(review, (0, 1))),
        table_html(games_table(review, (0, 1))),
    ]
    for rank, choice in enumerate(review.worst(most=_MOST), 1):
        parts += [lines_html(*choice_lines(review, rank, choice)), _board(choice)]
    return f'<div style="overflow-x:auto">{"".join(parts)}</div>'


def _board(choice: Choice) -> str:
    """Return the board of a choice, with arrows for the best play."""
    position = Position.parse(choice.xgid)
    best = None
    if choice.kind is ChoiceKind.PLAY and position.dice is not None:
        best = find_play(position, position.dice, choice.best)
    return board(position, play=best, size=_SIZE)


def match_words(review: Review) -> str:
    """Return who played, for what, and how it ended, in a line."""
    length, games = review.transcript.length, len(review.transcript.games)
    what = f"a match to {length}" if length else "for money"
    most = length or inf  # the last game may bring more points than are needed
    score = " to ".join(str(min(points, most)) for points in review.transcript.final_score)
    a, b = review.transcript.players
    return f"{a} against {b}, {what}: {games} game{'s' if games > 1 else ''}, {score}"


def units(review: Review) -> str:
    """Return in which units errors, luck and results are written."""
    if not review.transcript.length:
        return "Errors and luck are in points of the cube, and in brackets in points."
    return (
        "Errors and luck are in EMG, and in brackets as a chance to win the match; so are "
        "results. Where more is at stake, the same EMG moves that chance further: so the two "
        "sums may differ in sign."
    )


def players_table(review: Review, sides: tuple[int, ...]) -> Table:
    """Return the table with a column for each player."""
    table = new_table("", *(review.transcript.players[side] for side in sides))
    totals = {side: review.totals(side) for side in sides}
    worth = worth_format(review)

    def row(name: str, cell: Callable[[Totals], str]) -> None:
        table.add_row(name, *(cell(totals[side]) for side in sides))

    def pair(equity: float, cost: float) -> str:
        return f"{equity:+.3f} ({worth(cost)})"

    def lost(errors: ErrorSums) -> str:
        return pair(-errors.error, -errors.cost)

    row("PR", lambda t: _number(t.all.pr, 2))
    row("  XG's class", lambda t: t.all.pr_class or "-")
    row("  decisions", lambda t: str(t.all.counted))
    row("  errors", lambda t: lost(t.all))
    row("Plays", lambda t: lost(t.plays))
    row("  unforced, of all", lambda t: f"{t.plays.active} of {t.plays.choices}")
    row("  doubtful, bad, very bad", lambda t: "{}, {}, {}".format(*t.plays.marks))
    row("Cube", lambda t: lost(t.cube))
    row("  counted by GNU, of all", lambda t: f"{t.cube.active} of {t.cube.choices}")
    for kind, name in _CUBE_ROWS:
        row(name, partial(_wrong, kind, worth))
    row("GNU rate: plays", lambda t: _number(t.plays.rate, 1))
    row("GNU rate: cube", lambda t: _number(t.cube.rate, 1))
    row("GNU rate: all", lambda t: _number(t.all.rate, 1))
    row("  GNU's word for it", lambda t: t.rating or "-")
    row("Snowie rate", lambda t: _number(t.snowie, 1))
    row("Luck", lambda t: pair(t.luck, t.luck_worth))
    for name, of in (("Result", review.result), ("  luck taken out", review.adjusted)):
        table.add_row(name, *(worth(of(side)) for side in sides))
    return table


def _wrong(kind: ChoiceKind, worth: Callable[[float | None], str], totals: Totals) -> str:
    errors = totals.kinds[kind]
    if not errors.wrong:
        return "0"
    return f"{errors.wrong}: {-errors.error:+.3f} ({worth(-errors.cost)})"


def worth_format(review: Review) -> Callable[[float | None], str]:
    """Return how a cost is written: as a chance to win the match, or in points."""
    if review.transcript.length:
        return lambda cost: "-" if cost is None else f"{100.0 * cost:+.2f} %"
    return lambda cost: "-" if cost is None else f"{cost:+.3f}"


def _number(value: float | None, digits: int) -> str:
    return "-" if value is None else f"{value:.{digits}f}"


def games_table(review: Review, sides: tuple[int, ...]) -> Table:
    """Return the table with a row for each game."""
    names = [review.transcript.players[side] for side in sides]
    columns = [f"{what} {name}" for name in names for what in ("PR", "errors", "luck")]
    table = new_table("Game", "Score", "Winner", *columns, left=(0, 2), wrap=False)
    for number, game in enumerate(review.transcript.games):
        cells = []
        for side in sides:
            totals = review.totals(side, number)
            cells += [
                _number(totals.all.pr, 2), f"{-totals.all.error:+.3f}", f"{totals.luck:+.3f}",
            ]  # fmt: skip
        winner = "-"
        if game.winner is not None:
            winner = f"{review.transcript.players[game.winner]} {game.points}"
        score = "{}-{}".format(*game.score.points) + (" C" if game.score.crawford else "")
        table.add_row(str(number + 1), score, winner, *cells)
    return table


def stored_words(choice: Choice, stored: StoredAnalysis) -> str:
    """Return what a file says of a choice in a few words, or nothing."""
    if choice.kind is ChoiceKind.PLAY:
        made = [each for each in stored.plays if each.play == choice.made]
        if not made:
            return ""
        best = stored.plays[0]
        return f"{made[0].equity - best.equity:+.4f}, best {best.play} ({best.level})"
    if stored.cube is None:
        return ""
    values = CubeValues(stored.cube.no_double, stored.cube.double_take, 1.0)
    lost = -cube_error(choice.kind, values) + 0.0
    return (
        f"{lost:+.4f}, no double {values.no_double:+.3f}, double, take "
        f"{values.double_take:+.3f} ({stored.cube.level})"
    )


def choice_lines(review: Review, rank: int, choice: Choice) -> list[str]:
    """Return the lines of one of the worst choices: the second one is its XGID."""
    name = review.transcript.players[choice.player]
    cost = worth_format(review)(-choice.cost)
    said = f"{rank:3}. {-choice.error:+.4f} ({cost})  game {choice.game + 1}, {name}: "
    lines = [f"{said}{choice.made}, best {choice.best}", f"     {choice.xgid}"]
    found = review.transcript.stored.get((choice.game, choice.action))
    stored = stored_words(choice, found) if found else ""
    if stored:
        lines.append(f"     In the file: {stored}")
    if choice.rollout is not None:
        lines.append(f"     Rolled out: {choice.rollout.words(choice.made)}")
    return lines


def _unbroken(line: str) -> Text:
    """Return a line that is never broken, so that it can be copied."""
    return Text(line, no_wrap=True, overflow="ignore")
