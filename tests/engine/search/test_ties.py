"""Which of several equal successors is chosen: the leaves of a search against a plain twin."""

from dataclasses import dataclass, field

import numpy as np
import pytest

from gammon import search
from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float32Matrix, Float32Vector
from gammon.search import Filter, Game, Options, Setup, Table
from gammon.search.game import NOT_OVER, Evaluator, Params, Rows, State, taken_value
from gammon_lab.games import offers, synthetic
from tests.engine.search.asked import STARS, root_of
from tests.engine.search.test_double import FAMILIES
from tests.twins import before_roll, chances, outputs, payoff, replies, static_values


@kernel()
def tie(
    rows: Rows, outputs: Float32Matrix, n: int, stake: int, params: Params,
    values: Float32Vector,
) -> None:  # fmt: skip
    """Write a number that has nothing to do with the value."""
    for j in range(n):
        total = 0
        for byte in range(rows.shape[1]):
            total = (31 * total + int(rows[j, byte])) % 101
        values[j] = np.float32(total)


@kernel()
def coarse_fold(
    outputs: Float32Matrix, n: int, stake: int, params: Params, values: Float32Vector
) -> None:
    """Write the values of `offers.fold`, rounded towards 0."""
    offers.fold(outputs, n, stake, params, values)
    for j in range(n):
        values[j] = np.float32(np.trunc(np.float64(values[j])))


LEAF = offers.LEAF._replace(tie=tie, has_tie=True)
#: Many of its values are equal. Sums of them would be so but for rounding.
COARSE = LEAF._replace(fold=coarse_fold)


BOUNDS = [(-3, 3), (-2, 1)]


def mark(row: State) -> float:
    """A number that tells leaves apart."""
    return float(np.random.default_rng(np.asarray(row, np.uint8)).normal())


@dataclass
class Twin:
    """The value of a state, and the mean mark of its principal leaves, by plain recursion."""

    game: Game
    evaluator: Evaluator
    ties: int = field(default=0)
    passes: int = field(default=0)

    def turn(self, row: State, depth: int, stake: int, static: float) -> tuple[float, float]:
        paid = payoff(self.game, row, stake)
        if paid != NOT_OVER:
            return paid, mark(row)
        if depth == 0:
            return static, mark(row)
        rolled = self.rolled(row, depth, stake)
        double = self.game.offer(stake, self.game.params)
        if double.cash == NOT_OVER:
            return rolled
        taken = self.rolled(row, depth, double.stake)
        worth = min(taken_value(double, taken[0]), double.cash)
        if worth <= rolled[0]:
            return rolled
        if worth == double.cash:
            self.passes += 1
            return worth, rolled[1]
        return worth, taken[1]

    def rolled(self, state: State, depth: int, stake: int) -> tuple[float, float]:
        chance = chances(self.game, state)
        value = total = 0.0
        for outcome in sorted(range(len(chance)), key=lambda i: -chance[i]):
            if chance[outcome] > 0.0:
                best, marked = self.decision(state, outcome, depth - 2, stake)
                value += chance[outcome] * best
                total += chance[outcome] * marked
        return value, total

    def decision(
        self, state: State, outcome: int, depth: int, stake: int
    ) -> tuple[float, float]:
        rows = replies(self.game, state, outcome)
        statics = self.statics(state, rows, -stake)
        ties = np.empty(len(rows), np.float32)
        written = outputs(self.evaluator, state, rows)
        self.evaluator.tie(rows, written, len(rows), -stake, self.game.params, ties)
        found = [
            self.turn(row, depth, -stake, s)
            for row, s in zip(rows, statics.tolist(), strict=True)
        ]
        over = [payoff(self.game, row, -stake) != NOT_OVER for row in rows]
        least = min(value for value, _ in found)
        equal = [j for j, (value, _) in enumerate(found) if value == least]
        self.ties += len(equal) > 1
        if depth > 0:
            best = min(equal, key=lambda j: (statics[j], ties[j], j))
        elif over[equal[0]]:
            best = equal[0]
        else:
            best = min((j for j in equal if not over[j]), key=lambda j: (ties[j], j))
        return -found[best][0], -found[best][1]

    def statics(self, state: State, rows: Rows, stake: int) -> Float32Vector:
        """The static values before a turn."""
        rolled = static_values(self.game, self.evaluator, state, rows, stake)
        double = self.game.offer(stake, self.game.params)
        if double.cash == NOT_OVER:
            return rolled
        taken = static_values(self.game, self.evaluator, state, rows, double.stake)
        pairs = zip(rolled.tolist(), taken.tolist(), strict=True)
        return np.array([before_roll(double, *pair) for pair in pairs], np.float32)


