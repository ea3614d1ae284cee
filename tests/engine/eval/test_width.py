"""The widths of positions: the fold against its twin, symmetry, and limits."""

from typing import Any

import numpy as np
import pytest

from gammon import Engine, Position, Question
from gammon.engine.scale import Scale
from gammon.eval.cubeful import evaluator_at
from gammon.eval.evaluators import load_evaluator
from gammon.eval.width import LEAST, MOST, RACE, SCALE, fold_width, load_width, width_outputs
from gammon.formats.met_file import read_met
from gammon.rules.board import OPENING, has_contact
from gammon.rules.match_equity import params_of
from gammon.rules.terms import CUBELESS, NAMED_STAKES, Payoffs, Terms, cubeless_terms, stake_of
from tests.boards import points_of
from tests.conftest import Played
from tests.engine.eval.drawn import drawn_results
from tests.naive.search import outputs, static_value
from tests.naive.widths import width_of

MET = read_met()


def match(own: int, their: int, **more: Any) -> Terms:
    """The terms of a match of 9 points."""
    return Terms(9, (own, their), **more)


#: Money and matches: each owner of the cube, gammons that do not count, doubles that cost nothing.
TERMS = [
    *NAMED_STAKES.values(),
    Terms(),
    Terms(jacoby=True),
    Terms(cube=2, owner=1, jacoby=True),
    Terms(cube=2, owner=-1),
    Terms(beavers=True),
    Terms(live=False),
    match(9, 9),
    match(3, 5, cube=2, owner=1),
    match(3, 5, cube=2, owner=-1),
    match(4, 7, cube=4, owner=-1),
    match(7, 4, cube=4, owner=-1),
    match(2, 3, cube=2, owner=1),
    match(5, 1),
    match(1, 5),
    match(1, 5, crawford=True),
    match(2, 1, crawford=True),
    match(1, 1),
]


def widths(results: np.ndarray, static: np.ndarray, stake: int, params: np.ndarray) -> np.ndarray:
    """The widths that the fold writes in place of static values, float32 [n]."""
    values = static.copy()
    fold_width(results, len(results), stake, params, values)
    return values


