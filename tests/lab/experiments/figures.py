"""Figures that a reproduction wrote, and results of matches that are made up."""

from gammon.match.result import MatchResult, Mean


def differences(rows, column="difference"):
    """Return a column as numbers."""
    return [float(row[column]) for row in rows]


def mean(value: float) -> Mean:
    return Mean(value, 0.01, value - 0.02, value + 0.02)


def result(points: float, won: float = 0.5) -> MatchResult:
    """Return what 200 games came to, by the points and the games won without the luck."""
    return MatchResult(
        length=0, live=False, matches=200, games=200, points=mean(0.9), adjusted=mean(points),
        wins=mean(0.1), fair_wins=mean(won), gammons=(0.2, 0.1), backgammons=(0.0, 0.0),
        doubles=(0.0, 0.0), takes=(0.0, 0.0), passes=(0.0, 0.0), cube=1.0, turns=50.0,
    )  # fmt: skip
