"""How far are races from the truth, one side at a time? Static values, and plays.

    python scripts/judge_races.py runs/races

The races come from self-play; in each, not all checkers are at home. The judge has the chances of
each side to bear off its last and its first checker, and combines the chances of two sides as
`gammon.eval.race` does: exact chances of sides on the first 12 points (`race_sides.py`), and for
other sides chances from one roll of look-ahead and games from there (`looked_ahead`). Each side
plays for the fewest rolls on average; where two-sided tables are known, the script prints the cost
of this. It takes some minutes.
"""

from pathlib import Path

import click
import numpy as np
import numpy.typing as npt
import race_sides
from learn_races import drawn_sides, looked_ahead, race_positions
from race_sides import N_SIDES, POINTS, WINDOW, Sides, rank_of

from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float32Matrix, Float32Vector, Int8Matrix, Int8Vector
from gammon.eval.bearoff import N_NUMBERS
from gammon.eval.bearoff_build import parts_of
from gammon.eval.bearoff_build import sides as home_sides
from gammon.eval.bearoff_file import bearoff_tables
from gammon.eval.integer_network_kernel import results_of
from gammon.eval.integers import pack
from gammon.eval.model_file import load_model
from gammon.eval.race import MOST_PIPS, SCRATCH, SIDE, is_race, write_side
from gammon.eval.race_network import BINS, race_block
from gammon.eval.race_tables import BACK, OUTER, build_back
from gammon.rules.board import CHECKERS, SIZE
from gammon.rules.dice import N_ROLLS, PROBABILITIES, throw
from gammon.rules.home import HOME, N_TWO_SIDED
from gammon.rules.outcome import POINTS as WORTH
from gammon.rules.plays import MAX_ROWS, successors

Floats = npt.NDArray[np.float64]
#: The first index of a side's points that are in the opponent's home.
_BACK = BACK - 1
#: Games from each side beyond the table, to remove the bias of looking ahead.
_GAMES = 4


class Judge:
    """Computes the equities of races from the chances of their sides."""

    def __init__(self, table: Sides, home: Float32Vector) -> None:
        self.table, self._home = table, home
        self.weights = np.concatenate([bearoff_tables()[:N_NUMBERS], race_block()])
        self._back = build_back().astype(np.float64)
        self._ranks = {tuple(side): rank for rank, side in enumerate(home_sides()[:N_TWO_SIDED])}

    def sides(self, sides: Int8Matrix) -> Floats:
        """Return the chances [N, 3, 32] of sides [N, 24]: last off, first off, none back."""
        out = np.zeros((len(sides), 3, BINS))
        far = sides[:, POINTS:].any(axis=1)
        ahead = np.zeros((int(far.sum()), 2, BINS), np.float32)
        looked_ahead(np.ascontiguousarray(sides[far]), self.table, self.weights, _GAMES, 0, ahead)
        out[far, :2] = ahead
        for i in np.flatnonzero(~far):
            rank = rank_of(np.ascontiguousarray(sides[i, :POINTS]))
            for purpose in range(2):
                at = self.table.begin[purpose, rank]
                for k in range(WINDOW):
                    to = min(at + k, BINS - 1)
                    out[i, purpose, to] += self.table.rolls[purpose * N_SIDES + rank, k]
        for i in np.flatnonzero(sides[:, _BACK:].any(axis=1)):
            out[i, 2] = self._back[self._ranks[tuple(sides[i, _BACK:])]]
        return out

    def equities(self, rows: Int8Matrix) -> Floats:
        """Return the equities of races int8 [N, 26] to the player on roll."""
        sides = np.concatenate([np.maximum(rows[:, 1:25], 0), np.maximum(-rows[:, 24:0:-1], 0)])
        distinct, where = np.unique(sides, axis=0, return_inverse=True)
        chances = self.sides(distinct)[where.ravel()]
        own, their = np.split(chances, 2)
        whole = sides.sum(axis=1) == CHECKERS
        counted = np.stack([np.ones_like(whole), whole, whole & sides[:, _BACK:].any(axis=1)], 1)
        equities = np.zeros(len(rows))
        for sign, last, loser, counts, less in (
            (1, own[:, 0], their, np.split(counted, 2)[1], 1),
            (-1, their[:, 0], own, np.split(counted, 2)[0], 0),
        ):
            still = 1 - np.cumsum(loser, axis=2)
            if less:
                still = np.concatenate([np.ones((*still.shape[:2], 1)), still[:, :, :-1]], 2)
            chance = (last[:, None] * still).sum(axis=2) * counts
            equities += sign * chance.sum(axis=1)
        home = ~(rows[:, HOME + 1 :] > 0).any(axis=1) & ~(rows[:, : 25 - HOME] < 0).any(axis=1)
        if home.any():
            equities[home] = results_of(rows[home], self._home) @ WORTH
        return equities


