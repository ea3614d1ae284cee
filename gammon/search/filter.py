"""Filters: what a search leaves out of the tree, or cuts off its leaves, changes the result.

All algorithms find the same value of the tree that is left.
"""

from typing import NamedTuple

import numpy as np

__all__ = ["Filter"]


class Filter(NamedTuple):
    """Which part of the full tree is searched. The default is all of it.

    Attributes:
        replies: at decisions above the lowest ones, look at no more successors
            than this, the statically best; 0 for all.
        margin: nor at those whose static value is further from the best one's.
        node_bounds: ask the game for narrower bounds at every chance node, and keep static
            values within them.
    """

    replies: int = 0
    margin: float = np.inf
    node_bounds: bool = False
