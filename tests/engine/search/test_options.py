"""Every option, alone and in company, with and without a table: never another value."""

from functools import partial
from itertools import product

import numpy as np
import pytest

from gammon import search
from gammon.search import Filter, Options, Table
from gammon_lab.games import synthetic
from tests.engine.search.asked import (
    CLOSE,
    STARS,
    assert_soft,
    assert_true_to,
    decision_of,
    root_of,
    value_of,
)

BOUNDS = [(-3, 3), (5, 10), (-10, -5), (-20, 30)]
DEFAULT = Options()
NARROWED = Filter(node_bounds=True)
#: The default with each switch thrown, and everything thrown at once.
SWITCHES = [name for name in Options._fields if isinstance(getattr(DEFAULT, name), bool)]
THROWN = [DEFAULT._replace(**{name: not getattr(DEFAULT, name)}) for name in SWITCHES]
THROWN.append(DEFAULT._replace(**{name: not getattr(DEFAULT, name) for name in SWITCHES}))
THROWN += [DEFAULT._replace(probes=k) for k in (1, 3, 9)]
narrowing_value = partial(value_of, narrows=True)


@pytest.mark.parametrize("options", THROWN, ids=str)
@pytest.mark.parametrize("bounds", BOUNDS)
def test_no_option_changes_the_value(bounds, options):
    for seed, algorithm in product(range(12), STARS):
        more = {"options": options, "filter": NARROWED if seed % 4 < 2 else Filter()}
        oracle = narrowing_value(bounds, seed, 4, "expectimax", **more).value
        for table in (None, Table.allocate(synthetic.game(*bounds), 0.01)):
            for _ in range(2):  # the second time, the table knows everything
                found = narrowing_value(bounds, seed, 4, algorithm, table=table, **more)
                assert found.value == pytest.approx(oracle, abs=CLOSE), (seed, algorithm)


@pytest.mark.parametrize("fail_hard", [False, True])
@pytest.mark.parametrize("bounds", BOUNDS)
def test_one_table_for_many_windows_and_depths(bounds, fail_hard):
    random = np.random.default_rng(1)
    options = Options(fail_hard=fail_hard)
    hits = 0
    for seed in range(30):
        table = Table.allocate(synthetic.game(*bounds), 0.01)
        for _ in range(12):
            depth = int(random.choice([2, 4, 6]))
            value = narrowing_value(bounds, seed, depth, "expectimax", filter=NARROWED).value
            middle = value + random.normal(0, 0.05) * (bounds[1] - bounds[0])
            window = (middle - 0.3, middle + random.choice([0.3, np.inf]))
            result = narrowing_value(
                bounds, seed, depth, "star2", options=options, filter=NARROWED, table=table,
                window=window,
            )  # fmt: skip
            hits += result.stats.table_hits
            found = result.value
            if fail_hard:
                assert window[0] <= found <= window[1]
            assert_soft(found, value, window)
    assert hits > 50


@pytest.mark.smoke
@pytest.mark.parametrize("options", THROWN, ids=str)
def test_decisions_agree_with_and_without_a_table(options):
    for seed in range(60):
        question, more = ((-20, 30), seed, 5), {"options": options, "narrows": True}
        oracle = decision_of(*question, "expectimax", **more)
        for table in (None, Table.allocate(synthetic.game(-20, 30), 0.1)):
            found = decision_of(*question, "star2.5", top=2, table=table, **more)
            assert_true_to(found, oracle, 2)


def test_what_each_option_saves():
    """Over many trees, the search looks at fewer leaves than without each of these."""

    def leaves(table=True, options=DEFAULT, filter=NARROWED):
        return sum(
            narrowing_value(
                (-20, 30), seed, 6, "star2", options=options, filter=filter,
                table=Table.allocate(synthetic.game(-20, 30), 0.1) if table else None,
                window=(-5.0, 5.0),
            ).stats.leaves
            for seed in range(150)
        )  # fmt: skip

    ours = leaves()
    assert ours < leaves(table=False)
    assert ours < leaves(options=Options(static_order=False))
    assert ours < leaves(filter=Filter())


def test_principal_leaves_survive_a_table():
    for seed in range(40):
        game, root = synthetic.game(-20, 30), root_of((-20, 30), seed, narrows=True)
        table = Table.allocate(game, 0.1)
        for _ in range(2):
            found = search.Setup(game, synthetic.LEAF).value(root, 4, table=table, leaves=True)
            assert found.leaves is not None
            assert found.leaves.probabilities.sum() == pytest.approx(1)
