"""Is a network short of room, of samples, or of better targets? Sizes by amounts, in a plot.

    python scripts/learn_offline.py make runs/samples --positions 40000000
    python scripts/scaling_grid.py runs/samples --out runs/grid

Each cell is a network in three parts that learns from the first positions of a folder
(`scripts/learn_offline.py` makes it), from each as often as in any other cell. All are judged
by the positions that are kept apart there. If the error falls with the units only, networks
lack room; if with the positions only, samples; if with neither, better targets.

A cell that is done is a line of `cells.jsonl`, with its network beside it. The same command
goes on with those that are missing, and may ask for other sizes and amounts.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gammon.base.extras import extra
from gammon.commands.group import OneLine
from gammon.commands.shared import out_option, seed_option, show_report
from gammon.eval.model_file import network_id, save_model
from gammon.experiments.report import Cell, Figure, Report, Sheet
from gammon.rules.phase import PHASES
from gammon.runs.folder import run_folder
from gammon.runs.store import Store, key_of
from gammon.shown.progress import counted

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: The default amounts: the folder's divided by these.
SHARES = (27, 9, 3, 1)
#: The measures of a cell's groups, by units and positions.
Grid = Mapping[tuple[int, int], Mapping[str, Mapping[str, float]]]


@click.command(cls=OneLine)
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@out_option("The folder for the cells and the report.")
@click.option(
    "--units", type=click.IntRange(1), multiple=True, default=(128, 256, 512, 1024),
    show_default=True, help="A size of the first layer; may be given several times.",
)  # fmt: skip
@click.option(
    "--positions", type=click.IntRange(1), multiple=True,
    help="An amount; all, a third, a ninth and a 27th of the folder's unless given.",
)  # fmt: skip
@click.option(
    "--passes", type=click.IntRange(1), default=6, show_default=True,
    help="How often each position is learned from.",
)  # fmt: skip
@click.option("--trace", type=click.FloatRange(0.0, 1.0), default=0.5, show_default=True)
@click.option("--start", default="", help="A model to go on from, instead of random weights.")
@click.option("--device", type=click.Choice(["cpu", "cuda"]), default="cpu", show_default=True)
@seed_option("first weights and batches")
def main(
    folder: Path,
    out: Path,
    units: tuple[int, ...],
    positions: tuple[int, ...],
    passes: int,
    trace: float,
    start: str,
    device: str,
    seed: int,
) -> None:
    """Learn a network for each size and amount from the positions of FOLDER, and compare."""
    with extra("train", "scaling_grid.py"):
        import torch

        from gammon.train import offline
        from gammon.train.recipe import Recipe, TrainingStage

    torch.set_num_threads(1)
    stage = TrainingStage(
        target="exact", positions=1, trace=trace, passes=passes, optimizer="muon",
        rate=(2e-2, 0.0), batch=3072,
    )  # fmt: skip
    recipe = Recipe(seed=seed, hidden1=256, hidden2=32, parts=3, start=start, stages=(stage,))
    lesson = offline.Lesson.of(folder, trace, max(positions, default=None))
    amounts = positions or tuple(len(lesson.samples) // share for share in SHARES)
    cells = [{"units": size, "positions": amount} for amount in amounts for size in units]
    samples = json.loads((folder / "run.json").read_bytes())["settings"]
    facts = {"recipe": recipe.as_dict(), "samples": samples}
    if start:
        facts["network"] = network_id(start)
    with run_folder(out, f"a grid of sizes and amounts, seed {seed}", facts):
        store = Store(out / "cells.jsonl", cells, lambda cell, found: "all" in found)
        judge = offline.Judge(folder)
        with counted(len(cells)) as show:
            for number, cell in enumerate(cells):
                if key_of(cell) in store.results:
                    continue
                size, amount = cell["units"], cell["positions"]
                name = f"{size} units, {amount} positions"
                # The mean of the last updates: the first weights must not count in it.
                average = min(max(passes * amount // stage.batch // 20, 1), 1000)
                plan = recipe.changed(hidden1=size, stages=(stage.changed(average=average),))
                weights = offline.learn(
                    plan, lesson.first(amount), device, _shown(show, number, name)
                )
                card = {"origin": "scripts/scaling_grid.py", "recipe": plan.as_dict()}
                save_model(out / f"{size}-{amount}.safetensors", weights, card | cell)
                found = judge.measures(weights)
                store.add(cell, {group: asdict(each) for group, each in found.items()})
                click.echo(f"{name}: {found['all']}")
        grid = {
            (cell["units"], cell["positions"]): store.results[key_of(cell)] for cell in cells
        }
        show_report(_report(grid), out, f"python scripts/scaling_grid.py {folder}")


def _shown(
    show: Callable[[float, str], None], number: int, name: str
) -> Callable[[int, int], None]:
    return lambda done, total: show(number + done / total, name)


def _report(grid: Grid) -> Report:
    phases = [phase for phase in PHASES if all(phase in found for found in grid.values())]
    rows: list[list[Cell]] = []
    for (size, amount), found in sorted(grid.items()):
        row: list[Cell] = [size, amount]
        row += [found["all"][name] for name in ("further", "error", "ahead")]
        rows.append(row + [found[phase]["further"] for phase in phases])
    columns = ("units", "positions", "error", "s.e.", "one turn ahead", *phases)
    notes = [
        "Error: how much further than the network that made the samples a network is from the "
        "results of games without their luck, mean square in points, times 10,000; of all "
        "positions, and of each phase. One turn ahead: the distance from that network's exact "
        "targets, root of the mean square, in points. Both are of games that were kept apart.",
    ]
    drawn = {
        "error": ("further", "error beyond the teacher's"),
        "ahead": ("ahead", "distance one turn ahead"),
    }
    figures = [
        Figure(f"grid-{name}", lambda axes, what=what: _draw(axes, grid, *what))  # type: ignore[misc]
        for name, what in drawn.items()
    ]
    table = Sheet("grid", "What networks learn from samples", columns, rows)
    return Report("Sizes and amounts", [table], figures, notes)


def _draw(axes: "Axes", grid: Grid, measure: str, label: str) -> None:
    for units in sorted({size for size, _ in grid}):
        amounts = sorted(amount for size, amount in grid if size == units)
        found = [grid[units, amount]["all"] for amount in amounts]
        errors = [each["error"] if measure == "further" else 0.0 for each in found]
        means = [each[measure] for each in found]
        axes.errorbar(amounts, means, errors, marker="o", capsize=3, label=f"{units} units")
    axes.set_xscale("log")
    ticks = sorted({amount for _, amount in grid})
    axes.set_xticks(ticks, [f"{amount / 1e6:.3g}" for amount in ticks])
    axes.minorticks_off()
    axes.set_xlabel("positions learned from, millions")
    axes.set_ylabel(label)
    axes.legend()


if __name__ == "__main__":
    main()
