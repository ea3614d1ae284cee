"""Games and evaluators that break their contract are refused, with the line that says how."""

import numpy as np
import pytest

from gammon.compiled.kernel import Kernel
from gammon.search import GameError, SearchError, Setup, Table, check_game
from gammon.search.game import never_over
from gammon_lab.games import synthetic
from tests.engine.search import broken, tug

JIT = isinstance(tug.terminal, Kernel)
GAME = tug.game(1, 0.5, 3, 0.25)


def names(case):
    return next(iter(case[0].items()))[0] + ": " + case[1][:40]


def expected(messages):
    """The words about a fault: in plain Python an index beyond the end is an error."""
    return messages[0] if JIT else messages[-1]


@pytest.mark.smoke
def test_a_good_game_passes():
    assert check_game(GAME, tug.LEAF, [[0], [3]]) >= 9
    assert check_game(GAME.turned(), tug.LEAF, [[0]]) >= 9
    assert check_game(GAME, tug.LEAF, [[5], [0]]) >= 9
    with pytest.raises(GameError, match=r"the game is over in all states given, \[5\] first"):
        check_game(GAME, tug.LEAF, [[5], [-5]])


def test_how_much_is_looked_at():
    game, root = synthetic.game(-1, 1), synthetic.root(-1, 1, 0, features=0)
    assert check_game(game, synthetic.LEAF, [root], depth=0) == 1
    assert check_game(game, synthetic.LEAF, [root], depth=2) == 1
    assert check_game(game, synthetic.LEAF, [root], most=20) == 21
    roots = [synthetic.root(-1, 1, seed, features=0) for seed in range(4)]
    assert check_game(game, synthetic.LEAF, roots, most=0) == 4


def test_arguments_of_a_check():
    with pytest.raises(SearchError, match="depth 3"):
        check_game(GAME, tug.LEAF, [[0]], depth=3)
    with pytest.raises(SearchError, match=r"shape \(1,\) for tug of war: expected \(N, 1\)"):
        check_game(GAME, tug.LEAF, [0])
    with pytest.raises(SearchError, match="no states of tug of war"):
        check_game(GAME, tug.LEAF, np.zeros((0, 1), np.int8))
    for wrong in {"seed": -1}, {"most": "x"}:
        with pytest.raises(SearchError, match="expected a whole number"):
            check_game(GAME, tug.LEAF, [[0]], **wrong)
    with pytest.raises(GameError, match="an evaluator of type NoneType"):
        Setup(GAME, None)
    for size in (1e300, 10**400, np.nan):
        with pytest.raises(
            SearchError, match=r"a table of .* MB: expected .*, at most 1000000"
        ):
            Table.allocate(GAME, size)
    with pytest.raises(SearchError, match="a table of -1 MB"):
        Table.allocate(GAME, -1)


@pytest.mark.parametrize("ask", ["best", "rank"])
def test_the_first_of_many_decisions_is_looked_at_each_time(ask):
    setup = Setup(GAME, tug.LEAF)
    depth = [1] if ask == "best" else []
    for _ in range(2):
        with pytest.raises(SearchError, match="its game is over"):
            getattr(setup, ask)([[5]], [0], *depth)
        setup.value([0], 4)  # after which the contract is known to be kept


@pytest.mark.parametrize("case", broken.GAMES, ids=names)
def test_broken_games(case):
    game, *messages = case
    with pytest.raises(GameError, match=expected(messages)) as found:
        check_game(GAME._replace(**game), tug.LEAF, [[0]])
    assert str(found.value).startswith("tug of war: ")
    assert "\n" not in str(found.value)


@pytest.mark.parametrize("case", broken.EVALUATORS, ids=names)
def test_broken_evaluators(case):
    leaf, *messages = case
    with pytest.raises(GameError, match=expected(messages)):
        check_game(GAME, tug.LEAF._replace(**leaf), [[0]])


#: Harmless: a successor twice costs time only. Far away: a search ends before it.
SPARED = ("the same twice", "-inf", "is -?[23]", "the function bounds")


@pytest.mark.parametrize("case", broken.GAMES, ids=names)
def test_searches_find_them_too(case):
    game, *messages = case
    depth = 2
    if any(part in messages[0] for part in SPARED):
        depth = 12
    setup = Setup(GAME._replace(**game), tug.LEAF)
    if "twice" in messages[0]:
        setup.value([0], 2)
        return
    with pytest.raises(GameError, match=expected(messages)):
        setup.value([0], depth)
    with pytest.raises(GameError):
        setup.decide([0], 1, depth + 1)
    with pytest.raises(GameError):
        setup.best([[0]], [1], depth + 1)


