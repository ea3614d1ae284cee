"""Pairs of games of any game: a plain loop, luck, limits and players of one's own."""

import itertools

import numpy as np
import pytest

from gammon.base.errors import GammonError, SettingError
from gammon.eval.baseline import BASELINE
from gammon.games.backgammon import BACKGAMMON, backgammon
from gammon.games.nothing import NOTHING
from gammon.match import SearchPlayer, play_pairs
from gammon.match.pairs import _Games, drawn_at, noise_seed
from gammon.rules.board import OPENING
from gammon.rules.terms import MONEY_TERMS
from gammon.search import NOT_OVER, Evaluator, Game, SearchError, TreeSearch, function_evaluator
from gammon.search.game import no_offer
from gammon_lab.games import chance_tictactoe, dice_game, offers, random_nim, synthetic
from tests.naive.search import chances, defined_value, leaf_values, payoff, replies
from tests.naive.splitmix import splitmix

TREES = synthetic.game(5, 10)
#: The payoffs depend on the stake, which is not the same for both players.
STAKES = offers.game(-20, 30, 1, False)._replace(offer=no_offer)
#: Game, evaluator, roots.
GAMES: dict[str, tuple[Game, Evaluator, list[np.ndarray]]] = {
    "trees": (TREES, synthetic.LEAF, [synthetic.root(5, 10, seed) for seed in (2, 4, 6)]),
    "stakes": (STAKES, offers.LEAF, [synthetic.root(-20, 30, seed) for seed in (2, 4)]),
    "dice": (dice_game.game(3, 3), dice_game.leaf(3, 3), [dice_game.root(3)]),
}
NIM = random_nim.game((3, 3, 2))
NIM_ROOT = random_nim.root((3, 3, 2))


def twin_outcome(seed, pair, turn, weights):
    """The outcome of a turn, by whole numbers and a sum."""
    share = (splitmix(splitmix(splitmix(seed) ^ pair) ^ turn) >> 11) / 2**53
    return next(k for k, end in enumerate(itertools.accumulate(weights)) if share < end)


def twin(name, start, depths, seed, pair):
    """Payoff and luck of a game to who moves first, and its turns, by plain recursion.

    `depths` are those of the players in their seats. None: two plays were equally good.
    """
    game, leaf, _ = GAMES[name]
    state, stake, sign, luck = start, game.stake, 1, 0.0
    theirs = (-game.high, -game.low)
    for turn in itertools.count():
        paid = payoff(game, state, stake)
        if paid != NOT_OVER:
            return sign * paid, luck, turn
        weights = chances(game, state)
        worth = []
        for outcome in range(len(weights)):
            rows = replies(game, state, outcome)
            values = leaf_values(game, leaf, rows, -stake, lambda state: 0.0, theirs, True)
            worth.append(-min(values))
        outcome = twin_outcome(seed, pair, turn, weights.tolist())
        luck += sign * (worth[outcome] - float(weights @ worth))
        rows, below = replies(game, state, outcome), depths[turn % 2] - 1
        values = [defined_value(game, leaf, row, below, -stake, bounds=theirs, on_turn=True) for row in rows]
        if len(values) > 1 and np.diff(sorted(values))[0] < 1e-6:
            return None
        state = rows[int(np.argmin(values))]
        stake, sign, theirs = -stake, -sign, (-theirs[1], -theirs[0])
    raise AssertionError("a game without an end")


@pytest.mark.parametrize("name", ["trees", "stakes"])
def test_games_are_those_of_a_plain_loop(name):
    game, leaf, starts = GAMES[name]
    tree = TreeSearch(game, leaf)
    deep, shallow = (SearchPlayer(tree, 3, 0.01), SearchPlayer(TreeSearch(game, leaf, "expectimax"), 1))
    pairs = [*range(30), 2**31]
    found = play_pairs(game, starts, deep, shallow, pairs, 5, judge=tree)
    compared = 0
    for k, pair in enumerate(pairs):
        for place, (sign, depths) in enumerate(((1, (3, 1)), (-1, (1, 3)))):
            expected = twin(name, starts[pair % len(starts)], depths, 5, pair)
            if expected is not None:
                paid, luck, turns = expected
                assert found.payoffs[k, place] == pytest.approx(sign * paid, abs=1e-9)
                assert found.luck[k, place] == pytest.approx(sign * luck, abs=1e-5)
                assert found.turns[k, place] == turns
                compared += turns > 1
    assert compared >= 20
    assert len(set(found.turns.ravel().tolist())) > 1
    assert abs(found.luck).max() > 0.01


def random_player(state, outcome, random):
    """Play anything."""
    rows = replies(NIM, state, outcome)
    return rows[random.integers(len(rows))]


def noisy(sigma, depth=1):
    return SearchPlayer(TreeSearch(NIM, NOTHING, sigma=sigma), depth)


