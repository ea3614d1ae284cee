"""Checks that a game and its evaluator keep their contract: `check_game`, and before a search.

Kernels trust the functions of a game. A row too many overwrites other memory; chances that do
not sum to 1, or a value beyond the bounds, silently give a wrong result. So these checks call
each function of a game, in states that can occur in play, with guards around its arrays, which
reveal reads and writes beyond them.

**Guards** (`GuardedArray`, `call`). Kernels do not check indices. So each array that a function
gets here is the middle of a longer one, and the function is called twice, with different
numbers around the arrays. If a guard has changed, the function has written to it. If the two
results differ, they depend on something that the function must not read. numba can check
indices itself (`boundscheck`). But it would not check the kernels that a function calls, it
would not name the array, and to compile each function again takes most of a second. As plain
Python (`GAMMON_KERNELS=python`) the functions see only the middle, and an index beyond it
raises an IndexError.

`ContractChecker` checks one state; `check_game` and `Contract` choose the states.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gammon.base.checks import is_whole
from gammon.base.errors import GameError, SearchError
from gammon.compiled.records import Float64Vector
from gammon.search.checks import as_text, check_depth, check_outcome, checked_states, problem_of
from gammon.search.game import NOT_OVER, Doubled, Evaluator, Game, Rows, State, no_offer, same_bounds

#: Bytes of the guard before an array. The guard after it is longer by the size of the array.
_GUARD = 1 << 14
#: The numbers in the guards at the two calls, around an input and around an output. These
#: differ, or a number copied from guard to guard would go unnoticed. As indices the numbers
#: stay within the guards; as flags or limits they make a difference.
_AROUND, _AROUND_OUTPUT = (0, 100), (5, 90)
#: How often a function is called again if two calls gave different results.
_AGAIN = 4
#: Larger arrays, in bytes, are not compared after each call.
_LARGE = 1 << 16


class GuardedArray:
    """An array between two guards.

    Args:
        name: its name in messages.
        axes: its size in messages, such as `max_successors x width`.
        content: its numbers. A called function must not change them, unless `output` or
            `scratch` is set.
        output: the function writes into it. Before a call, a floating-point array is filled with nan.
        kept: it is an output that holds `content` before the call.
        scratch: it is the function's scratch memory, which keeps its contents between calls.

    Attributes:
        array: the array that a function gets.
    """

    def __init__(
        self,
        name: str,
        axes: str,
        content: npt.NDArray[Any],
        output: bool = False,
        kept: bool = False,
        scratch: bool = False,
    ) -> None:
        self.name = name
        self.axes = axes
        self.output = output
        self._scratch = scratch
        self._content = content
        self._kept = kept or not output
        before = _GUARD // content.itemsize
        end = before + content.size
        self._whole = np.empty(end + before + content.size, content.dtype)
        self._before, self._behind = self._whole[:before], self._whole[end:]
        self.array = self._whole[before:end].reshape(content.shape)
        self.array[...] = content

    def prepare(self, guard: int) -> None:
        """Fill the guards with a number, and the array with its contents before a call."""
        self._before.fill(guard)
        self._behind.fill(guard)
        if self._scratch:
            return
        if self.output and self._kept:
            self.array[...] = self._content
        elif self.output:
            self.array.fill(np.nan if self.array.dtype.kind == "f" else guard)

    def check(self, guard: int) -> None:
        """Raise a GameError if a guard has changed."""
        if not (self._before == guard).all():
            raise GameError(f"writes before the beginning of {self.name}")
        if not (self._behind == guard).all():
            raise GameError(f"writes behind the end of {self._named}")

    def check_content(self) -> None:
        """Raise a GameError if a read-only array has been written to."""
        may_write = self.output or self._scratch
        if not may_write and self.array.tobytes() != self._content.tobytes():
            raise GameError(f"writes into {self.name}, which it may only read")

    @property
    def large(self) -> bool:
        """Whether it is compared only after the last call."""
        return self.array.nbytes > _LARGE

    @property
    def _named(self) -> str:
        return f"{self.name}: {self.axes} is {' x '.join(map(str, self.array.shape))}"

    @property
    def dependence(self) -> str:
        """A message: why a result depends on the guards, or on an output's earlier contents."""
        if self.output:
            return f"leaves parts of {self.name} unwritten, or reads what was there before"
        return f"reads behind the end of {self._named}"