def tree(bounds: tuple[int, int], family: tuple[int, bool]) -> Game:
    """A family of trees with doubles, in which passes pay so little that there are many."""
    game = offers.game(*bounds, *family)
    params = game.params.copy()
    rows = params[offers._TABLE :].reshape(-1, 4)
    rows[:, 2:] -= 0.2 * (bounds[1] - bounds[0]) * rows[:, :1]
    return game._replace(params=params)


def mean(leaves: search.Leaves) -> float:
    return float(leaves.probabilities * leaves.signs @ [mark(row) for row in leaves.rows])


@pytest.mark.parametrize(("leaf", "depth", "seeds"), [(COARSE, 2, 24), (LEAF, 4, 20)])
@pytest.mark.parametrize("bounds", BOUNDS)
def test_the_leaves_of_a_node_are_those_of_the_favoured_successors(bounds, leaf, depth, seeds):
    ties = passes = 0
    for seed in range(seeds):
        for family in FAMILIES:
            game = tree(bounds, family)
            root = root_of(bounds, seed)
            twin = Twin(game, leaf)
            value, marked = twin.turn(root, depth, game.stake, 0.0)
            ties, passes = ties + twin.ties, passes + twin.passes
            for algorithm in STARS:
                setup = Setup(game, leaf, algorithm, offers.PROBE)
                found = setup.value(root, depth, on_turn=True, leaves=True)
                assert found.value == pytest.approx(value, abs=1e-9)
                assert mean(found.leaves) == pytest.approx(marked, abs=1e-9), (seed, family)
            table = Table.allocate(game, 0.1)
            for _ in range(2):
                again = setup.value(root, depth, on_turn=True, leaves=True, table=table)
                assert mean(again.leaves) == pytest.approx(marked, abs=1e-9), (seed, family)
    assert ties > {2: 300, 4: 15}[depth]
    assert passes > {2: -1, 4: 60}[depth]


@pytest.mark.parametrize("options", [Options(), Options(divide=False, deepen=False)], ids=str)
@pytest.mark.parametrize("bounds", BOUNDS)
def test_the_leaves_of_a_decision_too(bounds, options):
    for seed in range(3):
        for family in FAMILIES:
            game = tree(bounds, family)
            root = root_of(bounds, seed)
            twin = Twin(game, LEAF)
            for depth in (3, 5):
                found = Setup(game, LEAF, "star2", offers.PROBE, options=options).decide(
                    root, 0, depth, top=99, leaves=True
                )
                statics = twin.statics(root, found.rows, -game.stake)
                for j, leaves in zip(found.order, found.leaves, strict=True):
                    row, static = found.rows[j], float(statics[j])
                    value, marked = twin.turn(row, depth - 1, -game.stake, static)
                    assert found.values[j] == pytest.approx(-value, abs=1e-9)
                    assert mean(leaves) == pytest.approx(-marked, abs=1e-9), (seed, family)


@pytest.mark.parametrize("bounds", BOUNDS)
def test_a_filter_keeps_the_favoured_ones_whether_leaves_are_kept_or_not(bounds):
    other = 0
    for seed in range(18):
        for family in (each for each in FAMILIES if not each[1]):  # doubles without an order
            game, root = tree(bounds, family), root_of(bounds, seed)
            values = [
                Setup(game, leaf, algorithm, offers.PROBE, filter=Filter(1))
                .value(root, 4, on_turn=True, leaves=leaves)
                .value
                for leaf in (COARSE, COARSE._replace(has_tie=False))
                for algorithm in ("expectimax", *STARS)
                for leaves in (False, True)
            ]
            asked, first = np.split(np.array(values), 2)
            assert np.ptp(asked) < 1e-9
            assert np.ptp(first) < 1e-9
            other += abs(asked[0] - first[0]) > 1e-9
    assert other > 5, "ties made no difference"


def test_a_tie_is_broken_at_the_root():
    game = synthetic.game(-3, 3)
    for seed in range(60):
        root = root_of((-3, 3), seed)
        rows = replies(game, root, 0)
        same = np.zeros(len(rows), np.float32)
        ties = np.empty_like(same)
        tie(rows, same[:, None], len(rows), 0, game.params, ties)
        if any(payoff(game, row) != NOT_OVER for row in rows):
            continue
        leaf = synthetic.LEAF._replace(fold=nothing, tie=tie, has_tie=True)
        for algorithm in ("star2", "expectimax"):
            found = Setup(game, leaf, algorithm).decide(root, 0, 1)
            assert found.order.tolist() == np.argsort(ties, kind="stable").tolist()


@kernel()
def nothing(
    outputs: Float32Matrix, n: int, stake: int, params: Params, values: Float32Vector
) -> None:
    """Give all states one value."""
    for j in range(n):
        values[j] = 0.0
