"""From the chances of the six results to values: equities, folds, and Janowski's model."""

import csv
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pytest

from gammon.base.errors import SettingError
from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float32Matrix, Float64Vector
from gammon.compiled.vector import bits, store
from gammon.engine.engine import Engine
from gammon.eval.bearoff_cube import covers, exact_money
from gammon.eval.cubeful import fold_rolled, fold_turn
from gammon.eval.efficiency import cube_efficiency, efficiency_in_race
from gammon.eval.equity import Probabilities, cumulative, equity, for_opponent, results_of_cumulative
from gammon.eval.evaluators import load_evaluator
from gammon.eval.fold import fold_dead
from gammon.eval.integer_network_kernel import probabilities
from gammon.eval.janowski import match_value, money_value, static_value
from gammon.eval.janowski_row import certain, efficiency_at, shares_of, six_of
from gammon.eval.principal import TOGETHER, chances_of, leaf_mean, leaf_means
from gammon.formats.met_file import read_met
from gammon.formats.position import Position
from gammon.rules.board import OPENING, flipped
from gammon.rules.match_equity import params_of
from gammon.rules.outcome import N_RESULTS, POINTS
from gammon.rules.terms import (
    CUBELESS,
    NAMED_STAKES,
    NO_OFFER,
    Payoffs,
    Terms,
    cubeless_terms,
    offer,
    stake_of,
)
from gammon.search.leaves import Leaves
from tests.boards import by_counts
from tests.conftest import GOLDEN
from tests.engine.eval.drawn import drawn_results, folded

# Janowski's model: the figures of GNU Backgammon, points of the field, bearoffs, its twin.

DMP = NAMED_STAKES["dmp"]

MET = read_met()
START = "-b----E-C---eE---c-e----B-"


def results_of(*cumulative: float) -> list[float]:
    return results_of_cumulative(np.array(cumulative, np.float64)).tolist()


def equities(results: list[float], terms: Terms, efficiency: float) -> tuple[float, float]:
    """No double and double/take, per unit of the cube before the double."""
    if not terms.length:
        no_double = money_value(results, terms, efficiency)
        return no_double, 2.0 * money_value(results, terms.doubled(), efficiency)
    mwc = (match_value(results, each, efficiency, MET) for each in (terms, terms.doubled()))
    return tuple(MET.emg(each, terms) for each in mwc)


class Case(NamedTuple):
    """What GNU Backgammon said of a position: equities, without a search."""

    position: Position
    terms: Terms
    results: list[float]
    no_double: float
    double_take: float | None


def golden_cases(name: str) -> Iterator[Case]:
    """Cases of `scripts/compare_cube.py`, by their file."""
    with (GOLDEN / name).open(newline="") as file:
        for row in csv.DictReader(file):
            chances = ("win", "win_g", "win_bg", "lose_g", "lose_bg")
            terms = Terms(
                int(row["length"]),
                (int(row["own_away"]), int(row["their_away"])),
                row["crawford"] == "1",
                row["jacoby"] == "1",
                cube=int(row["cube"]),
                owner=int(row["owner"]),
            )
            yield Case(
                Position.parse(row["position_id"]),
                terms.checked(),
                results_of(*(float(row[name]) for name in chances)),
                float(row["no_double"]),
                float(row["double_take"]) if row["double_take"] else None,
            )


CASES = list(golden_cases("cube_values.csv"))


@pytest.mark.usefixtures("as_gnu_backgammon")
def test_many_scores_and_cubes() -> None:
    """GNU Backgammon's figures at drawn scores; its float32 counts in chances of the match."""
    assert len(CASES) > 300
    assert {case.terms.cube for case in CASES} == {1, 2, 4, 8, 16}
    for case in CASES:
        terms = case.terms
        scale = 1.0
        if terms.length:
            scale = 0.5 * (MET.after(terms, terms.cube) - MET.after(terms, -terms.cube))
        efficiency = cube_efficiency(case.position.points)
        no_double, double_take = equities(case.results, terms, efficiency)
        assert scale * abs(no_double - case.no_double) < 2e-6, case
        assert (case.double_take is not None) == terms.may_double
        if case.double_take is not None:
            assert scale * abs(double_take - case.double_take) < 2e-6, case


