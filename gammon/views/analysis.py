"""What people see: the board, and tables of plays.

Colour only repeats what letters say, and only in shades that can be read on black
and on white; piped output is plain.
"""

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from gammon.engine import Analysis, Candidate, RollTable
from gammon.eval.equity import Probabilities
from gammon.experiments.report import Report, cell_text
from gammon.formats.position import Position
from gammon.rules.board import OWN_BAR, THEIR_BAR
from gammon.rules.dice import ROLLS, WEIGHTS
from gammon.search.stats import Stats

__all__ = ["analysis_view", "board_text", "depth_words", "report_view", "roll_table_view"]

_ROWS = 5
_OWN, _THEIR = "X", "O"
_STYLES = {_OWN: "bold green", _THEIR: "bold magenta"}
#: Bounds shown below the exact plays.
_MORE_BOUNDS = 3


def depth_words(depth: int) -> str:
    """Name a depth in both conventions."""
    return (
        f"depth {depth} (GNU Backgammon's {(depth - 1) // 2}-ply, XG's {(depth + 1) // 2}-ply)"
    )


def _column(count: int) -> list[str]:
    """Return a point's checkers from the edge of the board inwards, a cell a row.

    Where they are more than the rows, the innermost cell shows their number.
    """
    size = abs(count)
    cells = [(_OWN if count > 0 else _THEIR) if row < size else "" for row in range(_ROWS)]
    if size > _ROWS:
        cells[-1] = str(size)
    return cells


def board_text(position: Position) -> Text:
    """Draw the board with the player on roll (X) at the bottom, moving to the right."""
    points = position.points
    upper = [range(13, 19), range(19, 25)]
    lower = [range(12, 6, -1), range(6, 0, -1)]
    lines = ["+13-14-15-16-17-18------19-20-21-22-23-24-+"]
    lines += _half(points, upper, points[OWN_BAR], range(_ROWS))
    lines += ["|                  |BAR|                  |"]
    lines += _half(points, lower, points[THEIR_BAR], range(_ROWS - 1, -1, -1))
    lines += ["+12-11-10--9--8--7-------6--5--4--3--2--1-+"]
    (own_pips, their_pips), (own_off, their_off) = position.pips, position.off
    notes = {
        0: f"O: pips {their_pips}, off {their_off}",
        len(lines) - 1: f"X, to play: pips {own_pips}, off {own_off}",
    }
    text = Text()
    for number, line in enumerate(lines):
        edge = 0 < number < len(lines) - 1
        text.append("  ")
        for letter in line:
            style = _STYLES.get(letter, "") if edge else ""
            text.append(letter, style)
        note = notes.get(number, "")
        if note:
            text.append("  ")
            text.append(note, _STYLES[note[0]])
        text.append("\n")
    text.right_crop(1)
    return text


def _half(points: Sequence[int], quarters: list[range], bar: int, order: range) -> list[str]:
    """Return the lines of the upper or the lower half of the board."""
    lines = []
    for row in order:
        left, right = (
            "".join(f"{_column(points[p])[row]:^3}" for p in quarter) for quarter in quarters
        )
        lines.append(f"|{left}|{_column(bar)[row]:^3}|{right}|")
    return lines


def _heading(position: Position, dice: tuple[int, int] | None, depth: int) -> Text:
    roll = f"X to play {dice[0]}{dice[1]}" if dice else "X to roll"
    lines = [
        f"  Position ID: {position.position_id}   Match ID: {position.match_id}",
        f"  {position.xgid}",
        f"  {roll}, {depth_words(depth)}, cubeless money equity",
    ]
    return Text("\n".join(lines))


def _percent(chance: float) -> str:
    return f"{100 * chance:.1f}"


def _chances(probabilities: Probabilities | None) -> list[str]:
    """Return the cells of both sides' chances: ours to win, theirs last."""
    if probabilities is None:
        return [""] * 6
    win, win_g, win_bg, lose_g, lose_bg = probabilities
    return [_percent(p) for p in (win, win_g, win_bg, 1.0 - win, lose_g, lose_bg)]