@pytest.mark.parametrize("case", broken.EVALUATORS, ids=names)
def test_searches_find_broken_evaluators(case):
    leaf, *messages = case
    wrong = tug.LEAF._replace(**leaf)
    with pytest.raises(GameError, match=expected(messages)):
        Setup(GAME, wrong).decide([0], 1, 5)


def test_an_evaluator_of_somebody_else_is_looked_at_in_our_games_too():
    leaf = synthetic.LEAF._replace(evaluate=broken.vain)
    with pytest.raises(GameError, match="writes into rows, which it may only read"):
        Setup(synthetic.game(-1, 1), leaf).value(synthetic.root(-1, 1, 0), 2)


def test_a_probe_may_be_beyond_the_bounds_but_not_beyond_its_memory():
    loud = tug.LEAF._replace(weights=tug.LEAF.weights * 100)
    Setup(GAME, tug.LEAF, probe=loud).decide([0], 1, 5)
    with pytest.raises(GameError, match="weights" if JIT else "IndexError"):
        Setup(GAME, tug.LEAF, probe=loud._replace(weights=tug.LEAF.weights[:3])).decide(
            [0], 1, 5
        )


def test_noise_keeps_static_values_within_the_bounds():
    loud = tug.LEAF._replace(weights=tug.LEAF.weights * 100)
    assert abs(Setup(GAME, loud, sigma=0.1).value([0], 2).value) <= GAME.high
    with pytest.raises(GameError, match="the static value"):
        Setup(GAME, loud).value([0], 2)


def spoiled(ask, factor, algorithm="star2"):
    """A search whose evaluator has another scale after its first question, which `ask` asks."""
    leaf = tug.LEAF._replace(weights=tug.LEAF.weights.copy())
    setup = Setup(GAME, leaf, algorithm)
    ask(setup)
    leaf.weights[:] *= np.float32(factor)
    return setup


def test_a_search_looks_once():
    setup = spoiled(lambda setup: setup.decide([0], 1, 5), 100)
    with pytest.raises(GameError, match=r"tug of war: the value of \[0\] is .*, its bounds"):
        setup.decide([0], 1, 5)
    with pytest.raises(GameError, match=r"tug of war: the value of \[0\]"):
        setup.value([0], 4)
    with pytest.raises(GameError, match="the static value"):
        setup.decide([0], 1, 7)


def test_searches_of_many_look_at_all_values():
    words = r"tug of war: the value of \[-?\d\] is .*, its bounds"
    with pytest.raises(GameError, match=words):
        spoiled(lambda setup: setup.values([[0]], 2), 100).values([[0], [3]], 2)
    with pytest.raises(GameError, match=words):
        spoiled(lambda setup: setup.rank([[0]], [0]), 100).rank([[0], [3]], [0, 1])


@pytest.mark.parametrize("algorithm", ["star2", "expectimax"])
def test_a_value_that_is_none_is_beyond_the_bounds(algorithm):
    setup = spoiled(lambda setup: setup.value([0], 4), np.nan, algorithm)
    with pytest.raises(GameError, match=r"tug of war: the value of \[0\] is (nan|-?inf)"):
        setup.value([0], 4)


def test_a_finished_game_tells_nothing():
    Setup(GAME._replace(max_successors=1), tug.LEAF).value([5], 2)
    with pytest.raises(GameError, match="successors"):
        Setup(GAME._replace(max_successors=1), tug.LEAF).value([0], 2)


def test_decisions_that_are_none():
    with pytest.raises(SearchError, match=r"a decision in \[5\] of tug of war: its game is"):
        Setup(GAME, tug.LEAF).decide([5], 0, 1)
    few = Setup(synthetic.game(-1, 1), synthetic.LEAF)
    root = next(
        state for state in (synthetic.root(-1, 1, seed) for seed in range(99))
        if synthetic.outcomes(state, np.zeros(1), np.zeros(4)) == 1
    )  # fmt: skip
    for _ in range(2):
        with pytest.raises(SearchError, match="outcome 3: expected 0 to 0"):
            few.decide(root, 3, 1)
        few.decide(root, 0, 1)


def test_a_table_of_another_game():
    table = Table.allocate(synthetic.game(-1, 1), 0.01)
    with pytest.raises(SearchError, match="a table for states of 12 bytes"):
        Setup(GAME, tug.LEAF).decide([0], 1, 5, table=table)
    with pytest.raises(SearchError, match="a table for states of 12 bytes"):
        Setup(GAME, tug.LEAF).value([0], 4, table=table)


@pytest.mark.skipif(JIT, reason="compiled code wraps numbers around without a word")
def test_plain_python_sees_bytes_that_overflow():
    growing = GAME._replace(successors=broken.growing, terminal=never_over)
    with pytest.raises(GameError, match=r"successors of \[100\] .* raises .*overflow"):
        check_game(growing, tug.LEAF._replace(evaluate=broken.nothing), [[100]])
