"""The contract of a game, and games with parameters and results of their own."""

from itertools import count, product

import numpy as np
import pytest

from gammon import search
from gammon.compiled.kernel import Kernel, kernel
from gammon.compiled.records import Float64Vector, Int8Vector
from gammon.search import GameError, Options, SearchError, Table, TreeSearch, check_game
from gammon.search.contract import ContractChecker, GuardedArray, call
from gammon.search.game import NOT_OVER, Params, State, first_output, never_over, same_bounds
from gammon_lab.games import offers, synthetic
from tests.engine.search import broken, tug
from tests.engine.search.asked import CLOSE, STARS
from tests.naive.search import defined_value, payoff, replies, static_value

# The contract of a game: what `check_game` finds, one look at a state, and the guards.


@kernel()
def reach(given: Int8Vector, place: int, output: Float64Vector) -> int:
    """Copy two numbers, the second one from and to a place."""
    output[0] = given[0]
    output[place] = given[place]
    return 2


JIT = isinstance(reach, Kernel)
COUNT = count()


def arrays():
    return GuardedArray("given", "width", np.array([3, 4], np.int8)), GuardedArray(
        "output", "size of it", np.empty(2), output=True
    )


@pytest.mark.smoke
def test_a_good_function_is_called_as_ever():
    given, output = arrays()
    assert call(reach, [given, 1, output]) == 2
    assert output.array.tolist() == [3, 4]


@pytest.mark.parametrize("place", [2, 3, 500])
def test_an_index_beyond_the_end(place):
    given, output = arrays()
    wrong = "behind the end of output: size of it is 2" if JIT else "raises IndexError"
    with pytest.raises(GameError, match=wrong):
        call(reach, [given, place, output])


@kernel()
def peek(given: Int8Vector, place: int) -> float:
    return float(given[place])


@pytest.mark.skipif(not JIT, reason="plain Python checks its indices")
@pytest.mark.parametrize("place", [2, 16000])
def test_what_is_read_beyond_the_end(place):
    given, _ = arrays()
    with pytest.raises(GameError, match="reads behind the end of given: width is 2"):
        call(peek, [given, place])


def test_what_is_read_within_is_nobodys_business():
    given, _ = arrays()
    assert [call(peek, [given, place]) for place in (0, 1, -1)] == [3, 4, 4]


def change(given, output):
    output[:] = 1
    given[0] += 1
    return 1


def forget(given, output):
    output[0] = 1
    return 2


def dream(given, output):
    output[0] = next(COUNT)
    return 1


def add(given, output):
    output[:] += 1
    return 2


def boast(given, output):
    output[:] = 1
    return 3


def fail(given, output):
    raise KeyError(5)


def say_nothing(given, output):
    output[:] = 1


@pytest.mark.parametrize(
    ("function", "kind", "wrong"),
    [
        (change, np.float64, "writes into given, which it may only read"),
        (forget, np.int8, "leaves parts of output unwritten"),
        (add, np.int8, "reads what was there before"),
        (dream, np.float64, "gives another result when it is called again"),
        (boast, np.int8, "returns 3; expected 1 to size, 2"),
        (say_nothing, np.int8, "returns None; expected"),
        (fail, np.int8, "raises KeyError: 5"),
    ],
)
def test_faults(function, kind, wrong):
    given, _ = arrays()
    output = GuardedArray("output", "size", np.empty(2, kind), output=True)
    with pytest.raises(GameError, match=wrong):
        call(function, [given, output])


def test_a_kept_output_holds_what_it_held():
    output = GuardedArray("output", "size", np.array([1, 2], np.int8), output=True, kept=True)
    call(add, [arrays()[0], output], 2)
    assert output.array.tolist() == [2, 3]


def test_numbers_that_were_not_written_are_nan():
    output = GuardedArray("output", "size", np.empty(2), output=True)
    call(forget, [arrays()[0], output])
    assert np.isnan(output.array).tolist() == [False, True]


def test_a_large_array_is_compared_at_the_end():
    given = GuardedArray("given", "size", np.zeros(10**6, np.int8))
    _, output = arrays()
    call(change, [given, output])
    with pytest.raises(GameError, match="writes into given"):
        given.check_content()


@kernel()
def at_least(given: Int8Vector, params: Float64Vector) -> float:
    return 1.0 if given[0] >= params[0] else 0.0


@pytest.mark.skipif(not JIT, reason="plain Python checks its indices")
def test_a_limit_read_beyond_the_end():
    params = GuardedArray("params", "their length", np.zeros(0))
    with pytest.raises(GameError, match="reads behind the end of params: their length is 0"):
        call(at_least, [GuardedArray("given", "width", np.array([3], np.int8)), params])


