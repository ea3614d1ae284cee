"""One look at a state: what comes back of a good game, and how far it looks.

`test_contract` has the faults that it finds.
"""

import numpy as np
import pytest

from gammon import search
from gammon.compiled.kernel import kernel
from gammon.search.examiner import Examiner
from gammon.search.game import Params
from gammon_lab.games import offers, synthetic
from tests.engine.search import tug


def examiner(game=None, **settings):
    question = {"strict": True, "bounded": True} | settings
    return Examiner(game or tug.game(1, 0, 3, 0), tug.LEAF, **question)


@pytest.mark.smoke
def test_successors_are_seen_from_the_other_side():
    one = examiner(tug.game(1, 0, 3, 0)._replace(low=-6.0, high=5.0))
    node = one.root(tug.root(0))
    assert (node.stake, node.low, node.high) == (1, -6, 5)
    found = one.look(node, 2, breadth=3)
    assert {int(each.state[0]) for each in found} == {1, -1, -2, -3}
    assert {each[1:4] for each in found} == {(-1, -5, 6)}


def test_finished_games_are_not_followed():
    one = examiner()
    assert one.look(one.root(tug.root(5)), 10, 3) == []
    assert {int(each.state[0]) for each in one.look(one.root(tug.root(4)), 10, 3)} == {-3}


def test_depth_0_has_no_successors():
    one = examiner()
    assert one.look(one.root(tug.root(0)), 0, 3) == []


def test_a_decision_looks_at_one_outcome():
    one = examiner()
    found = one.look(one.root(tug.root(0)), 4, 3, outcome=2)
    assert {int(each.state[0]) for each in found} == {1, -3}
    with pytest.raises(search.SearchError, match="outcome 3: expected 0 to 2"):
        one.look(one.root(tug.root(0)), 4, 3, outcome=3)


def test_limits_come_closer_on_the_way_down():
    game = synthetic.game(-10, 10)
    one = Examiner(game, synthetic.LEAF, strict=True, bounded=True)
    features = synthetic.NARROWS
    nodes = [one.root(synthetic.root(-10, 10, 1, features))]
    for _ in range(8):
        nodes = one.look(nodes[0], 4, 4)
    low, high = nodes[0].limits
    assert -10 < low < high < 10
    assert (nodes[0].low, nodes[0].high) == (-10, 10)


def test_static_values_beyond_the_bounds_where_that_does_no_harm():
    game = tug.game(1, 0, 3, 0)
    loud = tug.LEAF._replace(weights=np.full_like(tug.LEAF.weights, 7e5))
    game = game._replace(params=np.array([1, 1, 1, 1.0]))
    one = Examiner(game, loud, strict=True, bounded=False)
    assert one.look(one.root(tug.root(0)), 2, 3)
    one = Examiner(game, loud, strict=True, bounded=True)
    with pytest.raises(search.GameError, match="the static value"):
        one.look(one.root(tug.root(0)), 2, 3)


def doubling(**changed):
    """A game with doubles, the first player to double, with changed parameters."""
    game = offers.game(-20, 30, 1, True)
    params = game.params.copy()
    for place, number in changed.items():
        params[int(place[1:])] = number
    return game._replace(params=params, stake=2, low=-20.0, high=30.0)


def test_a_double_is_followed():
    one = Examiner(doubling(), offers.LEAF, strict=True, bounded=True)
    root = one.root(synthetic.root(-20, 30, 1))
    doubled = one.look(root, 2, 3)[0]
    double = one.game.offer(2, one.game.params)
    assert (doubled.stake, doubled.low, doubled.high) == (1, double.low, double.high)
    assert doubled.state.tolist() == root.state.tolist()


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"p3": 0.0}, "expected 0 < factor <= beaver"),
        ({"p3": np.nan}, "expected finite numbers"),
        ({"p4": 0.25}, "expected 0 < factor <= beaver"),
        ({"p11": 31.0}, "expected cash from -20 to 30, its bounds"),
        ({"p11": -np.inf}, "expected finite numbers"),
        ({"p5": 40.0}, "expected low <= high"),
    ],
)
def test_doubles_that_no_game_has(changed, message):
    with pytest.raises(search.GameError, match=f"offer at stake 2 is Doubled.*; {message}"):
        search.check_game(doubling(**changed), offers.LEAF, [synthetic.root(-20, 30, 1)])


def test_an_offer_that_is_no_double():
    @kernel()
    def nothing(stake: int, params: Params) -> float:
        return 0.0

    with pytest.raises(search.GameError, match="offer"):
        search.check_game(
            doubling()._replace(offer=nothing), offers.LEAF, [synthetic.root(-20, 30, 1)]
        )
