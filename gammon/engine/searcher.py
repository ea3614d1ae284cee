"""Searchers: an engine's search at what is at stake in one game, set up when it is needed."""

import time
from collections.abc import Hashable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gammon import search
from gammon.base.errors import SettingError
from gammon.base.settings import unchecked
from gammon.core.values import ROUNDING, best_first, is_open
from gammon.engine.analysis import Candidate, Kind
from gammon.engine.boards import Boards, turned_boards
from gammon.engine.cube import CubeDecision, CubeValue
from gammon.engine.question import Question
from gammon.engine.worth import Worth
from gammon.eval.bearoff_cube import covers, exact_cube
from gammon.eval.cubeful import evaluator_at, has_cube
from gammon.eval.equity import Probabilities, for_opponent
from gammon.eval.evaluators import leaf_of, load_named
from gammon.eval.principal import chances_of, leaf_mean, leaf_means
from gammon.formats.play import Play
from gammon.formats.position import Position
from gammon.games.backgammon import filter_named
from gammon.rules.board import Points, State
from gammon.rules.dice import outcome_of
from gammon.rules.plays import MAX_SUCCESSORS
from gammon.rules.terms import CUBELESS, Terms
from gammon.search import Leaves, Setup, Stats, Stop, Table

if TYPE_CHECKING:
    from torch import nn


_KINDS = {search.EXACT: Kind.EXACT, search.BOUND: Kind.SHALLOW, search.STATIC: Kind.STATIC}

#: Exact plays where several seem to be worth the same.
_TIED = 10


class Decision(NamedTuple):
    """A decision about plays, and what a search two plies less deep says of all of them.

    Attributes:
        found: the best plays are exact, the others have upper bounds.
        shallow: of the same plays, all of them exact. None where `found` has no bounds.
    """

    found: search.Decision
    shallow: search.Decision | None


