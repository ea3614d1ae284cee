"""The search on backgammon: every algorithm against plain expectimax, at any stakes."""

from collections import Counter

import numpy as np
import pytest

from gammon import search
from gammon.base.errors import SettingError
from gammon.eval.evaluators import load_evaluator
from gammon.games.backgammon import BACKGAMMON, backgammon
from gammon.rules.board import OPENING, Points, flipped
from gammon.rules.dice import PROBABILITIES, ROLLS
from gammon.rules.outcome import IN_PLAY, result_of
from gammon.rules.terms import CUBELESS, NAMED_STAKES, Payoffs, Terms, cubeless_terms
from gammon.search import Evaluator, Filter, Game, Options, Table
from tests.boards import by_sides
from tests.conftest import Played
from tests.engine.rules.slow_plays import enumerate_plays
from tests.engine.search.asked import assert_true_to
from tests.twins import chances, payoff, replies, static_value

DMP = NAMED_STAKES["dmp"]
GAMMON_GO = NAMED_STAKES["gammon-go"]
GAMMON_SAVE = NAMED_STAKES["gammon-save"]

STAKES = [
    DMP, GAMMON_GO, GAMMON_SAVE, cubeless_terms(Payoffs(0.5, 0.75, 2.0, -1.0, -1.5, -4.0)),
    cubeless_terms(Payoffs(3.0, 7.0, 7.5, 2.0, -0.25, -1.0)),
]  # fmt: skip


#: Positions whose rows differ in what can still be won: no one has borne off, one side has,
#: both have, gammons and backgammons are near.
LATE = {
    "gammon near": by_sides({1: 1, 2: 1}, {1: 13, 18: 2}),
    "backgammon near": by_sides({2: 2}, {3: 13, 20: 2}),
    "saved": by_sides({1: 2, 3: 1}, {1: 1, 4: 1}),
    "theirs near": by_sides({24: 1, 6: 14}, {1: 2, 2: 1}),
    "contact": by_sides({25: 1, 2: 2, 4: 1}, {5: 2, 3: 2, 8: 1}),
}


@pytest.fixture(scope="module")
def leaf() -> Evaluator:
    return load_evaluator("leaf", bearoff=False)


@pytest.fixture(scope="module")
def probe() -> Evaluator:
    return load_evaluator("probe", bearoff=False)


@pytest.mark.parametrize(
    ("depth", "positions"),
    [pytest.param(1, 60, marks=pytest.mark.smoke), (3, 30), (5, 1)],
)
def test_all_algorithms_give_the_same_values(
    depth: int,
    positions: int,
    leaf: Evaluator,
    probe: Evaluator,
    played: Played,
) -> None:
    rng = np.random.default_rng(depth)
    leaves: Counter[str] = Counter()
    for points in played(positions * 7, 20 + depth)[::7]:
        roll = int(rng.integers(21))
        slow = search.Setup(BACKGAMMON, leaf, "expectimax").decide(points, roll, depth)
        for algorithm in ("star1", "star2", "star2.5"):
            setup = search.Setup(BACKGAMMON, leaf, algorithm, probe)
            fast = setup.decide(points, roll, depth, top=3)
            assert_true_to(fast, slow, 3, 1e-6)
            leaves[algorithm] += fast.stats.leaves
        leaves["expectimax"] += slow.stats.leaves
    if depth > 1:
        assert leaves["star2"] < leaves["star1"] < leaves["expectimax"]


def test_finished_games_count_their_payoff(leaf: Evaluator, probe: Evaluator) -> None:
    # Both have one checker left on the ace point: whoever is on roll wins one point.
    points = by_sides({1: 1}, {1: 1})
    for algorithm in search.ALGORITHMS:
        setup = search.Setup(BACKGAMMON, leaf, algorithm, probe)
        assert setup.decide(points, 20, 3).values.tolist() == [1.0]
        assert setup.value(points, 4).value == pytest.approx(1.0)


@pytest.mark.parametrize("bounded", [False, True])
@pytest.mark.parametrize("stakes", STAKES, ids=lambda terms: str(terms.payoffs))
def test_the_stars_are_expectimax_at_any_stakes(
    stakes: Terms, bounded: bool, leaf: Evaluator, probe: Evaluator
) -> None:
    game, filter = backgammon(stakes), Filter(node_bounds=bounded)
    for number, points in enumerate((OPENING, *LATE.values())):
        roll = (4, 13, 8, 6, 17, 1)[number]
        oracle = search.Setup(game, leaf, "expectimax", filter=filter).decide(points, roll, 3)
        best = np.sort(oracle.values)[::-1][:2]
        assert game.low - 1e-9 <= best[-1] <= best[0] <= game.high + 1e-9
        for algorithm in ("star1", "star2", "star2.5"):
            found = search.Setup(game, leaf, algorithm, probe, filter=filter).decide(
                points, roll, 3, top=2, table=Table.allocate(game, 0.1)
            )
            assert_true_to(found, oracle, 2)


