"""A review as tables: the figures of each player and of each game, and the worst choices.

A notebook shows them with boards. The whole report is a file: `gammon_web.report`.
"""

from collections.abc import Callable, Iterator
from math import inf
from typing import Any, NamedTuple

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from gammon.formats.context import doubling_words, several
from gammon.formats.met_file import read_met
from gammon.formats.notation import format_play
from gammon.formats.play import find_play
from gammon.formats.position import Position
from gammon.view.analysis import depth_words
from gammon.view.svg import board
from gammon.view.tables import indented, new_table, numbered, without_last_columns
from gammon.view.view import lines_html, table_html
from gammon_study.match_files.transcript import StoredAnalysis
from gammon_study.reviews.choice import Choice, ChoiceKind, CubeValues, answer_words, cube_error
from gammon_study.reviews.difficulty import look_at_of
from gammon_study.reviews.explain import why
from gammon_study.reviews.imported import ranked_plays
from gammon_study.reviews.rates import ErrorSums
from gammon_study.reviews.review import Review
from gammon_study.reviews.totals import Totals

#: The number of worst choices that a notebook shows, and the width of their boards.
_MOST, _SIZE = 5, 360
#: A function that formats a cost as a chance to win the match, or in points.
_Costs = Callable[[float | None], str]


def _word(value: object, cost_text: _Costs) -> str:
    """Format a word or a whole number."""
    return "-" if value is None else str(value)


def _number(digits: int) -> Callable[[float | None, _Costs], str]:
    """Return a function that formats a number with so many digits."""
    return lambda value, cost_text: "-" if value is None else f"{value:.{digits}f}"


def _pair(value: tuple[float, float], cost_text: _Costs) -> str:
    """Format an equity and its cost."""
    return f"{value[0]:+z.3f} ({cost_text(value[1])})"


def _lost(errors: ErrorSums, cost_text: _Costs) -> str:
    """Format the loss of errors."""
    return _pair((-errors.error, -errors.cost), cost_text)


def _wrong(errors: ErrorSums, cost_text: _Costs) -> str:
    """Format how many choices were wrong, and their loss."""
    return f"{errors.wrong}: {_lost(errors, cost_text)}" if errors.wrong else "0"


def _rated(errors: ErrorSums, cost_text: _Costs) -> str:
    """Format the PR of some decisions, and their number."""
    return "-" if errors.pr is None else f"{errors.pr:.2f} in {errors.counted}"


def _marks(errors: ErrorSums, cost_text: _Costs) -> str:
    """Format how many errors have each mark."""
    return "{}, {}, {}".format(*errors.marks)


class FigureRow(NamedTuple):
    """A figure of a player: a row of the tables, in text, HTML, the report and the page.

    Attributes:
        name: the name of the row; two blanks before it mark a part of the row above.
        of: returns the figure from a player's totals.
        written: formats the figure; its second argument formats costs.
    """

    name: str
    of: Callable[[Totals], Any]
    written: Callable[[Any, _Costs], str] = _word


def _of_kind(name: str, kind: ChoiceKind) -> FigureRow:
    """Return the figure of wrong choices of a kind."""
    return FigureRow(name, lambda t: t.kinds[kind], _wrong)


#: The figures in all tables and in the JSON of a review.
FIGURES = (
    FigureRow("PR", lambda t: t.all.pr, _number(2)),
    FigureRow("XG's class", lambda t: t.all.pr_class),
    FigureRow("  decisions", lambda t: t.all.counted),
    FigureRow("  errors", lambda t: t.all, _lost),
    FigureRow("PR: plays", lambda t: t.plays, _rated),
    FigureRow("PR: doubles", lambda t: t.doubles, _rated),
    FigureRow("PR: takes", lambda t: t.takes, _rated),
    FigureRow("Plays", lambda t: t.plays, _wrong),
    FigureRow("  unforced, of all", lambda t: f"{t.plays.active} of {t.plays.choices}"),
    FigureRow("  doubtful, bad, very bad", lambda t: t.plays, _marks),
    FigureRow("Doubles", lambda t: t.doubles, _wrong),
    FigureRow("  doubtful, bad, very bad doubles", lambda t: t.doubles, _marks),
    _of_kind("  missed doubles", ChoiceKind.NO_DOUBLE),
    _of_kind("  wrong doubles", ChoiceKind.DOUBLE),
    FigureRow("Takes", lambda t: t.takes, _wrong),
    FigureRow("  doubtful, bad, very bad takes", lambda t: t.takes, _marks),
    _of_kind("  wrong takes", ChoiceKind.TAKE),
    _of_kind("  wrong passes", ChoiceKind.PASS),
    FigureRow("Cube", lambda t: t.cube, _lost),
    FigureRow("  counted by GNU, of all", lambda t: f"{t.cube.active} of {t.cube.choices}"),
    FigureRow("GNU rate: plays", lambda t: t.plays.rate, _number(1)),
    FigureRow("GNU rate: cube", lambda t: t.cube.rate, _number(1)),
    FigureRow("GNU rate: all", lambda t: t.all.rate, _number(1)),
    FigureRow("  GNU's word for it", lambda t: t.rating),
    FigureRow("Snowie rate", lambda t: t.snowie, _number(1)),
    FigureRow("Luck", lambda t: (t.luck, t.luck_value), _pair),
)