class Searcher(NamedTuple):
    """A search at one stake.

    Attributes:
        worth: the game, and the units of its values.
        setup: its search.
        depth: plies of a decision.
    """

    worth: Worth
    setup: Setup
    depth: int

    def opponent(self) -> "Searcher":
        """Return the same for the other player."""
        return self._replace(worth=self.worth.turned(), setup=self.setup.turned())

    def table(self) -> Table | None:
        """Return a table for one call: if it were kept, bounds would depend on other calls."""
        return Table.at_depth(self.worth.game, self.depth)

    def evaluate(
        self, state: State, depth: int, table: Table | None, stop: Stop | None = None
    ) -> tuple[float, Probabilities, Stats]:
        """Return a position's value and chances before the turn, and the work that it took.

        The player on roll may double first, where that is allowed.

        Args:
            state: int8 [26], seen from the player on roll.
            depth: plies, even.
            table: of the same game, or None.
            stop: when it is set, the value is that of a smaller depth.
        """
        found = self.setup.value(
            state, depth, on_turn=True, leaves=True, table=table, stop=stop
        )
        assert found.leaves is not None, "an open window always leaves them"
        return found.value, leaf_mean(self.setup.evaluator, found.leaves), found.stats

    def static_chances(self, rows: Boards) -> npt.NDArray[np.float64]:
        """Return the chances [N, 5] of the movers who have left these positions."""
        return chances_of(self.setup.evaluator, rows, -1.0)

    def chances(self, found: search.Decision) -> npt.NDArray[np.float64]:
        """Return the mover's chances [n, 5] after each play of a search.

        They are those of the principal leaves, where these were kept, and else static ones.
        """
        if not found.leaves:
            return self.static_chances(found.rows)
        chances = np.empty((len(found.rows), len(Probabilities._fields)))
        count = len(found.leaves)
        leading, others = found.order[:count], found.order[count:]
        leaves, offsets = Leaves.joined(found.leaves)
        chances[leading] = leaf_means(self.setup.evaluator, leaves, offsets)
        if len(others):
            chances[others] = self.static_chances(found.rows[others])
        return chances

    def decide_cube(
        self, position: Position, terms: Terms, max_seconds: float | None, stop: Stop | None
    ) -> CubeDecision:
        """Return the decision about the cube, of a search with it.

        Args:
            position: before the roll.
            terms: what is at stake there.
            max_seconds: for both values together; None: no limit.
            stop: ends the search of both; None: nothing does.
        """
        begun = time.perf_counter()
        if self._is_known(position):
            return self._known_cube(position, terms)
        found = self.setup.cube(
            position.points, self.depth - 1, leaves=True, table=self.table(),
            max_seconds=max_seconds, stop=stop,
        )  # fmt: skip
        assert found.leaves is not None, "an open window always leaves them"
        kind = Kind.EXACT if found.depth > 0 else Kind.STATIC
        taken, cash = found.double_take, found.double_pass
        return CubeDecision(
            position, terms, leaf_mean(self.setup.evaluator, found.leaves),
            self._cube_value(found.no_double, kind),
            None if taken is None else self._cube_value(taken, kind),
            None if cash is None else self._cube_value(cash, Kind.EXACT),
            found.depth + 1, found.stats, time.perf_counter() - begun,
            self.setup.problem.filter.replies > 0, self.setup.algorithm,
        )  # fmt: skip

    def knows_plays(self, position: Position) -> bool:
        """Tell whether all that a search of the plays from here meets is in exact tables."""
        return self._is_known(position) and self.worth.has_exact_ends

    def _is_known(self, position: Position) -> bool:
        return covers(position.points) and self.setup.problem.sigma == 0.0

    def _known_cube(self, position: Position, terms: Terms) -> CubeDecision:
        """Return the decision in a bearoff of which the values with the cube are known."""
        begun = time.perf_counter()
        values = exact_cube(position.points, terms, self.worth.met)
        rolled, taken, cash = (
            None if value is None else self._cube_value(value, Kind.EXACT) for value in values
        )
        assert rolled is not None, "one may always roll"
        chances = chances_of(self.setup.evaluator, np.array([position.points], np.int8))[0]
        return CubeDecision(
            position, terms, Probabilities(*chances.tolist()), rolled, taken, cash, self.depth,
            None, time.perf_counter() - begun,
        )  # fmt: skip

    def _cube_value(self, value: float, kind: Kind) -> CubeValue:
        return CubeValue(self.worth.equity(value), self.worth.mwc(value), kind)

    def candidates(
        self,
        decision: Decision,
        before: Position,
        dice: tuple[int, int],
        named: set[Points],
        stop: Stop | None,
    ) -> tuple[list[Candidate], Stats]:
        """Return the candidates of a decision, best first, and the work that it all took.

        Plays that are named and not among the first are searched here, each with an open
        window, as `evaluate` does. So are those whose values by the shallower search are above
        the worst of the first. The others have these values.

        Args:
            decision: what the searches found out.
            before: the position.
            dice: the roll.
            named: what the plays that must be exact lead to, seen from the mover.
            stop: once it is set, those that are not searched yet have the shallower values.
        """
        found, shallow = decision
        played = list(map(tuple, turned_boards(found.rows).tolist()))
        bounds, values, chances = found.values, found.values.copy(), self.chances(found)
        # At depth 1 the network's word is all that a search says.
        searched = np.full(len(played), found.depth == 1)
        searched[found.order[: len(found.leaves)]] = True
        # Others may be exact too, as those that were searched before better ones were known;
        # but their chances are not known.
        kinds = np.where(searched, found.kind, np.maximum(found.kind, np.int8(search.BOUND)))
        stats = [found.stats]
        exact = {j for j, points in enumerate(played) if points in named} if named else set()
        wanted = set(exact)
        if shallow is not None:
            chances[~searched] = self.chances(shallow)[~searched]
            values = np.where(kinds == search.BOUND, shallow.values, values)
            stats.append(shallow.stats)
            floor = found.values[found.order[len(found.leaves) - 1]] + ROUNDING
            wanted.update(np.flatnonzero((kinds == search.BOUND) & (values > floor)).tolist())
        if wanted:
            opponent, table = self.opponent(), self.table()
        for j in sorted(wanted):
            if searched[j]:
                continue
            depth = found.depth - 1
            value, theirs, work = opponent.evaluate(found.rows[j], depth, table, stop)
            if stop is not None and stop.is_set():
                break
            values[j], kinds[j] = -value, search.EXACT
            chances[j], searched[j] = for_opponent(np.array(theirs)), True
            stats.append(work)
        equities, without_cube = self.worth.equity(values), self.worth.without_cube(chances)
        order = found.order.copy()
        self.sort(order, equities, kinds, without_cube)
        mwc = self.worth.mwc(values[order])
        nothing = [None] * len(order)
        least = found.depth if shallow is None else shallow.depth
        proved = np.where(kinds == search.BOUND, self.worth.equity(bounds), np.nan)
        columns = zip(
            order.tolist(),
            equities[order].tolist(),
            chances[order].tolist(),
            kinds[order].tolist(),
            proved[order].tolist(),
            nothing if self.worth.terms.cubeless else without_cube[order].tolist(),
            nothing if mwc is None else mwc.tolist(),
            strict=True,
        )
        best, before = float(equities[order[0]]), before.with_dice(None)
        candidates = [
            unchecked(
                Candidate,
                play=Play(before, played[j], dice),
                equity=equity,
                loss=max(best - equity, 0.0),
                probabilities=Probabilities._make(results),
                kind=_KINDS[kind],
                depth=_depth_of(kind, found.depth, least),
                probabilities_depth=_depth_of(kind, found.depth, least),
                named=j in exact,
                bound=bound if kind == search.BOUND else None,
                cubeless_equity=cubeless,
                mwc=chance,
                games=None,
            )
            for j, equity, results, kind, bound, cubeless, chance in columns
        ]
        return candidates, Stats.total(stats)

    def decide(
        self,
        position: Position,
        top: int,
        threads: int,
        progress: npt.NDArray[np.int64] | None,
        stop: Stop | None,
    ) -> Decision:
        """Search the plays of a position's roll, of which so many are to be exact.

        At least ten are where the bound of another one is as high as the best value: as good as
        the best one with the cube, it may be better without.

        Args:
            position: with its roll.
            top: how many, unless the search is one to depth 1, which values all.
            threads: how many share the search.
            progress: as for `Setup.decide`.
            stop: as there. Once it is set, the other plays get their values at depth 1.
        """
        assert position.dice is not None, "a decision about plays has a roll"
        board, outcome = np.array(position.points, np.int8), outcome_of(position.dice)
        found = self._decided(board, outcome, top, threads, progress, stop)
        others = found.kind[found.order[len(found.leaves) :]]
        if found.depth == 1 or bool(np.all(others == search.STATIC)):
            return Decision(found, None)
        depth = found.depth - 2
        shallow = self.setup.decide(
            board, outcome, depth, top=MAX_SUCCESSORS, leaves=depth > 1,
            table=Table.at_depth(self.worth.game, depth), stop=stop, threads=threads,
        )  # fmt: skip
        return Decision(found, shallow)

    def best(self, board: State, outcome: int) -> State:
        """Return the play that a list of the plays has first, int8 [26].

        Args:
            board: int8 [26], seen from the mover.
            outcome: the roll, 0..20.

        Returns:
            The position after it, seen from the opponent.
        """
        found = self._decided(board, outcome, 1, 1, None, None)
        kinds, order = found.kind.copy(), found.order.copy()
        if found.leaves:
            others = order[len(found.leaves) :]
            kinds[others] = np.maximum(kinds[others], np.int8(search.BOUND))
        without_cube = self.worth.without_cube(self.chances(found))
        self.sort(order, self.worth.equity(found.values), kinds, without_cube)
        best: State = found.rows[order[0]]
        return best

    def _decided(
        self,
        board: State,
        outcome: int,
        top: int,
        threads: int,
        progress: npt.NDArray[np.int64] | None,
        stop: Stop | None,
    ) -> search.Decision:
        """Return the search of a decision; the arguments are those of `decide`."""
        deep = self.depth > 1

        def search_plays(top: int) -> search.Decision:
            return self.setup.decide(
                board, outcome, self.depth, top=top, leaves=deep, progress=progress,
                table=self.table(), stop=stop, threads=threads,
            )  # fmt: skip

        found = search_plays(top if deep else MAX_SUCCESSORS)
        if top < _TIED and found.depth == self.depth and self._is_open(found):
            more = search_plays(_TIED)
            if more.depth == self.depth:
                found = more._replace(stats=Stats.total([found.stats, more.stats]))
        return found

    def _is_open(self, found: search.Decision) -> bool:
        """Tell whether a play that was not searched may be as good as the best one."""
        game = self.worth.game
        best, n = int(found.order[0]), len(found.values)
        return bool(is_open(found.values, found.kind, best, n, game.stake, game.params))

    def sort(
        self,
        order: npt.NDArray[np.int64],
        equities: npt.NDArray[np.float64],
        kinds: npt.NDArray[np.int8],
        without_cube: npt.NDArray[np.float64],
        offsets: npt.NDArray[np.int64] | None = None,
    ) -> None:
        """Sort plays, as `gammon.core.values.best_first` explains.

        Args:
            order: int64 [K], plays, to be sorted.
            equities: float64 [K], by play.
            kinds: int8 [K], see `search.Decision`.
            without_cube: float64 [K], the equities with a cube that stays as it is.
            offsets: int64 [N + 1], where the plays of each decision stand in `order`; all
                belong to one unless given.
        """
        if offsets is None:
            offsets = np.array([0, len(order)])
        cube = not self.worth.terms.cubeless
        best_first(equities, kinds, without_cube, cube, offsets, order)


