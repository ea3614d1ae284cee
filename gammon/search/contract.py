"""The contract of a game and its evaluator, checked: by `check_game`, and before a search.

Kernels trust what a game tells. A row too many is written over other memory; chances that
do not sum to 1, or a value beyond the bounds, give a wrong result without a word. So these
checks call each function of a game, in states that play can come to, between guards: what it
reads and writes beyond its arrays shows.

**Guards** (`Guarded`, `call`). Kernels do not check indices. So each array that a function gets
here is the middle of a longer one, and the function is called twice, with other numbers around
the arrays. A guard that is not as it was has been written to. Two results that are not the same
depend on something that the function should not know. numba can check indices itself
(`boundscheck`). But it would not look into the kernels that a function calls, nor say which
array it was, and takes most of a second to compile each function once more. As plain Python
(`GAMMON_KERNELS=python`) the functions see only the middle, and an index beyond it is an
IndexError of theirs.

**One look** at a state is the affair of `Examiner`; which states are looked at, that of
`check_game` and `Contract`.
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

#: Bytes before an array; behind it are as many, and as many as the array has.
_GUARD = 1 << 14
#: The numbers around an array that is read, at one call and at the other; and around room,
#: which must not be the same, or a number copied from guard to guard would not be seen. As
#: indices they stay within the guards; as flags or limits they make a difference.
_AROUND, _AROUND_ROOM = (0, 100), (5, 90)
#: How often a function is called again that did not do the same twice.
_AGAIN = 4
#: Arrays that are larger than that are not compared after each call.
_LARGE = 1 << 16


class Guarded:
    """An array between two guards.

    Args:
        name: what messages call it.
        axes: what they call its size, such as `max_successors x width`.
        content: its numbers. A function that is called may not change them.
        room: the function writes into it. Floating-point room is full of nan before.
        kept: the function that writes into it finds `content` there.
        scratch: it is nobody's but the function's, which finds there what it left.

    Attributes:
        array: the array as a function gets it.
    """

    def __init__(
        self,
        name: str,
        axes: str,
        content: npt.NDArray[Any],
        room: bool = False,
        kept: bool = False,
        scratch: bool = False,
    ) -> None:
        self.name = name
        self.axes = axes
        self.room = room
        self._scratch = scratch
        self._content = content
        self._kept = kept or not room
        before = _GUARD // content.itemsize
        end = before + content.size
        self._whole = np.empty(end + before + content.size, content.dtype)
        self._before, self._behind = self._whole[:before], self._whole[end:]
        self.array = self._whole[before:end].reshape(content.shape)
        self.array[...] = content

    def prepare(self, guard: int) -> None:
        """Write a number into the guards, and what a function is to find into the array."""
        self._before.fill(guard)
        self._behind.fill(guard)
        if self._scratch:
            return
        if self.room and self._kept:
            self.array[...] = self._content
        elif self.room:
            self.array.fill(np.nan if self.array.dtype.kind == "f" else guard)

    def check(self, guard: int) -> None:
        """Raise a GameError if a guard is not as it was."""
        if not (self._before == guard).all():
            raise GameError(f"writes before the begin of {self.name}")
        if not (self._behind == guard).all():
            raise GameError(f"writes behind the end of {self._named}")

    def check_content(self) -> None:
        """Raise a GameError if an array that may only be read has been written to."""
        may_write = self.room or self._scratch
        if not may_write and self.array.tobytes() != self._content.tobytes():
            raise GameError(f"writes into {self.name}, which it may only read")

    @property
    def large(self) -> bool:
        """Whether it is compared after the last call only."""
        return self.array.nbytes > _LARGE

    @property
    def _named(self) -> str:
        return f"{self.name}: {self.axes} is {' x '.join(map(str, self.array.shape))}"

    @property
    def dependence(self) -> str:
        """The reason why a result depends on the guards, and on what the room held before."""
        if self.room:
            return f"leaves parts of {self.name} unwritten, or reads what was there before"
        return f"reads behind the end of {self._named}"


def _once(
    function: Callable[..., Any], arguments: Sequence[Guarded | int], guards: Sequence[int], count: int | None
) -> tuple[Any, bytes]:
    """Return the result of one call and the bytes of the part that it wrote."""
    arrays = [each for each in arguments if isinstance(each, Guarded)]
    for each, guard in zip(arrays, guards, strict=True):
        each.prepare(guard)
    try:
        result = function(*[each.array if isinstance(each, Guarded) else each for each in arguments])
    except Exception as error:
        raise GameError(f"raises {type(error).__name__}: {error}") from None
    written = b""
    for each, guard in zip(arrays, guards, strict=True):
        each.check(guard)
        if not each.large:
            each.check_content()
        if each.room:
            n = result if count is None else count
            whole = isinstance(n, int | np.integer)
            if not whole or (count is None and not 1 <= n <= len(each.array)):
                most, axis = len(each.array), each.axes.split()[0]
                raise GameError(f"returns {n!r}; expected 1 to {axis}, {most}")
            written = each.array[:n].tobytes()
    return result, written


def call(function: Callable[..., Any], arguments: Sequence[Guarded | int], count: int | None = None) -> Any:
    """Call a function between guards, and return its result; what it wrote is in its room.

    Args:
        function: of a game or an evaluator.
        arguments: its arguments, of which one may be room.
        count: how many rows of the room it is to write; unless given, its result says so.

    Raises:
        GameError: it reads or writes what it should not, raises an error, or does not do the
            same twice. The message begins with a verb: the caller says which function.
    """
    arrays = [each for each in arguments if isinstance(each, Guarded)]
    around = [_AROUND_ROOM if each.room else _AROUND for each in arrays]

    def outcome(*second: int) -> tuple[str, bytes]:
        """Call it with the second numbers around some arrays, and the first elsewhere."""
        guards = [pair[k in second] for k, pair in enumerate(around)]
        result, written = _once(function, arguments, guards, count)
        return repr(result), written

    others = outcome(*range(len(arrays)))
    result, written = _once(function, arguments, [first for first, _ in around], count)
    usual = repr(result), written
    if usual == others:
        return result
    if all(outcome() == usual for _ in range(_AGAIN)):
        for k, each in enumerate(arrays):
            if outcome(k) != usual:
                raise GameError(each.dependence)
    raise GameError("gives another result when it is called again")


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

    def __init__(self, game: Game, evaluator: Evaluator, strict: bool, bounded: bool, seed: int = 0) -> None:
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

    def look(self, node: Node, depth: int, breadth: int, outcome: int | None = None) -> list[Node]:
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

    def _call(self, name: str, state: State, arguments: list[Guarded | int], count: int | None = None) -> Any:
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
                    f"is {payoff:.7g}; the function bounds of a state before says {low:g} to {high:g}",
                )
        return float(payoff)

    def _chances(self, node: Node) -> Float64Vector:
        """Return the probabilities of a state's outcomes."""
        weight = Guarded("weight", "max_outcomes", np.empty(self.game.max_outcomes), room=True)
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
                "bounds",
                node.state,
                f"are {low:g} and {high:g}; expected narrower ones than {least:g} and {most:g}",
            )
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
            raise GameError(f"{self.game.name}: offer at stake {node.stake} is {found}; expected {wrong}")
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

    def _check_turn(self, outputs: Guarded, n: int, stake: int, rolled: npt.NDArray[np.float32]) -> None:
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


