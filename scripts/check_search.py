"""Star1 and Star2 against plain expectimax on real positions, with the price of each.

    python scripts/check_search.py --depth 3 --positions 200
    python scripts/check_search.py --depth 5 --positions 20
    python scripts/check_search.py --depth 3 --positions 100 --cube

Positions come from self-play of the shipped network (every seventh turn). Every exact
value must agree with expectimax to 1e-6, and every bound must hold; the exit code is 1
if one does not. With `--cube` each position has the terms of one of several games in turn, for
money and in matches, and its cube decision is searched, too.
"""

import time

import click

from gammon import search
from gammon.answers.engine import Engine
from gammon.commands.shared import OneLine
from gammon.commands.types import SEED
from gammon.eval.cubeful import cubeful_evaluator
from gammon.eval.evaluators import leaf_and_probe
from gammon.experiments.sample import self_play_positions
from gammon.formats.met_file import read_met
from gammon.games.backgammon import BACKGAMMON
from gammon.games.cubeful import cubeful_backgammon
from gammon.rules.terms import Terms

TOLERANCE = 1e-6
TERMS = [
    Terms(), Terms(7, (3, 5)), Terms(jacoby=True, beavers=True), Terms(cube=2, owner=1),
    Terms(9, (4, 2), cube=2, owner=-1), Terms(cube=2, owner=-1), Terms(5, (4, 1)),
    Terms(25, (25, 24)), Terms(3, (1, 3), crawford=True), Terms(7, (4, 4), cube=2, owner=1),
]  # fmt: skip


@click.command(cls=OneLine)
@click.option("--depth", type=click.IntRange(1), default=3, show_default=True)
@click.option("--positions", "count", type=click.IntRange(1), default=200, show_default=True)
@click.option("--seed", type=SEED, default=1, show_default=True)
@click.option("--top", type=click.IntRange(1), default=1, help="Plays with an exact value.")
@click.option("--cube", is_flag=True, help="With the cube, for money and in matches.")
def main(depth: int, count: int, seed: int, top: int, cube: bool) -> None:
    """Search positions by Star1, Star2 and expectimax; the exit code is 1 if they disagree."""
    leaf, probe = leaf_and_probe()
    games = [BACKGAMMON]
    if cube:
        leaf, probe = cubeful_evaluator(leaf), cubeful_evaluator(probe)
        games = [cubeful_backgammon(each, read_met()) for each in TERMS]
    names = ("expectimax", "star1", "star2")
    seconds = dict.fromkeys(names, 0.0)
    leaves = dict.fromkeys(names, 0)
    evaluations = dict.fromkeys(names, 0)
    probes = cuts = wrong = values = 0
    sample = self_play_positions(Engine(depth=1, cubeless=True), count, seed)
    for number, (points, outcome) in enumerate(sample):
        game = games[number % len(games)]
        doubles: list[float] = []
        truth: dict[bytes, float] = {}
        best = 0.0
        for name in names:
            begun = time.perf_counter()
            setup = search.Setup(game, leaf, name, probe)
            found = setup.decide(points, outcome, depth, top=top)
            decision: list[float] = []
            if cube:
                both = setup.cube(points, depth - 1)
                taken = both.double_take
                decision = [both.no_double] + ([] if taken is None else [taken])
            seconds[name] += time.perf_counter() - begun
            leaves[name] += found.stats.leaves
            evaluations[name] += found.stats.evaluations
            pairs = {
                row.tobytes(): (float(value), bool(exact))
                for row, value, exact in zip(found.rows, found.values, found.exact, strict=True)
            }
            if name == "expectimax":
                truth = {row: value for row, (value, _) in pairs.items()}
                best = max(truth.values())
                doubles = decision
                continue
            if name == "star2":
                probes, cuts = probes + found.stats.probes, cuts + found.stats.probe_cuts
            wrong += abs(found.values[found.order[0]] - best) > TOLERANCE
            for value, true in zip(decision, doubles, strict=True):
                values += 1
                wrong += abs(value - true) > TOLERANCE
            for row, (value, exact) in pairs.items():
                values += 1
                error = value - truth[row]
                wrong += abs(error) > TOLERANCE if exact else error < -TOLERANCE
    click.echo(f"depth {depth}, {count} positions, {values} values, {wrong} wrong")
    click.echo(
        f"{'algorithm':12}{'leaves':>14}{'%':>8}{'seconds':>10}{'%':>8}{'M evaluations/s':>18}"
    )
    for name in names:
        click.echo(
            f"{name:12}{leaves[name]:14,}{100 * leaves[name] / leaves['expectimax']:8.2f}"
            f"{seconds[name]:10.2f}{100 * seconds[name] / seconds['expectimax']:8.2f}"
            f"{evaluations[name] / seconds[name] / 1e6:18.2f}"
        )
    if probes:
        click.echo(f"probe efficiency {100 * cuts / probes:.1f} % of {probes:,}")
    if wrong:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
