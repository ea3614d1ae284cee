"""The public interface."""

from collections.abc import Callable

import numpy as np
import pytest

import gammon
from gammon.eval.equity import results_of_cumulative
from gammon.eval.features import N_FEATURES
from gammon.eval.model_file import load_model
from gammon.eval.packed import parts_of
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
    assert [c.probabilities is not None for c in candidates] == [True] * 3 + [False] * 11


def test_chances_explain_equities(played: Callable[[int, int], list[Points]]) -> None:
    for depth, count in ((1, 40), (3, 10), (5, 1)):
        engine = gammon.Engine(depth=depth)
        for number, points in enumerate(played(count * 9, depth)[::9]):
            analysis = engine.analyze(gammon.Position(points), ROLLS[number % 21], top=2)
            for candidate in analysis.candidates[:2]:
                assert candidate.probabilities is not None
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
    assert best.probabilities is not None
    assert evaluation.probabilities.win == pytest.approx(1 - best.probabilities.win)
    assert evaluation.probabilities.lose_gammon == pytest.approx(best.probabilities.win_gammon)


def test_evaluation_is_the_mean_of_the_rolls() -> None:
    position = gammon.Position.parse("4HPiATCYc8kBIg")
    rolls = gammon.Engine(depth=1).analyze_rolls(position)
    equities = [analysis.candidates[0].equity for analysis in rolls.analyses]
    assert rolls.equity == pytest.approx(np.dot(equities, WEIGHTS) / 36)
    # One roll deeper, the same number.
    assert gammon.Engine(depth=3).evaluate(position).equity == pytest.approx(rolls.equity)
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


def test_any_module_takes_the_networks_place(engine: gammon.Engine) -> None:
    torch = pytest.importorskip("torch")
    from gammon.eval.network import Network

    weights = load_model("leaf").weights
    parts = parts_of(weights)
    seen = parts[0]["hidden1.weight"].shape[1]
    units = parts[0]["hidden2.weight"].shape[::-1]
    net = Network(*units, seen == N_FEATURES, len(parts))
    net.load_state_dict({name: torch.from_numpy(value) for name, value in weights.items()})
    slow = gammon.Engine(depth=3, model=net).analyze(OPENING, (3, 1), top=3)
    fast = engine.analyze(OPENING, (3, 1), top=3)
    for a, b in zip(slow.candidates[:3], fast.candidates[:3], strict=True):
        assert a.play == b.play
        assert a.equity == pytest.approx(b.equity, abs=1e-5)
        assert a.probabilities == pytest.approx(b.probabilities, abs=1e-5)
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


def test_finished_games_are_refused(engine: gammon.Engine) -> None:
    over = gammon.Position.parse("XGID=-B------------------------:0:0:1:31:0:0:0:0:10")
    for ask in (
        lambda: engine.analyze(over, (3, 1)),
        lambda: engine.evaluate(over),
        lambda: engine.analyze_rolls(over),
        lambda: engine.best_plays([over.points], [[3, 1]]),
    ):
        with pytest.raises(gammon.IllegalPositionError, match="over"):
            ask()


@pytest.mark.parametrize("dice", [(7, 1), (0, 1), (1,), (1, 2, 3)])
def test_wrong_dice_are_refused(engine: gammon.Engine, dice: tuple[int, int]) -> None:
    with pytest.raises(gammon.SettingError, match="dice"):
        engine.analyze(OPENING, dice)


def test_wrong_shapes_are_refused(engine: gammon.Engine) -> None:
    with pytest.raises(gammon.SettingError, match="shape"):
        engine.best_plays([OPENING.points], [3, 1])


def test_only_whole_numbers_that_fit_a_board_are_taken(engine: gammon.Engine) -> None:
    with pytest.raises(gammon.IllegalPositionError, match="300"):
        engine.best_plays([[0, 300, *[0] * 23, -1]], [[3, 1]])
    for points, dice in (
        ([OPENING.points], [[3.7, 1]]),
        (np.array([OPENING.points], float), [[3, 1]]),
    ):
        with pytest.raises(gammon.SettingError, match="whole numbers"):
            engine.best_plays(points, dice)


def test_equities_are_those_of_the_stakes(engine: gammon.Engine) -> None:
    found = {
        name: gammon.Engine(depth=3, stakes=name).analyze(OPENING, (6, 4), top=14)
        for name in ("money", "dmp", "gammon-go", "gammon-save")
    }
    assert found["money"].candidates == engine.analyze(OPENING, (6, 4), top=14).candidates
    for name, analysis in found.items():
        worth = gammon.parse_stakes(name)
        assert analysis.stakes == worth
        for candidate in analysis.candidates:
            chances = candidate.probabilities
            assert chances is not None
            results = results_of_cumulative(np.array(chances))
            assert results @ worth.worth == pytest.approx(candidate.equity, abs=2e-5)
    go, save = (
        found[name].candidates[0].probabilities for name in ("gammon-go", "gammon-save")
    )
    assert go is not None
    assert save is not None
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


def test_stakes_that_cannot_be_are_refused() -> None:
    with pytest.raises(gammon.FormatError, match="'cash'"):
        gammon.Engine(stakes="cash")
    with pytest.raises(gammon.SettingError, match="1,0,0"):
        gammon.Engine(stakes=gammon.Stakes(1, 0, 0, -1, -1, -1))


@pytest.mark.parametrize(
    "setting",
    [
        {"depth": 2}, {"algorithm": "star9"}, {"noise": -1.0}, {"noise": float("nan")},
        {"max_seconds": 0.0}, {"threads": 0}, {"move_filter": "wide"},
    ],
    ids=str,
)  # fmt: skip
def test_settings_out_of_range_are_refused(setting: dict[str, object]) -> None:
    with pytest.raises(gammon.SettingError) as caught:
        gammon.Engine(**setting)  # type: ignore[arg-type]
    assert str(*setting.values()) in str(caught.value)
    assert "expected" in str(caught.value)


def test_at_depth_1_a_filter_leaves_nothing_out() -> None:
    plain, tiny = (
        gammon.Engine(depth=1, move_filter=name).analyze(OPENING, (6, 4)).candidates
        for name in (None, "tiny")
    )
    assert plain == tiny
    assert {candidate.kind for candidate in tiny} == {gammon.Kind.EXACT}
    assert all(candidate.probabilities is not None for candidate in tiny)


def test_a_limit_of_time_keeps_to_the_filter() -> None:
    engine = gammon.Engine(depth=3, move_filter="tiny", max_seconds=1e6)
    plain = gammon.Engine(depth=3, move_filter="tiny")
    for ours, theirs in zip(
        *(each.analyze(OPENING, (6, 4)).candidates for each in (engine, plain)), strict=True
    ):
        assert (ours.play, ours.kind, ours.depth) == (theirs.play, theirs.kind, theirs.depth)