def review_view(review: Review, player: int | None = None, most: int = 10) -> RenderableType:
    """Return a review for the terminal.

    Args:
        review: the review.
        player: the player whose figures to show, 0 or 1; None: both.
        most: how many of the worst choices to show.
    """
    sides = (0, 1) if player is None else (player,)
    heads = [match_words(review)]
    heads.append(_analyzed_words(review))
    by = review.transcript.stored_by
    if by and review.depth:
        taken = sum(bool(choice.level) for choice in review.choices)
        heads.append(f"Beside it stands the analysis in the file, by {by}")
        if taken:
            heads.append(f"Of {several(taken, 'decision')} the file's analysis is taken, which is as deep")
    heads += [f"Note: {note}" for note in review.notes]
    worst = review.worst(player, most)
    last: list[RenderableType] = ["", Text("The worst choices", "bold")] if worst else []
    for rank, choice in enumerate(worst, 1):
        last.append(numbered(rank, *choice_lines(review, choice)))
    for side in sides if worst else ():
        if look_at := look_at_of(review, side):
            name = review.transcript.players[side]
            last += ["", Text(f"Decisions for {name} to look at", "bold")]
        for rank, loss in enumerate(look_at, 1):
            choice = review.choices[loss.choice]
            heading, *lines = choice_lines(review, choice)
            where = ""
            if choice in worst:  # the reader has seen its lines
                where, lines = f"number {worst.index(choice) + 1} of the worst choices; ", lines[:1]
            more = f" ({where}a player of PR 5 loses {loss.difficulty:.4f})"
            last.append(numbered(rank, heading + more, *lines))
    if remarks := list(_remark_lines(review, sides)):
        last += ["", Text("Remarks in the file", "bold"), *map(Text, remarks)]
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


def _remark_lines(review: Review, sides: tuple[int, ...]) -> Iterator[str]:
    """Yield the comments in the file, each after its action; a mark alone is in the worst choices."""
    for (number, place), remark in sorted(review.transcript.remarks.items()):
        action = review.transcript.games[number].actions[place]
        if remark.text and action.side in sides:
            name = review.transcript.players[action.side]
            what = format_play(action.moves) if action.dice else action.kind.value
            yield f"game {number + 1}, {name}, {what}: {remark.words}"


def _analyzed_words(review: Review) -> str:
    """Return a phrase with the depth, or with the program whose analysis this is."""
    if not review.depth:
        return f"Analyzed by {review.transcript.stored_by}"
    return f"Analyzed to {depth_words(review.depth, review.level)}, with the cube"


def review_html(review: Review) -> str:
    """Return the tables of a review and its worst choices as HTML."""
    parts = [
        lines_html(match_words(review), _analyzed_words(review)),
        lines_html(*review.notes, units(review)),
        table_html(players_table(review, (0, 1))),
        table_html(games_table(review, (0, 1))),
    ]
    for rank, choice in enumerate(review.worst(most=_MOST), 1):
        heading, *more = choice_lines(review, choice)
        parts += [lines_html(f"{rank}. {heading}", *more), _board(choice)]
    return f'<div style="overflow-x:auto">{"".join(parts)}</div>'


def _board(choice: Choice) -> str:
    """Return the SVG board of a choice, with arrows for the best play."""
    position = Position.parse(choice.xgid)
    best = None
    if choice.kind is ChoiceKind.PLAY and position.dice is not None:
        best = find_play(position, position.dice, choice.best)
    return board(position, play=best, size=_SIZE)


def match_words(review: Review) -> str:
    """Return the players, the length, the number of games and the final score, in one line."""
    length, games = review.transcript.length, len(review.transcript.games)
    what = f"a match to {length}" if length else "for money"
    most = length or inf  # the last game may bring more points than are needed
    score = " to ".join(str(min(points, most)) for points in review.transcript.final_score)
    a, b = review.transcript.players
    return f"{a} against {b}, {what}: {several(games, 'game')}, {score}"