def _depth_of(kind: int, deep: int, shallow: int) -> int:
    """Return the plies of a play's value, by its kind and by the plies of both searches."""
    return {search.EXACT: deep, search.BOUND: shallow, search.STATIC: 1}[kind]


#: The number of searches that are kept; beyond it, all of them are forgotten.
_MOST = 256


class Searches:
    """The searches of two networks. Any number of threads may ask for one at the same time.

    Args:
        model: judges positions; see `Engine`.
        probe: picks what Star2 probes.

    Raises:
        ModelError: a model is missing, damaged or of another kind.
    """

    def __init__(
        self, model: "str | Path | nn.Module | None", probe: str | Path | None
    ) -> None:
        self._leaf = leaf_of("leaf" if model is None else model)
        self._picks = load_named("probe", "probe" if probe is None else probe, bearoff=False)
        self._kept: dict[Hashable, Searcher] = {}

    def __getstate__(self) -> dict[str, Any]:
        """Return what another process needs; a torch module is of this one.

        Raises:
            SettingError: there is a torch module.
        """
        if not has_cube(self._leaf):
            raise SettingError("an engine of a torch module: expected one made in each process")
        return vars(self)

    def cubeless(self, question: Question) -> Terms | None:
        """Return the terms of a cubeless question; None with the cube.

        Raises:
            SettingError: the settings contradict each other.
        """
        without = ""
        if question.stakes is not None:
            without = "no stakes with it: they are those of a cubeless engine"
        elif isinstance(own := question.algorithm, search.Algorithm) and not own.doubles:
            without = f"another algorithm than {own.name}, which knows no doubles"
        elif not has_cube(self._leaf):
            without = "a model from a file, not a torch module"
        if question.cubeless is False and without:
            raise SettingError(f"cubeless False: expected {without}")
        if question.cubeless or without:
            return question.stakes or CUBELESS
        return None

    def at(self, question: Question, terms: Terms | None = None) -> Searcher:
        """Return the search for the player of a question.

        Args:
            question: says how to search.
            terms: what is at stake for the player; that of the position unless given. Without
                the cube, nobody looks.

        Raises:
            SettingError: the settings contradict each other; see also `Terms.checked`.
        """
        without = self.cubeless(question)
        if question.level is not None and not has_cube(self._leaf):
            raise SettingError(f"level {question.level} of a torch module: expected a depth")
        terms = without or terms or question.placed().context.terms()
        way = (
            question.depth, question.algorithm, question.noise,
            question.noise_seed if question.noise > 0.0 else 0,
            question.move_filter, question.met, terms,
        )  # fmt: skip
        found = self._kept.get(way)
        if found is None:
            if len(self._kept) >= _MOST:
                self._kept.clear()
            found = self._kept[way] = self._set_up(question, terms)
        return found

    def _set_up(self, question: Question, terms: Terms) -> Searcher:
        """Return a new search for the player of these terms."""
        worth = Worth.at(terms, question.met)
        leaf, picks = (evaluator_at(each, terms) for each in (self._leaf, self._picks))
        chosen = filter_named(question.move_filter, worth.unit)
        setup = search.Setup(
            worth.game, leaf, question.algorithm, picks, sigma=question.noise * worth.unit,
            noise_seed=question.noise_seed, filter=chosen,
        )  # fmt: skip
        return Searcher(worth, setup, question.depth)