def where(value: Callable[[float], float]) -> float:
    """The chance to win at which an increasing value is 0."""
    low, high = 1e-6, 1.0 - 1e-6
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if value(middle) < 0.0 else (low, middle)
    return low


@pytest.mark.parametrize(
    ("efficiency", "cash", "double", "redouble"),
    [
        (0.0, 0.75, 0.5, 0.5),
        (0.68, 0.7863, 0.6917, 0.7179),
        (2 / 3, 1 - 3 / 14, None, None),
        (0.999999, 0.8, 0.8, 0.8),
    ],
)
@pytest.mark.parametrize("gammons", [(0.0, 0.0), (0.3, 0.1)], ids=str)
def test_the_points_of_the_field(
    efficiency: float, cash: float, double: float | None, redouble: float | None, gammons: tuple[float, float]
) -> None:
    """Those without gammons are published; the formulas hold with gammons, too."""
    worth, loss = 1.0 + gammons[0], 1.0 + gammons[1]
    whole, x = worth + loss, efficiency

    def value(win: float, owner: int) -> float:
        chances = (win, win * gammons[0], 0.0, (1.0 - win) * gammons[1], 0.0)
        return money_value(results_of(*chances), Terms(cube=2, owner=owner), x)

    found = where(lambda win: 2.0 * value(win, -1) - 1.0)
    assert found == pytest.approx((loss + 0.5 + 0.5 * x) / (whole + 0.5 * x))
    first = where(lambda win: 2.0 * value(win, -1) - value(win, 0))
    second = where(lambda win: 2.0 * value(win, -1) - value(win, 1))
    third = x / 3
    assert first == pytest.approx((loss * (1 - third) + 2 * third) / (whole * (1 - third) + third), abs=1e-4)
    assert second == pytest.approx((loss + x) / (whole + 0.5 * x), abs=1e-4)
    if not any(gammons):
        assert found == pytest.approx(cash, abs=1e-4)
        assert double is None or first == pytest.approx(double, abs=1e-4)
        assert redouble is None or second == pytest.approx(redouble, abs=1e-4)


def test_the_jacoby_rule_lets_gammons_count_for_the_turned_cube_alone() -> None:
    results = results_of(0.6, 0.3, 0.02, 0.1, 0.01)
    jacoby = Terms(jacoby=True)
    assert money_value(results, jacoby, 0.0) == pytest.approx(0.2)
    assert money_value(results, Terms(), 0.0) == pytest.approx(0.2 + 0.32 - 0.11)
    taken = jacoby.doubled()
    assert money_value(results, taken, 0.68) == money_value(results, Terms().doubled(), 0.68)
    certain = results_of(0.99, 0.9, 0.5, 0.0, 0.0)
    assert money_value(certain, jacoby, 1.0) == 1.0, "too good cannot be"


def test_certain_results() -> None:
    for result, points in enumerate((-3, -2, -1, 1, 2, 3)):
        results = np.eye(N_RESULTS)[result].tolist()
        for terms in (Terms(), Terms(cube=2, owner=1), Terms(cube=4, owner=-1)):
            assert money_value(results, terms, 0.68) == points
        match = Terms(9, (5, 4), cube=2, owner=1)
        assert match_value(results, match, 0.68, MET) == MET.after(match, 2 * points)


# ---------------------------------------------------------------- compiled


def drawn_terms(random: np.random.Generator) -> Terms:
    """Drawn terms with cubes to 64, of which a fifth are for money."""
    level = int(random.integers(7))
    owner = int(random.choice((-1, 1))) if level else 0
    if random.random() < 0.2:
        rules = (bool(rule) for rule in random.integers(2, size=3))
        jacoby, beavers, live = rules
        return Terms(jacoby=jacoby, beavers=beavers, cube=1 << level, owner=owner, live=live).checked()
    length = int(random.integers(2, 65))
    most = np.minimum(length, random.choice((3, 10, 64), 2))
    own, their = (int(random.integers(1, each + 1)) for each in most)
    if (own == 1) != (their == 1) and random.random() < 0.3:
        return Terms(length, (own, their), True).checked()
    return Terms(length, (own, their), cube=1 << level, owner=owner).checked()


