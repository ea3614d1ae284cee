"""States from outside: a game has room for each that fits, and a search refuses the others."""

import numpy as np
import pytest

from gammon import search
from gammon.eval.evaluators import load_evaluator
from gammon.games.backgammon import BACKGAMMON, backgammon
from gammon.rules.terms import MONEY_TERMS
from gammon.search import SearchError
from gammon.search.contract import Examiner
from gammon.search.game import Evaluator, Game
from gammon_lab.games import dice_game, misere_nim, random_nim, written

LEAF = load_evaluator("leaf")
NIM, RANDOM_NIM, TREE, DICE = (
    misere_nim.game([3, 3]), random_nim.game([2, 2, 2]), written.game(-10, 10),
    dice_game.game(3, 3),
)  # fmt: skip
CROWDED = [-1, *[1] * 20, *[0] * 5]


@pytest.mark.parametrize(
    ("game", "leaf", "state"),
    [
        (BACKGAMMON, LEAF, CROWDED), (backgammon(MONEY_TERMS, None), LEAF, CROWDED),
        (BACKGAMMON, LEAF, [0] * 26), (BACKGAMMON, LEAF, [1, *[0] * 24, 1]),
        (NIM, written.EQUAL, [3, 4]), (NIM, written.EQUAL, [-1, 0]),
        (RANDOM_NIM, written.EQUAL, [3, 3, 3, 1]), (RANDOM_NIM, written.EQUAL, [1, 1, 1, 2]),
        (TREE, written.EQUAL, [4, 4, *[1] * 16]), (TREE, written.EQUAL, [100, 100, *[1] * 16]),
        (TREE, written.EQUAL, [1, 0, *[1] * 16]), (TREE, written.EQUAL, [2, 1, *[0] * 16]),
        (DICE, dice_game.leaf(3, 3), [0, 0, 0, 0, -128, 0, 0, 0, 0]),
    ],
    ids=lambda each: getattr(each, "name", None),
)  # fmt: skip
def test_a_state_that_does_not_fit_is_refused(
    game: Game, leaf: Evaluator, state: list[int]
) -> None:
    setup = search.Setup(game, leaf)
    for ask in (
        lambda: setup.decide(state, 0, 1),
        lambda: setup.value(state, 2),
        lambda: setup.best([state], [0], 3),
        lambda: setup.values([state], 0),
    ):
        with pytest.raises(SearchError, match="is no state of") as caught:
            ask()
        assert "\n" not in str(caught.value)


def test_each_state_of_a_batch_is_looked_at() -> None:
    setup = search.Setup(NIM, written.EQUAL)
    with pytest.raises(SearchError, match=r"\[100 100\] is no state of misere NIM"):
        setup.best([[3, 3], [100, 100]], [0, 0], 3)


@pytest.mark.parametrize(
    ("game", "leaf", "most"),
    [
        (NIM, written.EQUAL, 4), (RANDOM_NIM, written.EQUAL, 3), (TREE, written.EQUAL, 5),
        (DICE, dice_game.leaf(3, 3), 1), (BACKGAMMON, LEAF, 1),
    ],
    ids=lambda each: getattr(each, "name", None),
)  # fmt: skip
def test_there_is_room_for_what_fits(game: Game, leaf: Evaluator, most: int) -> None:
    """Any state that fits, whether play comes to it or not, is looked at between guards."""
    examiner = Examiner(game, leaf, strict=False, bounded=False)
    rng = np.random.default_rng(1)
    looked = 0
    for _ in range(400):
        state = rng.integers(-most, most + 1, game.width).astype(np.int8)
        if game.fits(game, state[None]) == 1:
            examiner.look(examiner.root(state), 2, 64)
            looked += 1
    examiner.finish()
    assert looked > 5


def test_trees_without_room_are_refused() -> None:
    for payoffs, parts in (
        ([[1, 2, 3, 4, 5, 6, 7, 8]] * 2, None), ([[1]] * 9, None), ([[1, 2], [3]], None),
        ([], None), ([[1], [2]], [1]),
    ):  # fmt: skip
        with pytest.raises(SearchError, match="expected as many replies to each outcome"):
            written.tree(payoffs, parts)
