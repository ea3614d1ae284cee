"""Questions that a search refuses, each with one line that says what is wrong."""

import numpy as np
import pytest

from gammon import search
from gammon.compiled.kernel import Kernel
from gammon.games.nothing import NOTHING
from gammon.search import Filter, Options
from gammon_lab.games import misere_nim, synthetic
from gammon_lab.games.synthetic import LEAF
from tests.engine.compiled.test_vector import compiled_only
from tests.engine.search.asked import asked

#: An algorithm of one's own that can do little.
OWN = search.Algorithm("own", search.ALGORITHMS["expectimax"].value)


@pytest.mark.smoke
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"depth": 2}, "depth 2 for a decision"),
        ({"depth": -1}, "depth -1 for a decision"),
        ({"algorithm": "star3"}, "unknown algorithm 'star3'"),
        ({"outcome": 4}, "outcome 4: expected 0 to 3"),
        ({"top": 0}, "top 0"),
        ({"sigma": -0.1}, "noise of -0.1"),
        ({"sigma": float("nan")}, "noise of nan"),
        ({"noise_seed": -1}, "noise seed -1"),
        ({"sigma": float("inf")}, "noise of inf"),
        ({"noise_seed": 2**64}, "noise seed 18446744073709551616"),
        ({"state": [0, 1]}, r"shape \(2,\)"),
        ({"algorithm": "star2.5", "options": Options(probes=0)}, "with 1 probe or more"),
        ({"options": {}}, "expected Options"),
        ({"filter": None}, "expected a Filter"),
        ({"filter": Filter(replies=1.5)}, "expected a Filter"),
        ({"filter": Filter(margin=0.5)}, "a margin of 0.5 without replies"),
        ({"depth": 3.0}, "depth 3.0"),
        ({"depth": "3"}, "depth '3'"),
        ({"depth": 1001}, "so on to 1000"),
        ({"outcome": True}, "outcome True"),
        ({"top": 1.5}, "top 1.5"),
        ({"threads": 1.5}, "1.5 threads"),
        ({"sigma": "a"}, "noise of 'a'"),
        ({"noise_seed": 0.5}, "noise seed 0.5"),
        ({"filter": Filter(2, "x")}, "expected a Filter"),
        ({"max_nodes": -1}, "max_nodes -1"),
        ({"max_nodes": True}, "max_nodes True"),
        ({"max_nodes": 10**30}, "max_nodes 10"),
        ({"max_seconds": float("nan")}, "max_seconds nan"),
        ({"max_seconds": "x"}, "max_seconds 'x'"),
        ({"stop": 1}, "stop 1: expected a Stop"),
        ({"table": 5}, "table 5: expected a Table"),
        ({"table": "x" * 1000}, r"table 'x+\.\.\.: expected a Table"),
        ({"algorithm": ["star2"]}, r"unknown algorithm \['star2'\]"),
        ({"options": Options(probes=2**70)}, "with 1 probe or more"),
        ({"options": Options(clamp="no")}, "Options with clamp='no': expected True or False"),
        ({"filter": Filter(replies=2**70)}, "expected a Filter"),
        ({"filter": Filter(node_bounds="x")}, "node_bounds='x': expected True or False"),
        ({"filter": Filter(2, 10**400)}, "expected a Filter"),
        ({"sigma": 10**400}, "noise of 1000"),
        ({"max_seconds": 10**400}, "max_seconds 1000"),
        ({"filter": Filter(-1)}, "replies"),
        ({"filter": Filter(2, -0.1)}, "replies"),
        ({"filter": Filter(2, float("nan"))}, "replies"),
        ({"filter": Filter(2), "algorithm": OWN}, "own with a filter of replies"),
        ({"threads": 0}, "0 threads"),
        ({"threads": 10**7}, "10000000 threads: expected 1 to 256"),
        ({"threads": 2, "max_nodes": 5}, "2 threads"),
        ({"threads": 2, "options": Options(divide=False)}, "2 threads"),
        ({"threads": 2, "algorithm": "expectimax"}, "2 threads"),
        ({"threads": 2, "algorithm": OWN}, "2 threads"),
        ({"algorithm": OWN._replace(probes=-1)}, "algorithm 'own' with -1 probes"),
        ({"algorithm": OWN._replace(parameters=[1])}, r"algorithm 'own' with \[1\]"),
        ({"algorithm": OWN._replace(below=(1.0,))}, "as many numbers below a decision"),
        ({"algorithm": OWN._replace(cuts=1)}, "algorithm 'own' with cuts=1: expected True"),
        pytest.param(
            {"algorithm": OWN._replace(value=LEAF.evaluate)},
            "algorithm own: value: a kernel of signature",
            marks=compiled_only,
        ),
    ],
)
def test_wrong_questions_are_refused(options, message):
    question = {"state": synthetic.root(-1, 1, 0), "outcome": 0, "depth": 3} | options
    with pytest.raises(search.SearchError, match=message):
        asked("decide", synthetic.game(-1, 1), LEAF, **question)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"depth": 3}, "depth 3 for a chance node"),
        ({"window": (1, 1)}, r"window \(1, 1\)"),
        ({"window": (0, float("nan"))}, "window"),
        ({"window": None}, "window None"),
        ({"window": (-(10**400), 10**400)}, "window"),
        ({"max_nodes": -1}, "max_nodes -1"),
    ],
)
def test_wrong_chance_nodes_are_refused(options, message):
    question = {"state": synthetic.root(-1, 1, 0), "depth": 2} | options
    with pytest.raises(search.SearchError, match=message):
        asked("value", synthetic.game(-1, 1), LEAF, **question)