def outputs_of(results: np.ndarray, efficiency: np.ndarray | float) -> np.ndarray:
    """The outputs of an evaluator that knows no race, float32 [N, 10]."""
    outputs = np.zeros((len(results), 10), np.float32)
    outputs[:, :N_RESULTS], outputs[:, N_RESULTS] = results, efficiency
    return outputs


def defined(results: np.ndarray, terms: Terms, efficiency: float) -> np.ndarray:
    """The values of rolling by the twin, in the units of the kernel."""
    rows = results.astype(np.float64).tolist()
    if terms.length:
        mwc = [match_value(row, terms, efficiency, MET) for row in rows]
        return 2.0 * np.array(mwc) - 1.0
    return np.array([money_value(row, terms, efficiency) for row in rows])


@pytest.mark.smoke
def test_compiled_values_are_those_of_the_twin() -> None:
    random = np.random.default_rng(6)
    for _ in range(400):
        first, efficiency = drawn_terms(random), float(random.random())
        results, params = drawn_results(random, 12), params_of(first, MET)
        outputs = outputs_of(results, efficiency)
        for terms, stake in ((first, stake_of(first)), (first.for_opponent(), -stake_of(first))):
            expected = defined(results, terms, efficiency)
            assert abs(folded(outputs, stake, params) - expected).max() < 1e-6


def test_a_seventh_output_is_the_efficiency() -> None:
    random = np.random.default_rng(7)
    results, terms = drawn_results(random, 50), Terms(9, (4, 6), cube=2, owner=1)
    column = random.random(50).astype(np.float32)
    found = folded(outputs_of(results, column), stake_of(terms), params_of(terms, MET))
    expected = [defined(results[j : j + 1], terms, float(column[j]))[0] for j in range(50)]
    assert abs(found - expected).max() < 1e-6


def test_a_dead_cube_is_the_cubeless_value() -> None:
    """For money to the last bit, so that a search does the same."""
    results = drawn_results(np.random.default_rng(8), 300)
    outputs, dead = outputs_of(results, 0.68), params_of(Terms(live=False))
    cubeless = np.empty(len(results), np.float32)
    fold_dead(results, len(results), 0, params_of(CUBELESS), cubeless)
    for stake in (-1, 0, 1):
        assert folded(outputs, stake, dead).tobytes() == cubeless.tobytes()
    last = Terms(7, (1, 1))
    fold_dead(results, len(results), 0, params_of(DMP), cubeless)
    found = folded(outputs, stake_of(last), params_of(last, MET))
    assert abs(found - cubeless).max() < 1e-6


def test_rows_behind_the_last_are_left_alone() -> None:
    outputs = outputs_of(drawn_results(np.random.default_rng(9), 9), 0.5)
    for terms in (Terms(), Terms(live=False), Terms(7, (4, 5))):
        values = np.full(9, 77, np.float32)
        fold_rolled(outputs, 3, stake_of(terms), params_of(terms, MET), values)
        assert (values[:3] != 77).all()
        assert (values[3:] == 77).all()


def test_one_fold_before_a_turn_is_two_folds() -> None:
    """To the last bit, so that a search does the same with either."""
    random = np.random.default_rng(10)
    doubles = 0
    for _ in range(600):
        first = drawn_terms(random)
        outputs = outputs_of(drawn_results(random, 30), random.random(30))
        params = params_of(first, MET)
        for stake in (stake_of(first), -stake_of(first)):
            expected = folded(outputs, stake, params)
            doubled, factor, beaver, cash = offer(stake, params)
            if cash != NO_OFFER:
                doubles += 1
                taken = folded(outputs, doubled, params).astype(np.float64)
                taken = np.minimum(np.minimum(factor * taken, beaver * taken), cash)
                expected = np.maximum(expected, taken).astype(np.float32)
            found = np.empty(30, np.float32)
            fold_turn(outputs, 30, stake, params, found)
            assert np.array_equal(found, expected), (first, stake)
    assert doubles > 200


