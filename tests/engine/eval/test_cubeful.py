"""The evaluator with the cube: the efficiency, and the network that learned it."""

import numpy as np
import pytest

from gammon.base.errors import ModelError, SettingError
from gammon.compiled.kernel import kernel
from gammon.compiled.records import Float64Vector
from gammon.compiled.vector import filled, load, store
from gammon.eval import array_cache, cube_network, race_network
from gammon.eval.array_cache import LearnedFile
from gammon.eval.baseline import BASELINE
from gammon.eval.bearoff_cube import covers, exact_money
from gammon.eval.bearoff_file import bearoff_tables
from gammon.eval.cube_network import (
    N_LEARNED,
    NETWORK,
    QUARTER,
    SEEN,
    SHAPES,
    UNITS,
    WHOLE,
    block_of,
    cube_block,
    seen_of,
)
from gammon.eval.cubeful import cubeful_evaluator
from gammon.eval.efficiency import (
    BY_OWNER,
    CONTACT,
    KNOWN,
    LIKE_TWO,
    N_OUTPUTS,
    cube_efficiency,
    efficiency_in_race,
    efficiency_in_races,
    efficiency_of,
)
from gammon.eval.evaluators import evaluator_of_packed, load_evaluator
from gammon.eval.integers import header_of, pack
from gammon.eval.janowski import match_value, money_value
from gammon.eval.model_file import load_model
from gammon.eval.race_network import race_block
from gammon.formats.met_file import read_met
from gammon.rules.board import OPENING, Points, has_contact
from gammon.rules.match_equity import params_of
from gammon.rules.outcome import N_RESULTS
from gammon.rules.plays import MAX_ROWS, successors
from gammon.rules.terms import Terms, stake_of
from tests.boards import by_counts, by_sides, points_of
from tests.engine.eval.drawn import folded
from tests.naive.cube import efficiencies
from tests.naive.search import outputs

# The evaluator with the cube: the chances of the network, and the efficiency.


def test_the_outputs_are_those_of_the_network_and_the_efficiency() -> None:
    network = load_evaluator("probe")
    cubeful = cubeful_evaluator(network)
    rows = np.empty((MAX_ROWS, 26), np.int8)
    race = np.array(points_of({8: 1, 6: 4, 5: 5, 2: 5}, {19: 9, 21: 6}), np.int8)
    for parent in (np.array(OPENING, np.int8), race):
        found = rows[: successors(parent, 3, rows)]
        out = outputs(cubeful, parent, found)
        assert out.shape == (len(found), cubeful.outputs) == (len(found), N_OUTPUTS)
        assert out[:, :6].tobytes() == outputs(network, parent, found).tobytes()
        if parent is race:
            assert (out[:, 6] == LIKE_TWO).all()
            assert (np.diff(out[:, 7:], axis=1) < 0.0).all(), "one's own cube is worth most"
        else:
            assert (out[:, 6] == BY_OWNER).all()
            assert np.array_equal(out[:, 7:], efficiencies(found, out[:, :6], cube_block()))


def test_small_bearoffs_have_their_known_values() -> None:
    for bearoff in (True, False):
        network = load_evaluator("probe", bearoff)
        cubeful = cubeful_evaluator(network)
        rows = np.array(
            [
                by_counts((0, 0, 1, 1), (0, 2)),
                by_counts((7,), (1,)),
                OPENING,
                by_counts((0, 0, 0, 0, 0, 6), (0, 0, 0, 0, 0, 6)),
                by_counts((1,), (0, 1)),
            ],
            np.int8,
        )
        out = outputs(cubeful, rows[2], rows)
        assert out[:, :6].tobytes() == outputs(network, rows[2], rows).tobytes()
        for row, points in zip(out, rows.tolist(), strict=True):
            if bearoff and covers(points):
                expected = [exact_money(points, Terms(cube=2, owner=o)) for o in (1, 0, -1)]
                assert row[6:].tolist() == [KNOWN, *expected]
            elif bearoff:
                assert row[6] == (BY_OWNER if has_contact(points) else LIKE_TWO)
            else:
                assert row[6] == np.float32(cube_efficiency(tuple(points)))
                assert not row[7:].any()
        assert cubeful.weights is network.weights, "they take no more memory"


def test_other_evaluators_are_refused() -> None:
    with pytest.raises(SettingError, match="expected a network in integers"):
        cubeful_evaluator(BASELINE)


# The network of the cube: its inputs, its integers, and numbers that do not fit.

CHANCES = np.array([[0.0, 0.125, 0.375, 0.25, 0.2, 0.05]], np.float32)