def drawn(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Drawn outputs of the network, and static values from -1 to 1."""
    random = np.random.default_rng(5)
    return drawn_results(random, count), random.uniform(-1, 1, count).astype(np.float32)


@pytest.mark.smoke
@pytest.mark.parametrize("terms", TERMS, ids=str)
def test_widths_are_those_of_the_twin(terms: Terms) -> None:
    results, static = drawn(60)
    terms = terms.checked()
    found = widths(results, static, stake_of(terms), params_of(terms, MET))
    rows = zip(results.tolist(), static.tolist(), strict=True)
    expected = [width_of(row, value, terms, MET) for row, value in rows]
    assert found == pytest.approx(expected, rel=1e-5)
    assert np.isfinite(found).all()
    assert (found > 0).all()
    results[:, 0] += RACE
    found = widths(results, static, stake_of(terms), params_of(terms, MET))
    rows = zip(results.tolist(), static.tolist(), strict=True)
    expected = [width_of([row[0] - RACE, *row[1:]], value, terms, MET, race=True) for row, value in rows]
    assert found == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize("terms", TERMS, ids=str)
def test_widths_are_the_same_whoever_is_on_roll_at_the_root(terms: Terms) -> None:
    results, static = drawn(30)
    other = terms.for_opponent()
    found = widths(results, static, stake_of(terms), params_of(terms, MET))
    swapped = widths(results, static, -stake_of(other), params_of(other, MET))
    assert found == pytest.approx(swapped, rel=1e-6)


@pytest.mark.parametrize("factor", [1e-3, 7.0, 1e5])
def test_widths_have_the_unit_of_the_payoffs(factor: float) -> None:
    results, static = drawn(30)
    for payoffs in (Payoffs(1, 2, 3, -1, -2, -3), Payoffs(1, 5, 5, -1, -1, -2)):
        terms = cubeless_terms(payoffs)
        scaled = cubeless_terms(Payoffs(*(factor * paid for paid in payoffs)))
        found = widths(results, static, stake_of(terms), params_of(terms))
        times = widths(results, np.float32(factor) * static, stake_of(scaled), params_of(scaled))
        assert times == pytest.approx(factor * found, rel=1e-5)


def test_widths_grow_with_the_odds_between_their_limits() -> None:
    win = np.array([0.0, 0.1, 0.5, 0.9, 0.96, 0.97, 1.0], np.float32)
    results = np.zeros((len(win), 6), np.float32)
    results[:, 2], results[:, 3] = 1 - win, win
    found = widths(results, np.zeros_like(win), 0, params_of(CUBELESS))
    assert found[0] == pytest.approx(LEAST)
    assert found[2] == pytest.approx(LEAST + SCALE)
    assert found[-2:] == pytest.approx(LEAST + MOST)
    assert (np.diff(found[:-1]) > 0).all()


def test_the_evaluator_that_ships() -> None:
    """Its widths depend on the position, and do not need the tables of bearoffs."""
    evaluator = load_width()
    assert evaluator.fold is fold_width and evaluator.evaluate is width_outputs
    packed = load_evaluator("width", bearoff=False).weights
    assert evaluator.weights.tobytes() == packed.tobytes()
    blots = list(OPENING)
    blots[6], blots[5], blots[4] = 3, 1, 1
    rows = np.array([OPENING, blots], np.int8)
    calm, wild = widths(outputs(evaluator, rows[0], rows), np.zeros(2, np.float32), 0, params_of(CUBELESS))
    assert calm > 0.99 * LEAST
    assert 2 * calm < wild < 0.2


@pytest.mark.parametrize(
    "context", ["0:0:1:00:0:0:0:0:10", "1:-1:1:00:0:0:0:0:10", "0:0:1:00:2:4:0:7:10", "1:1:1:00:2:4:0:7:10"]
)
def test_an_engine_tells_the_width_of_a_position(context: str, played: Played) -> None:
    """In units of equity, by the twin: from the network's outputs and the static value."""
    network, evaluator, seen = load_evaluator("leaf"), load_width(), []
    for points in played(60, 3)[::8]:
        position = Position(points, Position.parse(f"XGID=-b----E-C---eE---c-e----B-:{context}").context)
        terms, row = position.context.terms(), np.array(points, np.int8)
        scale, race = Scale.at(terms), not has_contact(points)
        static = static_value(scale.game, evaluator_at(network, terms), row, scale.game.stake)
        results = outputs(evaluator, row, row[None])[0, :6].astype(float)
        results[0] -= RACE * race
        width = Engine(5).width(Question(position=position, depth=5))
        if race:
            assert width is None
        else:
            assert width == pytest.approx(
                width_of(results.tolist(), static, terms, MET) / scale.unit, rel=1e-4
            )
            seen.append(width)
        assert Engine(5).width(Question(position=position, algorithm="star2")) is None
    assert len(seen) > 3
    assert max(seen) > 3 * min(seen)


def test_races_are_marked(played: Played) -> None:
    """Positions of games, bearoffs and bars: a race is what has no contact."""
    bar = points_of({25: 1, 3: 2}, {20: 4})
    rows = np.array(
        [*played(200, 4), points_of({3: 2, 1: 1}, {20: 4}), bar, points_of({3: 2}, {0: 1})], np.int8
    )
    evaluator = load_width()
    marked = outputs(evaluator, rows[0], rows)
    plain = outputs(load_evaluator("width", bearoff=False), rows[0], rows)
    races = np.array([not has_contact(row) for row in map(tuple, rows.tolist())])
    assert 10 < races.sum() < len(rows) - 10
    assert marked[:, 0] - plain[:, 0] == pytest.approx(RACE * races, abs=1e-6)
    assert (marked[:, 1:] == plain[:, 1:]).all()


@pytest.mark.parametrize(
    "text",
    [
        "XGID=-J----------------------j-:1:1:1:00:0:0:0:0:10",
        "XGID=-CABAAA-------------bc-ab-:0:0:1:00:2:4:0:7:10",
    ],
)
def test_a_race_with_a_live_cube_is_exact(text: str) -> None:
    position = Position.parse(text)
    bounded, exact = (Engine(depth=5, algorithm=name).cube(position) for name in ("bounded", "star2"))
    for ours, theirs in ((bounded.no_double, exact.no_double), (bounded.double_take, exact.double_take)):
        assert ours is not None and theirs is not None
        assert ours.equity == pytest.approx(theirs.equity, abs=1e-9)
