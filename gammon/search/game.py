"""The search's view of a game (three to five functions) and of an evaluator (one, or two).

A state is one row of int8, always seen from the player on roll. The search is compiled
once for all games: it takes these functions as first-class function pointers, so each must
be a kernel with exactly the signature given here.

Two more things reach the functions. `params` are numbers of the game that are the same in
all of its states: the size of a board, a strategy, what results are worth. `stake` says
what is at stake for the player on roll, where that is not the same for both sides: its sign
changes from one player to the other, as that of values does, and 0 means the same for both.

Turns alternate: a successor is always seen from the other player. Where a player has a second
turn, the other one's turn in between is a state with one outcome and one successor, a pass.

`contract.check_game` checks that functions do what is said here.
"""

from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from gammon.compiled.kernel import kernel
from gammon.compiled.memory import aligned_zeros
from gammon.compiled.records import (
    Float32Matrix,
    Float32Vector,
    Float64Vector,
    Int8Matrix,
    Int8Vector,
    UInt64Vector,
)

#: A state, int8 [W], seen from the player on roll.
State = Int8Vector
#: States, int8 [R, W].
Rows = Int8Matrix
#: The numbers of a game, float64 [Q].
Params = Float64Vector

#: The value of `terminal` for a state whose game goes on.
NOT_OVER = float("inf")
#: For games without numbers of their own. Nobody writes into them.
NO_PARAMS = np.zeros(1, np.float64)


class Outcomes(Protocol):
    """Fill the probabilities of the n outcomes of chance, and return n.

    `outcomes(state, params, weight)`: weight is float64 [N]; the n probabilities sum to 1.
    """

    def __call__(self, state: State, params: Params, weight: Float64Vector, /) -> int: ...


class Successors(Protocol):
    """Write n >= 1 distinct states, and return n.

    `successors(state, outcome, params, rows)`: each of rows int8 [R, W] is seen from the
    opponent, who is then on roll. A pass is a successor. Rows from n on are scratch.
    """

    def __call__(self, state: State, outcome: int, params: Params, rows: Rows, /) -> int: ...


class Terminal(Protocol):
    """Return the payoff to the player on roll, or `NOT_OVER`.

    `terminal(state, stake, params)`.
    """

    def __call__(self, state: State, stake: int, params: Params, /) -> float: ...


class Bounds(Protocol):
    """Narrow limits[0] and limits[1], between which all payoffs that can still come lie.

    `bounds(state, stake, params, limits)`: they are those of the player on roll. Those of a
    state that follows lie within those of the state before, seen from the other side.
    """

    def __call__(self, state: State, stake: int, params: Params, limits: Float64Vector, /) -> None: ...


class Doubled(NamedTuple):
    """The consequences of a double of the player on roll.

    Let R be the value of rolling at the present stake, and D at that of the double. Before the
    roll, the state is worth max(R, min(factor * D, beaver * D, cash)): the player may double,
    and the opponent takes, redoubles at once (a beaver), or passes.

    Attributes:
        stake: of the same player, after a take.
        factor: above 0: what the values at that stake are multiplied by after a take.
        beaver: the same after a beaver, `factor` where there are none; at least `factor`.
        cash: what a pass pays to the player. `NOT_OVER` if the player may not double, whatever
            the other fields are then.
        ordered: whether D is at most R in every state, which saves searches.
        low: no value at the stake of the double is below it, for the player.
        high: no such value is above it.
    """

    stake: int
    factor: float
    beaver: float
    cash: float
    ordered: bool
    low: float
    high: float


class Offer(Protocol):
    """Return what a double of the player on roll leads to.

    `offer(stake, params)`. It must end: no stake comes again by doubling alone.
    """

    def __call__(self, stake: int, params: Params, /) -> Doubled: ...


class Evaluate(Protocol):
    """Write the K outputs of the n successors of one parent.

    `evaluate(parent, rows, n, weights, out, scratch)`: out is float32 [R, K]; row j of it is
    about the player on roll in rows[j]. With one output, that is the value. Rows whose game is
    over may get any numbers: the search asks `terminal` first. `parent` is only a hint, so
    that an evaluator can work on differences: outputs must not depend on it (a search of
    depth 0 passes the row itself). `scratch` is uint64 [`Evaluator.scratch`], zeros before the
    first call; later calls find what earlier ones left there, on which outputs must not depend.
    """

    def __call__(
        self, parent: State, rows: Rows, n: int, weights: Float32Vector, out: Float32Matrix,
        scratch: UInt64Vector, /,
    ) -> None: ...  # fmt: skip


class Fold(Protocol):
    """Write the values that n rows of outputs stand for: those of rolling, without an offer.

    `fold(outputs, n, stake, params, values)`: values is float32 [R], those of the players on
    roll in the rows, for whom `stake` is.
    """

    def __call__(
        self, outputs: Float32Matrix, n: int, stake: int, params: Params, values: Float32Vector, /
    ) -> None: ...


class Tie(Protocol):
    """Write the numbers by which the player who moved chooses among successors of one value.

    `tie(rows, outputs, n, stake, params, values)`: rows are as for `Evaluate`, outputs and
    stake as for `Fold`, and values is float32 [R]. Of successors that have the same value, the
    player takes the one with the least number.
    """

    def __call__(
        self, rows: Rows, outputs: Float32Matrix, n: int, stake: int, params: Params, values: Float32Vector, /
    ) -> None: ...