#: Lines in a row that may bring nothing new before the checks end.
_BARREN = 10
#: Outcomes of a state that are looked at: where a search begins, and elsewhere.
_ALL, _SOME = 64, 3


def _walk(
    examiner: Examiner, roots: Sequence[tuple[State, int | None]], depth: int, breadth: int, most: int
) -> int:
    """Look at states where searches begin, and at states on random lines of play from them.

    Args:
        examiner: looks at them.
        roots: the states, each with what chance brought where a decision is searched.
        depth: plies, even, that a line has at most.
        breadth: how many outcomes of `roots` are looked at.
        most: states that are looked at, besides `roots`.

    Returns:
        How many states were looked at.
    """
    known: dict[tuple[bytes, int, float], list[Node]] = {}

    def look(node: Node, left: int, breadth: int, outcome: int | None = None) -> None:
        key = node.state.tobytes(), node.stake, node.low
        if key not in known:
            known[key] = examiner.look(node, left, breadth, outcome)

    for state, outcome in roots:
        look(examiner.root(state), depth, breadth, outcome)
    line, barren = 0, 0
    while barren < _BARREN and len(known) < len(roots) + most:
        node = examiner.root(roots[line % len(roots)][0])
        before = len(known)
        for left in range(depth - 2, 0, -2):
            below = known[node.state.tobytes(), node.stake, node.low]
            if not below or len(known) >= len(roots) + most:
                break
            node = below[examiner.random.integers(len(below))]
            look(node, left, _SOME)
        barren = barren + 1 if len(known) == before else 0
        line += 1
    examiner.finish()
    return len(known)


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

    Their functions are called with more memory around their arrays than they know of, so
    that what they write there does no harm and is found, and so is what they read there.
    The contract is that of `gammon.search.game`. Where turns are written as the wrong
    player's, or payoffs with the wrong sign, all of it is kept; a twin finds that.

    With `GAMMON_KERNELS=python` it sees more: an index beyond an array that a function makes
    itself, and numbers that do not fit into a byte of a state.

    Args:
        game: the rules.
        evaluator: of its states.
        states: int8 [N, W], where searches begin, each seen from the player on roll. All of
            them are looked at, with all their outcomes (up to 64).
        depth: plies, even, from there on: no line is followed farther.
        most: how many more states are looked at, at most.
        seed: says which.

    Returns:
        How many states were looked at.

    Raises:
        GameError: a function does not keep the contract. The line names the function and the
            state, and says what was expected.
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
    examiner = Examiner(game, evaluator, strict=True, bounded=True, seed=seed)
    found = _walk(examiner, [(row, None) for row in rows], depth, _ALL, most)
    if all(game.terminal(row, game.stake, game.params) != NOT_OVER for row in rows):
        raise GameError(
            f"{game.name}: the game is over in all states given, {as_text(rows[0])} first; "
            "expected one in which `terminal` returns NOT_OVER"
        )
    return found