def units(review: Review) -> str:
    """Return the sentences about the units of errors, luck and results, and the words."""
    words = "The glossary, docs/glossary.md, explains the words."
    if not review.transcript.length:
        return f"Errors and luck are in points of the cube, and in brackets in points. {words}"
    by = "" if review.met == read_met() else f" by the table {review.met.name}"
    return (
        f"Errors and luck are in EMG, and in brackets as a chance to win the match{by}; so are "
        "results. Where more is at stake, the same EMG moves that chance further, so the two "
        f"sums may differ in sign. {words}"
    )


def figure_rows(review: Review, sides: tuple[int, ...]) -> list[list[str]]:
    """Return the rows of the figures: the name, then the text for each player."""
    totals, cost_text = [review.totals(side) for side in sides], cost_format(review)
    return [
        *([figure.name, *(figure.written(figure.of(t), cost_text) for t in totals)] for figure in FIGURES),
        ["Result", *(cost_text(review.result(side)) for side in sides)],
        ["Result, luck taken out", *(cost_text(review.adjusted(side)) for side in sides)],
    ]


def players_table(review: Review, sides: tuple[int, ...]) -> Table:
    """Return the table with a column for each player."""
    table = new_table("", *(review.transcript.players[side] for side in sides))
    for row in figure_rows(review, sides):
        table.add_row(*row)
    return table


def cost_format(review: Review) -> _Costs:
    """Return the function that formats a cost as a chance to win the match, or in points."""
    if review.transcript.length:
        return lambda cost: "-" if cost is None else f"{100.0 * cost:+z.2f} %"
    return lambda cost: "-" if cost is None else f"{cost:+z.3f}"


def games_table(review: Review, sides: tuple[int, ...]) -> Table:
    """Return the table with a row for each game."""
    names = [review.transcript.players[side] for side in sides]
    columns = [f"{what} {name}" for name in names for what in ("PR", "errors", "luck")]
    table = new_table("Game", "Score", "Winner", *columns, left=(0, 2), wrap=False)
    for number, game in enumerate(review.transcript.games):
        cells = []
        for side in sides:
            totals = review.totals(side, number)
            pr = "-" if totals.all.pr is None else f"{totals.all.pr:.2f}"
            cells += [pr, f"{-totals.all.error:+z.3f}", f"{totals.luck:+z.3f}"]
        winner = "-"
        if game.winner is not None:
            winner = f"{review.transcript.players[game.winner]} {game.points}"
        score = "{}-{}".format(*game.score.points) + (" C" if game.score.crawford else "")
        table.add_row(str(number + 1), score, winner, *cells)
    return table


def stored_words(choice: Choice, stored: StoredAnalysis, program: str) -> str:
    """Return a program's analysis of a choice in a file, in a few words, or an empty text."""
    if choice.kind is ChoiceKind.PLAY:
        stored_plays = [play for play in stored.plays if play.play == choice.made]
        if not stored_plays:
            return ""
        best = ranked_plays(stored.plays, choice.made, program)[0]
        return f"{stored_plays[0].equity - best.equity:+z.4f}, best {best.play} ({best.level})"
    if stored.cube is None:
        return ""
    values = CubeValues(stored.cube.no_double, stored.cube.double_take, 1.0)
    lost = -cube_error(choice.kind, values)
    owner = Position.parse(choice.xgid).context.terms().owner
    words = f"no double {values.no_double:+z.3f}, double, take {values.double_take:+z.3f}"
    if choice.kind in (ChoiceKind.TAKE, ChoiceKind.PASS):
        words = answer_words(-values.double_take)
    return f"{lost:+z.4f}, {doubling_words(words, owner)} ({stored.cube.level})"


def choice_lines(review: Review, choice: Choice) -> list[str]:
    """Return the lines of one of the worst choices; the second line is its XGID."""
    name = review.transcript.players[choice.player]
    cost = cost_format(review)(-choice.cost)
    heading = f"{-choice.error:+z.4f} ({cost})  game {choice.game + 1}, {name}: "
    lines = [f"{heading}{choice.made}, best {choice.best}", choice.xgid]
    position = Position.parse(choice.xgid)
    if reason := why(choice, position):
        lines.append(reason)
    if choice.level:
        lines.append(f"Analyzed by {choice.level}")
    if remark := review.transcript.remarks.get((choice.game, choice.action)):
        lines.append(f"Remark: {remark.words}")
    analysis = review.transcript.stored.get((choice.game, choice.action))
    stored = stored_words(choice, analysis, review.transcript.stored_by) if analysis else ""
    if stored:
        lines.append(f"In the file: {stored}")
    if choice.rollout is not None:
        owner = position.context.terms().owner
        lines.append(f"Rolled out: {choice.rollout.words(choice.made, owner)}")
    return lines