def test_outcomes_that_cannot_be_are_refused():
    game, state = synthetic.game(-1, 1), synthetic.root(-1, 1, 0)
    with pytest.raises(search.SearchError, match="outcomes"):
        search.TreeSearch(game, LEAF).best([state], [-1], 1)
    with pytest.raises(search.SearchError, match="2 outcomes for 1 states"):
        search.TreeSearch(game, LEAF).best([state], [0, 0], 1)
    for wrong in ([0.7], ["1"], [True]):
        with pytest.raises(search.SearchError, match=r"outcomes .*: expected whole"):
            search.TreeSearch(game, LEAF).rank([state], wrong)
    with pytest.raises(search.SearchError, match="outcomes of several lengths"):
        search.TreeSearch(game, LEAF).best([state, state], [[0], [0, 0]], 1)
    many = [[99] * 10] * 10
    with pytest.raises(search.SearchError, match=r"outcomes [^\n]*\.\.\.: expected whole"):
        search.TreeSearch(game, LEAF).best([state] * 100, np.array(many), 1)
    with pytest.raises(search.SearchError, match="noise seeds"):
        search.TreeSearch(game, LEAF).best([state], [0], 1, noise_seeds=[-1])
    with pytest.raises(search.SearchError, match="expected a game with doubles"):
        search.TreeSearch(game, LEAF).cubes([state], 2)


def test_names_of_games_without_chance_need_one():
    question = (synthetic.game(-1, 1), synthetic.LEAF, synthetic.root(-1, 1, 0), 2)
    for name in search.WITHOUT_CHANCE:
        with pytest.raises(search.SearchError, match="without chance"):
            asked("value", *question, algorithm=name)


def test_a_game_without_chance_has_them():
    game, root = misere_nim.game((1, 2)), misere_nim.root((1, 2))
    for name in search.WITHOUT_CHANCE:
        assert search.TreeSearch(game, NOTHING, name).decide(root, 0, 5).values.max() == 1


def test_whole_numbers_will_do_for_bounds():
    game = synthetic.game(-1, 1)._replace(low=-1, high=1)
    state = synthetic.root(-1, 1, 3)
    whole = search.TreeSearch(game, LEAF).value(state, 2, window=(-1, 1)).value
    assert whole == search.TreeSearch(synthetic.game(-1, 1), LEAF).value(state, 2).value


@pytest.mark.parametrize(
    ("game", "leaf", "message"),
    [
        ({"terminal": lambda state, stake, params: 0.0}, {}, "terminal: expected a kernel"),
        ({"terminal": synthetic.outcomes}, {}, "terminal: a kernel of signature"),
        ({"params": np.zeros(4)[::2]}, {}, "the game's parameters: float64 of shape"),
        ({"params": np.zeros((1, 1))}, {}, "the game's parameters"),
        ({"params": np.broadcast_to(0.0, 1)}, {}, "the game's parameters: read-only"),
        ({"fits": 1}, {}, "fits is 1; expected a function"),
        ({"stake": 2**70}, {}, "stake is 1180591620717411303424"),
        ({}, {"weights": np.zeros(3)}, "the evaluator's weights: float64"),
        ({}, {"fold": synthetic.LEAF.evaluate}, "fold: a kernel of signature"),
    ],
)
def test_what_kernels_would_misread_is_refused(game, leaf, message):
    if not isinstance(synthetic.outcomes, Kernel) and "kernel" in message:
        pytest.skip("plain Python takes any function")
    question = (
        synthetic.game(-1, 1)._replace(**game),
        synthetic.LEAF._replace(**leaf),
        synthetic.root(-1, 1, 0),
        2,
    )
    with pytest.raises(search.SearchError, match=message):
        asked("value", *question)


