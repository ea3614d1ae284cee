"""The games of the papers keep the contract, and states from outside have room."""

from typing import Any

import numpy as np
import pytest

from gammon import search
from gammon.eval.evaluators import load_evaluator
from gammon.games.backgammon import BACKGAMMON, backgammon
from gammon.games.nothing import NOTHING
from gammon.rules.board import OPENING
from gammon.rules.terms import MONEY_TERMS
from gammon.search import NOT_OVER, Options, SearchError, Table, check_game
from gammon.search.contract import ContractChecker
from gammon.search.game import Evaluator, Game
from gammon_lab.games import (
    ballard,
    chance_tictactoe,
    dice_game,
    iterated_match,
    misere_nim,
    random_nim,
    synthetic,
    uniform,
    written,
)
from tests.naive.search import chances, payoff, replies

# The games of the papers: each keeps the contract, and all algorithms agree on each.

#: Game, evaluator, root, depth of a search that expectimax can do from every state.
CASES: dict[str, tuple[Any, Any, Any, int]] = {
    "ballard": (ballard.game(5, True), ballard.LEAF, ballard.root(7), 3),
    "ballard best": (ballard.game(4, False), ballard.LEAF, ballard.root(), 3),
    "tic-tac-toe": (chance_tictactoe.GAME, NOTHING, chance_tictactoe.ROOT, 7),
    "dice 3x3": (dice_game.game(3, 3), dice_game.leaf(3, 3), dice_game.root(3), 7),
    "dice 5x5": (dice_game.game(5, 4), dice_game.leaf(5, 4), dice_game.root(5), 5),
    "iterated": (iterated_match.game(), NOTHING, iterated_match.root(), 15),
    "misere NIM": (misere_nim.game((1, 2, 3)), NOTHING, misere_nim.root((1, 2, 3)), 11),
    "random NIM": (random_nim.game((1, 2, 2), (1, 3)), NOTHING, random_nim.root((1, 2, 2)), 7),
    "uniform": (uniform.game(3), uniform.LEAF, uniform.root(), 7),
}


#: Other games: game, evaluator, root, and how many states are looked at.
OTHERS: dict[str, tuple[Any, Any, Any, int]] = {
    "backgammon": (BACKGAMMON, NOTHING, OPENING, 30),
    "trees": (synthetic.game(-5, 10), synthetic.LEAF, synthetic.root(-5, 10, 1, 7), 100),
    "trees, probe": (synthetic.game(5, 9), synthetic.PROBE, synthetic.root(5, 9, 2, 6), 100),
    "written": (written.game(-9, 9), NOTHING, written.tree([[1, -9], [9, 2]], [1, 3]), 10),
}


@pytest.mark.smoke
@pytest.mark.parametrize("name", [*CASES, *OTHERS])
def test_the_search_may_trust_it(name):
    game, evaluator, root, number = (CASES | OTHERS)[name]
    depth, most = (100, number) if name in OTHERS else (number + 1, 60)
    assert check_game(game, evaluator, [root], depth=depth, most=most) > 1 or name == "written"


def playouts(name, games):
    """Yield (state, outcome) of random games; a tree of fixed depth ends with its leaves."""
    game, _, root, depth = CASES[name]
    fixed = name.startswith(("ballard", "uniform"))
    random = np.random.default_rng(1)
    for _ in range(games):
        state, plies = root, 0
        while payoff(game, state) == NOT_OVER and not (fixed and 2 * plies > depth):
            chance = chances(game, state)
            outcome = int(random.choice(len(chance), p=chance))
            yield state, outcome
            rows = replies(game, state, outcome)
            state = rows[random.integers(len(rows))]
            plies += 1


@pytest.mark.parametrize("name", CASES)
def test_all_algorithms_agree(name):
    game, evaluator, root, depth = CASES[name]
    states = [(root, 0), *list(playouts(name, 4))[:: 1 if len(root) < 18 else 5]]
    for state, outcome in states:
        if game.max_outcomes > 1 and name.startswith("ballard") and state[0] != 0:
            continue
        oracle = search.TreeSearch(game, evaluator, "expectimax").decide(state, outcome, depth)
        for algorithm in search.ALGORITHMS:
            for table in (None, Table.allocate(game, 0.1)):
                found = search.TreeSearch(game, evaluator, algorithm, options=Options(probes=2)).decide(
                    state, outcome, depth, table=table
                )
                assert found.values.max() == pytest.approx(oracle.values.max(), abs=1e-9)
                assert (found.values >= oracle.values - 1e-9).all()