@pytest.mark.parametrize(
    "player",
    [random_player, noisy(0.0, 3), noisy(0.5), noisy(0.5, 3)],
    ids=["random", "depth 3", "noisy", "noisy, depth 3"],
)
def test_a_player_wins_nothing_of_itself(player):
    found = play_pairs(NIM, [NIM_ROOT], player, player, range(40), judge=TreeSearch(NIM, NOTHING))
    assert (found.payoffs[:, 0] == -found.payoffs[:, 1]).all()
    assert (found.luck[:, 0] == -found.luck[:, 1]).all()
    assert found.payoff[:2] == found.adjusted[:2] == (0.0, 0.0)
    assert set(found.payoffs[:, 0]) == {-1.0, 1.0}


def test_noise_is_another_one_in_each_seat_of_each_pair():
    """Whatever the seed of the search is."""
    quiet, loud = TreeSearch(NIM, NOTHING), TreeSearch(NIM, NOTHING, sigma=0.5, noise_seed=3)
    found = play_pairs(NIM, [NIM_ROOT], SearchPlayer(loud, 1), SearchPlayer(quiet, 1), range(40), 9)

    def turns(*seats, pair):
        state = NIM_ROOT
        for turn in itertools.count():
            if payoff(NIM, state) != NOT_OVER:
                return turn
            outcome = drawn_at(9, pair, turn, chances(NIM, state))
            decision = seats[turn % 2].decide(state, outcome, 1)
            state = decision.rows[decision.order[0]]
        raise AssertionError("a game without an end")

    for pair in range(40):
        first, second = (loud.with_noise(noise_seed(9, pair, seat)) for seat in (0, 1))
        expected = [turns(first, quiet, pair=pair), turns(quiet, second, pair=pair)]
        assert found.turns[pair].tolist() == expected
    assert len(set(found.turns[:, 0])) > 1


def test_a_deeper_search_wins_and_the_luck_of_the_dice_is_zero():
    tree = TreeSearch(NIM, NOTHING)
    deep, shallow = SearchPlayer(tree, 7), SearchPlayer(tree, 1)
    found = play_pairs(NIM, [NIM_ROOT], deep, shallow, range(150), 2, judge=tree)
    assert found.payoff.low > 0.2
    assert found.adjusted.low > 0.2
    luck = found.luck.ravel()
    assert luck.std() > 0.1
    assert abs(luck.mean()) < 4 * luck.std() / np.sqrt(len(luck))
    assert str(found).startswith("300 games, +0.")


def test_the_luck_of_all_outcomes_is_zero_whatever_the_judge():
    game, leaf, starts = GAMES["stakes"]
    judge = TreeSearch(game, leaf, sigma=3.0)
    state = next(row for row in replies(game, starts[0], 0) if len(chances(game, row)) > 1)
    weights = chances(game, state)
    for judges in (judge, judge.for_opponent()), (judge.for_opponent(), judge):
        games = _Games(game, state[None], (judge, judge), 1, judges, drawn_at, 1)
        lucks = [games.luck(state, k, weights, 0) for k in range(len(weights))]
        assert len(set(lucks)) > 1
        assert weights @ lucks == pytest.approx(0.0, abs=1e-9)


def test_a_perfect_judge_leaves_no_luck():
    """Where both players play for the value, payoff less luck is the value in each game."""
    pytest.importorskip("numba")
    known = {}

    def value(state):
        key = state.tobytes()
        if key not in known:
            known[key] = defined_value(NIM, NOTHING, state, 18)
        return known[key]

    perfect = TreeSearch(NIM, function_evaluator(NIM, lambda states: [value(s) for s in states]))
    player = SearchPlayer(perfect, 1)
    root = random_nim.root((2, 2, 1))
    found = play_pairs(NIM, [root], player, player, range(60), judge=perfect)
    assert found.payoffs[:, 0] - found.luck[:, 0] == pytest.approx(value(root), abs=1e-6)
    assert set(found.payoffs[:, 0]) == {-1.0, 1.0}
    weaker = play_pairs(NIM, [root], player, noisy(0.5), range(60), judge=perfect)
    assert weaker.adjusted.error < 0.8 * weaker.payoff.error


def test_threads_change_nothing():
    tree = TreeSearch(NIM, NOTHING)
    players = SearchPlayer(tree, 3, 0.01), noisy(0.3, 3)
    alone, shared = (
        play_pairs(NIM, [NIM_ROOT], *players, range(20), judge=tree, threads=threads) for threads in (1, 4)
    )
    for one, other in zip(alone, shared, strict=True):
        assert np.array_equal(one, other)
    parts = [play_pairs(NIM, [NIM_ROOT], *players, part, judge=tree) for part in (range(8), range(8, 20))]
    for one, *others in zip(alone, *parts, strict=True):
        assert np.array_equal(one, np.concatenate(others))
    other = play_pairs(NIM, [NIM_ROOT], *players, range(20), 2, judge=tree)
    assert not np.array_equal(alone.payoffs, other.payoffs)


