"""The public interface refuses what it cannot mean, in one line."""

import math
import random
from collections.abc import Callable
from typing import Any, cast

import numpy as np
import pytest

import gammon
from gammon_lab.algorithms import GAMMA

OPENING = gammon.Position.opening()


@pytest.fixture(scope="module")
def engine() -> gammon.Engine:
    return gammon.Engine(depth=3)


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


ODD_DICE = [
    (7, 1), (0, 1), (1,), (1, 2, 3), (3.0, 1.0), ("3", "1"), (True, 1), "31", 31, None,
    (3, float("nan")), (10**5000, 1), np.array([[3, 1]]), {3: 1, 1: 3},
]  # fmt: skip


@pytest.mark.parametrize("dice", ODD_DICE, ids=lambda dice: type(dice).__name__)
def test_wrong_dice_are_refused(engine: gammon.Engine, dice: Any) -> None:
    for ask in (engine.analyze, gammon.legal_plays):
        with pytest.raises(gammon.SettingError, match=r"dice .*expected two numbers") as caught:
            ask(OPENING, dice)
        assert len(str(caught.value)) < 200


@pytest.mark.parametrize("top", [0, True, 2.5, "3", None])
def test_a_number_of_plays_that_cannot_be_is_refused(engine: gammon.Engine, top: Any) -> None:
    with pytest.raises(gammon.SettingError, match=r"top .*expected a whole number"):
        engine.analyze(OPENING, (3, 1), top=top)


@pytest.mark.parametrize("plays", ["8/5 6/5", None, 3, np.array("8/5 6/5")])
def test_plays_that_are_no_list_are_refused(engine: gammon.Engine, plays: Any) -> None:
    with pytest.raises(gammon.SettingError, match=r"^plays .*expected a list"):
        engine.analyze(OPENING, (3, 1), plays=plays)


@pytest.mark.parametrize(
    "terms",
    [None, 7, (0, (0, 0)), gammon.Terms(length=np.zeros(0)), gammon.Terms(length="7")],  # type: ignore[arg-type]
)
def test_terms_that_are_none_are_refused(engine: gammon.Engine, terms: Any) -> None:
    boards, dice = [OPENING.points], [(3, 1)]
    for ask in (
        lambda: engine.best_plays(boards, dice, terms=terms),
        lambda: engine.evaluate_many(boards, terms),
        lambda: engine.values_of_plays(boards, dice, terms),
    ):
        with pytest.raises(gammon.SettingError, match=r"expected"):
            ask()


@pytest.mark.parametrize("position", [None, "4HPwATDgc/ABMA", OPENING.points])
def test_only_a_position_is_taken_for_one(engine: gammon.Engine, position: Any) -> None:
    for ask in (
        lambda: engine.analyze(position, (3, 1)),
        lambda: engine.analyze_rolls(position),
        lambda: engine.evaluate(position),
        lambda: gammon.legal_plays(position, (3, 1)),
        lambda: gammon.find_play(position, (3, 1), "8/5 6/5"),
    ):
        with pytest.raises(gammon.SettingError, match=r"position .*expected a gammon.Position"):
            ask()


@pytest.mark.parametrize("progress", [5, [0, 0], np.zeros(2), np.zeros(3, np.int64)])
def test_progress_must_be_room_for_two_counts(engine: gammon.Engine, progress: Any) -> None:
    for ask in (
        lambda: engine.analyze(OPENING, (3, 1), progress=progress),
        lambda: engine.analyze_rolls(OPENING, progress=progress),
    ):
        with pytest.raises(gammon.SettingError, match=r"progress.*int64 \[2\]"):
            ask()


@pytest.mark.parametrize(
    "setting",
    [
        {"depth": 2}, {"depth": True}, {"algorithm": "star9"}, {"algorithm": ["star2"]},
        {"noise": -1.0}, {"noise": "0"}, {"noise_seed": 2**64}, {"noise_seed": 1.0},
        {"max_seconds": 0.0}, {"max_seconds": True}, {"threads": 0}, {"threads": 2.5},
        {"move_filter": "wide"}, {"move_filter": ["tiny"]}, {"model": ""}, {"model": b"leaf"},
        {"probe": ""}, {"probe": 3},
        {"cubeless": 1}, {"cubeless": False, "stakes": "dmp"},
        {"cubeless": False, "algorithm": GAMMA},
        {"met": 5}, {"stakes": 1}, {"stakes": (1, 2, 3, -1, -2, -3)},
        {"stakes": gammon.Payoffs("1", 2, 3, -1, -2, -3)},  # type: ignore[arg-type]
        {"stakes": gammon.Payoffs(10**400, 2, 3, -1, -2, -3)},
        {"stakes": gammon.Payoffs(float("nan"), 2, 3, -1, -2, -3)},
        {"stakes": gammon.Payoffs(1e-300, 1e-300, 1e-300, -1e-300, -1e-300, -1e-300)},
        {"stakes": gammon.Payoffs(1e300, 1e300, 1e300, -1e300, -1e300, -1e300)},
    ],
    ids=lambda setting: repr(setting)[:40],
)  # fmt: skip
def test_settings_out_of_range_are_refused(setting: dict[str, Any]) -> None:
    with pytest.raises(gammon.SettingError) as caught:
        gammon.Engine(**setting)
    line = str(caught.value)
    assert next(iter(setting)).replace("_", " ").split()[-1] in line
    assert "expected" in line
    assert "\n" not in line
    assert len(line) < 300