def new_checker(game=None, **settings):
    question = {"strict": True, "bounded": True} | settings
    return ContractChecker(game or tug.game(1, 0, 3, 0), tug.LEAF, **question)


@pytest.mark.smoke
def test_successors_are_seen_from_the_other_side():
    checker = new_checker(tug.game(1, 0, 3, 0)._replace(low=-6.0, high=5.0))
    node = checker.root(tug.root(0))
    assert (node.stake, node.low, node.high) == (1, -6, 5)
    found = checker.check(node, 2, breadth=3)
    assert {int(each.state[0]) for each in found} == {1, -1, -2, -3}
    assert {each[1:4] for each in found} == {(-1, -5, 6)}


def test_finished_games_are_not_followed():
    checker = new_checker()
    assert checker.check(checker.root(tug.root(5)), 10, 3) == []
    assert {int(each.state[0]) for each in checker.check(checker.root(tug.root(4)), 10, 3)} == {-3}


def test_depth_0_has_no_successors():
    checker = new_checker()
    assert checker.check(checker.root(tug.root(0)), 0, 3) == []


def test_a_decision_looks_at_one_outcome():
    checker = new_checker()
    found = checker.check(checker.root(tug.root(0)), 4, 3, outcome=2)
    assert {int(each.state[0]) for each in found} == {1, -3}
    with pytest.raises(search.SearchError, match="outcome 3: expected 0 to 2"):
        checker.check(checker.root(tug.root(0)), 4, 3, outcome=3)


def test_limits_come_closer_on_the_way_down():
    game = synthetic.game(-10, 10)
    checker = ContractChecker(game, synthetic.LEAF, strict=True, bounded=True)
    features = synthetic.NARROWS
    nodes = [checker.root(synthetic.root(-10, 10, 1, features))]
    for _ in range(8):
        nodes = checker.check(nodes[0], 4, 4)
    low, high = nodes[0].limits
    assert -10 < low < high < 10
    assert (nodes[0].low, nodes[0].high) == (-10, 10)


def test_static_values_beyond_the_bounds_where_that_does_no_harm():
    game = tug.game(1, 0, 3, 0)
    loud = tug.LEAF._replace(weights=np.full_like(tug.LEAF.weights, 7e5))
    game = game._replace(params=np.array([1, 1, 1, 1.0]))
    checker = ContractChecker(game, loud, strict=True, bounded=False)
    assert checker.check(checker.root(tug.root(0)), 2, 3)
    checker = ContractChecker(game, loud, strict=True, bounded=True)
    with pytest.raises(search.GameError, match="the static value"):
        checker.check(checker.root(tug.root(0)), 2, 3)


def doubling(**changed):
    """A game with doubles, the first player to double, with changed parameters."""
    game = offers.game(-20, 30, 1, True)
    params = game.params.copy()
    for place, number in changed.items():
        params[int(place[1:])] = number
    return game._replace(params=params, stake=2, low=-20.0, high=30.0)


def test_a_double_is_followed():
    checker = ContractChecker(doubling(), offers.LEAF, strict=True, bounded=True)
    root = checker.root(synthetic.root(-20, 30, 1))
    doubled = checker.check(root, 2, 3)[0]
    double = checker.game.offer(2, checker.game.params)
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
        search.check_game(doubling()._replace(offer=nothing), offers.LEAF, [synthetic.root(-20, 30, 1)])


def test_a_game_that_ends_with_a_double():
    """The search keeps what it knows about the end of a game for all stakes."""

    @kernel()
    def ends(state: State, stake: int, params: Params) -> float:
        return NOT_OVER if stake in (2, -2) else 0.5

    game = doubling()._replace(terminal=ends)
    with pytest.raises(search.GameError, match=r"terminal.*is a payoff after a double, and NOT_OVER before"):
        search.check_game(game, offers.LEAF, [synthetic.root(-20, 30, 1)])


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
    assert check_game(GAME.for_opponent(), tug.LEAF, [[0]]) >= 9
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
        TreeSearch(GAME, None)
    for size in (1e300, 10**400, np.nan):
        with pytest.raises(SearchError, match=r"a table of .* MB: expected .*, at most 1000000"):
            Table.allocate(GAME, size)
    with pytest.raises(SearchError, match="a table of -1 MB"):
        Table.allocate(GAME, -1)


@pytest.mark.parametrize("ask", ["best", "rank"])
def test_the_first_of_many_decisions_is_looked_at_each_time(ask):
    tree = TreeSearch(GAME, tug.LEAF)
    depth = [1] if ask == "best" else []
    for _ in range(2):
        with pytest.raises(SearchError, match="its game is over"):
            getattr(tree, ask)([[5]], [0], *depth)
        tree.value([0], 4)  # after which the contract is known to be kept


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
SPARED = ("the same twice", "-inf", "is -?[23]", "the bounds of an earlier state")


