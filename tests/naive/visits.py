"""The twin of Monte Carlo tree search: nodes are objects, and nothing is kept that can be computed."""

import math
from dataclasses import dataclass, field

import numpy as np

from gammon.search import NOT_OVER, Evaluator, Game
from tests.naive.search import chances, payoff, replies, static_values
from tests.naive.splitmix import splitmix


@dataclass
class Chance:
    """A chance node: its number in the order of creation, and its open and its coming decisions."""

    number: int
    state: np.ndarray
    static: float
    prior: float = 1.0
    visits: int = 0
    opened: list["Decision"] | None = None
    coming: list[tuple[int, float]] = field(default_factory=list)

    def value(self) -> float:
        if not self.opened:
            return self.static
        total = sum(decision.chance for decision in self.opened)
        return sum(decision.chance * decision.value() for decision in self.opened) / total


@dataclass
class Decision:
    """A decision: its successors, and how often each of them was visited."""

    chance: float
    successors: list[Chance]

    def visits(self) -> int:
        return sum(node.visits for node in self.successors)

    def value(self) -> float:
        if self.visits() == 0:
            return max(-node.static for node in self.successors)
        return sum(-node.visits * node.value() for node in self.successors) / self.visits()


class Twin:
    """A tree, grown from a chance node or, with an outcome, from a decision."""

    def __init__(
        self, game: Game, leaf: Evaluator, state: np.ndarray, numbers: tuple, outcome: int | None = None
    ) -> None:
        self.game, self.leaf = game, leaf
        self.visits, self.widen, self.power, self.explore, self.softness, self.seed = numbers
        self.created = 1
        self.root = Chance(0, state, 0.0)
        if outcome is not None:
            self.root.opened, self.root.coming = [], [(outcome, 1.0)]

    def grow(self, depth: int) -> Chance:
        for _ in range(self.visits):
            self.visit(self.root, depth)
        return self.root

    def order(self, node: Chance) -> list[tuple[int, float]]:
        """The outcomes in the order in which they open: drawn by their chances, none twice."""
        left = dict(enumerate(chances(self.game, node.state).tolist()))
        left = {outcome: chance for outcome, chance in left.items() if chance > 0}
        key, drawn = splitmix(self.seed ^ splitmix(node.number)), []
        while left:
            key = splitmix(key)
            share = (key >> 11) * 2.0**-53 * (1.0 - sum(chance for _, chance in drawn))
            for outcome in left:
                last = outcome
                share -= left[outcome]
                if share < 0:
                    break
            drawn.append((last, left.pop(last)))
        return drawn

    def open(self, node: Chance) -> None:
        outcome, chance = node.coming.pop(0)
        rows = replies(self.game, node.state, outcome)
        static = static_values(self.game, self.leaf, node.state, rows)
        worth = [
            float(value) if (paid := payoff(self.game, row)) == NOT_OVER else paid
            for row, value in zip(rows, static, strict=True)
        ]
        weights = np.exp((min(worth) - np.array(worth)) / self.softness)
        successors = [
            Chance(self.created + j, row, worth[j], weights[j] / weights.sum()) for j, row in enumerate(rows)
        ]
        self.created += len(rows)
        node.opened.append(Decision(chance, successors))

    def visit(self, node: Chance, depth: int) -> None:
        node.visits += 1
        if depth == 0 or payoff(self.game, node.state) != NOT_OVER:
            return
        if node.opened is None:
            node.opened, node.coming = [], self.order(node)
        before = len(node.opened)
        while node.coming and len(node.opened) < max(self.widen * node.visits**self.power, 1):
            self.open(node)
        if len(node.opened) > before:
            return
        # The shares of visits are compared as products, which are exact where chances are equal.
        decision = node.opened[0]
        for other in node.opened:
            if other.chance * (1 + decision.visits()) > decision.chance * (1 + other.visits()):
                decision = other
        root = self.explore * math.sqrt(decision.visits() + 1)
        bonus = [root * child.prior / (1 + child.visits) - child.value() for child in decision.successors]
        self.visit(decision.successors[int(np.argmax(bonus))], depth - 2)