RESULTS = [0.002, 0.078, 0.22, 0.5, 0.19, 0.01]
#: GNU Backgammon's table of exact values has 16 bits from -1 to 1, and a double counts twice.
STEP = 7e-5


@pytest.mark.usefixtures("as_gnu_backgammon")
def test_small_bearoffs_of_gnu_backgammon() -> None:
    """Cases of `scripts/compare_cube.py --bearoffs`."""
    cases = list(golden_cases("cube_bearoffs.csv"))
    assert len(cases) > 90
    for case in cases:
        points, terms = case.position.points, case.terms
        assert covers(points)
        assert (case.double_take is not None) == terms.may_double
        for at, known in ((terms, case.no_double), (terms.doubled(), case.double_take)):
            if known is None:
                continue
            value = static_value(points, case.results, at, MET)
            expected = MET.mwc_of_emg(known, terms) if terms.length else known * terms.cube / at.cube
            assert value == pytest.approx(expected, abs=STEP), case


def test_other_positions_have_the_value_of_the_model() -> None:
    for points in (OPENING, by_counts((0, 0, 0, 0, 0, 7), (0, 0, 0, 0, 6))):
        efficiency = cube_efficiency(points)
        money, match = Terms(cube=2, owner=1), Terms(7, (5, 3), cube=2, owner=1)
        assert static_value(points, RESULTS, money) == money_value(RESULTS, money, efficiency)
        expected = match_value(RESULTS, match, efficiency, MET)
        assert static_value(points, RESULTS, match, MET) == expected


def test_a_small_bearoff_is_exact_for_money_and_shows_the_efficiency_of_a_match() -> None:
    points, results = by_counts((0, 0, 0, 0, 0, 2), (0, 0, 2)), [0.0, 0.0, 0.53, 0.47, 0.0, 0.0]
    for owner in (1, 0, -1):
        money = Terms(cube=2 if owner else 1, owner=owner)
        exact = exact_money(points, money)
        assert static_value(points, results, money) == exact
        match = Terms(9, (6, 7), cube=money.cube, owner=owner)
        efficiency = efficiency_in_race(0.47, owner, exact)
        assert static_value(points, results, match, MET) == match_value(results, match, efficiency, MET)
    # The chances count where the cube may not be turned.
    assert static_value(points, results, Terms(live=False)) == pytest.approx(-0.06)


def test_another_word_for_the_pips_is_refused() -> None:
    for points in (OPENING, by_counts((2,), (2,))):
        with pytest.raises(SettingError, match="pips 'own'"):
            static_value(points, RESULTS, Terms(), pips="own")


@pytest.mark.parametrize(
    ("away", "board"),
    [((1, 3), START), ((3, 1), START), ((1, 4), START), ((2, 2), "---bBBD-C---bC--Aa-b-bcab-")],
)
def test_leaves_know_of_a_double_that_a_search_sees(
    away: tuple[int, int], board: str, request: pytest.FixtureRequest
) -> None:
    """A search sees the trailer double, or either side; its value is that of leaves, nearly."""
    terms = Terms(7, away)
    points = Position.parse(f"XGID={board}:0:0:1:00:0:0:0:0:10").points
    deep = Engine(depth=5).cube(Position(points).with_terms(terms))
    results = results_of_cumulative(np.array(deep.probabilities)).tolist()

    def off() -> float:
        found = MET.emg(static_value(points, results, terms, MET), terms)
        return abs(found - deep.no_double.equity)

    ours = off()
    assert ours < 0.1
    request.getfixturevalue("as_gnu_backgammon")
    assert off() > max(ours + 0.04, 0.08)


# Eight rows: what follows from the chances. `test_janowski` holds their values to the twin.

SIX = np.array([[0.01, 0.09, 0.3, 0.36, 0.2, 0.04]], np.float32)


