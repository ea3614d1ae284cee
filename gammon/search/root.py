"""The root of a search: one decision, its memory, and its passes to growing depth.

There is one driver for any number of threads. Passes to small depth are one call of
`decide_kernel`. From `DIVIDED_FROM` on a pass is a list of tasks (see `tasks`), which one
thread does inside that kernel and several share.
"""

import numpy as np

from gammon.base.stop import Stop
from gammon.search.candidates import Candidates, drop_worst
from gammon.search.checks import stopped_after
from gammon.search.decide_kernel import DIVIDED_FROM, decide_kernel
from gammon.search.game import Game, State
from gammon.search.node import Search
from gammon.search.problem import STAR
from gammon.search.stats import N_COUNTS, STOPPED, Counts, new_counts
from gammon.search.table import Table
from gammon.search.tasks import Tasks, room_below
from gammon.search.team import Memory, Team
from gammon.search.workspace import Workspace

__all__ = ["NO_SEEDS", "Root"]

#: The noise of a decision is that of its problem.
NO_SEEDS = np.empty(0, np.uint64)


class Root:
    """A decision under way.

    Args:
        search: what is searched, seen from the player who decides, and how.
        game: its game.
        state: int8 [W], seen from that player.
        outcome: what chance brought.
        depth: plies, odd, at most.
        top: how many exact values are wanted.
        leaves: keep the principal leaves of the first `top` candidates.
        table: see `setup.Setup.decide`; each further thread gets one like it.
        threads: how many share a pass.

    Attributes:
        candidates: what is known of them, after `search` to the depth that it returned.
        capacity: of principal leaves of each candidate; 0 where none are kept.
    """

    def __init__(
        self,
        search: Search,
        game: Game,
        state: State,
        outcome: int,
        depth: int,
        top: int,
        leaves: bool,
        table: Table | None,
        threads: int,
    ) -> None:
        self._search = search
        self._game = game
        self._states = state[None]
        self._chosen = np.array([outcome], np.int64)
        self._top = top
        self._depth = depth
        self._leaves = leaves
        self._table = table
        self._memory = self._make(new_counts(), table)
        self._others = [new_counts() for _ in range(1, threads)]
        self._tasks = Tasks.allocate(game, 0)
        self.capacity = self._memory.work.leaf_rows.shape[1]
        self.candidates = Candidates.allocate(game, top if leaves else 0, self.capacity)

    def _make(self, counts: Counts, table: Table | None) -> Memory:
        """Return the memory of a thread."""
        work = Workspace.allocate(
            self._search.problem, self._game.width, self._depth - 1, self._leaves, table
        )._replace(stats=counts)
        return Memory(work, room_below(self._game, work))

    def _make_another(self, counts: Counts) -> Memory:
        """Return the memory of a thread that helps."""
        return self._make(counts, None if self._table is None else self._table.another())

    @property
    def counts(self) -> Counts:
        """The work of all threads so far; see `stats`."""
        return self._memory.work.stats

    def search(
        self, depth: int, max_nodes: int | None, max_seconds: float | None, stop: Stop | None
    ) -> int:
        """Search to a depth, or to the last one that a limit allows, and return it.

        With a limit, `candidates` is of the last depth that was completed.
        """
        problem = self._search.problem
        limits = max_nodes, max_seconds, stop
        limited = any(each is not None for each in limits)
        deepen = problem.options.deepen
        divided = problem.algorithm == STAR and problem.options.divide
        divided = divided and depth >= DIVIDED_FROM
        # One call of the kernel as far as nothing has to be asked in between.
        done = depth
        if limited or (divided and not deepen):
            done = 1
        elif divided:
            done = DIVIDED_FROM - 2
        with Team(self._make_another, self._others) as team:
            self._pass(0, done, team)
            if done < depth:
                found = int(self.candidates.found[0])
                self._tasks = Tasks.allocate(self._game, found, self._top, self.capacity)
                if self.capacity > 0:
                    self.candidates = self.candidates.with_slots(max(found, self._top))
            every = [self.counts, *self._others]
            with stopped_after(every, *limits):
                while done < depth:
                    complete = self.candidates.copy() if limited else self.candidates
                    if done == 1 and problem.filter.replies > 0:
                        drop_worst(self.candidates, problem.filter)
                    step = done + 2 if limited or deepen else depth
                    self._pass(step - 1, step, team)
                    if any(counts[STOPPED] for counts in every):
                        self.candidates = complete
                        break
                    done = step
        return done

    def _pass(self, begin: int, depth: int, team: Team) -> None:
        """Search from chance nodes of depth `begin` to decisions of `depth`."""
        if self._others and depth >= DIVIDED_FROM:
            before = self.counts[:N_COUNTS].copy()
            team.share(
                self._search, self._memory, self.candidates, self._tasks, depth - 1, self._top
            )
            self.counts[:N_COUNTS] = before + self._tasks.total
            return
        decide_kernel(
            self._search, *self._memory, self.candidates, self._tasks, self._states,
            self._chosen, NO_SEEDS, begin, depth, self._top, np.empty_like(self._states),
        )  # fmt: skip