def test_a_number_may_be_one_of_numpy() -> None:
    engine = gammon.Engine(
        depth=np.int64(1),  # type: ignore[arg-type]
        noise=np.float32(0.5), noise_seed=np.uint64(2**64 - 1),  # type: ignore[arg-type]
        threads=np.int8(2), max_seconds=np.int64(3),  # type: ignore[arg-type]
    )  # fmt: skip
    assert [type(value) for value in (engine.depth, engine.noise, engine.noise_seed)] == [
        int, float, int,
    ]  # fmt: skip
    dice: Any = np.array([3, 1], np.int8)
    assert len(engine.analyze(OPENING, dice).candidates) == 16


def test_settings_that_do_not_go_together_are_refused_at_once() -> None:
    with pytest.raises(gammon.SettingError, match="gamma of some replies"):
        gammon.Engine(algorithm=GAMMA, move_filter="tiny")


#: Values that hardly any argument takes.
ODD: list[Any] = [
    None, True, -1, 0, 1, 3.0, 2**63, 2**64, 10**400, 10**5000, math.nan, math.inf, 1j, "", "3",
    "star2", b"leaf", "9" * 5000, [], (), {}, {3, 1}, (3.0, 1.0), [[3, 1]], [[3], [3, 1]],
    object(), OPENING, [OPENING], [OPENING.points], np.array(3), np.array([3.0, 1.0]), print,
    iter("31"), np.empty((0, 26)), np.empty((0, 2), int), np.full((2, 26), 2**62),
    np.timedelta64(3),
]  # fmt: skip


SETTINGS = (
    "depth", "algorithm", "model", "noise", "noise_seed", "probe", "max_seconds", "threads",
    "move_filter", "stakes",
)  # fmt: skip


def test_odd_values_meet_our_errors_alone() -> None:
    rng = random.Random(19)
    engine = gammon.Engine(depth=1)

    def odd(*usual: Any) -> Any:
        return rng.choice([rng.choice(ODD), *usual])

    def board() -> list[Any]:
        counts: list[Any] = list(OPENING.points)
        counts[rng.randrange(26)] = odd(rng.randrange(-300, 300))
        return counts

    asks: list[Callable[[], Any]] = [
        lambda: gammon.Engine(**dict.fromkeys(rng.sample(SETTINGS, 2), rng.choice(ODD))),
        lambda: engine.analyze(odd(OPENING), odd((3, 1)), top=odd(5), progress=odd(None)),
        lambda: engine.analyze_rolls(rng.choice(ODD), progress=odd()),
        lambda: engine.evaluate(odd(OPENING)),
        lambda: engine.best_plays(odd([board()]), odd([(3, 1)]), odd(None, [1])),
        lambda: engine.evaluate_many(odd([board(), board()], [board()])),
        lambda: engine.values_of_plays(odd([board()]), odd([(3, odd(1))])),
        lambda: gammon.legal_plays(odd(OPENING), odd()),
        lambda: gammon.Payoffs(*(odd(worth) for worth in (1, 2, 3, -1, -2, -3))).checked(),
        lambda: gammon.parse_stakes(odd()),
    ]
    refused = 0
    for _ in range(100):
        for ask in asks:
            try:
                ask()
            except gammon.GammonError as error:
                refused += 1
                assert "\n" not in str(error)
    assert refused > 450


def test_what_is_no_question_and_no_stop_is_refused(engine: gammon.Engine) -> None:
    asked, odd = gammon.Question(position=OPENING, scores=1), cast(Any, 5)
    asks: list[Callable[[], Any]] = [
        lambda: gammon.Engine.of(odd), lambda: engine.check(odd), lambda: engine.answer(odd),
        lambda: engine.answer(asked, stop=odd), lambda: engine.evaluate(OPENING, odd),
    ]  # fmt: skip
    for ask in asks:
        with pytest.raises(gammon.SettingError, match=r"(question|stop) 5: expected a "):
            ask()


def test_plays_that_cannot_be_are_refused(engine: gammon.Engine) -> None:
    for plays, error, words in (
        (["13/6"], gammon.IllegalPlayError, "'13/6' is not a legal play of 31 here"),
        (["mist"], gammon.FormatError, "'mist'"),
        ("8/5 6/5", gammon.SettingError, "expected a list"),
    ):
        with pytest.raises(error, match=words) as caught:
            engine.analyze(OPENING, (3, 1), plays=plays)
        assert "\n" not in str(caught.value)


def test_an_engine_never_changes(engine: gammon.Engine) -> None:
    for name, value in (("depth", 5), ("stakes", gammon.parse_stakes("dmp")), ("noise", 0.5)):
        with pytest.raises(AttributeError, match=f"Engine.{name} never changes"):
            setattr(engine, name, value)
