"""Evaluators from plain functions and from modules of torch, beside the same as kernels."""

import gc
import pickle
import weakref

import numpy as np
import pytest

from gammon import search
from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float32Matrix, Float32Vector, UInt64Vector
from gammon.search import Evaluator, GameError, TreeSearch, function_evaluator
from gammon.search.from_function import _FUNCTIONS
from gammon.search.game import Rows, State
from gammon_lab.games import chance_tictactoe, dice_game
from tests.naive.search import outputs

DICE = dice_game.game(4, 3)
SWAPS = chance_tictactoe.GAME


@kernel()
def marks(
    parent: State, rows: Rows, n: int, weights: Float32Vector, out: Float32Matrix, scratch: UInt64Vector
) -> None:
    """Write what the marks of a board are worth, each by its place."""
    for j in range(n):
        total = 0.0
        for place in range(weights.shape[0]):
            total += weights[place] * rows[j, place]
        out[j, 0] = total


def places(game):
    """A worth for each byte of a state, in 256ths, so that sums have no rounding."""
    # The first byte of tic-tac-toe with swaps counts plies, up to 9.
    worth = np.random.default_rng(1).integers(1, 6, game.width) / 256
    return worth.astype(np.float32)


GAMES = {"dice": (DICE, dice_game.root(4), 5), "swaps": (SWAPS, chance_tictactoe.ROOT, 5)}


@pytest.mark.parametrize("name", GAMES)
def test_values_are_those_of_the_same_evaluator_as_a_kernel(name):
    game, root, depth = GAMES[name]
    weights = places(game)
    slow = function_evaluator(game, lambda states: states @ weights)
    fast = Evaluator(marks, weights)
    rows = np.array([root, *np.eye(game.width, dtype=np.int8)])
    assert (outputs(slow, root, rows) == outputs(fast, root, rows)).all()
    plain = TreeSearch(game, fast, "expectimax").decide(root, 0, depth)
    assert len(set(plain.values.tolist())) > 1, "all plays are worth the same"
    for algorithm in search.ALGORITHMS:
        found = TreeSearch(game, slow, algorithm).decide(root, 0, depth)
        same = TreeSearch(game, fast, algorithm).decide(root, 0, depth)
        assert found.stats == same.stats
        assert (found.rows[found.order] == same.rows[same.order]).all()
        assert (found.values == same.values).all()
        assert found.values[found.order[0]] == pytest.approx(plain.values.max(), abs=1e-12)


def test_a_module_is_asked_as_its_function_is():
    torch = pytest.importorskip("torch")
    layer = torch.nn.Linear(DICE.width, 1)
    with torch.no_grad():
        layer.weight.copy_(torch.from_numpy(places(DICE))[None])
        layer.bias.zero_()
    module = torch.nn.Sequential(layer, torch.nn.Dropout())  # which does nothing, once it plays
    fast = Evaluator(marks, places(DICE))
    for made in (module, torch.nn.Sequential(module, torch.nn.Flatten(0))):
        evaluator = function_evaluator(DICE, made)
        for algorithm in ("star2", "expectimax"):
            found = TreeSearch(DICE, evaluator, algorithm).value(dice_game.root(4), 4)
            same = TreeSearch(DICE, fast, algorithm).value(dice_game.root(4), 4)
            assert found.value == pytest.approx(same.value, abs=1e-6)
            assert found.stats == same.stats


def test_it_keeps_the_contract_and_helpers_may_ask_it():
    weights = places(DICE)
    evaluator = function_evaluator(DICE, lambda states: states @ weights)
    assert search.check_game(DICE, evaluator, [dice_game.root(4)], most=30) > 1
    tree = TreeSearch(DICE, evaluator)
    alone, shared = (tree.decide(dice_game.root(4), 0, 5, threads=threads) for threads in (1, 3))
    assert (alone.values == shared.values).all()


def test_states_of_finished_games_may_get_any_number():
    def nan_or_zero(states):
        over = np.array([DICE.terminal(row, 0, DICE.params) < 2 for row in states])
        return np.where(over, np.nan, 0.0)

    found = TreeSearch(DICE, function_evaluator(DICE, nan_or_zero)).value(dice_game.root(4), 6)
    assert -1 < found.value < 1


def test_a_function_may_write_into_its_states():
    weights = places(DICE)

    def careless(states):
        values = states @ weights
        states[:] = 1
        return values

    found = TreeSearch(DICE, function_evaluator(DICE, careless)).decide(dice_game.root(4), 0, 5)
    same = TreeSearch(DICE, Evaluator(marks, weights)).decide(dice_game.root(4), 0, 5)
    assert (found.rows == same.rows).all()
    assert (found.values == same.values).all()


def fails(states):
    raise ZeroDivisionError("the function's own")


@pytest.mark.parametrize(
    ("function", "error", "words"),
    [
        (lambda states: states[:, :1] * 0.0, GameError, r"float64 of shape \(4, 1\) for 4"),
        (lambda states: 0.0, GameError, r"float64 of shape \(\) for 4 states"),
        (lambda states: ["a"] * len(states), GameError, "<U1 of shape"),
        (lambda states: np.full(len(states), 1.5), GameError, r"gives 1.5 to .*expected -1 to"),
        (lambda states: np.full(len(states), np.nan), GameError, "gives nan to"),
        (fails, ZeroDivisionError, "the function's own"),
    ],
)
def test_a_search_ends_with_what_is_wrong_with_it(function, error, words):
    tree = TreeSearch(DICE, function_evaluator(DICE, function))
    with pytest.raises(error, match=words):
        tree.decide(dice_game.root(4), 0, 3)


def test_what_is_no_function_is_refused():
    with pytest.raises(GameError, match="3 as evaluator; expected a function"):
        function_evaluator(DICE, 3)


def test_it_stays_in_its_process_and_leaves_nothing():
    gc.collect()  # what tests before this one have left
    before = len(_FUNCTIONS)

    def zeros(states):
        return np.zeros(len(states))

    tree = TreeSearch(DICE, function_evaluator(DICE, zeros))
    tree.value(dice_game.root(4), 2)
    with pytest.raises((pickle.PicklingError, AttributeError)):
        pickle.dumps(tree.evaluator)
    alive = weakref.ref(zeros)
    del tree, zeros
    gc.collect()
    assert alive() is None
    assert len(_FUNCTIONS) == before
