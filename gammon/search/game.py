"""The search's view of a game (three to five functions) and of an evaluator (one to four).

A state is one row of int8, always seen from the player on roll. The search is compiled
once for all games: it takes these functions as first-class function pointers, so each must
be a kernel with exactly the signature given here.

The functions also get two numeric arguments. `params` are numbers of the game that are the
same in all of its states: the size of a board, a strategy, the payoffs. `stake` is an integer
that encodes what is at stake for the player on roll, in games where the two sides differ. It
changes its sign from one player to the other, as values do; 0 means the same for both.

Turns alternate: a successor is always seen from the other player. If a player moves twice in a
row, the other player's turn in between is a state with one outcome and one successor, a pass.

`contract.check_game` checks that functions keep this contract.
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
#: For games without parameters. No code writes into this array.
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

    `terminal(state, stake, params)`. Whether the game is over depends on the state alone.
    """

    def __call__(self, state: State, stake: int, params: Params, /) -> float: ...


class Bounds(Protocol):
    """Narrow limits[0] and limits[1], the lowest and the highest payoff that can still come.

    `bounds(state, stake, params, limits)`: payoffs are to the player on roll. The limits of a
    successor lie within the limits of its parent, seen from the other side.
    """

    def __call__(self, state: State, stake: int, params: Params, limits: Float64Vector, /) -> None: ...


class Doubled(NamedTuple):
    """The consequences of a double by the player on roll.

    Let R be the value of rolling at the present stake, and D the value of rolling at the
    doubled stake. Before the roll, the state is worth max(R, min(factor * D, beaver * D, cash)):
    the player may double, and the opponent takes, redoubles at once (a beaver), or passes.

    Attributes:
        stake: the same player's stake after a take.
        factor: above 0: after a take, values at the doubled stake are multiplied by it.
        beaver: the factor after a beaver, at least `factor`; equal to `factor` in games
            without beavers.
        cash: what a pass pays to the player. `NOT_OVER` if the player may not double; the
            other fields mean nothing then.
        ordered: whether D is at most R in every state, which saves searches.
        low: a lower bound of the values at the doubled stake, for the player.
        high: an upper bound of these values.
    """

    stake: int
    factor: float
    beaver: float
    cash: float
    ordered: bool
    low: float
    high: float


class Offer(Protocol):
    """Return the consequences of a double by the player on roll.

    `offer(stake, params)`. Repeated doubling must end: it never returns to an earlier stake.
    """

    def __call__(self, stake: int, params: Params, /) -> Doubled: ...


class Evaluate(Protocol):
    """Write the K outputs of the n successors of one parent.

    `evaluate(parent, rows, n, weights, out, scratch)`: out is float32 [R, K]; out[j] is seen
    from the player on roll in rows[j]. If K is 1, the output is the value. Rows whose game is
    over may get any numbers: the search calls `terminal` first. `parent` is only a hint, which
    lets an evaluator update incrementally: outputs must not depend on it (a search of depth 0
    passes the row itself). `scratch` is uint64 [`Evaluator.scratch`], zeros before the first
    call, and keeps its contents between calls; outputs must not depend on these contents.
    """

    def __call__(
        self, parent: State, rows: Rows, n: int, weights: Float32Vector, out: Float32Matrix,
        scratch: UInt64Vector, /,
    ) -> None: ...  # fmt: skip


class Fold(Protocol):
    """Convert n rows of outputs into the values of rolling, without a double before the roll.

    `fold(outputs, n, stake, params, values)`: values is float32 [R], to the players on roll in
    the rows; `stake` is theirs, too.
    """

    def __call__(
        self, outputs: Float32Matrix, n: int, stake: int, params: Params, values: Float32Vector, /
    ) -> None: ...


