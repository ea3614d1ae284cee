"""A search of backgammon: its game, its evaluators and its settings, set up once.

`Engine` caches searches by their settings and terms. A search returns a `CubeDecision`, or a
`Decision` about plays, which `Search.candidates` turns into the candidates of an analysis. The
functions at the end search arrays of positions.
"""

import time
from collections.abc import Iterable, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gammon import search
from gammon.base.settings import unchecked
from gammon.core.values import ROUNDING, best_first, is_open
from gammon.engine.analysis import Candidate, Kind, deep_kind
from gammon.engine.boards import Boards, CubeDecisions, Evaluations, PlayValues, in_blocks, turned_boards
from gammon.engine.cube import CubeAction, CubeAnswer, CubeDecision, CubeValue
from gammon.engine.question import SearchSettings
from gammon.engine.scale import Scale
from gammon.eval.bearoff_cube import covers, exact_cube, exact_match_plays
from gammon.eval.cubeful import evaluator_at
from gammon.eval.equity import Probabilities, for_opponent
from gammon.eval.principal import chances_of, leaf_mean, leaf_means
from gammon.eval.width import UNHELD, bounds_of
from gammon.formats.play import Play
from gammon.formats.position import Position
from gammon.games.backgammon import filter_named
from gammon.rules.board import SIZE, Points, State
from gammon.rules.dice import outcome_of
from gammon.rules.plays import MAX_ROWS, MAX_SUCCESSORS
from gammon.rules.terms import Terms
from gammon.search import EXACT, Evaluator, Leaves, Options, Stats, Stop, Table, TreeSearch

#: The number of plays that are searched to the full depth where several seem to have the same value.
_TIED = 10


class Decision(NamedTuple):
    """A decision about plays, with the values of a search two plies less deep.

    Attributes:
        deep: exact values of the best plays, upper bounds of the others.
        shallow: exact values of the same plays, two plies less deep. None where `deep` has no
            bounds.
    """

    deep: search.Decision
    shallow: search.Decision | None


#: Probes of the plain design: the probe evaluator picks one successor at every node.
_PLAIN = Options(killers=False, static_picks=False)


