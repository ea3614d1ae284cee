"""Analyses as tables for people: the plays of a roll, and all rolls of a position."""

from rich.console import Group, RenderableType
from rich.text import Text

from gammon.analysis import Analysis, Candidate, Kind, RollTable
from gammon.eval.equity import Probabilities
from gammon.formats.position import Position
from gammon.rules.dice import ROLLS, WEIGHTS
from gammon.rules.stakes import MONEY, Stakes
from gammon.search.stats import Stats
from gammon.text.board import board_text
from gammon.text.tables import indented, new_table

__all__ = ["analysis_view", "depth_words", "roll_table_view"]

#: Bounds shown below the exact plays.
_MORE_BOUNDS = 3
#: The columns of both sides' chances, in per cent.
_CHANCES = ("Win%", "G", "BG", "Lose%", "G", "BG")


def analysis_view(analysis: Analysis, top: int) -> RenderableType:
    """Show a decision: board, IDs, the best plays and what the search did."""
    table = new_table("", "Play", "Equity", "Loss", "Value", *_CHANCES, left=(1,), wrap=False)
    shown = analysis.candidates[: top + _MORE_BOUNDS]
    depth = analysis.depth
    for rank, candidate in enumerate(shown, 1):
        style = "bold" if rank == 1 else ""
        table.add_row(*_candidate_row(rank, candidate), style=style)
    rest = analysis.candidates[len(shown) :]
    more: list[Text] = []
    if rest:
        text = f"  and {len(rest)} more"
        if rest[-1].kind is not Kind.STATIC:
            text += f", none above {rest[0].equity:+.4f}"
        more = [Text(text)]
    return Group(
        board_text(analysis.position),
        "",
        _heading(analysis.position, analysis.dice, depth, analysis.stakes, _filtered(analysis)),
        "",
        indented(table),
        *more,
        "",
        _work(analysis.stats, analysis.seconds),
    )


def roll_table_view(rolls: RollTable) -> RenderableType:
    """Show a position before the roll: its equity, and the best play of each roll."""
    table = new_table("Roll", "Chance", "Play", "Equity", *_CHANCES, left=(2,), wrap=False)
    for dice, weight, analysis in zip(ROLLS, WEIGHTS, rolls.analyses, strict=True):
        best = analysis.candidates[0]
        table.add_row(
            f"{dice[0]}{dice[1]}",
            f"{weight}/36",
            best.play.notation,
            f"{best.equity:+.4f}",
            *_chances(best.probabilities),
        )
    filtered = map(_filtered, rolls.analyses)
    table.add_section()
    table.add_row(
        "mean", "", "", f"{rolls.equity:+.4f}", *_chances(rolls.probabilities), style="bold"
    )
    return Group(
        board_text(rolls.position),
        "",
        _heading(rolls.position, None, rolls.depth, rolls.stakes, any(filtered)),
        f"  Equity before the roll: {rolls.equity:+.4f}, the mean over the 21 rolls",
        "",
        indented(table),
        "",
        _work(rolls.stats, rolls.seconds),
    )


def depth_words(depth: int) -> str:
    """Name a depth in both conventions."""
    return (
        f"depth {depth} (GNU Backgammon's {(depth - 1) // 2}-ply, XG's {(depth + 1) // 2}-ply)"
    )


def _stakes_words(stakes: Stakes) -> str:
    return "money" if stakes == MONEY else f"stakes {stakes}"


def _filtered(analysis: Analysis) -> bool:
    """Tell whether a filter has left plays out."""
    return any(candidate.kind is Kind.STATIC for candidate in analysis.candidates)


def _heading(
    position: Position,
    dice: tuple[int, int] | None,
    depth: int,
    stakes: Stakes,
    filtered: bool,
) -> Text:
    roll = f"X to play {dice[0]}{dice[1]}" if dice else "X to roll"
    lines = [
        f"  Position ID: {position.position_id}   Match ID: {position.match_id}",
        f"  {position.xgid}",
        f"  {roll}, exact {'within the filter ' if filtered else ''}to {depth_words(depth)}, "
        f"cubeless, {_stakes_words(stakes)}",
    ]
    return Text("\n".join(lines))


def _candidate_row(rank: int, candidate: Candidate) -> list[str]:
    equity, loss = f"{candidate.equity:+.4f}", f"{candidate.loss:.4f}"
    if candidate.kind is Kind.BOUND:
        equity, loss = f"<= {equity}", f">= {loss}"
    if candidate.kind is Kind.STATIC:
        loss = ""
    cells = [f"{rank}.", candidate.play.notation, equity, loss, candidate.kind.value]
    return [*cells, *_chances(candidate.probabilities)]


def _percent(chance: float) -> str:
    return f"{100 * chance:.1f}"


def _chances(probabilities: Probabilities | None) -> list[str]:
    """Return the cells of both sides' chances: ours to win, theirs last."""
    if probabilities is None:
        return [""] * 6
    win, win_g, win_bg, lose_g, lose_bg = probabilities
    return [_percent(p) for p in (win, win_g, win_bg, 1.0 - win, lose_g, lose_bg)]


def _work(stats: Stats, seconds: float) -> Text:
    efficiency = f" ({100 * stats.probe_cuts / stats.probes:.0f} %)" if stats.probes else ""
    return Text(
        f"  {stats.nodes:,} nodes, {stats.leaves:,} leaves, {stats.evaluations:,} evaluations, "
        f"{stats.probes:,} probes, {stats.probe_cuts:,} cut{efficiency}, "
        f"{stats.search_cuts:,} search cuts, {seconds:.2f} s"
    )