def _table(*columns: str) -> Table:
    """Return an empty table that ends with the columns of the chances, in per cent."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for name in (*columns, "Win%", "G", "BG", "Lose%", "G", "BG"):
        table.add_column(name, justify="left" if name == "Play" else "right", no_wrap=True)
    return table


def _work(stats: Stats, seconds: float) -> Text:
    efficiency = f" ({100 * stats.probe_cuts / stats.probes:.0f} %)" if stats.probes else ""
    return Text(
        f"  {stats.nodes:,} nodes, {stats.leaves:,} leaves, {stats.evaluations:,} evaluations, "
        f"{stats.probes:,} probes, {stats.probe_cuts:,} cut{efficiency}, "
        f"{stats.search_cuts:,} search cuts, {seconds:.2f} s"
    )


def _candidate_row(rank: int, candidate: Candidate, left_out: bool) -> list[str]:
    cells = [f"{rank}.", candidate.play.notation]
    if left_out:
        cells += [f"{candidate.equity:+.4f}", "", "static"]
    elif candidate.exact:
        cells += [f"{candidate.equity:+.4f}", f"{candidate.loss:.4f}", "exact"]
    else:
        cells += [f"<= {candidate.equity:+.4f}", f">= {candidate.loss:.4f}", "bound"]
    return [*cells, *_chances(candidate.probabilities)]


def analysis_view(analysis: Analysis, top: int) -> RenderableType:
    """Show a decision: board, IDs, the best plays and what the search did."""
    table = _table("", "Play", "Equity", "Loss", "Value")
    shown = analysis.candidates[: top + _MORE_BOUNDS]
    depth = analysis.depth
    for rank, candidate in enumerate(shown, 1):
        style = "bold" if rank == 1 else ""
        left_out = candidate.depth < depth
        table.add_row(*_candidate_row(rank, candidate, left_out), style=style)
    rest = analysis.candidates[len(shown) :]
    more: list[Text] = []
    if rest:
        text = f"  and {len(rest)} more"
        if rest[-1].depth == depth:
            text += f", none above {rest[0].equity:+.4f}"
        more = [Text(text)]
    return Group(
        board_text(analysis.position),
        "",
        _heading(analysis.position, analysis.dice, depth),
        "",
        Padding(table, (0, 0, 0, 2), expand=False),
        *more,
        "",
        _work(analysis.stats, analysis.seconds),
    )


def report_view(report: Report) -> RenderableType:
    """Show the tables of a reproduction, published figures beside ours."""
    parts: list[RenderableType] = [Text(report.title, "bold")]
    for table in report.tables:
        grid = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
        for name in table.columns:
            grid.add_column(name, justify="right")
        for row in table.rows:
            grid.add_row(*map(cell_text, row))
        parts += ["", Text(f"  {table.title}"), Padding(grid, (0, 0, 0, 2), expand=False)]
    parts += ["", *(Text(f"  {note}") for note in report.notes)]
    return Group(*parts)


def roll_table_view(rolls: RollTable) -> RenderableType:
    """Show a position before the roll: its equity, and the best play of each roll."""
    table = _table("Roll", "Chance", "Play", "Equity")
    for dice, weight, analysis in zip(ROLLS, WEIGHTS, rolls.analyses, strict=True):
        best = analysis.candidates[0]
        table.add_row(
            f"{dice[0]}{dice[1]}",
            f"{weight}/36",
            best.play.notation,
            f"{best.equity:+.4f}",
            *_chances(best.probabilities),
        )
    table.add_section()
    table.add_row(
        "mean", "", "", f"{rolls.equity:+.4f}", *_chances(rolls.probabilities), style="bold"
    )
    return Group(
        board_text(rolls.position),
        "",
        _heading(rolls.position, None, rolls.depth),
        f"  Equity before the roll: {rolls.equity:+.4f}, the mean over the 21 rolls",
        "",
        Padding(table, (0, 0, 0, 2), expand=False),
        "",
        _work(rolls.stats, rolls.seconds),
    )