def _once(
    function: Callable[..., Any],
    arguments: Sequence[GuardedArray | int],
    guards: Sequence[int],
    count: int | None,
) -> tuple[Any, bytes]:
    """Return the result of one call and the bytes of the part that it wrote."""
    guarded = [argument for argument in arguments if isinstance(argument, GuardedArray)]
    for array, guard in zip(guarded, guards, strict=True):
        array.prepare(guard)
    try:
        result = function(*[arg.array if isinstance(arg, GuardedArray) else arg for arg in arguments])
    except Exception as error:
        raise GameError(f"raises {type(error).__name__}: {error}") from None
    written = b""
    for array, guard in zip(guarded, guards, strict=True):
        array.check(guard)
        if not array.large:
            array.check_content()
        if array.output:
            n = result if count is None else count
            whole = isinstance(n, int | np.integer)
            if not whole or (count is None and not 1 <= n <= len(array.array)):
                most, axis = len(array.array), array.axes.split()[0]
                raise GameError(f"returns {n!r}; expected 1 to {axis}, {most}")
            written = array.array[:n].tobytes()
    return result, written


def call(
    function: Callable[..., Any], arguments: Sequence[GuardedArray | int], count: int | None = None
) -> Any:
    """Call a function with guards around its arrays, and return its result.

    Args:
        function: a function of a game or an evaluator.
        arguments: its arguments; at most one is an output.
        count: how many rows of the output it must write; by default, its result.

    Raises:
        GameError: the function reads or writes where it must not, raises an error, or gives
            different results. The message begins with a verb; the caller adds the function.
    """
    guarded = [argument for argument in arguments if isinstance(argument, GuardedArray)]
    around = [_AROUND_OUTPUT if array.output else _AROUND for array in guarded]

    def outcome(*second: int) -> tuple[str, bytes]:
        """Call it with the second numbers around some arrays, and the first around the others."""
        guards = [pair[k in second] for k, pair in enumerate(around)]
        result, written = _once(function, arguments, guards, count)
        return repr(result), written

    others = outcome(*range(len(guarded)))
    result, written = _once(function, arguments, [first for first, _ in around], count)
    expected = repr(result), written
    if expected == others:
        return result
    if all(outcome() == expected for _ in range(_AGAIN)):
        for k, array in enumerate(guarded):
            if outcome(k) != expected:
                raise GameError(array.dependence)
    raise GameError("gives another result when it is called again")


#: The most that rounding may add to a sum of chances, or to a value, as a fraction of its size.
_ROUNDING = 1e-6


class Node(NamedTuple):
    """A state to be checked.

    Attributes:
        state: int8 [W], seen from its player on roll.
        stake: the stake of that player.
        low, high: the game's bounds for that player.
        limits: float64 [2], the narrower bounds from the states above.
    """

    state: State
    stake: int
    low: float
    high: float
    limits: Float64Vector

    def below(self, row: State, limits: Float64Vector) -> "Node":
        """Return the node of a successor, with the limits of this node."""
        return Node(row, -self.stake, -self.high, -self.low, -limits[::-1])