class Tie(Protocol):
    """Write the tie-breaking numbers of successors.

    `tie(rows, outputs, n, stake, params, values)`: rows are as for `Evaluate`, outputs and
    stake as for `Fold`, and values is float32 [R], to be written. Among successors of equal
    value, the player who moved takes the one with the lowest number.
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
    """Return `NOT_OVER`: the game goes on at every depth."""
    return NOT_OVER


@kernel()
def same_bounds(state: State, stake: int, params: Params, limits: Float64Vector) -> None:
    """Leave the limits as they are: the bounds are the same in all states."""


@kernel()
def no_offer(stake: int, params: Params) -> Doubled:
    """Return an offer that allows no double."""
    return Doubled(stake, 1.0, 1.0, NOT_OVER, False, 0.0, 0.0)


@kernel()
def first_output(outputs: Float32Matrix, n: int, stake: int, params: Params, values: Float32Vector) -> None:
    """Copy the first output of each row as its value."""
    for j in range(n):
        values[j] = outputs[j, 0]


@kernel()
def no_tie(
    rows: Rows, outputs: Float32Matrix, n: int, stake: int, params: Params, values: Float32Vector
) -> None:
    """Keep successors of equal value in the order in which the game writes them."""


@kernel(inline=True)
def taken_value(double: Doubled, value: float) -> float:
    """Return the value of a double if the opponent takes or beavers, whichever is better.

    Args:
        double: the consequences of the double.
        value: the value of rolling at the doubled stake.
    """
    return min(double.factor * value, double.beaver * value)


@kernel(inline=True)
def before_double(double: Doubled, taken: float) -> float:
    """Return the value of rolling at the doubled stake: the inverse of `taken_value`."""
    return max(taken / double.factor, taken / double.beaver)


class Fits(Protocol):
    """Return the index of the first state that is not a state of the game, or N if all are.

    `fits(game, states)`: states is int8 [N, W]. This is plain Python, not a kernel. A search
    calls it for the states that it is given, so its kernels need not check them.
    """

    def __call__(self, game: "Game", states: Rows, /) -> int: ...


def first_false(truths: npt.ArrayLike) -> int:
    """Return the index of the first False among N truth values, or N."""
    return int(np.argmin([*np.atleast_1d(truths), False]))


def all_fit(game: "Game", states: Rows) -> int:
    """Return the number of states: every state passes, unchecked."""
    return len(states)


class Game(NamedTuple):
    """A two-player zero-sum game of chance, as the search sees it.

    W, N and R are 2**20 at most.

    Attributes:
        name: the name in messages.
        width: W, the bytes of a state.
        max_outcomes: N, the most outcomes that `outcomes` can fill.
        max_successors: R, the rows that `successors` needs (successors and scratch).
        low: a lower bound of all payoffs and values at the stake of the search, to the player
            on roll at the root. The other player's bounds are -high and -low, so the two need
            not be symmetric.
        high: an upper bound of all payoffs and values at that stake.
        outcomes: see `Outcomes`.
        successors: see `Successors`.
        terminal: see `Terminal`.
        bounds: see `Bounds`.
        params: float64 [Q], passed to these functions, which must not write into it.
        stake: the stake at the root, for the player who rolls or decides there; 0 if payoffs
            are the same for both players.
        offer: see `Offer`. By default, nobody may double.
        fits: see `Fits`. By default, all states fit.
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

    def for_opponent(self) -> "Game":
        """Return the same game for a search that begins with the other player."""
        return self._replace(low=-self.high, high=-self.low, stake=-self.stake)


class Evaluator(NamedTuple):
    """A static evaluation: a function, the flat vector of its weights, and their meaning.

    Attributes:
        evaluate: see `Evaluate`.
        weights: float32 [L], never written to; `evaluate` knows their layout.
        outputs: K, the outputs of `evaluate` for each state, 2**20 at most.
        fold: converts outputs into values; see `Fold`. By default, the first output is the
            value.
        scratch: the size of the scratch memory of `evaluate` in words of 8 bytes, 2**30 at most.
        turn: converts outputs into values before the turn, when the player on roll may double:
            the same bits as two folds; see `Doubled`. Without it, the search folds twice.
        has_turn: whether `turn` is given.
        tie: breaks ties among successors of equal value; see `Tie`. Without it, the search
            takes the first one that it meets.
        has_tie: whether `tie` is given.
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