def plain_value(
    points: Points,
    dice: tuple[int, int],
    depth: int,
    stakes: Terms,
    game: Game,
    leaf: Evaluator,
) -> float:
    """The value of a decision to the player on roll, from the slow generator of plays.

    `stakes` are that player's; a static value is asked for with the game of those stakes.
    """
    values = []
    for after in enumerate_plays(points, dice):
        theirs = flipped(after)
        row = np.array(theirs, np.int8)
        result = result_of(row)
        if result != IN_PLAY:
            value = stakes.turned().payoffs.ascending[result]
        elif depth == 1:
            value = static_value(backgammon(stakes.turned()), leaf, row, 0)
        else:
            value = sum(
                chance * plain_value(theirs, roll, depth - 2, stakes.turned(), game, leaf)
                for roll, chance in zip(ROLLS, PROBABILITIES, strict=True)
            )
        values.append(-value)
    return max(values)


@pytest.mark.smoke
@pytest.mark.parametrize("stakes", [CUBELESS, *STAKES], ids=lambda terms: str(terms.payoffs))
@pytest.mark.parametrize("name", ["gammon near", "backgammon near", "saved"])
def test_stakes_against_plain_python(name: str, stakes: Terms, leaf: Evaluator) -> None:
    for depth in (1, 3):
        game, roll = backgammon(stakes), 2
        expected = plain_value(LATE[name], ROLLS[roll], depth, stakes, game, leaf)
        for algorithm in ("expectimax", "star2"):
            found = search.Setup(game, leaf, algorithm).decide(LATE[name], roll, depth)
            assert found.values.max() == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("stakes", STAKES, ids=lambda terms: str(terms.payoffs))
def test_a_turned_game_is_the_same_seen_from_the_other_side(
    stakes: Terms, leaf: Evaluator
) -> None:
    game = backgammon(stakes)
    theirs = backgammon(stakes.turned())
    assert (theirs.low, theirs.high) == (game.turned().low, game.turned().high)
    for points in LATE.values():
        mine = search.Setup(game.turned(), leaf).value(points, 2).value
        assert mine == pytest.approx(
            search.Setup(theirs, leaf).value(points, 2).value, abs=1e-6
        )
    finished = 0
    for result, points in enumerate(
        [by_sides({20: 1, 6: 14}, {}), by_sides({6: 15}, {}), by_sides({6: 14}, {})]
    ):
        state, other = (np.array(each, np.int8) for each in (points, flipped(points)))
        lost = search.Setup(game, leaf).value(state, 2).value
        assert lost == stakes.payoffs.ascending[result] == payoff(game, state, game.stake)
        assert search.Setup(game.turned(), leaf).value(other, 2).value == -lost
        finished += 1
    assert finished == 3


def test_tasks_at_gammon_go(leaf: Evaluator, probe: Evaluator) -> None:
    game = backgammon(GAMMON_GO)
    setup, table = search.Setup(game, leaf, probe=probe), Table.allocate(game, 0.1)
    undivided = search.Setup(game, leaf, probe=probe, options=Options(divide=False))
    whole = undivided.decide(OPENING, 17, 5, top=2)
    divided = setup.decide(OPENING, 17, 5, top=2, table=table)
    shared = setup.decide(OPENING, 17, 5, top=2, table=table.another(), threads=2)
    best = whole.order[:2]
    assert divided.values[best] == pytest.approx(whole.values[best], abs=1e-9)
    assert divided.exact[best].all()
    assert np.array_equal(shared.values, divided.values)
    money = search.Setup(BACKGAMMON, leaf, probe=probe).decide(OPENING, 17, 5)
    assert money.values.max() != pytest.approx(whole.values.max(), abs=1e-3)


@pytest.mark.parametrize("stakes", [CUBELESS, *STAKES], ids=lambda terms: str(terms.payoffs))
def test_bounds_hold_for_all_that_follows(stakes: Terms, played: Played) -> None:
    game = backgammon(stakes)
    narrowed = 0
    for points in (*LATE.values(), *played(30, 4)):
        state = np.array(points, np.int8)
        for stake in {game.stake, -game.stake}:
            limits = np.array([-99.0, 99.0])
            game.bounds(state, stake, game.params, limits)
            narrowed += limits[1] - limits[0] < game.high - game.low
            for row in replies(game, state, 3):
                paid = payoff(game, row, -stake)
                if paid != search.NOT_OVER:
                    assert limits[0] <= -paid <= limits[1]
                    continue
                below = np.array([-99.0, 99.0])
                game.bounds(row, -stake, game.params, below)
                assert limits[0] <= -below[1] < -below[0] <= limits[1]
    assert narrowed > 0 or stakes == DMP
    assert chances(game, state).tolist() == PROBABILITIES.tolist()


def test_stakes_that_cannot_be_are_refused() -> None:
    with pytest.raises(SettingError, match="stakes"):
        backgammon(cubeless_terms(Payoffs(1, 0, 0, -1, -1, -1)))