def test_players_have_limits():
    game, leaf, starts = GAMES["dice"]
    tree = TreeSearch(game, leaf)
    shallow, deep = (SearchPlayer(tree, depth) for depth in (1, 5))

    def against(player):
        return play_pairs(game, starts, player, shallow, range(30)).payoffs.tolist()

    assert against(SearchPlayer(tree, 5, max_seconds=0.0)) == against(shallow)
    assert against(SearchPlayer(tree, 5, max_seconds=1e9)) == against(deep)
    limited = {most: TreeSearch(game, leaf, max_evaluations=most) for most in (0, 4, 10**9)}
    results = {most: against(SearchPlayer(each, 5)) for most, each in limited.items()}
    assert results[0] == against(shallow)
    assert results[10**9] == against(deep)
    assert results[4] not in (results[0], results[10**9])


def test_backgammon_is_a_game_too():
    players = [SearchPlayer(TreeSearch(BACKGAMMON, leaf), 1) for leaf in (BASELINE, NOTHING)]
    judge = TreeSearch(BACKGAMMON, BASELINE)
    found = play_pairs(BACKGAMMON, [OPENING], *players, range(20), judge=judge)
    assert found.payoff.low > 0
    assert set(abs(found.payoffs).ravel()) <= {1.0, 2.0, 3.0}


def test_a_function_may_write_into_its_state():
    def careless(state, outcome, random):
        rows = replies(NIM, state, outcome)
        state[:] = 0
        return rows[0]

    def careful(state, outcome, random):
        return replies(NIM, state, outcome)[0]

    results = [
        play_pairs(NIM, [NIM_ROOT], player, random_player, range(20)) for player in (careless, careful)
    ]
    for one, other in zip(*results, strict=True):
        assert np.array_equal(one, other)


def test_chances_decide_what_is_drawn():
    chances = np.array([0.0, 0.2, 0.0, 0.5, 0.3, 0.0])
    drawn = np.bincount([drawn_at(3, pair, 1, chances) for pair in range(3000)], minlength=6)
    assert np.abs(drawn / 3000 - chances).max() < 0.03
    assert (drawn[chances == 0.0] == 0).all()


SETUP = TreeSearch(NIM, NOTHING)
PLAYER = SearchPlayer(SETUP, 1)


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"one": SETUP}, "expected a SearchPlayer, or a function"),
        ({"two": None}, "None: expected a SearchPlayer"),
        ({"one": SearchPlayer(TreeSearch(*GAMES["dice"][:2]), 1)}, "a search of Game of Dice, 3 x 3"),
        ({"judge": TreeSearch(*GAMES["dice"][:2])}, "a search of Game of Dice, 3 x 3"),
        ({"starts": NIM_ROOT}, "shape"),
        ({"starts": np.zeros((0, 4), np.int8)}, "expected states in which the game goes on"),
        ({"starts": [NIM_ROOT, [0, 0, 0, 0]]}, "expected states in which the game goes on"),
        ({"game": backgammon(MONEY_TERMS)}, "in which nobody may double"),
        ({"pairs": [-1]}, "pairs -1"),
        ({"pairs": []}, r"pairs \[\]: expected one or more, each number once"),
        ({"pairs": [3, 5, 3]}, r"pairs \[3, 5, 3\]: expected one or more, each number once"),
        ({"max_turns": 0}, "max_turns 0"),
        ({"max_turns": "9"}, "max_turns '9': expected a whole number"),
        ({"seed": -1}, "seed -1"),
        ({"threads": 0}, "threads 0"),
        ({"one": SearchPlayer(SETUP, 2)}, "depth 2 for a decision"),
        ({"one": lambda state, outcome, random: state}, "expected a successor"),
        ({"one": lambda state, outcome, random: None}, "of type object"),
        ({"dice": lambda pair, turn, chances: 2}, "outcome 2"),
    ],
)
def test_what_cannot_be_is_refused(changed, words):
    arguments = {"game": NIM, "starts": [NIM_ROOT], "one": PLAYER, "two": PLAYER}
    with pytest.raises((SettingError, SearchError), match=words):
        play_pairs(**arguments | {"pairs": range(2)} | changed)
    with pytest.raises(SettingError, match=r"3: expected a search\.TreeSearch"):
        SearchPlayer(3, 1)


def test_a_game_without_an_end_is_told():
    swaps = chance_tictactoe.GAME
    player = SearchPlayer(TreeSearch(swaps, NOTHING), 1)
    found = play_pairs(swaps, [chance_tictactoe.ROOT], player, player, [0], max_turns=9)
    assert found.turns.tolist() == [[9, 9]]
    with pytest.raises(GammonError, match="pair 0 has a game of 8 turns"):
        play_pairs(swaps, [chance_tictactoe.ROOT], player, player, [0], max_turns=8)