GAME, ROOT = synthetic.game(-1, 1), synthetic.root(-1, 1, 0)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"width": 0}, "width is 0; expected a whole number, 1 to 1048576"),
        ({"width": 10**20}, "width is 100000000000000000000; expected"),
        ({"max_outcomes": 2.5}, "max_outcomes is 2.5"),
        ({"max_outcomes": 10**20}, "max_outcomes is 100000000000000000000; expected"),
        ({"max_successors": 2**20 + 1}, "max_successors is 1048577; expected"),
        ({"max_successors": "4"}, "max_successors is '4'"),
        ({"stake": None}, "stake is None"),
        ({"low": 2.0}, "bounds of 2.0 and 1.0; expected two finite numbers"),
        ({"high": np.inf}, "bounds of -1.0 and inf"),
        ({"low": np.nan}, "bounds of nan"),
        ({"low": None}, "bounds of None"),
        ({"params": [1.0]}, "the game's parameters: of type list"),
    ],
)
def test_games_of_wrong_sizes_are_refused(changes, message):
    with pytest.raises(search.GameError, match=message):
        search.TreeSearch(GAME._replace(**changes), LEAF).value(ROOT, 2)


@pytest.mark.parametrize(
    ("evaluator", "message"),
    [
        (LEAF.evaluate, "an evaluator of type .*; expected an Evaluator"),
        (LEAF._replace(outputs=0), "the evaluator's outputs: 0"),
        (LEAF._replace(outputs=10**19), "the evaluator's outputs: 1000.*, 1 to 1048576"),
        (LEAF._replace(scratch=-1), "the evaluator's scratch: -1; expected a number of words"),
        (LEAF._replace(scratch=10**20), "the evaluator's scratch: 1000.*, 0 to 1073741824"),
        (LEAF._replace(has_turn=None), "the evaluator's has_turn: None; expected True or Fal"),
        (LEAF._replace(has_turn=1), "the evaluator's has_turn: 1; expected True or False"),
        (LEAF._replace(weights=[1.0]), "the evaluator's weights: of type list"),
    ],
)
def test_evaluators_of_wrong_sizes_are_refused(evaluator, message):
    for question in ({"evaluator": evaluator}, {"evaluator": LEAF, "probe": evaluator}):
        with pytest.raises(search.GameError, match=message):
            asked("decide", GAME, state=ROOT, outcome=0, depth=1, **question)


def test_a_game_is_a_game():
    with pytest.raises(search.GameError, match="a game of type tuple; expected a Game"):
        search.TreeSearch(tuple(GAME), LEAF).value(ROOT, 2)


@pytest.mark.parametrize(
    ("state", "message"),
    [
        (np.full(12, 300), "states with 300 for random trees .*: expected whole numbers of"),
        ([128] * 12, "states with 128"),
        ([0.5] * 12, "states with 0.5"),
        ([np.nan] * 12, "states with nan"),
        ("opening", "states of type <U7"),
        ([None] * 12, "states of type object"),
        ([[1], [1, 2]], "states of several lengths"),
        (np.zeros((1, 12), np.int8), r"states of shape \(1, 12\) .*: expected \(12,\)"),
    ],
)
def test_states_that_are_none_are_refused(state, message):
    with pytest.raises(search.SearchError, match=message):
        search.TreeSearch(GAME, LEAF).value(state, 2)


def test_states_of_other_types_are_taken_by_their_numbers():
    expected = search.TreeSearch(GAME, LEAF).value(ROOT, 2).value
    for kind in (np.int64, np.float64, list):
        state = ROOT.tolist() if kind is list else ROOT.astype(kind)
        assert search.TreeSearch(GAME, LEAF).value(state, 2).value == expected


@pytest.mark.parametrize("outcome", [1.5, "1", None])
def test_an_outcome_is_a_whole_number(outcome):
    with pytest.raises(search.SearchError, match=r"outcome .*: expected 0 to 3"):
        search.TreeSearch(GAME, LEAF).decide(ROOT, outcome, 1)
