"""The view of the result of a match."""

from rich.console import Group, RenderableType

from gammon.match.game import Effort
from gammon.match.player import Player
from gammon.match.result import MatchResult, Mean
from gammon.rules.match_equity import MatchEquityTable
from gammon.rules.terms import CUBELESS, Terms
from gammon.view.tables import new_table, without_last_columns


def _row(name: str, mean: Mean, scale: float = 1.0, unit: str = "") -> list[str]:
    numbers = [scale * number for number in mean]
    digits, sign = (2, "") if unit else (4, "+z")
    ends = [min(max(number, 0.0), scale) if unit else number for number in numbers[2:]]
    low, high = (f"{number:{sign}.{digits}f}" for number in ends)
    interval = f"{low} to {high}" if mean.error > 0.0 else "all pairs alike"
    return [name, f"{numbers[0]:{sign}.{digits}f}{unit}", f"{numbers[1]:.{digits}f}", interval]


def match_view(
    a: Player,
    b: Player,
    result: MatchResult,
    effort: Effort,
    stakes: Terms = CUBELESS,
    met: MatchEquityTable | None = None,
    judged: bool = True,
) -> RenderableType:
    """Return the view of a match of A against B: the result and the work.

    Args:
        a: the first player.
        b: the second player.
        result: the result of the match.
        effort: the decisions and the CPU time of the match.
        stakes: the terms of A in games without the cube.
        met: the match equity table, if it is named.
        judged: whether the luck of the dice was subtracted.
    """
    table = new_table("", "mean", "s.e.", "95 % interval")
    fair = _row("points a game, luck taken out", result.adjusted)
    played = [_row("points a game, as played", result.points), _row("games won", result.wins, 100.0, " %")]
    if result.length:
        fair = _row("matches won, luck taken out", result.adjusted, 100.0, " %")
        played = [
            _row("matches won, as played", result.wins, 100.0, " %"),
            _row("points a game, as played", result.points),
        ]
    for row in [fair, *played] if judged else played:
        table.add_row(*row)
    title = f"A: {a} against B: {b}, {_what(result)}"
    if stakes != CUBELESS:
        title += f"\nPoints are in the unit of A's stakes: {stakes.payoffs}"
    if met is not None:
        title += f"\nBy the match equity table {met.name}"
    return Group(title, "", table, "", _players(result, effort))


def _what(result: MatchResult) -> str:
    """Return a phrase with the games and turns that were played."""
    words = f"{result.games} games of {result.turns:.1f} turns"
    if not result.live:
        return words
    if result.length:
        words = f"{result.matches} matches to {result.length}, {words}"
    return (
        f"{words}\nThe last cube is {result.cube:.2f} on average; doubles, takes and passes are means a game"
    )


def _players(result: MatchResult, effort: Effort) -> RenderableType:
    """Return a table of each player's gammons, cube actions per game, decisions and CPU time."""
    names = ("doubles", "takes", "passes") if result.live else ()
    times = () if effort.cpu_seconds == [None, None] else ("CPU ms a decision",)
    table = new_table("player", "gammons", "backgammons", *names, "decisions", *times)
    for side, player in enumerate("AB"):
        decisions, seconds = effort.decisions[side], effort.cpu_seconds[side]
        time = "-" if seconds is None else f"{1e3 * seconds / max(decisions, 1):.3f}"
        table.add_row(
            player,
            f"{100 * result.gammons[side]:.1f} %",
            f"{100 * result.backgammons[side]:.1f} %",
            *(f"{getattr(result, name)[side]:.3f}" for name in names),
            f"{decisions:,}",
            *([time] if times else []),
        )
    return without_last_columns(table, 1)