@kernel()
def shared(outputs: Float32Matrix, n: int, out: Float64Vector) -> int:
    """Write the shares and the efficiency of eight rows; return a set of the certain ones."""
    row = shares_of(six_of(outputs, 0, n))
    store(out, 0, row.win)
    store(out, 8, row.lose)
    store(out, 16, row.win_g)
    store(out, 24, row.win_bg)
    store(out, 32, row.lose_g)
    store(out, 40, row.lose_bg)
    store(out, 48, efficiency_at(outputs, 0, n))
    return bits(certain(row))


def test_the_shares_and_the_efficiency() -> None:
    out = np.zeros((7, 8))
    rows = np.zeros((2, 10), np.float32)
    rows[0, 3], rows[1, :6] = 1.0, SIX
    rows[:, 6] = 0.75, 0.25
    assert shared(rows, 2, out.ravel()) == 1, "the last row stands for those behind it"
    expected = 0.6, 0.4, 0.2 / 0.6, 0.04 / 0.6, 0.09 / 0.4, 0.01 / 0.4, 0.25
    for lane in range(1, 8):
        assert out[:, lane] == pytest.approx(expected)
    assert out[6, 0] == 0.75


# From the chances of the six results to a value.

N = 400


@pytest.fixture(scope="module")
def chances() -> np.ndarray:
    return drawn_results(np.random.default_rng(3), N)


def drawn_stakes(count: int) -> list[Terms]:
    random = np.random.default_rng(4)
    worth = np.sort(random.normal(0, 2, (count, 6)), axis=1)
    return [cubeless_terms(Payoffs(*row[3:], *row[2::-1])).checked() for row in worth]


@pytest.mark.parametrize("stake", [-1, 0, 1])
def test_the_mean_worth(chances: np.ndarray, stake: int) -> None:
    for stakes in (*NAMED_STAKES.values(), *drawn_stakes(50)):
        worth = (stakes.for_opponent() if stake < 0 else stakes).payoffs.ascending
        expected = chances.astype(np.float64) @ worth
        values = folded(chances, stake, params_of(stakes), fold_dead)
        assert np.abs(values - expected).max() < 1e-6
        assert values[:6] == pytest.approx(worth, abs=1e-6)


def test_the_other_side_sees_the_opposite(chances: np.ndarray) -> None:
    for stakes in drawn_stakes(20):
        theirs = np.ascontiguousarray(chances[:, ::-1])
        ours = folded(chances, 1, params_of(stakes), fold_dead)
        found = folded(theirs, -1, params_of(stakes), fold_dead)
        assert found == pytest.approx(-ours, abs=1e-6)


@pytest.mark.smoke
@pytest.mark.parametrize("stake", [-1, 0, 1])
def test_money_to_the_last_bit(chances: np.ndarray, stake: int) -> None:
    """The differences are float32's, the sum is float64's."""
    lose_bg, lose_g, lose, win, win_g, win_bg = chances.T
    single, gammon, backgammon = (
        (won - lost).astype(np.float64) for won, lost in ((win, lose), (win_g, lose_g), (win_bg, lose_bg))
    )
    expected = (single + 2 * gammon + 3 * backgammon).astype(np.float32)
    found = folded(chances, stake, params_of(CUBELESS), fold_dead)
    assert found.tobytes() == expected.tobytes()


def test_fold_rows_behind_the_last_are_left_alone(chances: np.ndarray) -> None:
    values = np.full(N, 77, np.float32)
    fold_dead(chances, 3, 0, params_of(CUBELESS), values)
    assert (values[:3] != 77).all()
    assert (values[3:] == 77).all()


# From the chances of the six results to an equity, and back.

CERTAIN = np.eye(N_RESULTS)
DRAWN = np.random.default_rng(4).dirichlet(np.ones(N_RESULTS), size=(5, 20))


def test_equity_of_certain_results():
    assert equity(cumulative(CERTAIN)).tolist() == POINTS.tolist()
    assert equity(for_opponent(cumulative(CERTAIN))).tolist() == (-POINTS).tolist()