class ContractChecker:
    """Calls the functions of a game and an evaluator, and checks their results.

    Args:
        game: the rules.
        evaluator: the evaluator of its states.
        strict: also report harmless violations of the contract.
        bounded: static values must be within the game's bounds.
        lowest: no static value may be below this.
        seed: of the random choice of outcomes and successors.
    """

    def __init__(
        self,
        game: Game,
        evaluator: Evaluator,
        strict: bool,
        bounded: bool,
        lowest: float = -np.inf,
        seed: int = 0,
    ) -> None:
        self.game = game
        self.evaluator = evaluator
        self.strict = strict
        self.bounded, self.lowest = bounded, lowest
        self.random = np.random.default_rng(seed)
        self.params = GuardedArray("params", "their length", game.params)
        self.weights = GuardedArray("weights", "their length", evaluator.weights)
        self.scratch = GuardedArray("scratch", "its length", evaluator.new_scratch(), scratch=True)
        self.slack = _ROUNDING * max(1.0, abs(game.low), abs(game.high))

    def root(self, state: State) -> Node:
        """Return the node of a state at the root of a search."""
        low, high = float(self.game.low), float(self.game.high)
        return Node(state, self.game.stake, low, high, np.array([low, high]))

    def finish(self) -> None:
        """Check the arrays that are compared only once."""
        for vector, owner in ((self.params, "the game"), (self.weights, "the evaluator")):
            try:
                vector.check_content()
            except GameError as fault:
                raise GameError(f"{self.game.name}: {owner} {fault}") from None

    def check(self, node: Node, depth: int, breadth: int, outcome: int | None = None) -> list[Node]:
        """Check a state and its successors, and return some of these.

        Args:
            node: the state.
            depth: plies, even; at depth 0 the search does not visit successors.
            breadth: how many of its outcomes are checked, and how many successors of each
                may be returned.
            outcome: the outcome of chance, if the search begins with a decision.

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
        below: list[Node] = [] if doubled is None else [doubled]
        several: list[tuple[State, float]] = []
        for number in chosen:
            rows, statics = self._decision(node, number, limits)
            goes_on = [j for j in self._some(len(rows), breadth) if not np.isnan(statics[j])]
            below += [node.below(rows[j], limits) for j in goes_on]
            several += [(rows[j], float(statics[j])) for j in goes_on[:1]]
        if several:
            self._compare(node, several)
        return below

    def _some(self, n: int, most: int) -> list[int]:
        """Return at most `most` of the numbers 0..n-1, in random order."""
        return [int(k) for k in self.random.permutation(n)[:most]]

    def _fault(self, function: str, state: State, fault: object, detail: str = "") -> GameError:
        return GameError(f"{self.game.name}: {function} of {as_text(state)}{detail} {fault}")

    def _call(
        self, name: str, state: State, arguments: list[GuardedArray | int], count: int | None = None
    ) -> Any:
        """Return the result of a function of the game, whose first argument is the state."""
        guarded = GuardedArray("state", "width", state)
        try:
            return call(getattr(self.game, name), [guarded, *arguments], count)
        except GameError as fault:
            raise self._fault(name, state, fault) from None

    def _check_bounds(self, function: str, node: Node, value: float) -> None:
        """Raise a GameError unless a value to a node's player on roll is within the bounds."""
        low, high = node.low - self.slack, node.high + self.slack
        if not low <= value <= high:
            raise self._fault(
                function,
                node.state,
                f"is {value:.7g}; expected {node.low:g} to {node.high:g}, the bounds for the "
                "player on roll there",
            )

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
                    "terminal",
                    state,
                    f"is {payoff:.7g}; the bounds of an earlier state are {low:g} to {high:g}",
                )
        return float(payoff)

    def _chances(self, node: Node) -> Float64Vector:
        """Return the probabilities of a state's outcomes."""
        weight = GuardedArray("weight", "max_outcomes", np.empty(self.game.max_outcomes), output=True)
        n = self._call("outcomes", node.state, [self.params, weight])
        chance = weight.array[:n].copy()
        if not (chance >= 0.0).all() or abs(chance.sum() - 1.0) > _ROUNDING:
            raise self._fault(
                "outcomes",
                node.state,
                f"are {as_text(chance)}, of sum {chance.sum():.7g}; expected probabilities of sum 1",
            )
        return chance

    def _limits(self, node: Node) -> Float64Vector:
        """Return the game's narrowest bounds of a node's value."""
        if self.game.bounds is same_bounds:
            return node.limits
        limits = GuardedArray("limits", "their number", node.limits, output=True, kept=True)
        self._call("bounds", node.state, [node.stake, self.params, limits], 2)
        low, high = limits.array
        least, most = node.limits
        slack = self.slack
        if not (least - slack <= low <= high + slack and high <= most + slack):
            raise self._fault(
                "bounds",
                node.state,
                f"are {low:g} and {high:g}; expected narrower ones than {least:g} and {most:g}",
            )
        return limits.array.copy()

    def _doubled(self, node: Node) -> Node | None:
        """Return the node of a state after a double, or None if its player may not double."""
        if self.game.offer is no_offer:
            return None
        try:
            double = call(self.game.offer, [node.stake, self.params])
        except GameError as fault:
            raise GameError(f"{self.game.name}: offer at stake {node.stake} {fault}") from None
        expected = ""
        if not isinstance(double, Doubled):
            expected = "a `Doubled`"
        elif double.cash == NOT_OVER:
            return None
        elif not np.isfinite(double).all():
            expected = "finite numbers"
        elif not 0.0 < double.factor <= double.beaver:
            expected = "0 < factor <= beaver"
        elif double.stake == node.stake:
            expected = "another stake"
        elif not node.low - self.slack <= double.cash <= node.high + self.slack:
            expected = f"cash from {node.low:g} to {node.high:g}, its bounds"
        elif not double.low <= double.high:
            expected = "low <= high"
        if expected:
            raise GameError(f"{self.game.name}: offer at stake {node.stake} is {double}; expected {expected}")
        low, high = float(double.low), float(double.high)
        doubled = Node(node.state, int(double.stake), low, high, np.array([low, high]))
        if self._payoff(doubled) != NOT_OVER:
            ends = "is a payoff after a double, and NOT_OVER before; expected one of them at all stakes"
            raise self._fault("terminal", node.state, ends)
        return doubled

    def _decision(
        self, node: Node, outcome: int, limits: Float64Vector
    ) -> tuple[Rows, npt.NDArray[np.float32]]:
        """Return the n successors of a state after an outcome, and their static values.

        The static values of finished games are nan.
        """
        game = self.game
        detail = f" after outcome {outcome}"
        state = GuardedArray("state", "width", node.state)
        empty = np.empty((game.max_successors, game.width), np.int8)
        written = GuardedArray("rows", "max_successors x width", empty, output=True)
        try:
            with np.errstate(over="raise"):  # in plain Python, sums beyond int8 raise an error
                n = call(game.successors, [state, outcome, self.params, written])
        except GameError as fault:
            if str(fault).startswith("returns 0;"):
                fault = GameError("are none; a player who cannot move passes: one successor")
            raise self._fault("successors", node.state, fault, detail) from None
        rows = written.array[:n].copy()
        if self.strict and len({row.tobytes() for row in rows}) < n:
            raise self._fault("successors", node.state, "are the same twice; expected distinct rows", detail)
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
        siblings = GuardedArray("rows", "n x width", rows)
        empty = np.empty((n, evaluator.outputs), np.float32)
        out = GuardedArray("out", "n x outputs", empty, output=True)
        guarded_parent = GuardedArray("parent", "width", parent)
        values = GuardedArray("values", "n", empty[:, 0].copy(), output=True)
        name = "evaluate"
        try:
            call(evaluator.evaluate, [guarded_parent, siblings, n, self.weights, out, self.scratch], n)
            name = "fold"
            outputs = GuardedArray("outputs", "n x outputs", out.array.copy())
            call(evaluator.fold, [outputs, n, stake, self.params, values], n)
            if evaluator.has_turn:
                name = "turn"
                self._check_turn(outputs, n, stake, values.array)
            if evaluator.has_tie:
                name = "tie"
                ties = GuardedArray("values", "n", values.array.copy(), output=True)
                call(evaluator.tie, [siblings, outputs, n, stake, self.params, ties], n)
        except GameError as fault:
            detail = f" and {n - 1} more" if n > 1 else ""
            raise self._fault(name, rows[0], fault, detail) from None
        return values.array.copy()

    def _check_turn(self, outputs: GuardedArray, n: int, stake: int, rolled: npt.NDArray[np.float32]) -> None:
        """Check that `turn` gives the same values before the turn as two folds."""
        double = self.game.offer(stake, self.game.params)
        expected = rolled.astype(np.float64)
        if double.cash != NOT_OVER:
            after = GuardedArray("values", "n", rolled.copy(), output=True)
            call(self.evaluator.fold, [outputs, n, double.stake, self.params, after], n)
            taken = after.array.astype(np.float64)
            taken = np.minimum(double.factor * taken, double.beaver * taken)
            expected = np.maximum(expected, np.minimum(taken, double.cash))
        values = GuardedArray("values", "n", rolled.copy(), output=True)
        call(self.evaluator.turn, [outputs, n, stake, self.params, values], n)
        for value, folded in zip(values.array, expected.astype(np.float32), strict=True):
            if value != folded:
                raise GameError(f"gives {value:.9g}; expected {folded:.9g}, as two folds do")

    def _check_static(self, node: Node, static: float) -> None:
        if self.bounded or not np.isfinite(static):
            self._check_bounds("the static value", node, static)
        if static < self.lowest:
            raise self._fault("evaluate", node.state, f"gives {static:.7g}; expected {self.lowest:g} or more")

    def _single(self, node: Node) -> float:
        """Return the static value of a state evaluated alone, as its own parent."""
        (static,) = self._statics(node.state, node.state[None], node.stake)
        self._check_static(node, float(static))
        return float(static)

    def _compare(self, node: Node, several: list[tuple[State, float]]) -> None:
        """Check that static values do not depend on the rows evaluated together.

        Args:
            node: the parent of the successors.
            several: successors after several outcomes, with their static values so far.
        """
        row, static = several[0]
        alone = self._single(node.below(row, node.limits))
        if abs(alone - static) > self.slack:
            raise self._fault(
                "evaluate",
                row,
                f"gives {static:.7g} as a successor of {as_text(node.state)}, and {alone:.7g} "
                "as its own parent; expected the same",
            )
        rows = np.array([row for row, _ in several])
        together = self._statics(node.state, rows, -node.stake)
        for (row, static), other in zip(several, together, strict=True):
            if not abs(other - static) <= self.slack:
                raise self._fault(
                    "evaluate",
                    row,
                    f"gives {static:.7g} among the successors of an outcome, and {other:.7g} "
                    "among those of several; expected the same",
                )


