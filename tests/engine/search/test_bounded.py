"""Bounded search against its definition, and without widths against expectimax."""

import numpy as np
import pytest

from gammon import search
from gammon.base.errors import SearchError
from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float32Matrix, Float32Vector, UInt64Vector
from gammon.search import Evaluator, Filter, Options, Table, TreeSearch
from gammon.search.algorithms import BOUNDED
from gammon.search.game import Rows, State
from gammon_lab.games import offers, synthetic
from tests.engine.search.asked import CLOSE, assert_soft, root_of
from tests.naive.bounded import bounded_decision, bounded_value, bounded_values

BOUNDS = [(-20, 30), (-1, 1), (5, 10)]


@kernel()
def widths(
    parent: State, rows: Rows, n: int, weights: Float32Vector, out: Float32Matrix, scratch: UInt64Vector
) -> None:
    """Write widths that differ from state to state."""
    synthetic.evaluate(parent, rows, n, weights, out, scratch)
    for j in range(n):
        out[j, 0] = 0.05 * abs(out[j, 0]) + 0.2


@kernel()
def below_0(
    parent: State, rows: Rows, n: int, weights: Float32Vector, out: Float32Matrix, scratch: UInt64Vector
) -> None:
    """Write widths that no state has."""
    for j in range(n):
        out[j, 0] = -0.5


WIDTH = Evaluator(widths, synthetic.PROBE.weights)
#: k, so that many, some and no values are held; and r_l.
PARAMETERS = [(0.05, 0.6, 0.8), (1.0, 0.5), (4.0, 0.6, 0.8)]


def bounded(game, parameters, leaf=offers.LEAF, **more):
    algorithm, probe = BOUNDED._replace(parameters=parameters), synthetic.PROBE._replace(fold=leaf.fold)
    return TreeSearch(game, leaf, algorithm, probe, width=WIDTH, **more)


@pytest.mark.parametrize("parameters", PARAMETERS)
@pytest.mark.parametrize("depth", [2, 4, 6])
@pytest.mark.parametrize("bounds", BOUNDS)
def test_a_node_has_its_defined_value(bounds, depth, parameters):
    held = 0
    for seed in range({2: 12, 4: 6, 6: 3}[depth]):
        family = offers.FAMILIES[(5 * seed) % len(offers.FAMILIES)]
        game, root = offers.game(*bounds, *family), root_of(bounds, seed)
        exact, tree = TreeSearch(game, offers.LEAF), bounded(game, parameters)
        for on_turn in (False, True):
            settings = game, offers.LEAF, WIDTH, parameters, root, depth, game.stake, on_turn
            true = bounded_value(*settings, free=True)
            found = tree.value(root, depth, on_turn=on_turn)
            assert found.value == pytest.approx(true, abs=CLOSE), (seed, on_turn)
            held += abs(exact.value(root, depth, on_turn=on_turn).value - true) > CLOSE
            middle = (game.low + game.high) / 2
            for window in ((true - 1, true + 1), (true, true + 2), (true - 2, true), (middle, game.high)):
                part = tree.value(root, depth, on_turn=on_turn, window=window)
                assert_soft(part.value, true, window)
    if depth == 2:
        assert held == 0, "the root is free"
    elif parameters[0] < 1.0:
        assert held > 0


@pytest.mark.parametrize("parameters", PARAMETERS)
@pytest.mark.parametrize("depth", [3, 5, 7, 9])
@pytest.mark.parametrize("bounds", BOUNDS[:2])
def test_a_decision_has_its_defined_values(bounds, depth, parameters):
    cut = 0
    for seed in range({3: 12, 5: 6, 7: 3, 9: 1}[depth]):
        family = offers.FAMILIES[(5 * seed) % len(offers.FAMILIES)]
        game, root = offers.game(*bounds, *family), root_of(bounds, seed)
        settings, tree = (game, offers.LEAF, WIDTH, parameters), bounded(game, parameters)
        deeper = bounded_values(*settings, root, 0, depth)
        true = deeper[depth]
        for top in (1, 2):
            leading, ceilings = bounded_decision(*settings, deeper, top)
            best = sorted(leading.values(), reverse=True)
            cut += len(ceilings)
            for table in (None, Table.allocate(game, 0.1)):
                decision = tree.decide(root, 0, depth, top=top, table=table)
                assert decision.values[decision.order[:top]] == pytest.approx(best, abs=CLOSE)
                for row, value, exact in zip(decision.rows, decision.values, decision.exact, strict=True):
                    key = row.tobytes()
                    if key in ceilings:
                        assert not exact
                        assert min(true[key], ceilings[key]) - CLOSE < value < best[-1] + CLOSE
                    elif exact:
                        assert value == pytest.approx(true[key], abs=CLOSE)
                    else:
                        assert value > true[key] - CLOSE
    if depth == 3:
        assert cut == 0
    elif depth < 9 and parameters[0] < 1.0:
        assert cut > 0


