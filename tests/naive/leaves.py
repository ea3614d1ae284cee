"""The twin of principal leaves: which of several equal successors is chosen, by recursion."""

from dataclasses import dataclass, field

import numpy as np

from gammon.compiled.records import Float32Vector
from gammon.search import Game
from gammon.search.game import NOT_OVER, Evaluator, Rows, State, taken_value
from tests.naive.search import before_roll, chances, outputs, payoff, replies, static_values


def mark(row: State) -> float:
    """A number that tells leaves apart."""
    return float(np.random.default_rng(np.asarray(row, np.uint8)).normal())


@dataclass
class PrincipalLeaves:
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

    def decision(self, state: State, outcome: int, depth: int, stake: int) -> tuple[float, float]:
        rows = replies(self.game, state, outcome)
        statics = self.statics(state, rows, -stake)
        ties = np.empty(len(rows), np.float32)
        written = outputs(self.evaluator, state, rows)
        self.evaluator.tie(rows, written, len(rows), -stake, self.game.params, ties)
        found = [self.turn(row, depth, -stake, s) for row, s in zip(rows, statics.tolist(), strict=True)]
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