@kernel()
def one_outcome(state: State, params: Params, weight: Float64Vector) -> int:
    """Fill the one outcome of a game without chance."""
    weight[0] = 1.0
    return 1


@kernel()
def never_over(state: State, stake: int, params: Params) -> float:
    """Let the game go on, to whatever depth it is searched."""
    return NOT_OVER


@kernel()
def same_bounds(state: State, stake: int, params: Params, limits: Float64Vector) -> None:
    """Leave the limits as they are: bounds that are the same everywhere."""


@kernel()
def no_offer(stake: int, params: Params) -> Doubled:
    """Let nobody double."""
    return Doubled(stake, 1.0, 1.0, NOT_OVER, False, 0.0, 0.0)


@kernel()
def first_output(outputs: Float32Matrix, n: int, stake: int, params: Params, values: Float32Vector) -> None:
    """Take the first output of each row for its value."""
    for j in range(n):
        values[j] = outputs[j, 0]


@kernel()
def no_tie(
    rows: Rows, outputs: Float32Matrix, n: int, stake: int, params: Params, values: Float32Vector
) -> None:
    """Leave successors of one value in the order in which the game writes them."""


@kernel(inline=True)
def taken_value(double: Doubled, value: float) -> float:
    """Return what a double is worth that is taken, or answered by a beaver.

    Args:
        double: what the double leads to.
        value: of rolling at the stake after it.
    """
    return min(double.factor * value, double.beaver * value)


@kernel(inline=True)
def before_double(double: Doubled, taken: float) -> float:
    """Return the value of rolling at the stake after a double of which `taken` is the worth."""
    return max(taken / double.factor, taken / double.beaver)


class Fits(Protocol):
    """Return how many states there are before the first that is none of the game's, or N.

    `fits(game, states)`: states is int8 [N, W]. It is plain Python, and no kernel: a search
    asks it of the states that it is given, so that its kernels need not look.
    """

    def __call__(self, game: "Game", states: Rows, /) -> int: ...


def first_false(truths: npt.ArrayLike) -> int:
    """Return where the first False of N truths stands, or N."""
    return int(np.argmin([*np.atleast_1d(truths), False]))


def all_fit(game: "Game", states: Rows) -> int:
    """Return how many states there are: they are not looked at."""
    return len(states)


class Game(NamedTuple):
    """A two-player zero-sum game of chance, as the search sees it.

    W, N and R are 2**20 at most.

    Attributes:
        name: what people call it.
        width: W, the bytes of a state.
        max_outcomes: N, the most outcomes that `outcomes` can fill.
        max_successors: R, the rows that `successors` needs (successors and scratch).
        low: no payoff or value at the stake of the search is below it, for the player on
            roll where a search begins. For the other player the bounds are -high and -low,
            so that they need not be symmetric.
        high: no payoff or value at that stake is above it.
        outcomes: see `Outcomes`.
        successors: see `Successors`.
        terminal: see `Terminal`.
        bounds: see `Bounds`.
        params: float64 [Q], handed to these functions; read only by agreement.
        stake: what is at stake where a search begins, for the player on roll or who
            decides there; 0 unless results are worth another amount to the other player.
        offer: see `Offer`. Nobody may double unless given.
        fits: see `Fits`. All states fit unless given.
    """

    name: str
    width: int
    max_outcomes: int
    max_successors: int
    low: float
    high: float
    outcomes: Outcomes
    successors: Successors
    terminal: Terminal
    bounds: Bounds = same_bounds
    params: Params = NO_PARAMS
    stake: int = 0
    offer: Offer = no_offer
    fits: Fits = all_fit

    def turned(self) -> "Game":
        """Return the same game for a search that begins with the other player."""
        return self._replace(low=-self.high, high=-self.low, stake=-self.stake)


class Evaluator(NamedTuple):
    """A static evaluation: a function, the flat vector of its weights, and their meaning.

    Attributes:
        evaluate: see `Evaluate`.
        weights: float32 [L], read only by agreement; `evaluate` knows their layout.
        outputs: how many numbers `evaluate` writes of each state, 2**20 at most.
        fold: makes a value of them; see `Fold`. The first one is the value unless given.
        scratch: how many words of 8 bytes `evaluate` needs for itself, 2**30 at most.
        turn: makes the values before a turn, as two folds would, to the same bits; see
            `Doubled`. Where it is not given, the search folds twice.
        has_turn: whether it is given.
        tie: chooses among successors of one value; see `Tie`. Where it is not given, the first
            one that the search meets is chosen.
        has_tie: whether it is given.
    """

    evaluate: Evaluate
    weights: Float32Vector
    outputs: int = 1
    fold: Fold = first_output
    scratch: int = 0
    turn: Fold = first_output
    has_turn: bool = False
    tie: Tie = no_tie
    has_tie: bool = False

    def new_scratch(self) -> UInt64Vector:
        """Return scratch for calls of `evaluate` by one thread."""
        return aligned_zeros(self.scratch, np.uint64)
