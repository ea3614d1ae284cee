"""The subject of one search: the functions and settings that are the same at every node.

A `Problem` crosses from Python into the kernels as one value, and is handed down as one. These
words mean the same in every kernel of the search:

    problem   the subject; with its algorithm it is `search`
    work      the thread's own buffers, for chance nodes of `depth` or more; its counts go on
    state     int8 [W], a node, seen from its player on roll, or who decides there
    rows, n   int8 [>= n, W], successors, seen from the opponent, and how many they are
    static    the static value of the state, to its player on roll
    stake     what is at stake for that player
    on_turn   whether that player may double first, if the game lets him
    depth     plies: even at a chance node, odd at a decision; `level` is depth // 2
    alpha     the lower end of the window, maybe -inf
    beta      its upper end, maybe inf
    low       no value of the state is below it; the opponent's are then at most -low
    high      no value of the state is above it
    key       of the state in the table

`Options` change the work of a search, never its result: each can be measured. The defaults are
what measurement on backgammon supports: docs/performance.md and docs/experiments/hauk.md have
the figures. Fail-hard is the one choice that a caller can see: outside the window it returns
the window's end instead of a closer bound. A `Filter` changes the result, for it leaves out a
part of the tree, or cuts leaves off at bounds. All algorithms find the same value of the tree
that is left.
"""

from typing import NamedTuple

import numpy as np

from gammon.compiled.records import Float64Vector, UInt64Vector, declared
from gammon.search.game import Bounds, Evaluator, Offer, Outcomes, Successors, Terminal


class Options(NamedTuple):
    """How *-minimax goes about its search.

    Attributes:
        probes: k, how many successors a probe of Star2.5 looks at, at least 1.
        fail_hard: return no value outside the window.
        clamp: end a decision at once where nothing better can come: its windows reach no
            further than the highest value.
        static_order: look at successors in the order of their static values; else, and
            in probes too, in the order in which the game writes them.
        deepen: search a decision to depth 1, 3, ... first, each time in the order that
            the last search found.
        divide: from depth 5 on, search a decision as tasks that do not depend on each
            other, which any number of threads can share (see `tasks`); else each candidate
            after the other, with what the earlier ones left in the table.
        likely_first: look at the likeliest outcomes first; else in the game's order.
        static_picks: above the lowest chance nodes, let the leaf evaluator pick the
            successors to probe; else the probe evaluator does it there, too.
        killers: at the lowest chance nodes, probe the successor most like the best one
            found for the same outcome in the node searched last; the probe evaluator
            picks only where there is none.
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
        replies: at decisions above the lowest ones, look at no more than so many
            successors, the statically best; 0 for all.
        margin: nor at those whose static value is further from the best one's.
        node_bounds: ask the game for narrower bounds at every chance node, and keep static
            values within them.
    """

    replies: int = 0
    margin: float = np.inf
    node_bounds: bool = False


@declared
class Problem(NamedTuple):
    """A game, its evaluators and the settings of a search, as the kernels see them.

    Attributes:
        outcomes: see `game.Outcomes`.
        successors: see `game.Successors`.
        terminal: see `game.Terminal`.
        bounds: see `game.Bounds`.
        offer: see `game.Offer`.
        params: float64 [Q], the game's numbers.
        stake: what is at stake for the player on roll, or who decides, at the root.
        low: no value is below it, for that player.
        high: no value is above it.
        max_outcomes: N, the most outcomes of a chance node.
        max_successors: R, the rows that `successors` needs.
        leaf: the evaluator of leaves, which also orders successors.
        probe: the evaluator that picks the successors to probe.
        probes: how many successors a probe looks at. 0 is Star1, 1 Star2, more Star2.5.
        parameters: float64, the algorithm's own numbers.
        sigma: the standard deviation of the noise at leaves, in units of value.
        noise_seed: uint64 [1], which noise.
        options: see `Options`.
        filter: see `Filter`.
        doubles: whether anyone may ever double: the game has an `offer`.
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
    probes: int
    parameters: Float64Vector
    sigma: float
    noise_seed: UInt64Vector
    options: Options
    filter: Filter
    doubles: bool
