"""Games and evaluators that break their contract are refused, with the line that says how."""

import numpy as np
import pytest

from gammon import search
from gammon.games import synthetic
from gammon.search import GameError, SearchError, Table, check_game, contract
from gammon.search.contract import _seen
from tests.search import broken, tug

JIT = hasattr(tug.terminal, "overloads")
GAME = tug.game(1, 0.5, 3, 0.25)


@pytest.fixture(autouse=True)
def _nothing_seen():
    """Searches of this module look as if they were the first ones."""
    before = dict(_seen)
    _seen.clear()
    yield
    _seen.clear()
    _seen.update(before)


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
    question = GAME._replace(**game), tug.LEAF, [0]
    if "twice" in messages[0]:
        search.chance_value(*question, 2)
        return
    with pytest.raises(GameError, match=expected(messages)):
        search.chance_value(*question, depth)
    with pytest.raises(GameError):
        search.decide(*question, 1, depth + 1)
    with pytest.raises(GameError):
        search.decide_many(question[0], tug.LEAF, [[0]], [1], depth + 1)


@pytest.mark.parametrize("case", broken.EVALUATORS, ids=names)
def test_searches_find_broken_evaluators(case):
    leaf, *messages = case
    wrong = tug.LEAF._replace(**leaf)
    with pytest.raises(GameError, match=expected(messages)):
        search.decide(GAME, wrong, [0], 1, 5)


def test_a_probe_may_be_beyond_the_bounds_but_not_beyond_its_memory():
    loud = tug.LEAF._replace(weights=tug.LEAF.weights * 100)
    search.decide(GAME, tug.LEAF, [0], 1, 5, probe=loud)
    with pytest.raises(GameError, match="weights" if JIT else "IndexError"):
        search.decide(
            GAME, tug.LEAF, [0], 1, 5, probe=loud._replace(weights=tug.LEAF.weights[:3])
        )


def test_noise_keeps_static_values_within_the_bounds():
    loud = tug.LEAF._replace(weights=tug.LEAF.weights * 100)
    assert abs(search.chance_value(GAME, loud, [0], 2, sigma=0.1).value) <= GAME.high
    with pytest.raises(GameError, match="the static value"):
        search.chance_value(GAME, loud, [0], 2)


def test_a_search_looks_once():
    loud = tug.LEAF._replace(weights=tug.LEAF.weights * 100)
    search.decide(GAME, tug.LEAF, [0], 1, 5)
    with pytest.raises(GameError, match=r"tug of war: the value of \[0\] is .*, its bounds"):
        search.decide(GAME, loud, [0], 1, 5)
    with pytest.raises(GameError, match=r"tug of war: the value of \[0\]"):
        search.chance_value(GAME, loud, [0], 4)
    with pytest.raises(GameError, match="the static value"):
        search.decide(GAME, loud, [0], 1, 7)


def test_what_was_seen_does_not_grow_for_ever(monkeypatch):
    monkeypatch.setattr(contract, "_MOST_SEEN", 3)
    for stake in range(1, 9):
        search.chance_value(GAME._replace(stake=stake), tug.LEAF, [0], 2)
        assert len(_seen) == (stake - 1) % 3 + 1


def test_searches_of_many_look_at_all_values():
    loud = tug.LEAF._replace(weights=tug.LEAF.weights * 100)
    search.chance_values(GAME, tug.LEAF, [[0]], 2)
    search.rank_many(GAME, tug.LEAF, [[0]], [0])
    words = r"tug of war: the value of \[-?\d\] is .*, its bounds"
    with pytest.raises(GameError, match=words):
        search.chance_values(GAME, loud, [[0], [3]], 2)
    with pytest.raises(GameError, match=words):
        search.rank_many(GAME, loud, [[0], [3]], [0, 1])


@pytest.mark.parametrize("algorithm", ["star2", "expectimax"])
def test_a_value_that_is_none_is_beyond_the_bounds(algorithm):
    search.chance_value(GAME, tug.LEAF, [0], 4)
    silent = tug.LEAF._replace(weights=tug.LEAF.weights * np.float32(np.nan))
    with pytest.raises(GameError, match=r"tug of war: the value of \[0\] is (nan|-?inf)"):
        search.chance_value(GAME, silent, [0], 4, algorithm)


def test_a_finished_game_tells_nothing():
    search.chance_value(GAME._replace(max_successors=1), tug.LEAF, [5], 2)
    with pytest.raises(GameError, match="successors"):
        search.chance_value(GAME._replace(max_successors=1), tug.LEAF, [0], 2)


def test_decisions_that_are_none():
    with pytest.raises(SearchError, match=r"a decision in \[5\] of tug of war: its game is"):
        search.decide(GAME, tug.LEAF, [5], 0, 1)
    few = synthetic.game(-1, 1), synthetic.LEAF
    root = next(
        state for state in (synthetic.root(-1, 1, seed) for seed in range(99))
        if synthetic.outcomes(state, np.zeros(1), np.zeros(4)) == 1
    )  # fmt: skip
    for _ in range(2):
        with pytest.raises(SearchError, match="outcome 3: expected 0 to 0"):
            search.decide(*few, root, 3, 1)
        search.decide(*few, root, 0, 1)


def test_a_table_of_another_game():
    table = Table.allocate(synthetic.game(-1, 1), 0.01)
    with pytest.raises(SearchError, match="a table for states of 12 bytes"):
        search.decide(GAME, tug.LEAF, [0], 1, 5, table=table)
    with pytest.raises(SearchError, match="a table for states of 12 bytes"):
        search.chance_value(GAME, tug.LEAF, [0], 4, table=table)


@pytest.mark.skipif(JIT, reason="compiled code wraps numbers around without a word")
def test_plain_python_sees_bytes_that_overflow():
    growing = GAME._replace(successors=broken.growing, terminal=broken.never)
    with pytest.raises(GameError, match=r"successors of \[100\] .* raises .*overflow"):
        check_game(growing, tug.LEAF._replace(evaluate=broken.nothing), [[100]])
