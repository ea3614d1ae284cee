"""One look at a state: the functions of a game and an evaluator, called between guards.

`contract` chooses the states.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gammon.base.errors import GameError
from gammon.compiled.records import Float64Vector
from gammon.search.checks import as_text, check_outcome
from gammon.search.game import (
    NOT_OVER,
    Doubled,
    Evaluator,
    Game,
    Rows,
    State,
    no_offer,
    same_bounds,
)
from gammon.search.guard import Guarded, call

#: The most that rounding may add to a sum of chances, or to a value, as a part of its size.
_ROUNDING = 1e-6


class Node(NamedTuple):
    """A state under examination.

    Attributes:
        state: int8 [W], seen from its player on roll.
        stake: of that player.
        low, high: the game's bounds, as that player sees them.
        limits: float64 [2], the narrower ones of the states above it.
    """

    state: State
    stake: int
    low: float
    high: float
    limits: Float64Vector

    def below(self, row: State, limits: Float64Vector) -> "Node":
        """Return the node of a successor, with the limits that it has from this node."""
        return Node(row, -self.stake, -self.high, -self.low, -limits[::-1])


class Examiner:
    """Calls the functions of a game and an evaluator, and looks at what comes back.

    Args:
        game: the rules.
        evaluator: of its states.
        strict: look for what makes no result wrong, too.
        bounded: static values have to keep to the game's bounds.
        seed: says which outcomes and successors.
    """

    def __init__(
        self,
        game: Game,
        evaluator: Evaluator,
        strict: bool,
        bounded: bool,
        seed: int = 0,
    ) -> None:
        self.game = game
        self.evaluator = evaluator
        self.strict = strict
        self.bounded = bounded
        self.random = np.random.default_rng(seed)
        self.params = Guarded("params", "their length", game.params)
        self.weights = Guarded("weights", "their length", evaluator.weights)
        self.scratch = Guarded("scratch", "its length", evaluator.new_scratch(), scratch=True)
        self.slack = _ROUNDING * max(1.0, abs(game.low), abs(game.high))

    def root(self, state: State) -> Node:
        """Return the node of a state where a search begins."""
        low, high = float(self.game.low), float(self.game.high)
        return Node(state, self.game.stake, low, high, np.array([low, high]))

    def finish(self) -> None:
        """Check what is compared only once."""
        for vector, owner in ((self.params, "the game"), (self.weights, "the evaluator")):
            try:
                vector.check_content()
            except GameError as fault:
                raise GameError(f"{self.game.name}: {owner} {fault}") from None

    def look(
        self, node: Node, depth: int, breadth: int, outcome: int | None = None
    ) -> list[Node]:
        """Check a state and its successors, and return some of these.

        Args:
            node: the state.
            depth: plies, even; at depth 0 the search does not look at successors.
            breadth: how many of its outcomes are looked at, and how many successors of each
                may be returned.
            outcome: what chance brought, where a search begins with a decision.

        Returns:
            Successors whose game goes on.
        """
        if self._payoff(node, guarded=True) != NOT_OVER:
            return []
        if depth == 0:
            self._single(node)
            return []
        chance = self._chances(node)
        limits = self._limits(node)
        doubled = self._doubled(node)
        chosen = self._some(len(chance), breadth)
        if outcome is not None:
            check_outcome(outcome, len(chance))
            chosen = [outcome]
        found: list[Node] = [] if doubled is None else [doubled]
        several: list[tuple[State, float]] = []
        for each in chosen:
            rows, statics = self._decision(node, each, limits)
            goes_on = [j for j in self._some(len(rows), breadth) if not np.isnan(statics[j])]
            found += [node.below(rows[j], limits) for j in goes_on]
            several += [(rows[j], float(statics[j])) for j in goes_on[:1]]
        if several:
            self._compare(node, several)
        return found

    def _some(self, n: int, most: int) -> list[int]:
        """Return which of n things are looked at, in a random order."""
        return [int(k) for k in self.random.permutation(n)[:most]]

    def _fault(self, function: str, state: State, fault: object, detail: str = "") -> GameError:
        return GameError(f"{self.game.name}: {function} of {as_text(state)}{detail} {fault}")

    def _call(
        self, name: str, state: State, arguments: list[Guarded | int], count: int | None = None
    ) -> Any:
        """Return what a function of the game says of a state, which it gets first."""
        given = Guarded("state", "width", state)
        try:
            return call(getattr(self.game, name), [given, *arguments], count)
        except GameError as fault:
            raise self._fault(name, state, fault) from None

    def _check_bounds(self, function: str, node: Node, value: float) -> None:
        """Raise a GameError unless a value to a node's player on roll is within the bounds."""
        low, high = node.low - self.slack, node.high + self.slack
        if not low <= value <= high:
            raise self._fault(
                function, node.state,
                f"is {value:.7g}; expected {node.low:g} to {node.high:g}, the bounds for the "
                "player on roll there",
            )  # fmt: skip

    def _payoff(self, node: Node, guarded: bool = False) -> float:
        """Return the payoff of a state, or `NOT_OVER`."""
        state = node.state
        if guarded:
            payoff = self._call("terminal", state, [node.stake, self.params])
        else:
            payoff = self.game.terminal(state, node.stake, self.game.params)
        if not isinstance(payoff, float | int | np.number):
            raise self._fault("terminal", state, f"is {payoff!r}; expected a number")
        if payoff != NOT_OVER:
            self._check_bounds("terminal", node, float(payoff))
            low, high = node.limits
            if not low - self.slack <= payoff <= high + self.slack:
                raise self._fault(
                    "terminal", state,
                    f"is {payoff:.7g}; the function bounds of a state before says {low:g} to "
                    f"{high:g}",
                )  # fmt: skip
        return float(payoff)

    def _chances(self, node: Node) -> Float64Vector:
        """Return the probabilities of a state's outcomes."""
        weight = Guarded("weight", "max_outcomes", np.empty(self.game.max_outcomes), room=True)
        n = self._call("outcomes", node.state, [self.params, weight])
        chance = weight.array[:n].copy()
        if not (chance >= 0.0).all() or abs(chance.sum() - 1.0) > _ROUNDING:
            raise self._fault(
                "outcomes", node.state,
                f"are {as_text(chance)}, of sum {chance.sum():.7g}; expected probabilities of "
                "sum 1",
            )  # fmt: skip
        return chance

    def _limits(self, node: Node) -> Float64Vector:
        """Return the bounds of a node's value, as narrow as the game knows them."""
        if self.game.bounds is same_bounds:
            return node.limits
        limits = Guarded("limits", "their number", node.limits, room=True, kept=True)
        self._call("bounds", node.state, [node.stake, self.params, limits], 2)
        low, high = limits.array
        least, most = node.limits
        slack = self.slack
        if not (least - slack <= low <= high + slack and high <= most + slack):
            raise self._fault(
                "bounds", node.state,
                f"are {low:g} and {high:g}; expected narrower ones than {least:g} and {most:g}",
            )  # fmt: skip
        return limits.array.copy()

    def _doubled(self, node: Node) -> Node | None:
        """Return a state after a double, or None where its player may not double."""
        if self.game.offer is no_offer:
            return None
        try:
            found = call(self.game.offer, [node.stake, self.params])
        except GameError as fault:
            raise GameError(f"{self.game.name}: offer at stake {node.stake} {fault}") from None
        wrong = ""
        if not isinstance(found, Doubled):
            wrong = "a `Doubled`"
        elif found.cash == NOT_OVER:
            return None
        elif not np.isfinite(found).all():
            wrong = "finite numbers"
        elif not 0.0 < found.factor <= found.beaver:
            wrong = "0 < factor <= beaver"
        elif found.stake == node.stake:
            wrong = "another stake"
        elif not node.low - self.slack <= found.cash <= node.high + self.slack:
            wrong = f"cash from {node.low:g} to {node.high:g}, its bounds"
        elif not found.low <= found.high:
            wrong = "low <= high"
        if wrong:
            raise GameError(
                f"{self.game.name}: offer at stake {node.stake} is {found}; expected {wrong}"
            )
        low, high = float(found.low), float(found.high)
        return Node(node.state, int(found.stake), low, high, np.array([low, high]))

    def _decision(
        self, node: Node, outcome: int, limits: Float64Vector
    ) -> tuple[Rows, npt.NDArray[np.float32]]:
        """Return the n successors of a state after an outcome, and their static values.

        Those of finished games are nan.
        """
        game = self.game
        detail = f" after outcome {outcome}"
        given = Guarded("state", "width", node.state)
        room = np.empty((game.max_successors, game.width), np.int8)
        space = Guarded("rows", "max_successors x width", room, room=True)
        try:
            with np.errstate(over="raise"):  # plain Python sees sums beyond int8
                n = call(game.successors, [given, outcome, self.params, space])
        except GameError as fault:
            if str(fault).startswith("returns 0;"):
                fault = GameError("are none; a player who cannot move passes: one successor")
            raise self._fault("successors", node.state, fault, detail) from None
        rows = space.array[:n].copy()
        if self.strict and len({row.tobytes() for row in rows}) < n:
            raise self._fault(
                "successors", node.state, "are the same twice; expected distinct rows", detail
            )
        statics = self._statics(node.state, rows, -node.stake)
        for j in range(n):
            below = node.below(rows[j], limits)
            if self._payoff(below) != NOT_OVER:
                statics[j] = np.nan
            else:
                self._check_static(below, float(statics[j]))
        return rows, statics

    def _statics(self, parent: State, rows: Rows, stake: int) -> npt.NDArray[np.float32]:
        """Return the static values of siblings, float32 [n]."""
        n, evaluator = len(rows), self.evaluator
        siblings = Guarded("rows", "n x width", rows)
        room = np.empty((n, evaluator.outputs), np.float32)
        out = Guarded("out", "n x outputs", room, room=True)
        given = Guarded("parent", "width", parent)
        values = Guarded("values", "n", room[:, 0].copy(), room=True)
        name = "evaluate"
        try:
            call(evaluator.evaluate, [given, siblings, n, self.weights, out, self.scratch], n)
            name = "fold"
            outputs = Guarded("outputs", "n x outputs", out.array.copy())
            call(evaluator.fold, [outputs, n, stake, self.params, values], n)
            if evaluator.has_turn:
                name = "turn"
                self._check_turn(outputs, n, stake, values.array)
            if evaluator.has_tie:
                name = "tie"
                ties = Guarded("values", "n", values.array.copy(), room=True)
                call(evaluator.tie, [siblings, outputs, n, stake, self.params, ties], n)
        except GameError as fault:
            detail = f" and {n - 1} more" if n > 1 else ""
            raise self._fault(name, rows[0], fault, detail) from None
        return values.array.copy()

    def _check_turn(
        self, outputs: Guarded, n: int, stake: int, rolled: npt.NDArray[np.float32]
    ) -> None:
        """Check that values before a turn are those that two folds make."""
        double = self.game.offer(stake, self.game.params)
        expected = rolled.astype(np.float64)
        if double.cash != NOT_OVER:
            after = Guarded("values", "n", rolled.copy(), room=True)
            call(self.evaluator.fold, [outputs, n, double.stake, self.params, after], n)
            taken = after.array.astype(np.float64)
            taken = np.minimum(double.factor * taken, double.beaver * taken)
            expected = np.maximum(expected, np.minimum(taken, double.cash))
        values = Guarded("values", "n", rolled.copy(), room=True)
        call(self.evaluator.turn, [outputs, n, stake, self.params, values], n)
        for found, value in zip(values.array, expected.astype(np.float32), strict=True):
            if found != value:
                raise GameError(f"gives {found:.9g}; expected {value:.9g}, as two folds do")

    def _check_static(self, node: Node, static: float) -> None:
        if self.bounded or not np.isfinite(static):
            self._check_bounds("the static value", node, static)

    def _single(self, node: Node) -> float:
        """Return the static value of a state alone, which is its own parent then."""
        (static,) = self._statics(node.state, node.state[None], node.stake)
        self._check_static(node, float(static))
        return float(static)

    def _compare(self, node: Node, several: list[tuple[State, float]]) -> None:
        """Check that successors have the same static values in other company.

        Args:
            node: their parent.
            several: successors of several outcomes, with the values that they had.
        """
        row, static = several[0]
        alone = self._single(node.below(row, node.limits))
        if abs(alone - static) > self.slack:
            raise self._fault(
                "evaluate", row,
                f"gives {static:.7g} as a successor of {as_text(node.state)}, and {alone:.7g} "
                "as its own parent; expected the same",
            )  # fmt: skip
        rows = np.array([row for row, _ in several])
        together = self._statics(node.state, rows, -node.stake)
        for (row, static), other in zip(several, together, strict=True):
            if not abs(other - static) <= self.slack:
                raise self._fault(
                    "evaluate", row,
                    f"gives {static:.7g} among the successors of an outcome, and {other:.7g} "
                    "among those of several; expected the same",
                )  # fmt: skip