#: After this many consecutive lines of play without a new state, the checks end.
_BARREN = 10
#: Outcomes checked in a state: at the root of a search, and elsewhere.
_ALL, _SOME = 64, 3


def _walk(
    checker: ContractChecker, roots: Sequence[tuple[State, int | None]], depth: int, breadth: int, most: int
) -> int:
    """Check the states at the roots of searches, and states on random lines of play from them.

    Args:
        checker: checks the states.
        roots: the states, each with the outcome of chance if a decision is searched, or None.
        depth: the greatest length of a line: plies, even.
        breadth: how many outcomes of `roots` are checked.
        most: the most states to check besides `roots`.

    Returns:
        How many states were checked.
    """
    successors: dict[tuple[bytes, int, float], list[Node]] = {}

    def check(node: Node, left: int, breadth: int, outcome: int | None = None) -> None:
        key = node.state.tobytes(), node.stake, node.low
        if key not in successors:
            successors[key] = checker.check(node, left, breadth, outcome)

    for state, outcome in roots:
        check(checker.root(state), depth, breadth, outcome)
    line, barren = 0, 0
    while barren < _BARREN and len(successors) < len(roots) + most:
        node = checker.root(roots[line % len(roots)][0])
        before = len(successors)
        for left in range(depth - 2, 0, -2):
            below = successors[node.state.tobytes(), node.stake, node.low]
            if not below or len(successors) >= len(roots) + most:
                break
            node = below[checker.random.integers(len(below))]
            check(node, left, _SOME)
        barren = barren + 1 if len(successors) == before else 0
        line += 1
    checker.finish()
    return len(successors)


