"""The subject of one search: the functions and settings that are the same at every node.

Python passes a `Problem` to the kernels as one value, and kernels pass it on. These names mean
the same in every kernel of the search:

    problem   the Problem; together with its algorithm it is a `Search`
    work      the thread's buffers, for chance nodes of `depth` or more; its counts accumulate
    state     int8 [W], a node, seen from the player who rolls or decides there
    rows, n   int8 [>= n, W], successors, seen from the opponent, and their number
    static    the static value of the state, to the player on roll there
    stake     the stake of the player on roll
    on_turn   whether the player on roll may double first, if the game has doubles
    depth     plies: even at a chance node, odd at a decision; `level` is depth // 2
    alpha     the lower end of the window, maybe -inf
    beta      the upper end of the window, maybe inf
    low       a lower bound of the state's value; the opponent's upper bound is -low
    high      an upper bound of the state's value
    key       the state's key in the transposition table

`Options` change the work of a search, never its result, so each can be measured. The defaults
are the best by measurements on backgammon, in docs/measuring.md and docs/experiments/papers.md.
Fail-hard is the one option that a caller can see: outside the window it returns the end of the
window instead of a closer bound. A `Filter` does change the result: it prunes the tree, or
clips leaves to bounds. All algorithms find the same value of the tree that remains.
"""

from typing import NamedTuple

import numpy as np

from gammon.compiled.records import Float64Vector, UInt64Vector, trusted
from gammon.search.game import Bounds, Evaluator, Offer, Outcomes, Successors, Terminal


class Options(NamedTuple):
    """The settings of *-minimax that never change its result.

    Attributes:
        probes: k, how many successors Star2.5 probes at each decision, at least 1.
        fail_hard: return no value outside the window.
        clamp: end a decision as soon as a successor has the highest possible value: its
            windows reach no further than that.
        static_order: search successors in the order of their static values. Otherwise, and
            in probes too, in the order in which the game writes them.
        deepen: search a decision to depth 1, 3, ... first (iterative deepening), each time
            in the order that the last search found.
        divide: from depth 5 on, search a decision as independent tasks, which any number of
            threads can share (see `tasks`). Otherwise search one candidate after the other,
            and keep the transposition table.
        likely_first: search the likeliest outcomes first; otherwise in the game's order.
        static_picks: above the lowest chance nodes, the leaf evaluator picks the successors
            to probe; otherwise the probe evaluator picks them there, too.
        killers: at the lowest chance nodes, probe a killer: the successor most like the best
            reply to the same outcome in the last node searched. The probe evaluator picks
            only where there is no killer.
    """

    probes: int = 2
    fail_hard: bool = False
    clamp: bool = True
    static_order: bool = True
    deepen: bool = True
    divide: bool = True
    likely_first: bool = True
    static_picks: bool = True
    killers: bool = True


class Filter(NamedTuple):
    """Which part of the full tree is searched. The default is all of it.

    Attributes:
        replies: at decisions above the lowest ones, search at most this many successors, the
            statically best; 0 for all.
        margin: of these, search only successors whose static value is within this much of
            the best one.
        node_bounds: ask the game for narrower bounds at every chance node, and clip static
            values to them.
    """

    replies: int = 0
    margin: float = np.inf
    node_bounds: bool = False


@trusted
class Problem(NamedTuple):
    """A game, its evaluators and the settings of a search, as the kernels see them.

    Attributes:
        outcomes: see `game.Outcomes`.
        successors: see `game.Successors`.
        terminal: see `game.Terminal`.
        bounds: see `game.Bounds`.
        offer: see `game.Offer`.
        params: float64 [Q], the game's numbers.
        stake: the stake of the player who rolls or decides at the root.
        low: a lower bound of all values, to that player.
        high: an upper bound of all values.
        max_outcomes: N, the most outcomes of a chance node.
        max_successors: R, the rows that `successors` needs.
        leaf: the evaluator of leaves, which also orders successors.
        probe: the evaluator that picks the successors to probe.
        width: the evaluator whose values are widths (`bounded`); else a copy of `leaf`.
        bounded: whether values are held within widths, as `bounded` defines it.
        probes: the successors that are probed at each decision: 0 is Star1, 1 Star2, more
            Star2.5.
        parameters: float64, the algorithm's own numbers.
        sigma: the standard deviation of the noise at leaves, in units of value.
        noise_seed: uint64 [1], the seed of the noise.
        options: see `Options`.
        filter: see `Filter`.
        doubles: whether the game has doubles, that is, an `offer`.
    """

    outcomes: Outcomes
    successors: Successors
    terminal: Terminal
    bounds: Bounds
    offer: Offer
    params: Float64Vector
    stake: int
    low: float
    high: float
    max_outcomes: int
    max_successors: int
    leaf: Evaluator
    probe: Evaluator
    width: Evaluator
    bounded: bool
    probes: int
    parameters: Float64Vector
    sigma: float
    noise_seed: UInt64Vector
    options: Options
    filter: Filter
    doubles: bool