@kernel(allocates=True)
def _rolled(side: Int8Vector, games: int, weights: Float32Vector, mean: Float32Matrix, seed: int) -> float:
    """Return the mean rolls of a side, from games played until the table has the side."""
    rows, state = np.empty((MAX_ROWS, SIZE), np.int8), np.zeros(SIZE, np.int8)
    numbers, scratch = np.zeros(SIDE, np.float32), np.zeros(SCRATCH, np.float32)
    near = np.zeros(POINTS, np.int8)
    total = 0.0
    for game in range(games):
        state[1:25] = side
        turn = 0
        while True:
            outside = 0
            for p in range(POINTS, OUTER):
                outside += state[1 + p]
            if outside == 0:
                near[:] = state[1 : 1 + POINTS]
                total += turn + mean[0, rank_of(near)]
                break
            roll = throw(np.uint64(seed), np.uint64(game), np.uint64(turn))
            best, least = 0, np.inf
            for j in range(int(successors(state, roll, rows))):
                write_side(rows[j], True, weights, 0, N_NUMBERS, scratch, numbers)
                rolls = 0.0
                for k in range(BINS):
                    rolls += (k + 1) * numbers[k]
                if rolls < least:
                    best, least = j, rolls
            for p in range(SIZE):
                state[p] = -rows[best, 25 - p]
            turn += 1
    return total / games


def print_drawn(judge: Judge, many: int, games: int = 1000) -> None:
    """Print the errors of drawn sides of 15 checkers against games, by pips and by shape.

    Args:
        judge: the judge, with the table and the network.
        many: sides of each row.
        games: games of each side.
    """
    sides = drawn_sides(9, 2000)
    sides = sides[(sides.sum(axis=1) == CHECKERS) & sides[:, POINTS:].any(axis=1)]
    pips, high = sides @ np.arange(1, OUTER + 1), sides[:, HOME:].max(axis=1) >= 6
    rng = np.random.default_rng(3)
    row, numbers, scratch = (
        np.zeros(SIZE, np.int8),
        np.zeros(SIDE, np.float32),
        np.zeros(SCRATCH, np.float32),
    )
    print("drawn sides: pips, six on a point outside, sides, mean rolls minus the games' mean, rms")
    for stacked in (False, True):
        for least in range(80, MOST_PIPS, 20):
            some = sides[(high == stacked) & (pips >= least) & (pips < least + 20)]
            some = some[rng.permutation(len(some))[:many]]
            off = np.zeros(len(some))
            for i, side in enumerate(some):
                row[1:25] = side
                write_side(row, False, judge.weights, 0, N_NUMBERS, scratch, numbers)
                predicted = float(numbers[:BINS] @ np.arange(1, BINS + 1))
                own = np.ascontiguousarray(side)
                off[i] = predicted - _rolled(own, games, judge.weights, judge.table.mean, i)
            rms = (off**2).mean() ** 0.5
            print(f"  {least} {stacked} {len(some)} {off.mean():+.3f} {rms:.3f}", flush=True)


def next_rows(state: Int8Vector, roll: int) -> Int8Matrix:
    """Return the successors of a position by a roll, seen from the opponent."""
    rows = np.empty((MAX_ROWS, SIZE), np.int8)
    return rows[: successors(state, roll, rows)].copy()


def _beyond(rows: Int8Matrix) -> npt.NDArray[np.bool_]:
    """Return which positions have a side that is not in the table."""
    own, their = rows[:, POINTS + 1 :] > 0, rows[:, : 25 - POINTS] < 0
    return np.asarray(np.concatenate([own, their], axis=1).any(axis=1))


def statics(rows: Int8Matrix, packed: Float32Vector) -> Floats:
    """Return static equities to the players on roll; for a finished game, its result."""
    equities = np.zeros(len(rows))
    over = ~(rows < 0).any(axis=1)
    if not over.all():
        equities[~over] = results_of(rows[~over], packed) @ WORTH
    for i in np.flatnonzero(over):  # the opponent has borne off all
        mine = np.maximum(rows[i], 0)
        equities[i] = -1 if mine.sum() < CHECKERS else -3 if mine[19:].any() else -2
    return equities