def check_game(
    game: Game,
    evaluator: Evaluator,
    states: npt.ArrayLike,
    *,
    depth: int = 100,
    most: int = 1000,
    seed: int = 0,
) -> int:
    """Check that a game and an evaluator keep their contract, on random lines of play.

    The functions are called with guard memory around their arrays, so that reads and writes
    there are harmless and detected. `gammon.search.game` describes the contract. It does not
    cover a successor seen from the wrong player, or a payoff with the wrong sign: only a
    comparison with a second implementation finds these.

    With `GAMMON_KERNELS=python` the check also detects an index beyond an array that a function
    allocates itself, and numbers that do not fit into a byte of a state.

    Args:
        game: the rules.
        evaluator: the evaluator of its states.
        states: int8 [N, W], the roots of searches, each seen from the player on roll. All are
            checked, with all their outcomes (up to 64).
        depth: the greatest length of a line of play from there: plies, even.
        most: how many more states to check, at most.
        seed: of the random lines of play.

    Returns:
        How many states were checked.

    Raises:
        GameError: a function breaks the contract. The message names the function, the state
            and what was expected.
        SearchError: another argument is not as described here.
    """
    problem_of(game, evaluator)
    check_depth(depth, 0)
    for name, value in (("most", most), ("seed", seed)):
        if not is_whole(value, 0):
            raise SearchError(f"{name} {value!r}: expected a whole number, 0 or more")
    rows = checked_states(game, states, (None, game.width))
    if len(rows) == 0:
        raise SearchError(f"no states of {game.name}: expected one or more")
    checker = ContractChecker(game, evaluator, strict=True, bounded=True, seed=seed)
    checked = _walk(checker, [(row, None) for row in rows], depth, _ALL, most)
    if all(game.terminal(row, game.stake, game.params) != NOT_OVER for row in rows):
        raise GameError(
            f"{game.name}: the game is over in all states given, {as_text(rows[0])} first; "
            "expected one in which `terminal` returns NOT_OVER"
        )
    return checked


