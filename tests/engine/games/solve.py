"""The value of a game by a search that goes about it as the papers do."""

from gammon import search
from gammon.games.nothing import NOTHING
from gammon.search import Options, Table

#: One pass over the whole tree, with successors in the order in which a game writes them.
AS_WRITTEN = Options(static_order=False, deepen=False, divide=False)


def solve(game, root, depth, algorithm="star2"):
    """Return the decision after the first outcome, and the value of its best successor."""
    found = search.TreeSearch(game, NOTHING, algorithm, options=AS_WRITTEN).decide(
        root, 0, depth, table=Table.allocate(game, 4)
    )
    return found, found.values.max()
