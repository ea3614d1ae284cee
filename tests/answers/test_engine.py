"""The public interface."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import gammon
from gammon.eval.equity import results_of_cumulative
from gammon.eval.features import N_FEATURES
from gammon.eval.model_file import load_model
from gammon.eval.weights import parts_of
from gammon.rules.board import Points
from gammon.rules.dice import ROLLS, WEIGHTS

OPENING = gammon.Position.opening()


@pytest.fixture(scope="module")
def engine() -> gammon.Engine:
    return gammon.Engine(depth=3)


@pytest.mark.smoke
def test_candidates_are_ranked_and_marked(engine: gammon.Engine) -> None:
    analysis = engine.analyze(OPENING, (6, 4), top=3)
    candidates = analysis.candidates
    assert len(candidates) == len(gammon.legal_plays(OPENING, (6, 4))) == 14
    assert [c.exact for c in candidates[:3]] == [True] * 3
    # One that was searched before better ones were known may be exact too.
    assert not all(c.exact for c in candidates[3:])
    equities = [c.equity for c in candidates]
    assert equities == sorted(equities, reverse=True)
    assert candidates[0].loss == 0
    assert all(c.depth == 3 for c in candidates)
    assert [c.probabilities_depth for c in candidates] == [3] * 3 + [1] * 11


def test_chances_explain_equities(played: Callable[[int, int], list[Points]]) -> None:
    for depth, count in ((1, 40), (3, 10), (5, 1)):
        engine = gammon.Engine(depth=depth, cubeless=True)
        for number, points in enumerate(played(count * 9, depth)[::9]):
            analysis = engine.analyze(gammon.Position(points), ROLLS[number % 21], top=2)
            for candidate in analysis.candidates[:2]:
                assert candidate.probabilities.equity == pytest.approx(
                    candidate.equity, abs=2e-5
                )
                win, win_g, win_bg, lose_g, lose_bg = candidate.probabilities
                ladder = (0, win_bg, win_g, win), (0, lose_bg, lose_g, 1 - win)
                assert all(np.diff(side).min() > -1e-6 for side in ladder)


def test_a_play_is_worth_the_opposite_of_its_position(engine: gammon.Engine) -> None:
    best = engine.analyze(OPENING, (3, 1), top=1).candidates[0]
    evaluation = engine.evaluate(best.play.position)
    assert best.equity == pytest.approx(-evaluation.equity, abs=1e-9)
    assert evaluation.probabilities.win == pytest.approx(1 - best.probabilities.win)
    assert evaluation.probabilities.lose_gammon == pytest.approx(best.probabilities.win_gammon)


def test_evaluation_is_the_mean_of_the_rolls() -> None:
    position = gammon.Position.parse("4HPiATCYc8kBIg")
    rolls = gammon.Engine(depth=1, cubeless=True).analyze_rolls(position)
    equities = [analysis.candidates[0].equity for analysis in rolls.analyses]
    assert rolls.equity == pytest.approx(np.dot(equities, WEIGHTS) / 36)
    # One roll deeper, the same number.
    deeper = gammon.Engine(depth=3, cubeless=True).evaluate(position)
    assert deeper.equity == pytest.approx(rolls.equity)
    assert rolls.probabilities.equity == pytest.approx(rolls.equity, abs=2e-5)


def test_best_plays_are_those_of_analyze(played: Callable[[int, int], list[Points]]) -> None:
    points = played(120, 31)[::6]
    dice = [ROLLS[(5 * k) % 21] for k in range(len(points))]
    for depth in (1, 3):
        engine = gammon.Engine(depth=depth)
        many = engine.best_plays(np.array(points, np.int8), np.array(dice))
        assert many.dtype == np.int8
        for row, position, roll in zip(many, points, dice, strict=True):
            best = engine.analyze(gammon.Position(position), roll, top=1).candidates[0]
            assert tuple(row.tolist()) == best.play.points


@pytest.mark.parametrize(
    "settings",
    [
        {"depth": 1}, {"depth": 1, "noise": 0.1, "noise_seed": 4}, {"depth": 3},
        {"depth": 3, "algorithm": "gamma-a", "stakes": "gammon-go"}, {"depth": 5, "noise": 0.1},
        {"depth": 5, "move_filter": "tiny", "threads": 2}, {"depth": 3, "threads": 2},
    ],
    ids=str,
)  # fmt: skip
def test_many_at_once_are_those_of_one_by_one_to_the_last_bit(
    settings: dict[str, Any], played: Callable[[int, int], list[Points]]
) -> None:
    engine = gammon.Engine(**settings)
    last = [(0, 2, *[0] * 21, -1, 0, 0), (0, 1, 3, 4, *[0] * 17, -2, -1, -1, 0, 0)]
    points = [*last, *played(90, 5)[:: {1: 2, 3: 51, 5: 90}[engine.depth]]]
    dice = [ROLLS[7 * number % 21] for number in range(len(points))]
    many, plays = engine.evaluate_many(points), engine.values_of_plays(points, dice)
    assert plays.offsets.tolist()[:: len(points)] == [0, len(plays.rows)]
    for number, position in enumerate(map(gammon.Position, points)):
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
    best = engine.best_plays(points, dice)
    assert (plays.rows[plays.offsets[:-1]] == best).all()


def test_blocks_of_positions_change_nothing(
    engine: gammon.Engine, played: Callable[[int, int], list[Points]]
) -> None:
    points = np.array(played(200, 8), np.int8)
    for some in (engine, gammon.Engine(depth=3, threads=2)):
        many = some.evaluate_many(points)
        for found, alone in zip(many, engine.evaluate_many(points[130:140]), strict=True):
            assert (found[130:140] == alone).all()
    none = engine.evaluate_many(np.empty((0, 26), np.int8))
    assert [column.shape for column in none] == [(0,), (0, 5)]
    plays = engine.values_of_plays(np.empty((0, 26), np.int8), np.empty((0, 2), np.int8))
    assert [column.shape for column in plays] == [(1,), (0, 26), (0,), (0, 5), (0,)]


def test_plays_that_a_filter_leaves_out_have_their_static_chances() -> None:
    points, dice = [OPENING.points], [(6, 4)]
    tiny = gammon.Engine(depth=3, move_filter="tiny").values_of_plays(points, dice)
    static = gammon.Engine(depth=1).values_of_plays(points, dice)
    assert 0 < tiny.exact.sum() <= 5
    for rank in np.flatnonzero(~tiny.exact):
        (same,) = np.flatnonzero((static.rows == tiny.rows[rank]).all(axis=1))
        assert tiny.equities[rank] == static.equities[same]
        assert (tiny.chances[rank] == static.chances[same]).all()


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


@pytest.mark.parametrize("shared", [True, False], ids=["one engine", "an engine each"])
def test_threads_may_call_engines_at_once(shared: bool) -> None:
    asked = [(OPENING, (3, 1)), (gammon.Position.parse("4HPiATCYc8kBIg"), (6, 2))]
    engine = gammon.Engine(depth=5, threads=2)

    def analyze(number: int) -> list[tuple[object, ...]]:
        mine = engine if shared else gammon.Engine(depth=5, threads=1 + number % 2)
        found = mine.analyze(*asked[number % 2], top=2)
        return [(c.play, c.equity, c.kind, c.probabilities) for c in found.candidates]

    alone = [analyze(number) for number in range(2)]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(analyze, range(4))) == [*alone, *alone]


def test_any_module_takes_the_networks_place() -> None:
    torch = pytest.importorskip("torch")
    from gammon.eval.network import Network

    weights = load_model("leaf").weights
    parts = parts_of(weights)
    seen = parts[0]["hidden1.weight"].shape[1]
    units = parts[0]["hidden2.weight"].shape[::-1]
    net = Network(*units, seen == N_FEATURES, len(parts))
    net.load_state_dict({name: torch.from_numpy(value) for name, value in weights.items()})
    slow = gammon.Engine(depth=3, model=net).analyze(OPENING, (3, 1), top=3)
    fast = gammon.Engine(depth=3, cubeless=True).analyze(OPENING, (3, 1), top=3)
    for a, b in zip(slow.candidates[:3], fast.candidates[:3], strict=True):
        assert a.play == b.play
        # The engine's own network is rounded to integers.
        assert a.equity == pytest.approx(b.equity, abs=5e-3)
        assert a.probabilities == pytest.approx(b.probabilities, abs=5e-3)
    # Two modules at once do not get mixed up.
    torch.manual_seed(1)
    other = gammon.Engine(depth=1, model=Network(16, 4)).analyze(OPENING, (3, 1))
    assert other.candidates[0].probabilities != pytest.approx(
        fast.candidates[0].probabilities, abs=1e-2
    )


@pytest.mark.parametrize("shape", [(N_FEATURES, 3), (7, 5)])
def test_modules_of_another_shape_are_refused(shape: tuple[int, int]) -> None:
    torch = pytest.importorskip("torch")
    with pytest.raises(gammon.ModelError, match=r"\[N, 5\]|\(1, 5\)"):
        gammon.Engine(model=torch.nn.Linear(*shape))


def test_noise_is_a_function_of_the_state() -> None:
    def equity(noise: float, seed: int, depth: int = 1) -> float:
        engine = gammon.Engine(depth=depth, noise=noise, noise_seed=seed)
        return engine.evaluate(OPENING).equity

    assert equity(0.1, 7) == equity(0.1, 7)
    assert len({equity(0.1, 7), equity(0.1, 8), equity(0.0, 7)}) == 3
    assert equity(0.1, 7, depth=3) != equity(0.0, 0, depth=3)


def test_threads_change_nothing() -> None:
    one, two = (
        gammon.Engine(depth=5, threads=n).analyze(OPENING, (4, 1), top=2) for n in (1, 2)
    )
    assert [c.play for c in one.candidates] == [c.play for c in two.candidates]
    for mine, other in zip(one.candidates, two.candidates, strict=True):
        assert mine.equity == other.equity
        assert mine.kind == other.kind
        assert mine.probabilities == other.probabilities


def test_a_filter_looks_at_fewer_plays(engine: gammon.Engine) -> None:
    analysis = gammon.Engine(depth=3, move_filter="tiny").analyze(OPENING, (6, 4), top=14)
    full = {c.play: c for c in engine.analyze(OPENING, (6, 4), top=14).candidates}
    searched = [c for c in analysis.candidates if c.depth == 3]
    assert 1 <= len(searched) <= 5
    assert analysis.candidates[: len(searched)] == searched
    for candidate in searched:
        # Depth 3 ends with the replies, of which none is left out.
        assert candidate.equity == pytest.approx(full[candidate.play].equity, abs=1e-6)
        assert candidate.kind is gammon.Kind.EXACT
    static = gammon.Engine(depth=1).analyze(OPENING, (6, 4))
    values = {c.play: c.equity for c in static.candidates}
    for candidate in analysis.candidates[len(searched) :]:
        assert (candidate.depth, candidate.kind) == (1, gammon.Kind.STATIC)
        assert candidate.equity == pytest.approx(values[candidate.play], abs=1e-6)


def test_a_pass_is_a_play(engine: gammon.Engine) -> None:
    closed = [0] * 26
    closed[25] = 1
    for point in range(19, 25):
        closed[point] = -2
    analysis = engine.analyze(gammon.Position(tuple(closed)), (6, 5))
    assert [c.play.notation for c in analysis.candidates] == ["cannot move"]
    assert analysis.candidates[0].play.moves == ()


def test_equities_are_those_of_the_stakes() -> None:
    found = {
        name: gammon.Engine(depth=3, stakes=name).analyze(OPENING, (6, 4), top=14)
        for name in ("money", "dmp", "gammon-go", "gammon-save")
    }
    cubeless = gammon.Engine(depth=3, cubeless=True).analyze(OPENING, (6, 4), top=14)
    assert found["money"].candidates == cubeless.candidates
    for name, analysis in found.items():
        worth = gammon.parse_stakes(name)
        assert analysis.stakes == worth
        for candidate in analysis.candidates:
            results = results_of_cumulative(np.array(candidate.probabilities))
            assert results @ worth.worth == pytest.approx(candidate.equity, abs=2e-5)
    go, save = (
        found[name].candidates[0].probabilities for name in ("gammon-go", "gammon-save")
    )
    assert go.win_gammon > save.win_gammon


@pytest.mark.smoke
def test_stakes_may_be_numbers() -> None:
    position = gammon.Position.parse("4HPiATCYc8kBIg")
    money, double = (
        gammon.Engine(depth=1, stakes=stakes).evaluate(position).equity
        for stakes in ("money", gammon.Stakes(2, 4, 6, -2, -4, -6))
    )
    assert double == pytest.approx(2 * money)
    assert gammon.Engine(depth=1, stakes="2,4,6,-2,-4,-6").evaluate(position).equity == double


def test_stakes_seen_from_both_sides(engine: gammon.Engine) -> None:
    best = (
        gammon.Engine(depth=3, stakes="gammon-go").analyze(OPENING, (3, 1), top=1).candidates[0]
    )
    theirs = gammon.Engine(depth=3, stakes="gammon-save").evaluate(best.play.position)
    assert best.equity == pytest.approx(-theirs.equity, abs=1e-6)


def test_at_depth_1_a_filter_leaves_nothing_out() -> None:
    plain, tiny = (
        gammon.Engine(depth=1, move_filter=name).analyze(OPENING, (6, 4)).candidates
        for name in (None, "tiny")
    )
    assert plain == tiny
    assert {candidate.kind for candidate in tiny} == {gammon.Kind.EXACT}
    assert {candidate.probabilities_depth for candidate in tiny} == {1}


def test_a_limit_of_time_keeps_to_the_filter() -> None:
    engine = gammon.Engine(depth=3, move_filter="tiny", max_seconds=1e6)
    plain = gammon.Engine(depth=3, move_filter="tiny")
    for ours, theirs in zip(
        *(each.analyze(OPENING, (6, 4)).candidates for each in (engine, plain)), strict=True
    ):
        assert (ours.play, ours.kind, ours.depth) == (theirs.play, theirs.kind, theirs.depth)


def test_every_candidate_has_chances(played: Callable[[int, int], list[Points]]) -> None:
    """Those of the evaluator where the search kept none."""
    static = gammon.Engine(depth=1)
    for stakes, points in zip(("money", "gammon-go"), played(400, 5)[198::199], strict=False):
        position = gammon.Position(points)
        deep = gammon.Engine(depth=3, stakes=stakes).analyze(position, (6, 4), top=1)
        shallow = {c.play: c for c in static.analyze(position, (6, 4)).candidates}
        assert deep.candidates[0].probabilities_depth == 3
        for candidate in deep.candidates[1:]:
            assert candidate.probabilities_depth == 1
            expected = shallow[candidate.play].probabilities
            assert candidate.probabilities == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(
    "settings",
    [
        {"depth": 3}, {"depth": 5}, {"depth": 5, "threads": 2}, {"depth": 1},
        {"depth": 3, "algorithm": "star1", "noise": 0.05, "noise_seed": 7},
        {"depth": 3, "algorithm": "gamma-a"}, {"depth": 3, "algorithm": "expectimax"},
        {"depth": 3, "stakes": "gammon-go"}, {"depth": 3, "max_seconds": 1e6},
    ],
    ids=str,
)  # fmt: skip
def test_plays_that_are_named_are_exact(settings: dict[str, Any]) -> None:
    engine = gammon.Engine(**settings)
    dice = (3, 3) if settings["depth"] == 3 else (3, 1)
    every = engine.analyze(OPENING, dice, top=10_000).candidates
    found = engine.analyze(OPENING, dice, top=2, plays=[every[3].play, every[-1].play.notation])
    assert [c.play for c in found.candidates if c.named] == [every[3].play, every[-1].play]
    searched = {c.play: c for c in found.candidates}
    for candidate in (*every[:2], every[3], every[-1]):
        ours = searched[candidate.play]
        assert ours.kind is gammon.Kind.EXACT
        assert ours.equity == pytest.approx(candidate.equity, abs=1e-12)
        assert ours.loss == pytest.approx(candidate.loss, abs=1e-12)
        assert ours.probabilities == pytest.approx(candidate.probabilities, abs=1e-9)
        assert ours.probabilities_depth == settings["depth"]
    assert found.candidates[0].loss == 0
    equities = [c.equity for c in found.candidates]
    assert equities == sorted(equities, reverse=True)
    assert found.top == 2


def test_a_named_play_is_searched_though_the_filter_left_it_out() -> None:
    engine = gammon.Engine(depth=3, move_filter="tiny")
    worst = engine.analyze(OPENING, (6, 4)).candidates[-1]
    assert worst.kind is gammon.Kind.STATIC
    found = engine.analyze(OPENING, (6, 4), plays=[worst.play]).candidates
    (ours,) = [each for each in found if each.named]
    assert (ours.kind, ours.depth, ours.probabilities_depth) == (gammon.Kind.EXACT, 3, 3)
    exact = gammon.Engine(depth=3).analyze(OPENING, (6, 4), plays=[worst.play]).candidates
    assert ours.equity == pytest.approx(next(c for c in exact if c.named).equity, abs=1e-12)
    kinds = [each.kind for each in found]
    assert kinds.index(gammon.Kind.STATIC) > found.index(ours), "static ones come last"


def test_a_play_named_twice_is_named_once(engine: gammon.Engine) -> None:
    once = engine.analyze(OPENING, (6, 1), plays=["24/18 6/5"])
    twice = engine.analyze(OPENING, (6, 1), plays=["24/18 6/5", "6/5, 24-18"])
    assert once.candidates == twice.candidates
    assert once.stats == twice.stats
    best = engine.analyze(OPENING, (6, 1), plays=["13/7 8/7"])
    assert best.stats == engine.analyze(OPENING, (6, 1)).stats, "exact anyway"


def test_the_roll_goes_into_the_ids_that_come_back(engine: gammon.Engine) -> None:
    offered = gammon.Position.parse("XGID=-b----E-C---eE---c-e----B-:1:-1:-1:D:2:4:0:7:10")
    position = engine.analyze(offered, (3, 1)).position
    assert position.xgid == "XGID=-b----E-C---eE---c-e----B-:1:-1:-1:31:2:4:0:7:10"
    again = gammon.Position.parse(f"{position.position_id}:{position.match_id}")
    assert again.dice == (3, 1)
    assert (again.points, again.context) == (position.points, position.context)
    rolls = gammon.Engine(depth=1).analyze_rolls(position)
    assert rolls.position.dice is None
    assert [analysis.position.dice for analysis in rolls.analyses] == list(ROLLS)


def test_reprs_of_answers_are_short(engine: gammon.Engine) -> None:
    analysis = engine.analyze(OPENING, (6, 4))
    rolls = gammon.Engine(depth=1).analyze_rolls(OPENING)
    for answer in (
        analysis, rolls, analysis.candidates[0], analysis.candidates[0].play, OPENING,
        gammon.Engine(depth=1).evaluate(OPENING),
    ):  # fmt: skip
        assert len(repr(answer)) < 120


def test_a_position_is_worth_what_it_is_when_a_stop_is_set() -> None:
    stop = gammon.Stop()
    stop.set()
    found = gammon.Engine(depth=7).evaluate(OPENING, stop)
    assert found.equity == gammon.Engine(depth=1).evaluate(OPENING).equity