@pytest.mark.parametrize("case", broken.GAMES, ids=names)
def test_searches_find_them_too(case):
    game, *messages = case
    depth = 2
    if any(part in messages[0] for part in SPARED):
        depth = 12
    tree = TreeSearch(GAME._replace(**game), tug.LEAF)
    if "twice" in messages[0]:
        tree.value([0], 2)
        return
    with pytest.raises(GameError, match=expected(messages)):
        tree.value([0], depth)
    with pytest.raises(GameError):
        tree.decide([0], 1, depth + 1)
    with pytest.raises(GameError):
        tree.best([[0]], [1], depth + 1)


@pytest.mark.parametrize("case", broken.EVALUATORS, ids=names)
def test_searches_find_broken_evaluators(case):
    leaf, *messages = case
    wrong = tug.LEAF._replace(**leaf)
    with pytest.raises(GameError, match=expected(messages)):
        TreeSearch(GAME, wrong).decide([0], 1, 5)


def test_an_evaluator_of_somebody_else_is_looked_at_in_our_games_too():
    leaf = synthetic.LEAF._replace(evaluate=broken.vain)
    with pytest.raises(GameError, match="writes into rows, which it may only read"):
        TreeSearch(synthetic.game(-1, 1), leaf).value(synthetic.root(-1, 1, 0), 2)


def test_a_probe_may_be_beyond_the_bounds_but_not_beyond_its_memory():
    loud = tug.LEAF._replace(weights=tug.LEAF.weights * 100)
    TreeSearch(GAME, tug.LEAF, probe=loud).decide([0], 1, 5)
    with pytest.raises(GameError, match="weights" if JIT else "IndexError"):
        TreeSearch(GAME, tug.LEAF, probe=loud._replace(weights=tug.LEAF.weights[:3])).decide([0], 1, 5)


def test_noise_keeps_static_values_within_the_bounds():
    loud = tug.LEAF._replace(weights=tug.LEAF.weights * 100)
    assert abs(TreeSearch(GAME, loud, sigma=0.1).value([0], 2).value) <= GAME.high
    with pytest.raises(GameError, match="the static value"):
        TreeSearch(GAME, loud).value([0], 2)


def spoiled(ask, factor, algorithm="star2"):
    """A search whose evaluator has another scale after its first question, which `ask` asks."""
    leaf = tug.LEAF._replace(weights=tug.LEAF.weights.copy())
    tree = TreeSearch(GAME, leaf, algorithm)
    ask(tree)
    leaf.weights[:] *= np.float32(factor)
    return tree


def test_a_search_looks_once():
    tree = spoiled(lambda tree: tree.decide([0], 1, 5), 100)
    with pytest.raises(GameError, match=r"tug of war: the value of \[0\] is .*, its bounds"):
        tree.decide([0], 1, 5)
    with pytest.raises(GameError, match=r"tug of war: the value of \[0\]"):
        tree.value([0], 4)
    with pytest.raises(GameError, match="the static value"):
        tree.decide([0], 1, 7)


def test_searches_of_many_look_at_all_values():
    words = r"tug of war: the value of \[-?\d\] is .*, its bounds"
    with pytest.raises(GameError, match=words):
        spoiled(lambda tree: tree.values([[0]], 2), 100).values([[0], [3]], 2)
    with pytest.raises(GameError, match=words):
        spoiled(lambda tree: tree.rank([[0]], [0]), 100).rank([[0], [3]], [0, 1])


@pytest.mark.parametrize("algorithm", ["star2", "expectimax"])
def test_a_value_that_is_none_is_beyond_the_bounds(algorithm):
    tree = spoiled(lambda tree: tree.value([0], 4), np.nan, algorithm)
    with pytest.raises(GameError, match=r"tug of war: the value of \[0\] is (nan|-?inf)"):
        tree.value([0], 4)


def test_a_finished_game_tells_nothing():
    TreeSearch(GAME._replace(max_successors=1), tug.LEAF).value([5], 2)
    with pytest.raises(GameError, match="successors"):
        TreeSearch(GAME._replace(max_successors=1), tug.LEAF).value([0], 2)


def test_decisions_that_are_none():
    with pytest.raises(SearchError, match=r"a decision in \[5\] of tug of war: its game is"):
        TreeSearch(GAME, tug.LEAF).decide([5], 0, 1)
    few = TreeSearch(synthetic.game(-1, 1), synthetic.LEAF)
    root = next(
        state
        for state in (synthetic.root(-1, 1, seed) for seed in range(99))
        if synthetic.outcomes(state, np.zeros(1), np.zeros(4)) == 1
    )
    for _ in range(2):
        with pytest.raises(SearchError, match="outcome 3: expected 0 to 0"):
            few.decide(root, 3, 1)
        few.decide(root, 0, 1)


