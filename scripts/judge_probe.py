"""How good are probe networks? How often they agree with the leaf network, and how often they cut.

    python scripts/judge_probe.py probe runs/probe/model.safetensors

For each network it prints the share of decisions (all 21 rolls in the positions of the benchmark) in
which its best reply is the leaf network's. For Star2 at depth 5 in every fifth position it prints
the leaves in per cent of the full trees and the share of probes that cut, by default and with this
network choosing the probes at every node.
"""

import click
import numpy as np

from gammon import search
from gammon.commands.group import OneLine
from gammon.eval.evaluators import load_evaluator
from gammon.games.backgammon import BACKGAMMON
from gammon.rules.dice import N_ROLLS
from gammon.search import Evaluator, Options, Table
from gammon_lab.bench.positions import bench_positions

EVERYWHERE = Options(killers=False, static_picks=False)


def agreement(leaf: Evaluator, probe: Evaluator) -> float:
    """Return the share of decisions in which both have the same best reply."""
    same = []
    searches = search.TreeSearch(BACKGAMMON, leaf), search.TreeSearch(BACKGAMMON, probe)
    for position in bench_positions():
        for outcome in range(N_ROLLS):
            picks = [tree.decide(position.points, outcome, 1).order[0] for tree in searches]
            same.append(picks[0] == picks[1])
    return float(np.mean(same))


def searched(leaf: Evaluator, probe: Evaluator, options: Options) -> tuple[float, float]:
    """Return the share of leaves and the share of probes that cut, at depth 5."""
    leaves = whole = probes = cuts = 0
    tree = search.TreeSearch(BACKGAMMON, leaf, "star2", probe, options=options)
    for position in bench_positions()[::5]:
        table = Table.at_depth(BACKGAMMON, 5)
        stats = tree.decide(position.points, position.outcome, 5, table=table).stats
        leaves += stats.leaves
        whole += position.leaves[5]
        probes += stats.probes
        cuts += stats.probe_cuts
    return leaves / whole, cuts / probes


@click.command(cls=OneLine)
@click.argument("names", nargs=-1, required=True)
def main(names: tuple[str, ...]) -> None:
    """Judge the networks NAMES."""
    leaf = load_evaluator("leaf")
    for name in names:
        probe = load_evaluator(name, bearoff=False)
        click.echo(f"{name}: picks as the leaf network {100 * agreement(leaf, probe):.1f} %")
        for text, options in (("by default", Options()), ("at every node", EVERYWHERE)):
            leaves, cuts = searched(leaf, probe, options)
            click.echo(f"  {text}: {100 * leaves:.2f} % of the leaves, {100 * cuts:.1f} % cut")


if __name__ == "__main__":
    main()
