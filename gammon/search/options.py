"""The choices of a search that change its work, never its result: each can be measured.

The defaults are what measurement on backgammon supports: docs/performance.md and
docs/experiments/hauk.md have the figures. Fail-hard is the one choice that a caller can see:
outside the window it returns the window's end instead of a closer bound. What changes the
result is a `filter.Filter`.
"""

from typing import NamedTuple

__all__ = ["Options"]


class Options(NamedTuple):
    """How *-minimax goes about its search.

    Attributes:
        probes: k, how many successors a probe of Star2.5 looks at, at least 1.
        fail_hard: return no value outside the window.
        clamp: let no window that is handed down reach beyond the bounds of values, so that
            a decision ends at once where nothing better can come.
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
        table_leaves: keep static values in the table too, so that a leaf which was
            probed does not count again. They are cheaper to compute than to look up.
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
    table_leaves: bool = False
