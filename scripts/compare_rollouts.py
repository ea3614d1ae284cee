"""Measure rollouts: their speed beside GNU Backgammon's, and the honesty of their errors.

    python scripts/compare_rollouts.py speed --rounds 3
    python scripts/compare_rollouts.py honesty --rollouts 200 --trials 72

`speed` rolls out the opening before the roll at 0-ply, cubeless and with the cube, with the luck
taken out, first by GNU Backgammon and then by gammon. It prints the games per second of processor
time of the best round. The time of GNU Backgammon's start is measured and subtracted.
`honesty` compares the spread of many small rollouts of a position with the standard error that they
report, and their mean with a rollout of a hundred times as many trials.
"""

import os
import subprocess
import tempfile
import time
from pathlib import Path

import click
import numpy as np

from gammon.commands.group import OneLine
from gammon.core.estimate import estimate
from gammon.core.trials_kernel import Games, Plan
from gammon.engine.block import Starts, play_games
from gammon.eval.cubeful import cubeful_evaluator
from gammon.eval.evaluators import leaf_and_probe
from gammon.formats.position import Position
from gammon.games.backgammon import BACKGAMMON, backgammon
from gammon.search import Filter
from gammon_lab.programs.gnubg import installed_program

#: The two positions: the opening, and a race with contact.
POSITIONS = {
    "opening": Position.opening(),
    "race": Position.parse("XGID=--CDBbC-B-----a----bdA-cc-:0:0:1:00:0:0:1:0:10"),
}
COMMANDS = """set threads 1
new match 0
set rollout trials {trials}
set rollout varredn on
set rollout quasirandom on
set rollout cubeful {cube}
set rollout cubedecision plies 0
set rollout chequerplay plies 0
set rollout seed 1
set turn 1
set board {position}
{last}
"""
#: Games of GNU Backgammon and of gammon in a round.
THEIRS, OURS = 144, 1296


def ours(position: Position, seed: int, trials: int, cube: bool) -> Games:
    """Return whole games from a position, before the roll, at depth 1."""
    leaf, probe = leaf_and_probe()
    game = BACKGAMMON
    if cube:
        leaf, probe = cubeful_evaluator(leaf), cubeful_evaluator(probe)
        game = backgammon(position.context.terms())
    starts = Starts(np.array([position.points], np.int8), np.array([game.stake]), np.array([1.0]))
    plan = Plan(np.uint64(seed), 1, 1, 0, False, True)
    return play_games(game, leaf, probe, plan, starts, 0, trials, Filter())


def theirs(position: Position, trials: int, cube: bool, last: str) -> float:
    """Return the processor time that GNU Backgammon takes, in seconds."""
    program = installed_program()
    words = {True: "on", False: "off"}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "commands"
        path.write_text(
            COMMANDS.format(trials=trials, cube=words[cube], position=position.position_id, last=last)
        )
        before = os.times().children_user
        subprocess.run(
            [program, "-t", "-q", "-r", "-c", str(path)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=True,
        )
        return os.times().children_user - before


@click.group()
def main() -> None:
    """Measure rollouts."""


@main.command(cls=OneLine)
@click.option("--rounds", default=3, show_default=True)
def speed(rounds: int) -> None:
    """Print the games per second of both programs on one core."""
    opening = POSITIONS["opening"]
    for cube in (False, True):
        best = {"gnubg": 0.0, "gammon": 0.0}
        for _ in range(rounds):
            start = theirs(opening, 36, cube, "")
            seconds = theirs(opening, THEIRS, cube, "rollout") - start
            best["gnubg"] = max(best["gnubg"], THEIRS / seconds)
            ours(opening, 1, 36, cube)
            begun = time.process_time()
            ours(opening, 1, OURS, cube)
            best["gammon"] = max(best["gammon"], OURS / (time.process_time() - begun))
        kind = "with the cube" if cube else "cubeless"
        ratio = best["gammon"] / best["gnubg"]
        click.echo(
            f"{kind}: gnubg {best['gnubg']:.1f}, gammon {best['gammon']:.1f} games a second, "
            f"{ratio:.1f} times"
        )


@main.command(cls=OneLine)
@click.option("--rollouts", default=200, show_default=True)
@click.option("--trials", default=72, show_default=True)
def honesty(rollouts: int, trials: int) -> None:
    """Print spreads, reported standard errors, and the share of variance due to luck."""
    for name, position in POSITIONS.items():
        for cube in (False, True):
            games = [ours(position, seed, trials, cube) for seed in range(rollouts)]
            estimates = [estimate(batch.values[0]) for batch in games]
            values = np.concatenate([batch.values[0] for batch in games])
            plain = np.concatenate([batch.plain[0] for batch in games])
            spread = np.std([rolled.mean for rolled in estimates], ddof=1)
            reported = np.sqrt(np.mean([rolled.error**2 for rolled in estimates]))
            error = reported / np.sqrt(rollouts)
            long = estimate(ours(position, rollouts, 100 * trials, cube).values[0])
            apart = (values.mean() - long.mean) / np.hypot(error, long.error)
            click.echo(
                f"{name}, {'with the cube' if cube else 'cubeless'}: mean {values.mean():.4f}, "
                f"spread {spread:.4f}, reported {reported:.4f}; sd {values.std():.3f}, plain "
                f"{plain.std():.3f}, variances {plain.var() / values.var():.0f} to 1; "
                f"{100 * trials} trials {long.mean:.4f} +- {long.error:.4f}, {apart:+.1f} s.e. "
                "apart"
            )


if __name__ == "__main__":
    main()
