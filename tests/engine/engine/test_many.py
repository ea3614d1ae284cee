"""Many positions at once, held to one after the other."""

from typing import Any

import numpy as np
import pytest

import gammon
from gammon.rules.dice import ROLLS
from gammon.rules.terms import Terms
from tests.conftest import Played

OPENING = gammon.Position.opening()


@pytest.mark.parametrize(
    "settings",
    [
        {"depth": 1}, {"depth": 1, "noise": 0.1, "noise_seed": 4}, {"depth": 3},
        {"depth": 3, "algorithm": "star1", "stakes": "gammon-go"}, {"depth": 5, "noise": 0.1},
        {"depth": 5, "move_filter": "tiny", "threads": 2}, {"depth": 3, "threads": 2},
        {"depth": 1, "terms": Terms(7, (2, 5))}, {"depth": 1, "terms": Terms(cube=2, owner=-1)},
    ],
    ids=str,
)  # fmt: skip
def test_many_at_once_are_those_of_one_by_one_to_the_last_bit(
    settings: dict[str, Any], played: Played
) -> None:
    terms = settings.get("terms", Terms())
    engine = gammon.Engine(**{name: settings[name] for name in settings.keys() - {"terms"}})
    last = [(0, 2, *[0] * 21, -1, 0, 0), (0, 1, 3, 4, *[0] * 17, -2, -1, -1, 0, 0)]
    points = [*last, *played(90, 5)[:: {1: 2, 3: 51, 5: 90}[engine.depth]]]
    dice = [ROLLS[7 * number % 21] for number in range(len(points))]
    many = engine.evaluate_many(points, terms)
    plays = engine.values_of_plays(points, dice, terms)
    assert plays.offsets.tolist()[:: len(points)] == [0, len(plays.rows)]
    for number, each in enumerate(points):
        position = gammon.Position(each).with_terms(terms)
        alone = engine.evaluate(position)
        assert many.equities[number] == alone.equity
        assert tuple(many.chances[number]) == alone.probabilities
        mine = slice(*plays.offsets[number : number + 2])
        rows, equities, chances, exact = (column[mine] for column in plays[1:])
        candidates = engine.analyze(position, dice[number], top=10_000).candidates
        assert [tuple(row) for row in rows.tolist()] == [c.play.points for c in candidates]
        assert equities.tolist() == [c.equity for c in candidates]
        assert exact.tolist() == [c.exact for c in candidates]
        for chance, candidate in zip(chances, candidates, strict=True):
            if candidate.exact:
                assert tuple(chance) == candidate.probabilities
    best = engine.best_plays(points, dice, terms=terms)
    assert best.dtype == np.int8
    assert (plays.rows[plays.offsets[:-1]] == best).all()


def test_blocks_of_positions_change_nothing(played: Played) -> None:
    points, engine = np.array(played(200, 8), np.int8), gammon.Engine(depth=3)
    for some in (engine, gammon.Engine(depth=3, threads=2)):
        many = some.evaluate_many(points)
        for found, alone in zip(many, engine.evaluate_many(points[130:140]), strict=True):
            assert (found[130:140] == alone).all()
    none = engine.evaluate_many(np.empty((0, 26), np.int8))
    assert [column.shape for column in none] == [(0,), (0, 5)]
    plays = engine.values_of_plays(np.empty((0, 26), np.int8), np.empty((0, 2), np.int8))
    assert [column.shape for column in plays] == [(1,), (0, 26), (0,), (0, 5), (0,)]


def test_a_module_answers_for_many() -> None:
    torch = pytest.importorskip("torch")
    from gammon.eval.network import Network

    torch.manual_seed(1)
    engine = gammon.Engine(depth=1, model=Network(16, 4), threads=2)
    points = [OPENING.points, OPENING.flipped().points]
    many, alone = engine.evaluate_many(points), engine.evaluate(OPENING)
    assert many.equities.tolist() == [alone.equity] * 2
    assert many.chances[0] == pytest.approx(alone.probabilities, abs=1e-6)
    plays = engine.values_of_plays(points, [(3, 1), (6, 5)])
    best = engine.analyze(OPENING, (3, 1)).candidates[0]
    assert plays.equities[0] == best.equity
    assert plays.chances[0] == pytest.approx(best.probabilities, abs=1e-6)


def positions_of_a_game(n: int) -> np.ndarray:
    generator = np.random.default_rng(5)
    position, rows = gammon.Position.opening(), []
    while len(rows) < n:
        rows.append(position.points)
        roll = tuple(generator.integers(1, 7, 2).tolist())
        position = gammon.Engine(1).analyze(position, roll).candidates[0].play.position
        if position.is_over:
            position = gammon.Position.opening()
    return np.array(rows, np.int8)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("terms", [Terms(), Terms(7, (5, 4), cube=2, owner=1)], ids=str)
def test_many_cubes_and_analyses_are_those_of_one_at_a_time(terms: Terms, threads: int) -> None:
    boards, dice = positions_of_a_game(6), [(3, 1), (4, 4), (6, 5), (2, 1), (5, 3), (6, 6)]
    engine = gammon.Engine(depth=1, threads=threads)
    analyses = engine.analyze_many(boards, dice, 3, terms)
    cubes = engine.cube_many(boards, terms)
    for n, (board, roll) in enumerate(zip(boards.tolist(), dice, strict=True)):
        position = gammon.Position(tuple(board)).with_terms(terms)
        one, decision = engine.analyze(position, roll, 3), engine.cube(position)
        assert analyses[n].candidates == one.candidates
        assert cubes.no_double[n] == decision.no_double.equity
        assert cubes.double_take[n] == decision.double_take.equity
        assert cubes.double_pass[n] == decision.double_pass.equity
        assert tuple(cubes.chances[n]) == decision.probabilities
        assert cubes.doubles[n] == decision.action.startswith("double")
        assert cubes.takes[n] == (decision.answer in ("take", "beaver"))
    assert cubes == engine.cube_many(boards, terms) != engine.cube_many(boards[:5], terms)


def test_many_cubes_where_nobody_may_double_have_no_values_of_a_double() -> None:
    engine, opening = gammon.Engine(depth=1), [gammon.Position.opening().points]
    owned = engine.cube_many(opening, Terms(cube=2, owner=-1))
    assert np.isnan(owned.double_take).all() and np.isnan(owned.double_pass).all()
    assert not owned.doubles.any()
    assert gammon.to_json(owned)["double_take"] == [None]
    assert gammon.to_json(owned)["no_double"] == owned.no_double.tolist()
    none = np.empty((0, 26), np.int8)
    assert engine.cube_many(none).chances.shape == (0, 5)
    assert engine.analyze_many(none, np.empty((0, 2), int)) == []