def test_a_table_of_another_game():
    table = Table.allocate(synthetic.game(-1, 1), 0.01)
    with pytest.raises(SearchError, match="a table for states of 12 bytes"):
        TreeSearch(GAME, tug.LEAF).decide([0], 1, 5, table=table)
    with pytest.raises(SearchError, match="a table for states of 12 bytes"):
        TreeSearch(GAME, tug.LEAF).value([0], 4, table=table)


@pytest.mark.skipif(JIT, reason="compiled code wraps numbers around without a word")
def test_plain_python_sees_bytes_that_overflow():
    growing = GAME._replace(successors=broken.growing, terminal=never_over)
    with pytest.raises(GameError, match=r"successors of \[100\] .* raises .*overflow"):
        check_game(growing, tug.LEAF._replace(evaluate=broken.nothing), [[100]])


# Games with parameters, and with results that are worth another amount to each side.

#: The worth of being ahead, and of a crooked rope, to one side and to the other.
WORTH = [(1, 0.5, 1, 0.5), (1, 1, 3, 0.25), (2, -1, 0.5, 1.5), (0, 1, 0, -1)]


def test_a_turned_game_begins_with_the_other_player():
    game = tug.game(1, 1, 3, 0.25)._replace(low=-5.0, high=2.0)
    other = game.for_opponent()
    assert (other.low, other.high, other.stake) == (-2.0, 5.0, -1)
    assert other.for_opponent() == game


def test_the_first_output_is_the_value_unless_something_else_is_said():
    values, limits = np.zeros(2, np.float32), np.array([-1.0, 2.0])
    outputs = np.array([[0.25, 7], [-3, 8], [9, 9]], np.float32)
    first_output(outputs, 2, -1, np.zeros(1), values)
    assert values.tolist() == [0.25, -3]
    same_bounds(np.zeros(1, np.int8), 1, np.zeros(1), limits)
    assert limits.tolist() == [-1, 2]


def test_both_sides_are_told_their_stake():
    game = tug.game(1, 0, 3, 0)
    assert payoff(game, tug.root(5), 1) == 1
    assert payoff(game, tug.root(-5), -1) == -3
    assert static_value(game, tug.LEAF, tug.root(1), -1) == pytest.approx(3 / 5)


@pytest.mark.smoke
def test_one_table_for_both_sides():
    for worth in WORTH:
        table = Table.allocate(tug.game(*worth), 0.01)  # one for all that follows
        games = tug.game(*worth), tug.game(*worth).for_opponent()
        searches = [[search.TreeSearch(game, tug.LEAF, name) for name in STARS] for game in games]
        for depth, (game, stars), ahead in product(
            (0, 2, 4), zip(games, searches, strict=True), range(-4, 5)
        ):
            state = tug.root(ahead)
            expected = defined_value(game, tug.LEAF, state, depth, game.stake)
            for tree in stars:
                found = tree.value(state, depth, table=table)
                assert found.value == pytest.approx(expected, abs=CLOSE)


@pytest.mark.parametrize("worth", WORTH, ids=str)
def test_all_algorithms_decide_by_the_stakes(worth):
    for game in (tug.game(*worth), tug.game(*worth).for_opponent()):
        searches = [search.TreeSearch(game, tug.LEAF, algorithm) for algorithm in search.ALGORITHMS]
        for ahead, depth in product((-4, -1, 0, 3, 4), (1, 3, 5)):
            state, outcome = tug.root(ahead), (ahead + depth) % 3
            expected = sorted(
                -defined_value(game, tug.LEAF, row, depth - 1, -game.stake)
                for row in replies(game, state, outcome)
            )
            for tree in searches:
                found = tree.decide(
                    state, outcome, depth, top=2, leaves=True, table=Table.allocate(game, 0.01)
                )
                assert found.exact.all()
                assert np.sort(found.values) == pytest.approx(expected, abs=CLOSE)
                assert len(found.leaves) == 2


@pytest.mark.parametrize("options", [Options(), Options(divide=False), Options(deepen=False)])
def test_decisions_with_one_table_and_with_threads(options):
    for worth in WORTH:
        game = tug.game(*worth)
        table = Table.allocate(game, 0.01)
        plain = search.TreeSearch(game, tug.LEAF, "expectimax")
        tree = search.TreeSearch(game, tug.LEAF, options=options)
        for ahead, depth in product(range(-4, 5, 2), (5, 7)):
            question = (tug.root(ahead), 1, depth)
            oracle = plain.decide(*question).values.max()
            for threads in (1, 2) if options.divide else (1,):
                found = tree.decide(*question, table=table, threads=threads)
                assert found.values.max() == pytest.approx(oracle, abs=CLOSE)
