"""Make the network of one side's race, `models/race.npy`.

    python scripts/learn_races.py runs/races --out models/race.npy

It learns how many rolls a side needs to bear off its last and its first checker
(`gammon.eval.race`). The sides are those of self-play at depth 1 and those that a random play
makes of them, and drawn ones, to which self-play seldom comes. Of sides on the first 12 points
the chances are exact (`race_sides.py`: 3 GB in the folder, 4 minutes on two cores at the first
start). Further outside they are guessed from the pips at first, and then the mean over the 21
rolls of what the best play leads to, by the exact table where it is there and by the network
elsewhere. It takes 20 minutes on one core more.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

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
    Int8Matrix,
    Int64Vector,
)
from gammon.eval.bearoff import N_NUMBERS
from gammon.eval.bearoff_file import CHANCES
from gammon.eval.evaluators import load_evaluator
from gammon.eval.race import (
    BINS,
    H1,
    H2,
    MOST_BACK,
    MOST_PIPS,
    ROOM,
    SEEN,
    SIDE,
    block_of,
    units_of,
    write_first,
    write_side,
)
from gammon.eval.race_tables import FEW, OUTER
from gammon.rules.board import CHECKERS, SIZE
from gammon.rules.dice import N_ROLLS, PROBABILITIES
from gammon.rules.plays import MAX_ROWS, successors
from gammon.train.muon import Muon
from gammon.train.selfplay import played_positions

Floats = npt.NDArray[np.float32]
_HOME = 6
_CHUNK = 4000
#: Adam's rate of the biases, as a share of Muon's of the weights.
_SHARE = 0.3


def race_positions(seeds: range) -> Int8Matrix:
    """Return races of self-play, int8 [N, 26], in which not all checkers are at home."""
    leaf = load_evaluator("leaf", bearoff=False)
    found = []
    for seed in seeds:
        rows = played_positions(leaf, seed)
        own = np.where(rows > 0, np.arange(SIZE), 0).max(axis=1)
        their = np.where(rows < 0, np.arange(SIZE), SIZE).min(axis=1)
        found.append(rows[(own < their) & (np.maximum(own, SIZE - 1 - their) > _HOME)])
    return np.unique(np.concatenate(found), axis=0)


@kernel(allocates=True)
def _count_and_list(sides: Int8Matrix, out: Int8Matrix, begins: Int64Vector) -> int:
    """Write what sides [N, 24] can become by each roll; return how many rows are written."""
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


@kernel(allocates=True)
def looked_ahead(
    sides: Int8Matrix, mean: Float32Matrix, begin: Int8Matrix, rolls: Float32Matrix,
    weights: Float32Vector, out: Float32Stack,
) -> None:  # fmt: skip
    """Write the chances [N, 2, 32] of sides: means over a roll, by the table or the network.

    Args:
        sides: int8 [N, 24].
        mean: see `Sides`, as the two that follow.
        begin: int8 [2, S].
        rolls: float32 [2 S, `WINDOW`].
        weights: the tables of bearoffs and the block of races.
        out: to be added to.
    """
    n_sides = mean.shape[1]
    rows, state = np.empty((MAX_ROWS, SIZE), np.int8), np.zeros(SIZE, np.int8)
    side, best = np.zeros(SIDE, np.float32), np.zeros((2, BINS), np.float32)
    near, room = np.zeros(POINTS, np.int8), np.zeros(ROOM, np.float32)
    least = np.zeros(2, np.float64)
    for i in range(sides.shape[0]):
        whole = 0
        for p in range(OUTER):
            state[1 + p] = sides[i, p]
            whole += sides[i, p]
        purposes = 2 if whole == CHECKERS else 1
        for roll in range(N_ROLLS):
            least[:] = np.inf
            for j in range(int(successors(state, roll, rows))):
                outside = 0
                for p in range(POINTS, OUTER):
                    outside -= rows[j, 24 - p]
                if outside == 0:
                    for p in range(POINTS):
                        near[p] = -rows[j, 24 - p]
                    rank = rank_of(near)
                    for purpose in range(purposes):
                        if mean[purpose, rank] < least[purpose]:
                            least[purpose] = mean[purpose, rank]
                            best[purpose] = 0.0
                            at = begin[purpose, rank]
                            for k in range(WINDOW):
                                to = min(at + k, BINS - 1)
                                best[purpose, to] += rolls[purpose * n_sides + rank, k]
                else:
                    write_side(rows[j], True, weights, 0, N_NUMBERS, room, side)
                    if purposes == 2:
                        write_first(rows[j], True, weights, 0, N_NUMBERS, side)
                    for purpose in range(purposes):
                        found = 0.0
                        for k in range(BINS):
                            found += (k + 1) * side[purpose * BINS + k]
                        if found < least[purpose]:
                            least[purpose] = found
                            best[purpose] = side[purpose * BINS : (purpose + 1) * BINS]
            for purpose in range(purposes):
                if least[purpose] == 0.0:
                    out[i, purpose, 0] += PROBABILITIES[roll]
                    continue
                for k in range(BINS):
                    to = min(k + 1, BINS - 1)
                    out[i, purpose, to] += PROBABILITIES[roll] * best[purpose, k]


def flat_of(net: nn.Module) -> Floats:
    """Return the weights and biases of a network as `block_of` takes them."""
    return np.concatenate([tensor.detach().numpy().ravel() for tensor in net.parameters()])


class Known:
    """Knowledge of sides: a table, and the network that learns."""

    def __init__(self, table: Sides) -> None:
        self._table = table
        self._rolls = table.rolls
        self.net = nn.Sequential(
            nn.Linear(SEEN, H1), nn.ReLU(), nn.Linear(H1, H2), nn.ReLU(),
            nn.Linear(H2, 2 * BINS),
        )  # fmt: skip

    def ranks(self, sides: Int8Matrix) -> Int64Vector:
        """Return the ranks of sides [N, 24] whose checkers are in the table."""
        totals = np.cumsum(sides[:, :POINTS], axis=1, dtype=np.int64)
        ranks = np.zeros(len(sides), np.int64)
        for p in range(POINTS):
            ranks += race_sides.CHOOSE[totals[:, p] + p, p + 1]
        return ranks

    def chances(self, sides: Int8Matrix, purpose: int) -> Floats:
        """Return the chances [N, 32] of sides that the table has, for a purpose."""
        out = np.zeros((len(sides), BINS), np.float32)
        ranks = self.ranks(sides)
        rows, begin = np.arange(len(sides)), self._table.begin[purpose][ranks].astype(int)
        rolls = self._rolls[purpose * race_sides.N_SIDES + ranks]
        for k in range(WINDOW):
            np.add.at(out, (rows, np.minimum(begin + k, BINS - 1)), rolls[:, k])
        return out

    def ahead(self, sides: Int8Matrix, threads: int = 2) -> Floats:
        """Return the chances [N, 2, 32] of sides by looking a roll ahead."""
        weights = np.concatenate([CHANCES.tables(), block_of(flat_of(self.net))])
        out = np.zeros((len(sides), 2, BINS), np.float32)
        pieces = [slice(each, len(sides), threads) for each in range(threads)]

        def look(piece: slice) -> None:
            some = np.zeros((len(sides[piece]), 2, BINS), np.float32)
            looked_ahead(np.ascontiguousarray(sides[piece]), *self._table, weights, some)
            out[piece] = some

        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(look, pieces))
        return out

    def learn(
        self, sides: Int8Matrix, chances: Floats, own: int, steps: int, rate: float = 7e-3,
        size: int = 1024,
    ) -> None:  # fmt: skip
        """Learn chances [N, 2, 32], with a rate of Muon that goes to 0.

        The first `own` sides are those of self-play, of which three in four of a batch are.
        """
        units = torch.from_numpy(units_of(sides))
        goal = torch.from_numpy(chances)
        whole = torch.from_numpy(sides.sum(axis=1) == CHECKERS).float()
        weights = list(self.net.parameters())
        optimizers = [
            Muon([each for each in weights if each.ndim == 2]),
            torch.optim.Adam([each for each in weights if each.ndim == 1], fused=True),
        ]
        total = 0.0
        for step in range(steps):
            i = torch.randint(own, len(sides), (size,))
            i[size // 4 :] = torch.randint(0, own, (size - size // 4,))
            logits = self.net(units[i]).view(size, 2, BINS)
            log = torch.log_softmax(logits, dim=2)
            said = log.exp()
            off = torch.cumsum(said - goal[i], dim=2)
            # The sum of what is off by each roll is the error of the mean.
            each = 10 * off.sum(dim=2) ** 2 + 10 * (off**2).sum(dim=2)
            each = each - (goal[i] * log).sum(dim=2)
            weight = torch.stack([torch.ones(size), 0.3 * whole[i]], dim=1)
            loss = (each * weight).mean()
            self.net.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            for optimizer, share in zip(optimizers, (1.0, _SHARE), strict=True):
                optimizer.param_groups[0]["lr"] = share * rate * (1 - step / steps)
                optimizer.step()
            total += float((off[:, LAST].detach().sum(dim=1) ** 2).mean())
            if step % 4000 == 3999:
                print(
                    f"  {step + 1}: mean rolls off by {(total / 4000) ** 0.5:.4f}", flush=True
                )
                total = 0.0


def _parts(sides: Int8Matrix) -> Iterator[Int8Matrix]:
    for first in range(0, len(sides), _CHUNK):
        yield np.ascontiguousarray(sides[first : first + _CHUNK])


def shifted(known: Known, sides: Int8Matrix) -> Floats:
    """Return a first guess at chances: checkers outside the table go in, for their pips."""
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
    every = [sides]
    for _ in range(several):
        made = []
        for part in _parts(sides):
            begins = np.zeros(len(part) * N_ROLLS, np.int64)
            room = np.empty((len(part) * N_ROLLS * 120 + MAX_ROWS, OUTER), np.int8)
            n = _count_and_list(part, room, begins)
            many = np.diff([*begins, n])
            chosen = np.arange(len(part)) * N_ROLLS + rng.choice(
                N_ROLLS, len(part), p=PROBABILITIES
            )
            made.append(room[begins[chosen] + rng.integers(0, many[chosen])].copy())
        every.append(np.concatenate(made))
    return known_races(np.concatenate(every))


def drawn_sides(seed: int, many: int) -> Int8Matrix:
    """Return sides [N, 24] with any number of checkers, as after a late hit, and long ones.

    Self-play hardly has them, but a search comes to them, and people ask about them.

    Args:
        seed: of the draw.
        many: sides of each number of checkers from 4 to 14, and twelve times as many of 15.
    """
    rng = np.random.default_rng(seed)
    made = []
    for total in range(FEW + 1, CHECKERS + 1):
        n = many if total < CHECKERS else 12 * many
        outside = rng.integers(1, total + 1, n)
        # Of a side's checkers outside, each is no further than the rearmost one may be.
        rear = rng.integers(_HOME + 1, OUTER + 1, n)
        sides = np.zeros((n, OUTER), np.int8)
        for checker in range(total):
            home = rng.integers(0, _HOME, n)
            out = np.where(checker > 0, rng.integers(_HOME, rear), rear - 1)
            sides[np.arange(n), np.where(checker < outside, out, home)] += 1
        made.append(sides)
    return known_races(np.concatenate(made))


def known_races(sides: Int8Matrix) -> Int8Matrix:
    """Return those of sides [N, 24], each once, for which the network is asked."""
    sides = np.unique(sides, axis=0)
    pips, back = sides @ np.arange(1, OUTER + 1), sides[:, OUTER - _HOME :].sum(axis=1)
    asked = sides[:, _HOME:].any(axis=1) & (sides.sum(axis=1) > FEW)
    asked &= (pips <= MOST_PIPS) & (back <= MOST_BACK)
    return np.ascontiguousarray(sides[asked])


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), required=True)
@click.option("--seeds", default=40)
@click.option("--steps", default=12000)
@click.option("--rounds", default=5)
@click.option("--drawn", default=5000)
def main(folder: Path, out: Path, seeds: int, steps: int, rounds: int, drawn: int) -> None:
    """Make the network, and write it to `--out`."""
    torch.manual_seed(1)
    known = Known(race_sides.kept(folder))
    played = sides_of(race_positions(range(1, seeds + 1)), 1, 3)
    sides = np.concatenate([played, drawn_sides(1, drawn)])
    far = sides[:, POINTS:].any(axis=1)
    print(f"{len(sides)} sides, {far.sum()} of them further outside than {POINTS}", flush=True)
    goals = np.zeros((len(sides), 2, BINS), np.float32)
    for purpose in (LAST, FIRST):
        goals[~far, purpose] = known.chances(sides[~far], purpose)
    goals[far] = shifted(known, sides[far])
    for number in range(rounds):
        last = number == rounds - 1
        known.learn(sides, goals, len(played), 8 * steps if last else steps)
        np.save(out, flat_of(known.net))
        if not last:
            goals[far] = known.ahead(sides[far])
            print(f"round {number + 1}: labels made", flush=True)


if __name__ == "__main__":
    main()