@pytest.mark.parametrize("bounds", BOUNDS[:2])
def test_a_cube_has_its_defined_values(bounds):
    for seed in range(12):
        family = offers.FAMILIES[seed]
        game, root = offers.game(*bounds, *family), root_of(bounds, seed)
        tree = bounded(game, PARAMETERS[1])
        for depth in (4, 2):
            found = tree.cube(root, depth)
            settings = game, offers.LEAF, WIDTH, PARAMETERS[1], root, depth
            assert found.no_double == pytest.approx(
                bounded_value(*settings, game.stake, free=True), abs=CLOSE
            )
            if found.double_take is not None:
                double = game.offer(game.stake, game.params)
                taken = double.factor * bounded_value(*settings, double.stake, free=True)
                assert found.double_take == pytest.approx(taken, abs=CLOSE)


def test_threads_tables_and_options_change_no_value():
    for seed in range(6):
        family = offers.FAMILIES[seed]
        game, root = offers.game(-20, 30, *family), root_of((-20, 30), seed)
        tree = bounded(game, PARAMETERS[1])
        one = tree.decide(root, 0, 7, top=2, leaves=True)
        many = tree.decide(root, 0, 7, top=2, leaves=True, threads=3)
        assert np.array_equal(one.values, many.values)
        assert one.stats == many.stats
        for options in (Options(divide=False), Options(deepen=False), Options(likely_first=False)):
            other = bounded(game, PARAMETERS[1], options=options).decide(root, 0, 7, top=2)
            first = one.order[:2]
            assert other.values[other.order[:2]] == pytest.approx(one.values[first], abs=CLOSE)


def test_without_widths_it_is_expectimax():
    for seed in range(6):
        game, root = offers.game(-20, 30, *offers.FAMILIES[seed]), root_of((-20, 30), seed)
        exact = TreeSearch(game, offers.LEAF, "expectimax").value(root, 4, on_turn=True)
        free = TreeSearch(game, offers.LEAF, BOUNDED).value(root, 4, on_turn=True)
        wide = bounded(game, (1e9, 1.0)).value(root, 4, on_turn=True)
        assert free.value == pytest.approx(exact.value, abs=CLOSE)
        assert wide.value == pytest.approx(exact.value, abs=CLOSE)


def test_leaves_of_a_free_node_have_its_value():
    """Where nothing is held, the mean of the principal leaves is the value."""
    whole = 0
    for seed in range(20):
        game, root = synthetic.game(-20, 30), root_of((-20, 30), seed)
        tree = bounded(game, (500.0, 1.0), leaf=synthetic.LEAF)
        found = tree.value(root, 4, leaves=True)
        exact = TreeSearch(game, synthetic.LEAF).value(root, 4, leaves=True)
        if found.value == pytest.approx(exact.value, abs=CLOSE):
            mean = 0.0
            for row, probability, sign in zip(*found.leaves, strict=True):
                static = TreeSearch(game if sign > 0 else game.for_opponent(), synthetic.LEAF)
                mean += probability * sign * static.value(row, 0).value
            assert mean == pytest.approx(found.value, abs=1e-5)
            whole += 1
    assert whole > 3


def test_what_it_refuses():
    game = synthetic.game(-20, 30)
    for more in ({"sigma": 0.1}, {"filter": Filter(node_bounds=True)}, {"options": Options(fail_hard=True)}):
        with pytest.raises(SearchError, match="bounded with noise, a filter or `fail_hard`"):
            bounded(game, PARAMETERS[0], leaf=synthetic.LEAF, **more)
    with pytest.raises(search.GameError, match="expected an Evaluator"):
        TreeSearch(game, synthetic.LEAF, BOUNDED, width=3)
    tree = TreeSearch(game, synthetic.LEAF, BOUNDED, width=Evaluator(below_0, np.zeros(0, np.float32)))
    with pytest.raises(search.GameError, match=r"evaluate.*gives -0\.5; expected 0 or more"):
        tree.value(synthetic.root(-20, 30, 1), 2)
