"""How far are static values from the truth? Against rollouts of positions from self-play.

    python scripts/judge_values.py leaf runs/other/model.safetensors gnubg

A rollout is the mean of many games at depth 1 with the luck taken out: the targets of training
with a whole trace (`gammon_lab.train.selfplay`). For each network, and for GNU Backgammon's 0-ply if
`gnubg` is named, the script prints the root mean square error in points of equity, with the
rollouts' own error taken out, in contact and in races. It takes some six minutes on two cores.
"""

from concurrent.futures import ThreadPoolExecutor

import click
import numpy as np
import numpy.typing as npt

from gammon.commands.group import OneLine
from gammon.commands.options import SEVERAL
from gammon.engine.engine import Engine
from gammon.eval.equity import cumulative, equity
from gammon.eval.evaluators import load_evaluator
from gammon.eval.integer_network_kernel import probabilities
from gammon.games.backgammon import BACKGAMMON
from gammon.rules.board import SIZE, Points, has_contact
from gammon.search import Evaluator, problem_of
from gammon.search.workspace import Workspace
from gammon_lab.bench.positions import self_play_positions
from gammon_lab.programs import GnuBackgammon
from gammon_lab.train.selfplay import EXACT, Aim, Turns, play_turns
from gammon_lab.train.starts import mixed_starts

#: Turns of a game; most games are over by then, and unfinished ones end with their value.
TURNS = 80
SEED = 17

Floats = npt.NDArray[np.float64]


def rolled_out(points: Points, trials: int, number: int, network: Evaluator) -> Floats:
    """Return the equities of a position in a number of games, luck taken out."""
    states = np.tile(np.array(points, np.int8), (trials, 1))
    games = np.arange(trials, dtype=np.uint64) + np.uint64(number * trials)
    played = Turns.allocate(TURNS, trials)
    opening = mixed_starts(0.0, SEED)
    problem = problem_of(BACKGAMMON, network)
    play_turns(
        problem, Workspace.allocate(problem, SIZE, 0, False, None), states, games,
        np.zeros(trials, np.uint64), 0, trials, np.uint64(SEED), opening,
        Aim(EXACT, 1.0), played,
    )  # fmt: skip
    return np.asarray(equity(cumulative(played.targets[0])), np.float64)


def static(name: str, positions: list[Points]) -> Floats:
    """Return the static equities of positions by a network or `gnubg`."""
    if name == "gnubg":
        with GnuBackgammon() as program:
            return np.asarray(equity(np.array(program.evaluations(positions))), np.float64)
    rows = np.array(positions, np.int8)
    return np.asarray(equity(probabilities(rows, load_evaluator(name).weights)), np.float64)


@click.command(cls=OneLine)
@click.argument("names", nargs=-1, required=True)
@click.option("--positions", "count", type=click.IntRange(2), default=200, show_default=True)
@click.option(
    "--trials", type=click.IntRange(2), default=60, show_default=True, help="Games of each position."
)
@click.option("--threads", type=SEVERAL, default=2, show_default=True)
def main(names: tuple[str, ...], count: int, trials: int, threads: int) -> None:
    """Judge the networks NAMES; `gnubg` is GNU Backgammon's network."""
    engine = Engine(depth=1, cubeless=True)
    positions = [points for points, _ in self_play_positions(engine, count, SEED)]
    equities = {name: static(name, positions) for name in names}
    leaf = load_evaluator("leaf")
    with ThreadPoolExecutor(threads) as pool:
        pieces = [
            pool.submit(rolled_out, points, trials, number, leaf) for number, points in enumerate(positions)
        ]
        results = np.array([piece.result() for piece in pieces])
    truth = results.mean(axis=1)
    own = results.var(axis=1, ddof=1) / trials
    contact = np.array([has_contact(points) for points in positions])
    click.echo(f"the rollouts' own error {np.sqrt(own.mean()):.4f}")
    for name, values in equities.items():
        squares = (values - truth) ** 2 - own
        parts = (
            f"{text} {np.sqrt(max(float(squares[where].mean()), 0.0)):.4f}"
            for text, where in (("contact", contact), ("race", ~contact))
        )
        click.echo(f"{name}: {', '.join(parts)}")


if __name__ == "__main__":
    main()