class Search(NamedTuple):
    """A search of backgammon for one player's terms.

    Attributes:
        scale: the game, and the units of its values.
        tree: the search of that game.
        depth: plies of a decision.
    """

    scale: Scale
    tree: TreeSearch
    depth: int

    @classmethod
    def at(cls, settings: SearchSettings, terms: Terms, leaf: Evaluator, probe: Evaluator) -> "Search":
        """Set up a search.

        Args:
            settings: all that the search depends on, beside the evaluators.
            terms: what is at stake for the player who is on roll, or who decides.
            leaf: values leaves; from `gammon.eval.evaluators`.
            probe: picks the successors that Star2 probes; from `gammon.eval.evaluators`.

        Raises:
            SettingError: the settings contradict each other; see also `Terms.checked`.
        """
        scale = Scale.at(terms, settings.met)
        tree = TreeSearch(
            scale.game,
            evaluator_at(leaf, terms),
            probe=evaluator_at(probe, terms),
            **bounds_of(settings.algorithm, leaf, settings.frees),
            sigma=settings.noise * scale.unit,
            noise_seed=settings.noise_seed,
            options=_PLAIN if settings.plain else Options(),
            filter=filter_named(settings.move_filter, scale.unit),
        )
        return cls(scale, tree, settings.depth)

    def opponent(self) -> "Search":
        """Return the same search for the other player."""
        return self._replace(scale=self.scale.for_opponent(), tree=self.tree.for_opponent())

    def table(self) -> Table | None:
        """Return a transposition table for one call.

        A table shared by calls would make bounds depend on earlier calls.
        """
        return Table.at_depth(self.scale.game, self.depth)

    def evaluate(
        self, state: State, depth: int, table: Table | None, stop: Stop | None = None
    ) -> tuple[float, Probabilities, Stats]:
        """Return a position's value and chances before the turn, and the work that it took.

        The player on roll may double first, where that is allowed.

        Args:
            state: int8 [26], seen from the player on roll.
            depth: plies, even.
            table: a transposition table of the same game, or None.
            stop: when it is set, the value comes from a smaller depth.
        """
        points = tuple(state.tolist())
        if self.is_solved(points):
            rolled, taken, cash = exact_cube(points, self.scale.terms, self.scale.met)
            value = rolled if taken is None or cash is None else max(rolled, min(taken, cash))
            return value, Probabilities(*chances_of(self.tree.evaluator, state[None])[0].tolist()), Stats()
        node = self.tree.value(state, depth, on_turn=True, leaves=True, table=table, stop=stop)
        assert node.leaves is not None, "a search with an open window returns its leaves"
        return node.value, leaf_mean(self.tree.evaluator, node.leaves), node.stats

    def width(self, state: State) -> float | None:
        """Return how far a look ahead of one turn usually moves the value of rolling, in equity.

        Bounded search holds values within k times this width. None if the search has no widths, and
        where no width holds a value.

        Args:
            state: int8 [26], seen from the player on roll.
        """
        problem = self.tree.problem
        if not problem.bounded:
            return None
        rows, values = state[None], np.empty(1, np.float32)
        for evaluator in (problem.leaf, problem.width):  # a width depends on the static value
            outputs = np.empty((1, evaluator.outputs), np.float32)
            evaluator.evaluate(state, rows, 1, evaluator.weights, outputs, evaluator.new_scratch())
            evaluator.fold(outputs, 1, problem.stake, problem.params, values)
        width = float(values[0]) / self.scale.unit
        return width if width < UNHELD else None

    def static_chances(self, rows: Boards) -> npt.NDArray[np.float64]:
        """Return the static chances [N, 5] of the movers after their plays.

        Args:
            rows: int8 [N, 26], seen from the opponents.
        """
        return chances_of(self.tree.evaluator, rows, -1.0)

    def chances(self, decision: search.Decision) -> npt.NDArray[np.float64]:
        """Return the mover's chances [n, 5] after each play of a search.

        The chances come from the principal leaves where the search kept them; else they are
        static.
        """
        if not decision.leaves:
            return self.static_chances(decision.rows)
        chances = np.empty((len(decision.rows), len(Probabilities._fields)))
        count = len(decision.leaves)
        leading, others = decision.order[:count], decision.order[count:]
        leaves, offsets = Leaves.joined(decision.leaves)
        chances[leading] = leaf_means(self.tree.evaluator, leaves, offsets)
        if len(others):
            chances[others] = self.static_chances(decision.rows[others])
        return chances

    def decide_cube(
        self, position: Position, terms: Terms, max_seconds: float | None, stop: Stop | None
    ) -> CubeDecision:
        """Search a decision about the cube.

        Args:
            position: before the roll.
            terms: what is at stake there.
            max_seconds: a limit for both values together, or None.
            stop: ends the search of both values, or None.
        """
        begun = time.perf_counter()
        if self.is_known(position.points):
            return self._known_cube(position, terms)
        cube = self.tree.cube(
            position.points,
            self.depth - 1,
            leaves=True,
            table=self.table(),
            max_seconds=max_seconds,
            stop=stop,
        )
        assert cube.leaves is not None, "a search with an open window returns its leaves"
        algorithm = self.tree.algorithm
        kind = deep_kind(cube.depth + 1, algorithm) if cube.depth > 0 else Kind.STATIC
        taken, cash = cube.double_take, cube.double_pass
        return CubeDecision(
            position, terms, leaf_mean(self.tree.evaluator, cube.leaves),
            self._cube_value(cube.no_double, kind),
            None if taken is None else self._cube_value(taken, kind),
            None if cash is None else self._cube_value(cash, Kind.EXACT),
            cube.depth + 1, cube.stats, time.perf_counter() - begun,
            self.tree.problem.filter.replies > 0, algorithm,
        )  # fmt: skip

    def is_known(self, points: Points) -> bool:
        """Return whether the exact values of a position and of its plays are known."""
        return covers(points) and self.tree.problem.sigma == 0.0

    def is_solved(self, points: Points) -> bool:
        """Return whether exact values are computed in place of a search, whose leaves lack them."""
        return not self.scale.has_exact_ends and self.is_known(points)

    def solved_plays(self, board: State, outcome: int) -> search.Decision:
        """Return the plays of a position that `is_solved`, with their exact values."""
        plays = self.tree.decide(board, outcome, 1, top=MAX_SUCCESSORS)
        assert self.scale.met is not None, "a match has a table"
        points = tuple(board.tolist())
        values = exact_match_plays(points, plays.rows, self.scale.terms, self.scale.met).astype(np.float64)
        order = np.argsort(-values, kind="stable")
        return plays._replace(values=values, order=order, depth=self.depth)

    def _known_cube(self, position: Position, terms: Terms) -> CubeDecision:
        """Return the decision in a bearoff whose values with the cube are in exact tables."""
        begun = time.perf_counter()
        values = exact_cube(position.points, terms, self.scale.met)
        rolled, taken, cash = (
            None if value is None else self._cube_value(value, Kind.EXACT) for value in values
        )
        assert rolled is not None, "rolling is always allowed"
        chances = chances_of(self.tree.evaluator, np.array([position.points], np.int8))[0]
        return CubeDecision(
            position, terms, Probabilities(*chances.tolist()), rolled, taken, cash, self.depth,
            None, time.perf_counter() - begun,
        )  # fmt: skip

    def _cube_value(self, value: float, kind: Kind) -> CubeValue:
        return CubeValue(self.scale.equity(value), self.scale.mwc(value), kind)

    def candidates(
        self,
        decision: Decision,
        before: Position,
        dice: tuple[int, int],
        named: set[Points],
        stop: Stop | None,
    ) -> tuple[list[Candidate], Stats]:
        """Return the candidates of a decision, best first, and the work of all searches.

        A named play without an exact value is searched now with an open window, as `evaluate`
        does. So is a play whose shallow value is above the worst exact value. The other plays
        get their shallow values.

        Args:
            decision: a decision of this search.
            before: the position.
            dice: the roll.
            named: the positions after the plays that must be exact, seen from the mover.
            stop: once it is set, plays that are not searched yet get their shallow values.
        """
        deep, shallow = decision
        played = list(map(tuple, turned_boards(deep.rows).tolist()))
        bounds, values, chances = deep.values, deep.values.copy(), self.chances(deep)
        searched, kinds = _searched_and_kinds(deep)
        stats = [deep.stats]
        exact = {j for j, points in enumerate(played) if points in named} if named else set()
        wanted = set(exact)
        if shallow is not None:
            chances[~searched] = self.chances(shallow)[~searched]
            values = np.where(kinds == search.BOUND, shallow.values, values)
            stats.append(shallow.stats)
            floor = deep.values[deep.order[len(deep.leaves) - 1]] + ROUNDING
            wanted.update(np.flatnonzero((kinds == search.BOUND) & (values > floor)).tolist())
        if wanted:
            opponent, table = self.opponent(), self.table()
        for j in sorted(wanted):
            if searched[j]:
                continue
            depth = deep.depth - 1
            value, theirs, work = opponent.evaluate(deep.rows[j], depth, table, stop)
            if stop is not None and stop.is_set():
                break
            values[j], kinds[j] = -value, search.EXACT
            chances[j], searched[j] = for_opponent(np.array(theirs)), True
            stats.append(work)
        equities, without_cube = self.scale.equity(values), self.scale.without_cube(chances)
        order = deep.order.copy()
        self.sort(order, equities, kinds, without_cube)
        mwc = self.scale.mwc(values[order])
        nothing = [None] * len(order)
        least = deep.depth if shallow is None else shallow.depth
        proved = np.where(kinds == search.BOUND, self.scale.equity(bounds), np.nan)
        columns = zip(
            order.tolist(),
            equities[order].tolist(),
            chances[order].tolist(),
            kinds[order].tolist(),
            proved[order].tolist(),
            nothing if self.scale.terms.cubeless else without_cube[order].tolist(),
            nothing if mwc is None else mwc.tolist(),
            strict=True,
        )
        best, before = float(equities[order[0]]), before.with_dice(None)
        deep_value = deep_kind(deep.depth, self.tree.algorithm)
        depth_of = {search.EXACT: deep.depth, search.BOUND: least, search.STATIC: 1}
        kind_of = {search.EXACT: deep_value, search.BOUND: Kind.SHALLOW, search.STATIC: Kind.STATIC}
        candidates = [
            unchecked(
                Candidate,
                play=Play(before, played[j], dice),
                equity=equity,
                loss=max(best - equity, 0.0),
                probabilities=Probabilities._make(results),
                kind=kind_of[kind],
                depth=depth_of[kind],
                named=j in exact,
                bound=bound if kind == search.BOUND else None,
                cubeless_equity=cubeless,
                mwc=chance,
                rollout=None,
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
        """Search the plays of a position's roll.

        If the bound of another play is as high as the best value, at least ten plays get exact
        values: a play that is as good with the cube may be better without it.

        Args:
            position: with its roll.
            top: how many plays get exact values. A search to depth 1 values all plays.
            threads: how many share the search.
            progress: as for `TreeSearch.decide`.
            stop: as for `TreeSearch.decide`. Once it is set, the other plays get values of depth 1.
        """
        assert position.dice is not None, "a decision about plays has a roll"
        board, outcome = np.array(position.points, np.int8), outcome_of(position.dice)
        if self.is_solved(position.points):
            return Decision(self.solved_plays(board, outcome), None)
        decision = self._decided(board, outcome, top, threads, progress, stop)
        others = decision.kind[decision.order[len(decision.leaves) :]]
        if decision.depth == 1 or bool(np.all(others == search.STATIC)):
            return Decision(decision, None)
        depth = decision.depth - 2
        shallow = self.tree.decide(
            board, outcome, depth, top=MAX_SUCCESSORS, leaves=depth > 1,
            table=Table.at_depth(self.scale.game, depth), stop=stop, threads=threads,
        )  # fmt: skip
        return Decision(decision, shallow)

    def best(self, board: State, outcome: int) -> State:
        """Return the position after the play that an analysis lists first, int8 [26].

        Args:
            board: int8 [26], seen from the mover.
            outcome: the roll, 0..20.

        Returns:
            The position, seen from the opponent.
        """
        decision = self._decided(board, outcome, 1, 1, None, None)
        order, (_, kinds) = decision.order.copy(), _searched_and_kinds(decision)
        without_cube = self.scale.without_cube(self.chances(decision))
        self.sort(order, self.scale.equity(decision.values), kinds, without_cube)
        best: State = decision.rows[order[0]]
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
        """Return the decision of the full depth; for the arguments see `decide`."""
        deep = self.depth > 1

        def search_plays(top: int) -> search.Decision:
            return self.tree.decide(
                board, outcome, self.depth, top=top, leaves=deep, progress=progress,
                table=self.table(), stop=stop, threads=threads,
            )  # fmt: skip

        decision = search_plays(top if deep else MAX_SUCCESSORS)
        if top < _TIED and decision.depth == self.depth and self._is_open(decision):
            more = search_plays(_TIED)
            if more.depth == self.depth:
                decision = more._replace(stats=Stats.total([decision.stats, more.stats]))
        return decision

    def _is_open(self, decision: search.Decision) -> bool:
        """Return whether a play without an exact value may be as good as the best one."""
        game = self.scale.game
        best, n = int(decision.order[0]), len(decision.values)
        return bool(is_open(decision.values, decision.kind, best, n, game.stake, game.params))

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
            order: int64 [K], the plays; sorted in place.
            equities: float64 [K], by play.
            kinds: int8 [K], see `search.Decision`.
            without_cube: float64 [K], the equities if nobody turns the cube any more.
            offsets: int64 [N + 1], where the plays of each decision begin in `order`; all plays
                belong to one decision unless given.
        """
        if offsets is None:
            offsets = np.array([0, len(order)])
        cube = not self.scale.terms.cubeless
        best_first(equities, kinds, without_cube, cube, offsets, order)


def _searched_and_kinds(decision: search.Decision) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.int8]]:
    """Return which plays have values and chances of the search, bool [n], and the kinds of all, int8 [n].

    A search to depth 1 gives every play the value of the network, and exact tables their own. A play
    that was searched before better ones were known may be exact too, but its chances were not kept,
    so it counts as a bound.
    """
    searched = np.full(len(decision.rows), not decision.leaves)
    searched[decision.order[: len(decision.leaves)]] = True
    return searched, np.where(searched, decision.kind, np.maximum(decision.kind, np.int8(search.BOUND)))


#: Positions of a block, by depth, such that a block takes a second at most. Larger blocks would
#: save little: the cost of a call is small beside the cost of its searches.
_BLOCKS = {1: 4096, 3: 128, 5: 8, 7: 1, 9: 1}


def evaluations(search: Search, boards: Boards, threads: int) -> Evaluations:
    """Return what positions are worth to the players on roll, before the turn.

    Args:
        search: the search.
        boards: int8 [N, 26], each seen from its player on roll; no game is over.
        threads: how many share the positions.
    """
    equities = np.empty(len(boards))
    chances = np.empty((len(boards), len(Probabilities._fields)))

    def evaluate(block: slice) -> None:
        nodes = search.tree.values(boards[block], search.depth - 1, on_turn=True, table=search.table())
        equities[block] = search.scale.equity(nodes.values)
        chances[block] = leaf_means(search.tree.evaluator, nodes.leaves, nodes.offsets)

    in_blocks(evaluate, len(boards), _BLOCKS[search.depth], threads)
    for n in _solved(search, boards):
        value, chances[n], _ = search.evaluate(boards[n], search.depth - 1, None)
        equities[n] = search.scale.equity(value)
    return Evaluations(equities, chances)


def _solved(search: Search, boards: Boards) -> list[int]:
    """Return the indices of positions that `Search.is_solved`."""
    if search.scale.has_exact_ends:
        return []
    return [n for n, board in enumerate(boards.tolist()) if search.is_solved(tuple(board))]


def play_values(search: Search, boards: Boards, outcomes: npt.NDArray[np.int64], threads: int) -> PlayValues:
    """Return what all plays of positions and rolls are worth to the movers.

    Args:
        search: the search.
        boards: as for `evaluations`.
        outcomes: int64 [N], their rolls.
        threads: how many share the positions.
    """
    shallow = (search.depth == 1 and not _solved(search, boards)) or not len(boards)
    values = partial(_ranked if shallow else _searched, search, boards, outcomes)
    size = _BLOCKS[1] if shallow else 1
    return PlayValues.joined(in_blocks(values, len(boards), size, threads))


def _ranked(search: Search, boards: Boards, outcomes: npt.NDArray[np.int64], block: slice) -> PlayValues:
    """Return the plays of a block of positions, with equities of depth 1."""
    ranked = search.tree.rank(boards[block], outcomes[block])
    chances = search.static_chances(ranked.rows)
    equities = search.scale.equity(ranked.values)
    kinds, order = np.full(len(equities), EXACT, np.int8), np.arange(len(equities))
    search.sort(order, equities, kinds, search.scale.without_cube(chances), ranked.offsets)
    return PlayValues(
        ranked.offsets,
        turned_boards(ranked.rows[order]),
        equities[order],
        chances[order],
        np.ones(len(order), np.bool_),
    )


def _searched(search: Search, boards: Boards, outcomes: npt.NDArray[np.int64], block: slice) -> PlayValues:
    """Return the plays of a block of one position, with equities of the full depth."""
    (board,), outcome = boards[block], int(outcomes[block.start])
    game = search.scale.game
    n = game.successors(board, outcome, game.params, np.empty((MAX_ROWS, SIZE), np.int8))
    if search.is_solved(tuple(board.tolist())):
        decision = search.solved_plays(board, outcome)
    else:
        decision = search.tree.decide(board, outcome, search.depth, top=n, leaves=True, table=search.table())
    order, chances = decision.order.copy(), search.chances(decision)
    equities = search.scale.equity(decision.values)
    search.sort(order, equities, decision.kind, search.scale.without_cube(chances))
    return PlayValues(
        np.array([0, n]),
        turned_boards(decision.rows[order]),
        equities[order],
        chances[order],
        decision.exact[order],
    )


def cube_decisions(decisions: Sequence[CubeDecision]) -> CubeDecisions:
    """Return N decisions about the cube as arrays."""

    def equities(values: Iterable[CubeValue | None]) -> npt.NDArray[np.float64]:
        return np.array([np.nan if value is None else value.equity for value in values], np.float64)

    chances = np.array([decision.probabilities for decision in decisions]).reshape(-1, 5)
    doubles = np.array([d.action is CubeAction.DOUBLE for d in decisions], np.bool_)
    takes = np.array([d.answer is not CubeAnswer.PASS for d in decisions], np.bool_)
    return CubeDecisions(
        equities(decision.no_double for decision in decisions),
        equities(decision.double_take for decision in decisions),
        equities(decision.double_pass for decision in decisions),
        chances, doubles, takes,
    )  # fmt: skip
