"""Train the network of one side's race, `models/race.network`.

    python scripts/learn_races.py runs/races --out models/race.network

It learns how many rolls a side needs to bear off its last and its first checker
(`gammon.eval.race`). The sides come from self-play at depth 1, from random plays there, and from
random draws of sides that self-play seldom reaches. Chances of sides on the first 12 points are
exact (`race_sides.py`: 3 GB in the folder, 4 minutes on two cores at the first start). For sides
further outside they are first guessed from the pips; later they are the mean over the 21 rolls of
the chances after the best play, by the exact table where it has the side and by the network
elsewhere. The training takes 16 more minutes on two cores.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import click
import numpy as np
import numpy.typing as npt
import race_sides
import torch
from race_sides import FIRST, LAST, POINTS, WINDOW, Sides, rank_of
from torch import nn

from gammon.compiled.kernel import kernel
from gammon.compiled.records import (
    Float32Matrix,
    Float32Stack,
    Float32Vector,
    Float64Vector,
    Int8Matrix,
    Int8Vector,
    Int64Vector,
)
from gammon.eval import array_cache
from gammon.eval.bearoff import N_NUMBERS, mean_rolls
from gammon.eval.bearoff_file import bearoff_tables
from gammon.eval.evaluators import load_evaluator
from gammon.eval.race import MOST_BACK, MOST_PIPS, SCRATCH, SIDE, write_first, write_side
from gammon.eval.race_network import BINS, H1, H2, N_LEARNED, SEEN, block_of, units_of
from gammon.eval.race_tables import FEW, OUTER
from gammon.rules.board import CHECKERS, SIZE
from gammon.rules.dice import N_ROLLS, PROBABILITIES, throw
from gammon.rules.home import HOME
from gammon.rules.plays import MAX_ROWS, successors
from gammon_lab.train.learner import Muon
from gammon_lab.train.selfplay import played_positions

Floats = npt.NDArray[np.float32]
_CHUNK = 4000
#: Adam's rate for the biases, relative to Muon's rate for the weights.
_SHARE = 0.3
#: Batches of each round, and the rate at its beginning. Before each round, the chances of the sides
#: further outside are computed again.
_ROUNDS = [(12_000, 7e-3)] * 4 + [(96_000, 7e-3)]


def race_positions(seeds: range) -> Int8Matrix:
    """Return races of self-play, int8 [N, 26], in which not all checkers are at home."""
    leaf = load_evaluator("leaf", bearoff=False)
    races = []
    for seed in seeds:
        rows = played_positions(leaf, seed)
        own = np.where(rows > 0, np.arange(SIZE), 0).max(axis=1)
        their = np.where(rows < 0, np.arange(SIZE), SIZE).min(axis=1)
        races.append(rows[(own < their) & (np.maximum(own, SIZE - 1 - their) > HOME)])
    return np.unique(np.concatenate(races), axis=0)


@kernel(allocates=True)
def _count_and_list(sides: Int8Matrix, out: Int8Matrix, begins: Int64Vector) -> int:
    """Write the successors of sides [N, 24] by each roll; return the number of rows written."""
    rows = np.empty((MAX_ROWS, SIZE), np.int8)
    state = np.zeros(SIZE, np.int8)
    at = 0
    for i in range(sides.shape[0]):
        state[1:25] = sides[i]
        for roll in range(N_ROLLS):
            begins[i * N_ROLLS + roll] = at
            n = int(successors(state, roll, rows))
            for j in range(n):
                for p in range(OUTER):
                    out[at + j, p] = -rows[j, 24 - p]
            at += n
    return at


class Scratch(NamedTuple):
    """Buffers of `_look`."""

    state: Int8Vector
    rows: Int8Matrix
    near: Int8Vector
    side: Float32Vector
    room: Float32Vector
    best: Float32Matrix
    least: Float64Vector
    which: Int64Vector


@kernel(inner=True, allocates=True)
def _look(
    points: Int8Vector,
    purposes: int,
    table: Sides,
    weights: Float32Vector,
    thrown: int,
    scratch: Scratch,
    out: Float32Matrix,
    after: Int8Matrix,
) -> None:
    """Write the chances of a side after one roll of look-ahead, by the table or the network.

    Args:
        points: int8 [24].
        purposes: 2 for a side of 15 checkers, else 1.
        table: see `Sides`.
        weights: the bearoff tables and the numbers of the race network.
        thrown: the number of a roll.
        scratch: buffers.
        out: float32 [2, 32], written.
        after: int8 [2, 24], written: the sides after the best plays of the roll `thrown`.
    """
    rows, near, side, best = scratch.rows, scratch.near, scratch.side, scratch.best
    least, which = scratch.least, scratch.which
    scratch.state[1:25] = points
    out[:] = 0.0
    for roll in range(N_ROLLS):
        least[:] = np.inf
        for j in range(int(successors(scratch.state, roll, rows))):
            inside = True
            for p in range(POINTS, OUTER):
                inside = inside and rows[j, 24 - p] == 0
            rank = 0
            if inside:
                for p in range(POINTS):
                    near[p] = -rows[j, 24 - p]
                rank = rank_of(near)
            else:
                write_side(rows[j], True, weights, 0, N_NUMBERS, scratch.room, side)
                if purposes == 2:
                    write_first(rows[j], True, weights, 0, N_NUMBERS, side)
            for purpose in range(purposes):
                at = purpose * BINS
                mean = float(table.mean[purpose, rank]) if inside else mean_rolls(side, at)
                if mean >= least[purpose]:
                    continue
                least[purpose], which[purpose] = mean, j
                best[purpose] = side[at : at + BINS]
                if inside:
                    best[purpose] = 0.0
                    row = table.rolls[purpose * table.mean.shape[1] + rank]
                    for k in range(WINDOW):
                        best[purpose, min(table.begin[purpose, rank] + k, BINS - 1)] += row[k]
        for purpose in range(purposes):
            if least[purpose] == 0.0:
                out[purpose, 0] += PROBABILITIES[roll]
            else:
                for k in range(BINS):
                    to = min(k + 1, BINS - 1)
                    out[purpose, to] += PROBABILITIES[roll] * best[purpose, k]
            if roll == thrown:
                for p in range(OUTER):
                    after[purpose, p] = -rows[which[purpose], 24 - p]


@kernel(inner=True)
def _beyond(points: Int8Vector) -> bool:
    """Return whether `looked_ahead` uses the network for a side, int8 [24]."""
    checkers, outside = 0, 0
    for p in range(OUTER):
        checkers += points[p]
        outside += points[p] if p >= POINTS else 0
    return outside > 0 and checkers > FEW


@kernel(allocates=True)
def looked_ahead(
    sides: Int8Matrix, table: Sides, weights: Float32Vector, games: int, seed: int, out: Float32Stack
) -> None:
    """Write the chances [N, 2, 32] of sides after one roll of look-ahead.

    Looking ahead takes the best of many plays by a network with errors, so the result is biased
    upward, and this bias adds up from roll to roll. So games go on from each side until the table
    has it, and for each side on the way the network's chances are replaced by the chances after
    looking ahead. This removes the bias, but adds the noise of the games.

    Args:
        sides: int8 [N, 24].
        table: see `Sides`.
        weights: the bearoff tables and the numbers of the race network.
        games: games for each side and purpose; 0 for looking ahead only.
        seed: the seed of the dice.
        out: written.
    """
    scratch = Scratch(
        np.zeros(SIZE, np.int8),
        np.empty((MAX_ROWS, SIZE), np.int8),
        np.zeros(POINTS, np.int8),
        np.zeros(SIDE, np.float32),
        np.zeros(SCRATCH, np.float32),
        np.zeros((2, BINS), np.float32),
        np.zeros(2, np.float64),
        np.zeros(2, np.int64),
    )
    chances = np.zeros((2, BINS), np.float32)
    ahead, after = np.zeros((2, OUTER), np.int8), np.zeros((2, OUTER), np.int8)
    own, state = np.zeros(OUTER, np.int8), np.zeros(SIZE, np.int8)
    for i in range(sides.shape[0]):
        purposes = 2 if sides[i].sum() == CHECKERS else 1
        _look(sides[i], purposes, table, weights, 0, scratch, out[i], after)
        for game in range(games):
            key = np.uint64(seed + i), np.uint64(game)
            first = throw(*key, np.uint64(0))
            _look(sides[i], purposes, table, weights, first, scratch, chances, ahead)
            for purpose in range(purposes):
                own[:] = ahead[purpose]
                turn = 1
                while _beyond(own):
                    roll = throw(*key, np.uint64(turn))
                    _look(own, purposes, table, weights, roll, scratch, chances, after)
                    state[1:25] = own
                    write_side(state, False, weights, 0, N_NUMBERS, scratch.room, scratch.side)
                    if purposes == 2:
                        write_first(state, False, weights, 0, N_NUMBERS, scratch.side)
                    for k in range(BINS):
                        off = chances[purpose, k] - scratch.side[purpose * BINS + k]
                        out[i, purpose, min(k + turn, BINS - 1)] += off / games
                    own[:] = after[purpose]
                    turn += 1


def flat_of(net: nn.Module) -> Floats:
    """Return the weights and biases of a network in the order for `block_of`."""
    return np.concatenate([tensor.detach().numpy().ravel() for tensor in net.parameters()])


class Known:
    """The chances of sides: an exact table, and the network that learns."""

    def __init__(self, table: Sides) -> None:
        self._table = table
        self._rolls = table.rolls
        self.net = nn.Sequential(
            nn.Linear(SEEN, H1), nn.ReLU(), nn.Linear(H1, H2), nn.ReLU(), nn.Linear(H2, 2 * BINS)
        )

    def ranks(self, sides: Int8Matrix) -> Int64Vector:
        """Return the ranks of sides [N, 24] that are in the table."""
        totals = np.cumsum(sides[:, :POINTS], axis=1, dtype=np.int64)
        ranks = np.zeros(len(sides), np.int64)
        for p in range(POINTS):
            ranks += race_sides.CHOOSE[totals[:, p] + p, p + 1]
        return ranks

    def chances(self, sides: Int8Matrix, purpose: int) -> Floats:
        """Return the chances [N, 32] of sides in the table, for a purpose."""
        out = np.zeros((len(sides), BINS), np.float32)
        ranks = self.ranks(sides)
        rows, begin = np.arange(len(sides)), self._table.begin[purpose][ranks].astype(int)
        rolls = self._rolls[purpose * race_sides.N_SIDES + ranks]
        for k in range(WINDOW):
            np.add.at(out, (rows, np.minimum(begin + k, BINS - 1)), rolls[:, k])
        return out

    def take(self, flat: Floats) -> None:
        """Set the weights and biases, in the order of `flat_of`."""
        nn.utils.vector_to_parameters(torch.from_numpy(flat), self.net.parameters())

    def ahead(self, sides: Int8Matrix, threads: int = 2) -> Floats:
        """Return the chances [N, 2, 32] of sides by looking ahead, without games."""
        weights = np.concatenate([bearoff_tables()[:N_NUMBERS], block_of(flat_of(self.net))])
        out = np.zeros((len(sides), 2, BINS), np.float32)
        pieces = [slice(first, len(sides), threads) for first in range(threads)]

        def look(piece: slice) -> None:
            some = np.zeros((len(sides[piece]), 2, BINS), np.float32)
            own = np.ascontiguousarray(sides[piece])
            looked_ahead(own, self._table, weights, 0, 0, some)
            out[piece] = some

        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(look, pieces))
        return out

    def learn(
        self, sides: Int8Matrix, chances: Floats, own: int, steps: int, rate: float, size: int = 1024
    ) -> None:
        """Learn chances [N, 2, 32], with a rate of Muon that falls to 0.

        The first `own` sides come from self-play; three in four sides of a batch are from these.
        """
        units = torch.from_numpy(units_of(sides))
        goal = torch.from_numpy(chances)
        whole = torch.from_numpy(sides.sum(axis=1) == CHECKERS).float()
        weights = list(self.net.parameters())
        optimizers = [
            Muon([tensor for tensor in weights if tensor.ndim == 2]),
            torch.optim.Adam([tensor for tensor in weights if tensor.ndim == 1], fused=True),
        ]
        total = 0.0
        for step in range(steps):
            i = torch.randint(own, len(sides), (size,))
            i[size // 4 :] = torch.randint(0, own, (size - size // 4,))
            logits = self.net(units[i]).view(size, 2, BINS)
            log = torch.log_softmax(logits, dim=2)
            chances_now = log.exp()
            off = torch.cumsum(chances_now - goal[i], dim=2)
            # The sum of the errors of the cumulative chances is the error of the mean.
            error = 10 * off.sum(dim=2) ** 2 + 10 * (off**2).sum(dim=2)
            error = error - (goal[i] * log).sum(dim=2)
            weight = torch.stack([torch.ones(size), 0.3 * whole[i]], dim=1)
            loss = (error * weight).mean()
            self.net.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            for optimizer, share in zip(optimizers, (1.0, _SHARE), strict=True):
                optimizer.param_groups[0]["lr"] = share * rate * (1 - step / steps)
                optimizer.step()
            total += float((off[:, LAST].detach().sum(dim=1) ** 2).mean())
            if step % 4000 == 3999:
                print(f"  {step + 1}: mean rolls off by {(total / 4000) ** 0.5:.4f}", flush=True)
                total = 0.0


def _parts(sides: Int8Matrix) -> Iterator[Int8Matrix]:
    for first in range(0, len(sides), _CHUNK):
        yield np.ascontiguousarray(sides[first : first + _CHUNK])


def shifted(known: Known, sides: Int8Matrix) -> Floats:
    """Return a first guess at chances: checkers outside the table move in, at the cost of their pips."""
    inside = sides.copy()
    inside[:, POINTS - 1] += inside[:, POINTS:].sum(axis=1, dtype=np.int8)
    inside[:, POINTS:] = 0
    more = (sides - inside) @ np.arange(1, OUTER + 1) * (6 / 49)
    out = np.zeros((len(sides), 2, BINS), np.float32)
    for purpose in range(2):
        chances = known.chances(inside, purpose)
        for k in range(BINS):
            for step in (0, 1):
                share = 1 - (more - np.floor(more)) if step == 0 else more - np.floor(more)
                at = np.minimum(k + np.floor(more).astype(int) + step, BINS - 1)
                np.add.at(out[:, purpose], (np.arange(len(sides)), at), share * chances[:, k])
    return out


def sides_of(rows: Int8Matrix, seed: int, several: int) -> Int8Matrix:
    """Return the distinct sides [N, 24] of races and of random plays from them."""
    sides = np.concatenate([np.maximum(rows, 0)[:, 1:25], np.maximum(-rows, 0)[:, 24:0:-1]])
    sides = np.unique(sides, axis=0)
    rng = np.random.default_rng(seed)
    all_sides = [sides]
    for _ in range(several):
        sampled = []
        for part in _parts(sides):
            begins = np.zeros(len(part) * N_ROLLS, np.int64)
            buffer = np.empty((len(part) * N_ROLLS * 120 + MAX_ROWS, OUTER), np.int8)
            n = _count_and_list(part, buffer, begins)
            many = np.diff([*begins, n])
            chosen = np.arange(len(part)) * N_ROLLS + rng.choice(N_ROLLS, len(part), p=PROBABILITIES)
            sampled.append(buffer[begins[chosen] + rng.integers(0, many[chosen])].copy())
        all_sides.append(np.concatenate(sampled))
    return known_races(np.concatenate(all_sides))


def drawn_sides(seed: int, many: int) -> Int8Matrix:
    """Return sides [N, 24] with any number of checkers, as after a late hit, and long sides.

    Half of them have their checkers spread, and half have them stacked on up to four points.
    Self-play hardly reaches them, but a search does, and people analyze them.

    Args:
        seed: the seed of the draw.
        many: sides of each kind and number of checkers from 4 to 14, and twelve times as many
            sides of 15.
    """
    rng = np.random.default_rng(seed)
    drawn = []
    for total in range(FEW + 1, CHECKERS + 1):
        n = many if total < CHECKERS else 12 * many
        spread, stacked = np.zeros((2, n, OUTER), np.int8)
        outside = rng.integers(1, total + 1, n)
        # No checker outside is further back than the rearmost one may be.
        rear = rng.integers(HOME + 1, OUTER + 1, n)
        points = np.column_stack([rear - 1, rng.integers(0, rear[:, None], (n, 3))])
        shares = rng.exponential(size=(n, 4)) * (np.arange(4) <= rng.integers(0, 4, (n, 1)))
        parts = np.cumsum(shares, axis=1) / shares.sum(axis=1, keepdims=True)
        for checker in range(total):
            home = rng.integers(0, HOME, n)
            out = np.where(checker > 0, rng.integers(HOME, rear), rear - 1)
            spread[np.arange(n), np.where(checker < outside, out, home)] += 1
            which = (rng.random((n, 1)) > parts[:, :3]).sum(axis=1) * (checker > 0)
            stacked[np.arange(n), points[np.arange(n), which]] += 1
        drawn += [spread, stacked]
    return known_races(np.concatenate(drawn))


def known_races(sides: Int8Matrix) -> Int8Matrix:
    """Return the sides [N, 24] for which the network is used, each once."""
    sides = np.unique(sides, axis=0)
    pips, back = sides @ np.arange(1, OUTER + 1), sides[:, OUTER - HOME :].sum(axis=1)
    used = sides[:, HOME:].any(axis=1) & (sides.sum(axis=1) > FEW)
    used &= (pips <= MOST_PIPS) & (back <= MOST_BACK)
    return np.ascontiguousarray(sides[used])


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), required=True)
@click.option("--seeds", default=40)
@click.option("--drawn", default=5000)
@click.option("--done", default=0, help="Rounds already done in the file of --out.")
def main(folder: Path, out: Path, seeds: int, drawn: int, done: int) -> None:
    """Train the network, and write it to `--out` after each round."""
    torch.manual_seed(1)
    known = Known(race_sides.load_or_build(folder))
    played = sides_of(race_positions(range(1, seeds + 1)), 1, 3)
    sides = np.concatenate([played, drawn_sides(1, drawn)])
    far = sides[:, POINTS:].any(axis=1)
    print(f"{len(sides)} sides, {far.sum()} of them further outside than {POINTS}", flush=True)
    goals = np.zeros((len(sides), 2, BINS), np.float32)
    for purpose in (LAST, FIRST):
        goals[~far, purpose] = known.chances(sides[~far], purpose)
    if done:
        before = array_cache.read_array(out, N_LEARNED)
        if before is None:
            raise click.ClickException(f"{str(out)!r} is damaged")
        known.take(before)
    for number, (steps, rate) in enumerate(_ROUNDS[done:], done):
        goals[far] = known.ahead(sides[far]) if number > 0 else shifted(known, sides[far])
        print(f"round {number + 1}: targets computed", flush=True)
        known.learn(sides, goals, len(played), steps, rate)
        learned = flat_of(known.net)
        if not np.isfinite(learned).all():
            raise click.ClickException(f"round {number + 1} ended with numbers that are not finite")
        array_cache.write_array(out, learned)


if __name__ == "__main__":
    main()
