"""Matches and grades as tables for people."""

from rich.console import Group, RenderableType

from gammon.match.grade import Grade
from gammon.match.match import Effort
from gammon.match.player import Player
from gammon.match.result import Mean, Result
from gammon.rules.stakes import MONEY, Stakes
from gammon.text.tables import new_table

__all__ = ["grade_view", "match_view"]


def _row(name: str, mean: Mean, scale: float = 1.0, unit: str = "") -> list[str]:
    numbers = [scale * number for number in mean]
    digits = 2 if unit else 4
    low, high = (f"{number:.{digits}f}" for number in numbers[2:])
    return [
        name, f"{numbers[0]:.{digits}f}{unit}", f"{numbers[1]:.{digits}f}", f"{low} to {high}",
    ]  # fmt: skip


def match_view(
    a: Player, b: Player, result: Result, effort: Effort, stakes: Stakes = MONEY
) -> RenderableType:
    """Show what A won against B, and what it took."""
    figures = new_table("", "mean", "s.e.", "95 % interval")
    figures.add_row(*_row("points a game, luck taken out", result.adjusted))
    figures.add_row(*_row("points a game, as played", result.points))
    figures.add_row(*_row("games won", result.wins, 100.0, " %"))
    players = new_table("player", "gammons", "backgammons", "decisions", "ms a decision")
    for side, player in enumerate((a, b)):
        decisions, seconds = effort.decisions[side], effort.seconds[side]
        players.add_row(
            f"{'AB'[side]}: {player}", f"{100 * result.gammons[side]:.1f} %",
            f"{100 * result.backgammons[side]:.1f} %", f"{decisions:,}",
            f"{1e3 * seconds / max(decisions, 1):.3f}",
        )  # fmt: skip
    title = f"A: {a} against B: {b}, {result.games} games of {result.turns:.1f} turns"
    if stakes != MONEY:
        title += f"\nPoints are in the unit of A's stakes: {stakes}"
    return Group(title, "", figures, "", players)


def grade_view(grades: dict[Player, dict[str, Grade]]) -> RenderableType:
    """Show the grades of some players."""
    table = new_table("", "decisions", "PR", "s.e.", "best play", "blunders")
    for player, found in grades.items():
        table.add_row(str(player), style="bold")
        for name, each in found.items():
            table.add_row(
                name, str(each.decisions), f"{each.rating:.2f}", f"{each.error:.2f}",
                f"{100 * each.best:.1f} %", f"{100 * each.blunders:.1f} %",
            )  # fmt: skip
    return table