def test_equity_is_the_mean_payoff():
    assert equity(cumulative(DRAWN)) == pytest.approx(DRAWN @ POINTS)
    chances = Probabilities(*cumulative(DRAWN[0, 0]).tolist())
    assert chances.equity == pytest.approx(DRAWN[0, 0] @ POINTS)


def test_no_chance_is_above_1_by_rounding():
    """As those of a network add up, in float32."""
    certain = np.array([0, 0, 0, 1e-3, 0.999, 1.2e-7], np.float32)
    assert certain[3:].sum() > 1
    found = cumulative(certain)
    assert found.dtype == np.float32
    assert found[0] == 1.0
    assert for_opponent(found)[0] == 0.0


def test_the_opponent_sees_the_results_in_reverse():
    assert for_opponent(cumulative(DRAWN)) == pytest.approx(cumulative(DRAWN[..., ::-1]))


def test_results_of_cumulative_probabilities():
    assert results_of_cumulative(cumulative(DRAWN)) == pytest.approx(DRAWN)


# The chances of the six results over principal leaves.

LEAF = load_evaluator("leaf")
#: Finished games, and how they end for the player on roll, who has all checkers left, or a few.
LOST_GAMMON = (0, 0, 0, 0, 0, 0, 15, *[0] * 19)
LOST_SINGLE = (0, 0, 3, *[0] * 23)
LOST_BACKGAMMON = (*[0] * 25, 15)
FINISHED = {
    LOST_SINGLE: (0, 0, 0, 0, 0),
    LOST_GAMMON: (0, 0, 0, 1, 0),
    LOST_BACKGAMMON: (0, 0, 0, 1, 1),
    flipped(LOST_SINGLE): (1, 0, 0, 0, 0),
    flipped(LOST_GAMMON): (1, 1, 0, 0, 0),
    flipped(LOST_BACKGAMMON): (1, 1, 1, 0, 0),
}
RACE = (0, 2, 0, 1, *[0] * 18, -3, 0, 0, 0)


def said(row: tuple[int, ...]) -> npt.NDArray[Any]:
    """The network's word, or that of the rules, to the player on roll."""
    if row in FINISHED:
        return np.array(FINISHED[row], np.float64)
    return probabilities(np.array([row], np.int8), LEAF.weights)[0].astype(np.float64)


@pytest.mark.parametrize("row", [OPENING, RACE, *FINISHED], ids=str)
def test_one_leaf_is_what_is_said_of_it(row: tuple[int, ...]) -> None:
    rows = np.array([row], np.int8)
    assert chances_of(LEAF, rows)[0].tolist() == said(row).tolist()
    theirs = leaf_mean(LEAF, Leaves(rows, np.ones(1), -np.ones(1)))
    assert theirs == Probabilities(*for_opponent(said(row)))


@pytest.mark.parametrize("sizes", [[1, 1, 1], [2, 1, 5], [21, 21], [3 * TOGETHER, 1], []], ids=str)
def test_means_of_many_leaves_are_weighted_sums(sizes: list[int]) -> None:
    rng = np.random.default_rng(sum(sizes))
    total = sum(sizes)
    choice = [OPENING, RACE, *FINISHED]
    chosen = [choice[k] for k in rng.integers(len(choice), size=total)]
    rows = np.array(chosen, np.int8).reshape(-1, 26)
    weights = np.concatenate([[], *(rng.dirichlet(np.ones(size)) for size in sizes)])
    signs = rng.choice([-1.0, 1.0], total)
    offsets = np.cumsum([0, *sizes])
    found = leaf_means(LEAF, Leaves(rows, weights, signs), offsets)
    assert found.shape == (len(sizes), 5)
    for number, (begin, end) in enumerate(pairwise(offsets.tolist())):
        mean = np.zeros(5)
        for j in range(begin, end):
            own = said(chosen[j])
            mean += weights[j] * (own if signs[j] > 0 else for_opponent(own))
        assert found[number].tolist() == mean.tolist()
