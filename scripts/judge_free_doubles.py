"""How far are leaves from a search where a double costs nothing, and at 2-away 2-away?

    python scripts/judge_free_doubles.py

In a match a double costs nothing if the side loses the match anyway when it loses the game: the
trailer after the Crawford game, or the side that may redouble at once. Leaves treat this cube as
nearly live (`gammon.eval.janowski`). Here the chances of an exact search to depth 5 are turned into
equities by the model with a dead cube, with the efficiency of other scores, and with this one; all
are compared with the search's own equity. It takes half a minute.
"""

import click
import numpy as np

import gammon
from gammon.eval.efficiency import cube_efficiency
from gammon.eval.equity import results_of_cumulative
from gammon.eval.janowski import COSTS_NOTHING, match_mixture
from gammon_lab.bench.positions import bench_positions

#: Points that the player on roll and the opponent need, and whether to take the value after a double,
#: which the opponent may redouble.
_SCORES = (
    ((2, 2), False),
    ((3, 1), False),
    ((1, 3), False),
    ((1, 4), False),
    ((2, 3), True),
    ((2, 4), True),
    ((2, 5), True),
    ((2, 7), True),
)


@click.command()
@click.option("--every", default=1, help="Take one in this many of the benchmark's 500 positions.")
def main(every: int) -> None:
    """Print the root mean square of the differences, in EMG."""
    met, engine = gammon.read_met(), gammon.Engine(depth=5)
    print("| away | value of | dead | as elsewhere | free |\n|---|---|--:|--:|--:|")
    for away, doubled in _SCORES:
        terms = gammon.Terms(max(away) + 2, away)
        at, off = terms.doubled() if doubled else terms, []
        for bench_position in bench_positions()[::every]:
            decision = engine.cube(gammon.Position(bench_position.points).with_terms(terms))
            deep = decision.double_take if doubled else decision.no_double
            assert deep is not None, "the player on roll may double"
            results = np.maximum(results_of_cumulative(np.array(decision.probabilities)), 0.0)
            efficiencies = 0.0, cube_efficiency(bench_position.points), COSTS_NOTHING
            values = (match_mixture(results.tolist(), at, x, met) for x in efficiencies)
            off.append([met.emg(value, terms) - deep.equity for value in values])
        dead, usual, free = np.sqrt(np.mean(np.square(off), axis=0))
        what = "a double, taken" if doubled else "rolling"
        print(f"| {away[0]}, {away[1]} | {what} | {dead:.3f} | {usual:.3f} | {free:.3f} |", flush=True)


if __name__ == "__main__":
    main()