def deeper(rows: Int8Matrix, packed: Float32Vector) -> Floats:
    """Return equities to the players on roll, by the best play of each roll."""
    equities = statics(rows, packed)
    successor_rows, owner = [], []
    for i in np.flatnonzero((rows < 0).any(axis=1)):
        for roll in range(N_ROLLS):
            after = next_rows(rows[i], roll)
            successor_rows.append(after)
            owner += [i * N_ROLLS + roll] * len(after)
    if successor_rows:
        values = -statics(np.concatenate(successor_rows), packed)
        best = np.full(len(rows) * N_ROLLS, -np.inf)
        np.maximum.at(best, owner, values)
        searched = (rows < 0).any(axis=1)
        equities[searched] = best.reshape(-1, N_ROLLS)[searched] @ PROBABILITIES
    return equities


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--positions", default=3000, show_default=True)
@click.option("--deep", default=500, show_default=True, help="Decisions to make at depth 3.")
@click.option("--rolled", default=100, show_default=True, help="Sides to play out.")
@click.option("--drawn", default=60, show_default=True, help="Drawn sides in a row.")
def main(folder: Path, positions: int, deep: int, rolled: int, drawn: int) -> None:
    """Judge the network `leaf` in races, with and without its race network."""
    weights = load_model("leaf").weights
    tables = bearoff_tables()
    packed = {"network alone": pack(weights, tables), "races": pack(weights, tables, race_block())}
    judge = Judge(race_sides.load_or_build(folder), packed["races"])
    rng = np.random.default_rng(7)

    all_off, _, two = parts_of(bearoff_tables())
    one = all_off[:N_TWO_SIDED].astype(np.float64)
    still = 1 - np.cumsum(one, axis=1) + one
    off = 2 * (one @ still.T - two)[1:, 1:]
    print(
        f"fewest rolls against best play, up to 6 checkers at home: equity off by "
        f"{(off**2).mean() ** 0.5:.5f} rms, {np.abs(off).max():.4f} at most"
    )

    rows = race_positions(range(101, 110))
    rows = rows[[is_race(row) for row in rows]]
    rows = np.ascontiguousarray(rows[rng.permutation(len(rows))[:positions]])
    far = _beyond(rows)
    back = (rows[:, _BACK + 1 :] > 0).any(axis=1) | (rows[:, : 25 - _BACK] < 0).any(axis=1)

    # For sides beyond the table the judge looks ahead with the network. How large is its error?
    own_sides = np.maximum(rows[:, 1:25], 0)
    some = own_sides[own_sides[:, POINTS:].any(axis=1)][:rolled]
    predicted = judge.sides(some)[:, 0] @ np.arange(1, BINS + 1)
    games = 2000
    truth = np.array(
        [_rolled(side, games, judge.weights, judge.table.mean, i) for i, side in enumerate(some)]
    )
    print(
        f"mean rolls of {len(some)} sides further outside, minus the mean of {games} games: "
        f"{(predicted - truth).mean():+.4f}, rms {((predicted - truth) ** 2).mean() ** 0.5:.4f}"
    )

    exact = judge.equities(rows)
    for name, vector in packed.items():
        off = statics(rows, vector) - exact
        print(
            f"static, {name}: {len(rows)} positions rms {(off**2).mean() ** 0.5:.5f}, mean "
            f"{off.mean():+.5f}; all within {POINTS} points ({(~far).sum()}) "
            f"{(off[~far] ** 2).mean() ** 0.5:.5f}; further ({(far & ~back).sum()}) "
            f"{(off[far & ~back] ** 2).mean() ** 0.5:.5f}; checkers back ({back.sum()}) "
            f"{(off[back] ** 2).mean() ** 0.5:.5f}",
            flush=True,
        )

    lost: dict[tuple[str, int], list[tuple[float, bool]]] = {}
    for number, row in enumerate(rows):
        after = next_rows(row, int(rng.choice(N_ROLLS, p=PROBABILITIES)))
        live = (after < 0).any(axis=1)
        if len(after) < 2 or not live.all():
            continue
        if not all(is_race(successor) for successor in after):
            continue
        values = judge.equities(after)  # for the opponent
        known = not _beyond(after).any()
        for name, vector in packed.items():
            for depth, look in ((1, statics), (3, deeper)):
                if depth == 1 or number < deep:
                    chosen = int(np.argmin(look(after, vector)))
                    lose = float(values[chosen] - values.min())
                    lost.setdefault((name, depth), []).append((lose, known))
    for (name, depth), entries in lost.items():
        loss, near = 500 * np.array([lose for lose, _ in entries]), [k for _, k in entries]
        for which, some in (("", loss), (f", all within {POINTS} points", loss[near])):
            error = some.std() / len(some) ** 0.5
            print(
                f"depth {depth}, {name}{which}: PR {some.mean():.4f} +- {error:.4f}, "
                f"{len(some)} decisions, best play {100 * (some < 1e-4).mean():.1f} %"
            )
    print_drawn(judge, drawn)


if __name__ == "__main__":
    main()