class Contract:
    """Checks of a game and its evaluators before the first search to each new depth.

    A search checks the state at its root and a few states after it, again only for a greater
    depth. Harmless violations are left to `check_game`. The package's own functions are not
    checked here, but in its tests.

    Args:
        game: the rules.
        evaluator: the evaluator of leaves.
        probe: the evaluator for probes, whose values may exceed the bounds; None for the same.
        width: the evaluator of widths, which are at least 0; None for none.
        bounded: whether static values must be within the game's bounds.
    """

    def __init__(
        self,
        game: Game,
        evaluator: Evaluator,
        probe: Evaluator | None,
        width: Evaluator | None,
        bounded: bool,
    ) -> None:
        self._game = game
        #: With whether its values must be within the bounds, and the lowest value.
        self._evaluators = [(evaluator, bounded, -np.inf)]
        self._evaluators += [(probe, False, -np.inf)] if probe else []
        self._evaluators += [(width, False, 0.0)] if width else []
        functions = [game.outcomes, game.successors, game.terminal, game.bounds, game.offer]
        for leaf, _, _ in self._evaluators:
            functions += [leaf.evaluate, leaf.fold, leaf.turn, leaf.tie]
        ours = ("gammon.", "gammon_lab.")
        #: Whether nothing is checked: all functions are the package's own.
        self.trusted = all(str(function.__module__).startswith(ours) for function in functions)
        #: The greatest depth checked so far.
        self._depth = np.inf if self.trusted else -1

    def check(self, state: State, outcome: int | None, depth: int) -> None:
        """Check that the contract is kept, unless that was checked to this depth before.

        Args:
            state: int8 [W], the root of a search.
            outcome: the outcome of chance there, or None.
            depth: plies, even, counted from the chance node of the state.

        Raises:
            GameError: see `check_game`.
        """
        if depth <= self._depth:
            return
        for evaluator, bounded, lowest in self._evaluators:
            checker = ContractChecker(self._game, evaluator, False, bounded, lowest)
            _walk(checker, [(state, outcome)], depth, _SOME, 8)
        if self._game.terminal(state, self._game.stake, self._game.params) == NOT_OVER:
            self._depth = depth