# States from outside: a game has room for each that fits, and a search refuses the others.

LEAF = load_evaluator("leaf")
NIM, RANDOM_NIM, TREE, DICE = (
    misere_nim.game([3, 3]),
    random_nim.game([2, 2, 2]),
    written.game(-10, 10),
    dice_game.game(3, 3),
)
CROWDED = [-1, *[1] * 20, *[0] * 5]


@pytest.mark.parametrize(
    ("game", "leaf", "state"),
    [
        (BACKGAMMON, LEAF, CROWDED),
        (backgammon(MONEY_TERMS, None), LEAF, CROWDED),
        (BACKGAMMON, LEAF, [0] * 26),
        (BACKGAMMON, LEAF, [1, *[0] * 24, 1]),
        (NIM, written.EQUAL, [3, 4]),
        (NIM, written.EQUAL, [-1, 0]),
        (RANDOM_NIM, written.EQUAL, [3, 3, 3, 1]),
        (RANDOM_NIM, written.EQUAL, [1, 1, 1, 2]),
        (TREE, written.EQUAL, [4, 4, *[1] * 16]),
        (TREE, written.EQUAL, [100, 100, *[1] * 16]),
        (TREE, written.EQUAL, [1, 0, *[1] * 16]),
        (TREE, written.EQUAL, [2, 1, *[0] * 16]),
        (DICE, dice_game.leaf(3, 3), [0, 0, 0, 0, -128, 0, 0, 0, 0]),
    ],
    ids=lambda each: getattr(each, "name", None),
)
def test_a_state_that_does_not_fit_is_refused(game: Game, leaf: Evaluator, state: list[int]) -> None:
    searcher = search.TreeSearch(game, leaf)
    for ask in (
        lambda: searcher.decide(state, 0, 1),
        lambda: searcher.value(state, 2),
        lambda: searcher.best([state], [0], 3),
        lambda: searcher.values([state], 0),
    ):
        with pytest.raises(SearchError, match="is no state of") as caught:
            ask()
        assert "\n" not in str(caught.value)


def test_each_state_of_a_batch_is_looked_at() -> None:
    searcher = search.TreeSearch(NIM, written.EQUAL)
    with pytest.raises(SearchError, match=r"\[100 100\] is no state of misere NIM"):
        searcher.best([[3, 3], [100, 100]], [0, 0], 3)


@pytest.mark.parametrize(
    ("game", "leaf", "most", "count"),
    [
        (NIM, written.EQUAL, 4, 40),
        (RANDOM_NIM, written.EQUAL, 3, 40),
        (TREE, written.EQUAL, 5, 40),
        (DICE, dice_game.leaf(3, 3), 1, 40),
        (BACKGAMMON, LEAF, 1, 12),
    ],
    ids=lambda each: getattr(each, "name", None),
)
def test_there_is_room_for_what_fits(game: Game, leaf: Evaluator, most: int, count: int) -> None:
    """Any state that fits, whether play comes to it or not, is looked at between guards."""
    checker = ContractChecker(game, leaf, strict=False, bounded=False)
    rng = np.random.default_rng(1)
    looked = 0
    for _ in range(400):
        state = rng.integers(-most, most + 1, game.width).astype(np.int8)
        if game.fits(game, state[None]) == 1:
            checker.check(checker.root(state), 2, 64)
            looked += 1
        if looked == count:
            break
    checker.finish()
    assert looked > 5


def test_trees_without_room_are_refused() -> None:
    for payoffs, parts in (
        ([[1, 2, 3, 4, 5, 6, 7, 8]] * 2, None),
        ([[1]] * 9, None),
        ([[1, 2], [3]], None),
        ([], None),
        ([[1], [2]], [1]),
    ):
        with pytest.raises(SearchError, match="expected as many replies to each outcome"):
            written.tree(payoffs, parts)