def test_it_sees_chances_and_counts_of_both_sides() -> None:
    row = np.array(by_sides({3: 1, 6: 4, 13: 2, 20: 1, 25: 2}, {1: 2, 8: 3, 24: 1}), np.int8)
    seen = seen_of(row[None], CHANCES)[0]
    assert seen[:6].tolist() == [int(chance * WHOLE) for chance in CHANCES[0]]
    counts = (seen[6:] // QUARTER).reshape(-1, 2).tolist()
    assert counts[:3] == [[2, 1], [1, 1], [1, 1]], "points with a checker"
    assert counts[3:6] == [[1, 1], [1, 1], [0, 0]], "with two"
    assert counts[6:9] == [[1, 0], [0, 1], [0, 0]], "with three"
    assert counts[9] == [2, 0], "on the bar"
    assert not (seen[6:] % QUARTER).any()


def test_both_sides_see_the_same() -> None:
    row = np.array(OPENING, np.int8)
    turned = -row[::-1]
    assert np.array_equal(seen_of(row[None], CHANCES), seen_of(turned[None], CHANCES))


def test_the_block_says_what_the_layers_say_that_learned() -> None:
    random = np.random.default_rng(3)
    one, bias1, two, bias2 = (random.normal(0.0, 0.3, shape) for shape in SHAPES)
    bias2 += 0.5
    flat = np.concatenate([part.ravel() for part in (one, bias1, two, bias2)])
    rows = np.array([OPENING, by_sides({6: 5, 5: 3, 20: 2}, {6: 4, 18: 1})], np.int8)
    chances = np.repeat(CHANCES, 2, axis=0)
    seen = seen_of(rows, chances) / WHOLE
    expected = np.clip(np.maximum(seen @ one.T + bias1, 0.0) @ two.T + bias2, 0.0, 1.0)
    found = efficiencies(rows, chances, block_of(flat.astype(np.float32)))
    assert found == pytest.approx(expected, abs=0.02)
    assert (expected > 0.0).any()


@pytest.mark.parametrize(
    ("place", "number"),
    [(0, 32.0), (UNITS * SEEN, 2100.0), (UNITS * (SEEN + 1), 40.0), (3, np.nan), (3, np.inf)],
)
def test_numbers_that_do_not_fit_are_refused(place: int, number: float) -> None:
    flat = np.zeros(N_LEARNED, np.float32)
    block_of(flat)
    flat[place] = number
    with pytest.raises(ModelError, match="its numbers are too large"):
        block_of(flat)


def test_weights_that_could_wrap_around_together_are_refused() -> None:
    flat = np.zeros(N_LEARNED, np.float32)
    flat[UNITS * (SEEN + 1) :][:UNITS] = 5.0
    with pytest.raises(ModelError, match="its numbers are too large"):
        block_of(flat)


def test_the_shipped_network() -> None:
    assert len(NETWORK.id()) == 12
    rows = np.array([OPENING], np.int8)
    found = efficiencies(rows, CHANCES, cube_block())
    assert ((found > 0.3) & (found <= 1.0)).all()


def drawn(seed: int, spread: float) -> np.ndarray:
    """Drawn numbers of a network of the cube, float32 [483]."""
    random = np.random.default_rng(seed)
    flat = random.normal(0.0, spread, N_LEARNED).astype(np.float32)
    flat[UNITS * (SEEN + 1) :] *= 0.3
    flat[-3:] += 0.6
    return flat


@pytest.mark.parametrize(("seed", "spread"), [(1, 0.1), (2, 1.0), (3, 6.0)])
def test_it_is_its_definition_to_the_bit(seed: int, spread: float, played) -> None:
    block = block_of(drawn(seed, spread))
    weights = load_model("probe").weights
    with_it = evaluator_of_packed(pack(weights, bearoff_tables(), race_block(), block))
    without = evaluator_of_packed(pack(weights, bearoff_tables(), race_block()))
    rows = np.array(played(800, seed), np.int8)
    contact = np.array([has_contact(tuple(row)) for row in rows.tolist()])
    found = outputs(cubeful_evaluator(with_it), rows[0], rows)
    plain = outputs(cubeful_evaluator(without), rows[0], rows)
    assert found[:, :6].tobytes() == plain[:, :6].tobytes()
    assert found[~contact].tobytes() == plain[~contact].tobytes()
    assert (found[contact, 6] == BY_OWNER).all()
    assert (plain[contact, 6] == np.float32(CONTACT)).all()
    expected = efficiencies(rows[contact], found[contact, :6], block)
    assert found[contact, 7:].tobytes() == np.ascontiguousarray(expected).tobytes()
    assert expected.std() > 0.0 and (~contact).sum() > 50


def test_a_loaded_network_has_the_block_and_one_without_tables_has_none() -> None:
    assert header_of(load_evaluator("leaf").weights).cube > 0
    assert header_of(load_evaluator("leaf", bearoff=False).weights).cube == 0


# The efficiency of the cube, plain and compiled, and bearoffs whose values are known.


@kernel()
def in_lanes(win: Float64Vector, owner: int, worth: Float64Vector, most: float, found: Float64Vector) -> None:
    """Write the efficiencies that the worth of eight races shows."""
    store(found, 0, efficiency_in_races(load(win, 0, 8), owner, load(worth, 0, 8), filled(most, 8)))


def compiled_efficiency(win: float, owner: int, worth: float, most: float = 0.6) -> float:
    """Return what the lanes of eight races that are alike have in common."""
    found = np.zeros(8)
    in_lanes(np.full(8, win), owner, np.full(8, worth), most, found)
    assert (found == found[0]).all()
    return float(found[0])


@pytest.mark.parametrize(
    ("points", "roller", "mean"),
    [
        (OPENING, 0.68, 0.68),
        (by_sides({6: 3, 20: 2}, {10: 2}), 0.68, 0.68),
        # One checker is not at home: .55 + .00125 of the pips, from .6 to .7.
        (by_sides({7: 1, 6: 13}, {6: 15}), 0.55 + 0.00125 * 85, 0.55 + 0.00125 * 87.5),
        (by_sides({6: 15}, {7: 1, 6: 2}), 0.55 + 0.00125 * 90, 0.55 + 0.00125 * 54.5),
        (by_sides({8: 2}, {6: 15}), 0.60, 0.55 + 0.00125 * 53),
        (by_sides({12: 12}, {12: 12}), 0.70, 0.70),
        (by_counts((0, 0, 0, 0, 0, 15), (0, 0, 0, 0, 15)), 0.60, 0.60),
        (by_counts((1,), (0, 0, 0, 0, 15)), 0.60, 0.60),
    ],
)
def test_by_the_kind_of_position(points: Points, roller: float, mean: float) -> None:
    assert cube_efficiency(points) == cube_efficiency(points, "roller") == pytest.approx(roller)
    assert cube_efficiency(points, "mean") == pytest.approx(mean)


def test_another_word_is_refused() -> None:
    with pytest.raises(SettingError, match="pips 'own': expected one of roller, mean"):
        cube_efficiency(OPENING, "own")


@pytest.mark.smoke
def test_compiled(played) -> None:
    boards = played(3000, seed=5)
    assert {cube_efficiency(points) for points in boards} > {0.68, 0.60}
    for points in boards:
        state = np.array(points, np.int8)
        assert efficiency_of(state) == pytest.approx(cube_efficiency(points), abs=1e-12)


def test_the_efficiency_that_an_exact_value_shows() -> None:
    """It is the one with which the model for money has that value, from 0 to .6."""
    random = np.random.default_rng(2)
    clear = 0
    for _ in range(3000):
        win, owner, x = (random.random(), int(random.integers(-1, 2)), 1.5 * random.random() - 0.4)
        terms = Terms(cube=2 if owner else 1, owner=owner)
        results = [0.0, 0.0, 1.0 - win, win, 0.0, 0.0]
        exact = money_value(results, terms, x)
        room = money_value(results, terms, 1.0) - money_value(results, terms, 0.0)
        found = efficiency_in_race(win, owner, exact)
        assert compiled_efficiency(win, owner, exact) == found
        if abs(room) > 2e-4:
            clear += 1
            assert found == pytest.approx(min(max(x, 0.0), 0.6), abs=1e-9)
    assert clear > 2500


def test_where_live_and_dead_cube_are_the_same_the_exact_value_shows_nothing() -> None:
    for win, owner in ((0.5, 0), (0.50001, 0), (1.0, 1), (0.0, -1), (0.0, 1)):
        for exact in (-0.3, 0.0, 0.3):
            assert efficiency_in_race(win, owner, exact) == 0.6
            assert compiled_efficiency(win, owner, exact) == 0.6


MET = read_met()


def drawn_outputs(count: int) -> np.ndarray:
    """Drawn rows float32 [count, 10]: one known, one not, one with efficiencies by owner."""
    random = np.random.default_rng(4)
    win = random.random(count)
    rows = np.zeros((count, N_OUTPUTS), np.float32)
    rows[:, 2], rows[:, 3] = 1.0 - win, win
    rows[:, N_RESULTS] = 0.65
    known, learned = rows[::3], rows[2::3]
    known[:, N_RESULTS] = KNOWN
    exact = np.clip(2 * win[::3, None] - 1 + random.uniform(-0.1, 0.1, (len(known), 3)), -1, 1)
    known[:, N_RESULTS + 1 :] = exact
    learned[:, N_RESULTS] = BY_OWNER
    learned[:, N_RESULTS + 1 :] = random.random((len(learned), 3))
    return rows


@pytest.mark.parametrize("jacoby", [False, True])
def test_for_money_the_value_is_the_known_one(jacoby: bool) -> None:
    rows = drawn_outputs(60)
    others = np.ascontiguousarray(rows[1::3, : N_RESULTS + 1])
    params = params_of(Terms(jacoby=jacoby))
    for stake, column in ((1, 7), (0, 8), (-1, 9)):
        values = folded(rows, stake, params)
        assert np.array_equal(values[::3], rows[::3, column])
        assert np.array_equal(values[1::3], folded(others, stake, params))
        terms = Terms(cube=2 if stake else 1, owner=stake, jacoby=jacoby)
        for row, value in zip(rows[2::3].astype(float), values[2::3], strict=True):
            expected = money_value(row[:6].tolist(), terms, row[column])
            if stake < 0:
                expected = min(expected, money_value(row[:6].tolist(), Terms(), row[8]))
            assert value == pytest.approx(expected, abs=2e-7)


def test_a_cube_that_may_not_be_turned_has_the_cubeless_value() -> None:
    rows = drawn_outputs(60)
    values = folded(rows, 0, params_of(Terms(live=False)))
    assert values == pytest.approx(rows[:, 3] - rows[:, 2], abs=1e-7)


@pytest.mark.parametrize(
    "terms",
    [
        Terms(7, (7, 7)),
        Terms(7, (3, 5), cube=2, owner=1),
        Terms(9, (8, 6), cube=2, owner=-1),
        Terms(5, (2, 2)),
        Terms(7, (4, 1)),
        Terms(7, (1, 4), crawford=True),
        Terms(5, (1, 1)),
    ],
    ids=str,
)
def test_in_a_match_it_gives_the_efficiency(terms: Terms) -> None:
    rows = drawn_outputs(60)
    for at, sign in ((terms, 1), (terms.for_opponent(), -1)):
        found = folded(rows, sign * stake_of(terms), params_of(terms, MET))
        for row, value in zip(rows.astype(float), found, strict=True):
            efficiency = row[N_RESULTS]
            if efficiency == KNOWN:
                efficiency = efficiency_in_race(row[3], at.owner, row[8 - at.owner])
            elif efficiency == BY_OWNER:
                efficiency = row[8 - at.owner]
            expected = 2.0 * match_value(row[:6].tolist(), at, efficiency, MET) - 1.0
            assert value == pytest.approx(expected, abs=2e-7)


# Small networks that ship: a file that is not what was written is refused.

X = LearnedFile("x.network", 90, "the network of X")


def with_a_bit_flipped(path):
    data = bytearray(path.read_bytes())
    data[100] ^= 1
    path.write_bytes(data)


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda path: path.unlink(), "the network of X, models/x.network, is not there"),
        (lambda path: (path.unlink(), path.mkdir()), "cannot be read: Is a directory"),
        (lambda path: path.write_bytes(b""), "is damaged"),
        (with_a_bit_flipped, "is damaged"),
        (lambda path: array_cache.write_array(path, np.zeros(3, np.float32)), "is damaged"),
    ],
    ids=["missing", "a folder", "empty", "a bit flipped", "of another size"],
)
def test_a_network_that_is_not_what_was_written_is_refused(damage, said, tmp_path, monkeypatch):
    path, numbers = tmp_path / "x.network", np.arange(90, dtype=np.float32)
    array_cache.write_array(path, numbers)
    monkeypatch.setattr(array_cache, "shipped_files", lambda suffix: [*tmp_path.glob(suffix)])
    assert np.array_equal(LearnedFile.numbers.__wrapped__(X), numbers)
    damage(path)
    with pytest.raises(ModelError, match=said):
        LearnedFile.numbers.__wrapped__(X)


def test_networks_are_told_apart():
    assert race_network.NETWORK.id() != cube_network.NETWORK.id()
    with pytest.raises(ModelError, match="of another size"):
        race_network.NETWORK._replace(size=5).id()
