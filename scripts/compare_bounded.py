"""Compare bounded search with the exact search of the same depth: choices, losses and values.

    python scripts/compare_bounded.py --decisions 2000 --seed 1 --state runs/bounded.jsonl

Four kinds of decisions: plays without the cube in the positions of the benchmark; plays in
positions of self-play at drawn terms (money, each owner of the cube, 18 scores of a match to nine
points); plays without the cube in positions of each rare family; and decisions about the cube at
the drawn terms that are close without a search. The exact search values what bounded search chose.
Losses and differences of values are in points, or in EMG in a match. Each decision is a line of the
state file, and a run that was stopped goes on there.
"""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import click
import numpy as np

from gammon.commands.group import OneLine
from gammon.commands.options import MODEL, PLACE, SEED
from gammon.engine.scale import Scale
from gammon.eval.cubeful import evaluator_at
from gammon.eval.evaluators import leaf_and_probe
from gammon.eval.width import bounds_of
from gammon.rules.dice import N_ROLLS, PROBABILITIES
from gammon.rules.terms import CUBELESS, Terms
from gammon.search import Table, TreeSearch
from gammon_lab.bench.positions import bench_positions, contact_sample
from gammon_lab.train.starts import FAMILIES, draw_families

TERMS = [
    Terms(), Terms(jacoby=True), Terms(cube=2, owner=1), Terms(cube=2, owner=-1),
    *(Terms(9, (own, their)) for own in (2, 3, 4, 6, 9) for their in (3, 5, 8)),
    Terms(9, (5, 4), cube=2, owner=1), Terms(9, (4, 5), cube=2, owner=-1), Terms(9, (7, 2), cube=2, owner=1),
]  # fmt: skip
#: A decision about the cube is compared if a double gains or costs less than this statically.
_CLOSE = 0.2
_FAMILY = 100


@cache
def tree_of(terms: Terms, network: str, algorithm: str) -> TreeSearch:
    """Return a search at some terms."""
    scale, (leaf, probe) = Scale.at(terms), leaf_and_probe(network)
    return TreeSearch(
        scale.game, evaluator_at(leaf, terms), probe=evaluator_at(probe, terms),
        **bounds_of(algorithm, leaf, free=False),
    )  # fmt: skip


def compare_plays(points: Any, outcome: int, terms: Terms, network: str, depth: int) -> tuple[float, float]:
    """Return what the choice of bounded search loses, and how far its value is off."""
    unit = Scale.at(terms).unit
    exact, bounded = (
        tree.decide(points, outcome, depth, table=Table.at_depth(tree.game, depth))
        for tree in (tree_of(terms, network, "star2"), tree_of(terms, network, "bounded"))
    )
    right, choice = exact.order[0], bounded.order[0]
    loss = 0.0
    if right != choice:
        opponent = tree_of(terms, network, "star2").for_opponent()
        value = opponent.value(bounded.rows[choice], depth - 1, on_turn=True).value
        loss = max(float(exact.values[right]) + value, 0.0)
    return loss / unit, float(bounded.values[choice] - exact.values[right]) / unit


def compare_cubes(points: Any, terms: Terms, network: str, depth: int) -> tuple[float, float] | None:
    """Return what the actions by bounded search lose, and how far the value is off; None if not close."""
    scale = Scale.at(terms)
    static = tree_of(terms, network, "star2").cube(points, 0)
    if static.double_take is None or static.double_pass is None:
        return None
    if abs(min(static.double_take, static.double_pass) - static.no_double) > _CLOSE * scale.unit:
        return None
    values = []
    for algorithm in ("star2", "bounded"):
        tree = tree_of(terms, network, algorithm)
        cube = tree.cube(points, depth - 1, table=Table.at_depth(tree.game, depth))
        assert cube.double_take is not None and cube.double_pass is not None
        values.append((cube.no_double, cube.double_take, cube.double_pass))
    (stay, take, cash), (near_stay, near_take, _) = values
    doubled, near_doubled = min(take, cash), min(near_take, cash)
    loss = abs(doubled - stay) * ((doubled > stay) != (near_doubled > near_stay))
    loss += abs(take - cash) * ((take < cash) != (near_take < cash))
    return loss / scale.unit, (max(near_stay, near_doubled) - max(stay, doubled)) / scale.unit


def drawn(decisions: int, seed: int) -> Iterator[tuple[str, Any, int, Terms]]:
    """Yield the decisions: the kind, the position, the roll, and the terms."""
    for case in bench_positions():
        yield "benchmark", case.points, case.outcome, CUBELESS
    random = np.random.default_rng(seed)
    for points, outcome in contact_sample(decisions, seed):
        yield "match", points, outcome, TERMS[int(random.integers(len(TERMS)))]
    boards, families = draw_families(_FAMILY * len(FAMILIES), seed)
    rolls = random.choice(N_ROLLS, len(boards), p=PROBABILITIES)
    for board, roll, family in zip(boards, rolls.tolist(), families.tolist(), strict=True):
        yield FAMILIES[family], board, roll, CUBELESS
    for points, _ in contact_sample(8 * decisions, seed + 1)[: 4 * decisions]:
        yield "cube", points, 0, TERMS[int(random.integers(len(TERMS)))]


def report(lines: list[dict[str, Any]]) -> None:
    """Print a row for each kind of decision."""
    heads = "decisions", "other choice", "mean loss", "largest", "rms of values"
    print(f"{'kind':24}" + "".join(f"{head:>15}" for head in heads))
    for kind in dict.fromkeys(line["kind"] for line in lines):
        losses, off = (
            np.array([line[name] for line in lines if line["kind"] == kind]) for name in ("loss", "off")
        )
        other = int((losses > 1e-7).sum())
        print(
            f"{kind:24}{len(losses):15}{other:15}{losses.mean():15.6f}{losses.max():15.4f}"
            f"{np.sqrt((off**2).mean()):15.6f}"
        )


@click.command(cls=OneLine)
@click.option("--decisions", default=2000, show_default=True, help="Plays at drawn terms.")
@click.option("--cubes", default=1000, show_default=True, help="Decisions about the cube.")
@click.option("--depth", default=5, show_default=True, help="Depth of both searches.")
@click.option("--model", default="leaf", show_default=True, type=MODEL, help="The network.")
@click.option("--seed", default=1, show_default=True, type=SEED, help="Seed of the positions.")
@click.option("--state", required=True, type=PLACE, help="A file for the decisions that are done.")
def main(decisions: int, cubes: int, depth: int, model: str, seed: int, state: Path) -> None:
    """Compare bounded search with the exact search of the same depth."""
    lines = [json.loads(line) for line in state.read_text().splitlines()] if state.exists() else []
    count = sum(line["kind"] == "cube" for line in lines)
    with state.open("a") as file:
        for number, (kind, points, outcome, terms) in enumerate(drawn(decisions, seed)):
            if lines and number <= lines[-1]["number"]:
                continue
            result: tuple[float, float] | None
            if kind != "cube":
                result = compare_plays(points, outcome, terms, model, depth)
            elif count < cubes:
                result = compare_cubes(points, terms, model, depth)
            else:
                break
            if result is None:
                continue
            count += kind == "cube"
            line = {"number": number, "kind": kind, "loss": result[0], "off": result[1]}
            file.write(f"{json.dumps(line)}\n")
            file.flush()
            lines.append(line)
    report(lines)


if __name__ == "__main__":
    main()