class Contract:
    """The contract of a game and its evaluators, checked the first time they go so deep.

    A search does this with the state that it begins with, and a few that follow; again only
    if it is deeper. What makes no result wrong is left to `check_game`, and the package's own
    functions to its tests.

    Args:
        game: the rules.
        evaluator: of its leaves.
        probe: the evaluator for probes, which may be beyond the bounds; None for the same.
        bounded: whether static values have to keep to the game's bounds.
    """

    def __init__(self, game: Game, evaluator: Evaluator, probe: Evaluator | None, bounded: bool) -> None:
        self._game = game
        self._evaluators = [(evaluator, bounded)] + ([(probe, False)] if probe else [])
        functions = [game.outcomes, game.successors, game.terminal, game.bounds, game.offer]
        for each, _ in self._evaluators:
            functions += [each.evaluate, each.fold, each.turn, each.tie]
        #: Whether nothing is looked at.
        ours = ("gammon.", "gammon_lab.")
        self.trusted = all(str(each.__module__).startswith(ours) for each in functions)
        #: The depth to which all was as it should be.
        self._depth = np.inf if self.trusted else -1

    def check(self, state: State, outcome: int | None, depth: int) -> None:
        """Check that the contract is kept, unless it was seen to be.

        Args:
            state: int8 [W], where a search begins.
            outcome: what chance brought there, or None.
            depth: plies, even, from that state before chance.

        Raises:
            GameError: see `check_game`.
        """
        if depth <= self._depth:
            return
        for evaluator, bounded in self._evaluators:
            examiner = Examiner(self._game, evaluator, strict=False, bounded=bounded)
            _walk(examiner, [(state, outcome)], depth, _SOME, 8)
        if self._game.terminal(state, self._game.stake, self._game.params) == NOT_OVER:
            self._depth = depth
