"""Compare cube decisions of a search with GNU Backgammon's: do both double, do both take?

    python scripts/compare_cube_actions.py --decisions 300 --seed 5

Positions of self-play get random terms: money with a centred cube and with one's own, and scores of
matches to 9 points. The script uses positions in which, without a search, a double costs or gains
between 0.001 and 0.2. It prints how often both programs double or not, and take or pass, how much
each program's actions lose by the other's values, and how far the values are apart, in points of
the cube or EMG. Each decision on which the programs differ is a line. `--out` writes all decisions.
"""

import csv
from pathlib import Path

import click
import numpy as np

from gammon.commands.group import OneLine
from gammon.commands.options import MODEL, PLACE, SEED
from gammon.engine.cube import CubeAction, CubeAnswer, CubeDecision
from gammon.engine.engine import Engine
from gammon.formats.position import Position
from gammon.rules.terms import Terms
from gammon_lab.bench.positions import self_play_positions
from gammon_lab.programs import GnuBackgammon

TERMS = [
    Terms(), Terms(cube=2, owner=1), Terms(7, (7, 7)), Terms(9, (9, 5)), Terms(9, (4, 8)),
    Terms(7, (3, 3)), Terms(7, (2, 4)), Terms(7, (4, 2)), Terms(5, (3, 5)), Terms(5, (5, 3)),
    Terms(7, (5, 4), cube=2, owner=1), Terms(7, (3, 1)),
]  # fmt: skip
#: The least and largest cost or gain of a double, without a search, in compared decisions.
LEAST, MOST = 0.001, 0.2


def drawn(decisions: int, model: str, seed: int) -> list[Position]:
    """Return positions with terms in which the cube decision is not too clear."""
    rng, static = np.random.default_rng(seed), Engine(depth=1, model=model)
    positions: list[Position] = []
    for points, _ in self_play_positions(Engine(depth=1, cubeless=True), 40 * decisions, seed):
        position = Position(points).with_terms(TERMS[int(rng.integers(len(TERMS)))])
        gain = static.cube(position).gain
        if gain is not None and LEAST < abs(gain) < MOST:
            positions.append(position)
        if len(positions) == decisions:
            break
    return positions


def action(no_double: float, double_take: float) -> tuple[bool, bool]:
    """Return whether a double is right, and whether a take of it is."""
    return min(double_take, 1.0) >= no_double - 1e-9, double_take < 1.0


def error(ours: tuple[bool, bool], no_double: float, double_take: float) -> float:
    """Return the total loss of a player's two decisions by the other program's values."""
    doubled = min(double_take, 1.0)
    double_error = max(no_double, doubled) - (doubled if ours[0] else no_double)
    return double_error + abs(double_take - 1.0) * (ours[1] != (double_take < 1.0))


def actions_of(decision: CubeDecision) -> tuple[bool, bool]:
    """Return a decision's actions as `action` does."""
    return decision.action is CubeAction.DOUBLE, decision.answer is not CubeAnswer.PASS


@click.command(cls=OneLine)
@click.option("--decisions", default=300, show_default=True, help="Decisions to compare.")
@click.option("--depth", default=5, show_default=True, help="Depth of our search.")
@click.option("--plies", default=2, show_default=True, help="Plies of GNU Backgammon.")
@click.option("--model", default="leaf", show_default=True, type=MODEL, help="Our network.")
@click.option("--seed", default=5, show_default=True, type=SEED, help="Seed of the positions.")
@click.option("--out", type=PLACE, help="A CSV file for all decisions.")
def main(decisions: int, depth: int, plies: int, model: str, seed: int, out: Path | None) -> None:
    """Compare cube decisions with GNU Backgammon's."""
    positions, engine = drawn(decisions, model, seed), Engine(depth, model=model)
    ours = [engine.cube(position) for position in positions]
    with GnuBackgammon() as program:
        theirs = program.cube_values(
            [position.points for position in positions], plies, [decision.terms for decision in ours]
        )
    rows, same, apart = [], np.zeros(2, np.int64), []
    for position, decision, values in zip(positions, ours, theirs, strict=True):
        assert decision.double_take is not None, "all may double"
        mine, other = actions_of(decision), action(*values)
        own = decision.no_double.equity, decision.double_take.equity
        same += mine[0] == other[0], mine[1] == other[1]
        apart.append([own[0] - values[0], own[1] - values[1]])
        row = [position.xgid, *mine, *other, *own, *values]
        rows.append([*row, error(mine, *values), error(other, *own)])
        if mine != other:
            click.echo(
                f"{position.xgid}\n    ours ND {own[0]:+.3f} DT {own[1]:+.3f}, theirs "
                f"{values[0]:+.3f} {values[1]:+.3f}; our error by theirs {rows[-1][-2]:.3f}, "
                f"theirs by ours {rows[-1][-1]:.3f}"
            )
    wrong = sum(row[1:3] != row[3:5] for row in rows)
    lost = np.array([row[-2:] for row in rows], np.float64)
    costly = int((lost.max(axis=1) > 0.02).sum())
    distance = np.array(apart)
    click.echo(
        f"{len(rows)} decisions: {len(rows) - wrong} alike ({1 - wrong / len(rows):.1%}), "
        f"doubles {same[0]}, takes {same[1]}; {costly} differ by more than 0.02"
    )
    median, mean = np.median(abs(distance), axis=0), distance.mean(axis=0)
    click.echo(
        f"lost a decision: we {lost[:, 0].mean():.4f}, they {lost[:, 1].mean():.4f}; apart (no "
        f"double, take): median {median[0]:.4f}, {median[1]:.4f}, mean {mean[0]:+.4f}, "
        f"{mean[1]:+.4f}"
    )
    if out:
        names = "xgid,we_double,we_take,they_double,they_take,nd,dt,their_nd,their_dt,error,theirs"
        with out.open("w", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([names.split(","), *rows])


if __name__ == "__main__":
    main()
