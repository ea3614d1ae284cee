"""The public interface: answers and their records, and what it refuses, in one line."""

import json
import math
import random
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

import gammon
from gammon import Engine, Position, Question
from gammon.base.errors import SettingError
from gammon.engine.analysis import Analysis, Candidate, Evaluation, Kind, RollTable, deep_kind
from gammon.engine.cube import CubeDecision
from gammon.engine.question import DEPTHS
from gammon.engine.score_grid import PlayGrid, ScoreGrid
from gammon.eval.equity import Probabilities, results_of_cumulative
from gammon.formats.play import legal_plays
from gammon.rules.dice import ROLLS
from gammon.rules.terms import Terms, parse_stakes
from gammon.search.stats import Stats
from gammon_lab.algorithms import GAMMA
from tests.conftest import Played

# The public interface.

OPENING = gammon.Position.opening()
GOLDEN = Path(__file__).parents[2] / "golden"


@pytest.fixture(scope="module")
def engine() -> gammon.Engine:
    return gammon.Engine(depth=3)


@pytest.mark.smoke
def test_candidates_are_ranked_and_marked(engine: gammon.Engine) -> None:
    analysis = engine.analyze(OPENING, (6, 4), top=3)
    candidates = analysis.candidates
    assert len(candidates) == len(gammon.legal_plays(OPENING, (6, 4))) == 14
    assert [c.exact for c in candidates[:3]] == [True] * 3
    assert not any(c.exact for c in candidates[3:])
    equities = [c.equity for c in candidates]
    assert equities == sorted(equities, reverse=True)
    assert candidates[0].loss == 0
    assert [c.depth for c in candidates] == [3 if c.exact else 1 for c in candidates]
    assert all((c.bound is None) == c.exact for c in candidates)


def test_chances_explain_equities(played: Played) -> None:
    for depth, count in ((1, 40), (3, 10), (5, 1)):
        engine = gammon.Engine(depth=depth, cubeless=True)
        for number, points in enumerate(played(count * 9, depth)[::9]):
            analysis = engine.analyze(gammon.Position(points), ROLLS[number % 21], top=2)
            for candidate in analysis.candidates[:2]:
                assert candidate.probabilities.equity == pytest.approx(candidate.equity, abs=2e-5)
                win, win_g, win_bg, lose_g, lose_bg = candidate.probabilities
                ladder = (0, win_bg, win_g, win), (0, lose_bg, lose_g, 1 - win)
                assert all(np.diff(side).min() > -1e-6 for side in ladder)


@pytest.mark.parametrize("depth", DEPTHS)
def test_each_depth_answers_every_question(depth: int) -> None:
    """One checker a side, in contact. Exact equities without the cube follow from the chances of leaves."""
    position = Position.parse("XGID=-----a----A---------------:0:0:1:00:0:0:0:0:10")
    engine = gammon.Engine(depth=depth)
    cubeless = gammon.Engine(depth=depth, cubeless=True, algorithm="star2")
    kind = deep_kind(depth, "bounded")
    assert engine.cube(position).no_double.kind is (Kind.STATIC if depth == 1 else kind)
    analysis = engine.analyze(position, (2, 1), top=2)
    assert analysis.depth == depth
    assert {(candidate.kind, candidate.depth) for candidate in analysis.candidates[:2]} == {(kind, depth)}
    evaluation = cubeless.evaluate(position)
    assert evaluation.equity == pytest.approx(evaluation.probabilities.equity, abs=1e-6)
    many = cubeless.evaluate_many(np.array([position.points]))
    assert many.equities.tolist() == [evaluation.equity]
    for candidate in cubeless.analyze(position, (2, 1), top=2).candidates[:2]:
        assert candidate.equity == pytest.approx(candidate.probabilities.equity, abs=1e-6)


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


def test_noise_is_a_function_of_the_state() -> None:
    def equity(noise: float, seed: int, depth: int = 1) -> float:
        engine = gammon.Engine(depth=depth, noise=noise, noise_seed=seed)
        return engine.evaluate(OPENING).equity

    assert equity(0.1, 7) == equity(0.1, 7)
    assert len({equity(0.1, 7), equity(0.1, 8), equity(0.0, 7)}) == 3
    assert equity(0.1, 7, depth=3) != equity(0.0, 0, depth=3)


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


def test_equities_are_those_of_the_stakes() -> None:
    found = {
        name: gammon.Engine(depth=3, stakes=name).analyze(OPENING, (6, 4), top=14)
        for name in ("money", "dmp", "gammon-go", "gammon-save")
    }
    cubeless = gammon.Engine(depth=3, cubeless=True).analyze(OPENING, (6, 4), top=14)
    assert found["money"].candidates == cubeless.candidates
    for name, analysis in found.items():
        worth = gammon.parse_stakes(name)
        assert analysis.terms == worth
        for candidate in analysis.candidates:
            results = results_of_cumulative(np.array(candidate.probabilities))
            assert results @ worth.payoffs.ascending == pytest.approx(candidate.equity, abs=2e-5)
    go, save = (found[name].candidates[0].probabilities for name in ("gammon-go", "gammon-save"))
    assert go.win_gammon > save.win_gammon


def test_answers_at_all_stakes_stay_what_they_were() -> None:
    """Golden ones: code in which play without the cube was a game of its own gave the same, until the
    networks changed."""
    terms: dict[str, dict[str, Any]] = {
        "money": {},
        "jacoby": {"jacoby": True},
        "mine": {"cube": 2, "owner": "roller"},
        "dmp": {"match": 1},
        "crawford": {"match": 5, "score": "4-2", "crawford": True},
        "2-away 4-away": {"match": 7, "score": "5-3"},
    }
    for xgid, stakes, depth, play, equity, second, chances, leaves in json.loads(
        (GOLDEN / "stakes.json").read_text()
    ):
        settings = {"stakes": stakes}
        if stakes.startswith("cube "):
            settings = terms[stakes.removeprefix("cube ")]
        engine = gammon.Engine(depth)
        question = replace(engine.usual, position=gammon.Position.parse(xgid), top=2, **settings)
        found = engine.answer(question)
        assert isinstance(found, gammon.Analysis)
        best, other = (found.candidates * 2)[:2]
        assert best.play.notation == play
        assert (best.equity, other.equity) == pytest.approx((equity, second), abs=1e-9)
        assert best.probabilities == pytest.approx(chances, abs=1e-6)
        assert found.stats.leaves == leaves


@pytest.mark.smoke
def test_stakes_may_be_numbers() -> None:
    position = gammon.Position.parse("4HPiATCYc8kBIg")
    money, double = (
        gammon.Engine(depth=1, stakes=stakes).evaluate(position).equity
        for stakes in ("money", gammon.Payoffs(2, 4, 6, -2, -4, -6))
    )
    assert double == pytest.approx(2 * money)
    assert gammon.Engine(depth=1, stakes="2,4,6,-2,-4,-6").evaluate(position).equity == double


def test_every_candidate_has_chances(played: Played) -> None:
    """Those of the evaluator where the search kept none."""
    static = gammon.Engine(depth=1)
    for stakes, points in zip(("money", "gammon-go"), played(400, 5)[198::199], strict=False):
        position = gammon.Position(points)
        deep = gammon.Engine(depth=3, stakes=stakes).analyze(position, (6, 4), top=1)
        shallow = {c.play: c for c in static.analyze(position, (6, 4)).candidates}
        assert deep.candidates[0].depth == 3
        for candidate in deep.candidates[1:]:
            if candidate.exact:  # above the best one, as the shallower search has it
                continue
            assert candidate.depth == 1
            expected = shallow[candidate.play].probabilities
            assert candidate.probabilities == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(
    "settings",
    [
        {"depth": 3},
        {"depth": 5},
        {"depth": 5, "threads": 2},
        {"depth": 1},
        {"depth": 3, "algorithm": "star1", "noise": 0.05, "noise_seed": 7},
        {"depth": 3, "algorithm": "star1"},
        {"depth": 3, "algorithm": "expectimax"},
        {"depth": 3, "stakes": "gammon-go"},
        {"depth": 3, "max_seconds": 1e6},
    ],
    ids=str,
)
def test_plays_that_are_named_have_the_full_depth(settings: dict[str, Any]) -> None:
    engine = gammon.Engine(**settings)
    dice = (3, 3) if settings["depth"] == 3 else (3, 1)
    every = engine.analyze(OPENING, dice, top=10_000).candidates
    found = engine.analyze(OPENING, dice, top=2, plays=[every[3].play, every[-1].play.notation])
    assert [c.play for c in found.candidates if c.named] == [every[3].play, every[-1].play]
    searched = {c.play: c for c in found.candidates}
    for candidate in (*every[:2], every[3], every[-1]):
        ours = searched[candidate.play]
        assert ours.kind is (gammon.Kind.BOUNDED if settings["depth"] == 5 else gammon.Kind.EXACT)
        assert ours.equity == pytest.approx(candidate.equity, abs=1e-12)
        assert ours.loss == pytest.approx(candidate.loss, abs=1e-12)
        assert ours.probabilities == pytest.approx(candidate.probabilities, abs=1e-9)
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
    assert (ours.kind, ours.depth) == (gammon.Kind.EXACT, 3)
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


# The public interface refuses what it cannot mean, in one line.


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
        {"threads": 0},
        {"threads": 2.5},
        {"model": ""},
        {"model": b"leaf"},
        {"probe": ""},
        {"probe": 3},
        {"cubeless": False, "stakes": "dmp"},
        {"cubeless": False, "algorithm": GAMMA},
        {"stakes": gammon.Payoffs("1", 2, 3, -1, -2, -3)},  # type: ignore[arg-type]
        {"stakes": gammon.Payoffs(10**400, 2, 3, -1, -2, -3)},
        {"stakes": gammon.Payoffs(float("nan"), 2, 3, -1, -2, -3)},
        {"stakes": gammon.Payoffs(1e-300, 1e-300, 1e-300, -1e-300, -1e-300, -1e-300)},
        {"stakes": gammon.Payoffs(1e300, 1e300, 1e300, -1e300, -1e300, -1e300)},
    ],
    ids=lambda setting: repr(setting)[:40],
)
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
        noise=np.float32(0.5),
        noise_seed=np.uint64(2**64 - 1),  # type: ignore[arg-type]
        threads=np.int8(2),
        max_seconds=np.int64(3),  # type: ignore[arg-type]
    )
    assert [type(value) for value in (engine.depth, engine.noise, engine.noise_seed)] == [int, float, int]
    dice: Any = np.array([3, 1], np.int8)
    assert len(engine.analyze(OPENING, dice).candidates) == 16


def test_settings_that_do_not_go_together_are_refused_at_once() -> None:
    with pytest.raises(gammon.SettingError, match="gamma with a filter of replies"):
        gammon.Engine(algorithm=GAMMA, move_filter="tiny")


#: Values that hardly any argument takes.
ODD: list[Any] = [
    None, True, -1, 0, 1, 3.0, 2**63, 2**64, 10**400, 10**5000, math.nan, math.inf, 1j, "", "3",
    "star2", b"leaf", "9" * 5000, [], (), {}, {3, 1}, (3.0, 1.0), [[3, 1]], [[3], [3, 1]],
    object(), OPENING, [OPENING], [OPENING.points], np.array(3), np.array([3.0, 1.0]), print,
    iter("31"), np.empty((0, 26)), np.empty((0, 2), int), np.full((2, 26), 2**62),
    np.timedelta64(3, "s"),
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
        lambda: gammon.Engine.of(odd),
        lambda: engine.check(odd),
        lambda: engine.answer(odd),
        lambda: engine.answer(asked, stop=odd),
        lambda: engine.evaluate(OPENING, odd),
    ]
    for ask in asks:
        with pytest.raises(gammon.SettingError, match=r"(question|stop) 5: expected a "):
            ask()


def test_plays_that_cannot_be_are_refused(engine: gammon.Engine) -> None:
    for plays, error, words in (
        (["13/6"], gammon.IllegalPlayError, "'13/6' is not a legal play of 31 here"),
        (["mist"], gammon.FormatError, "'mist'"),
    ):
        with pytest.raises(error, match=words) as caught:
            engine.analyze(OPENING, (3, 1), plays=plays)
        assert "\n" not in str(caught.value)


def test_an_engine_never_changes(engine: gammon.Engine) -> None:
    for name, value in (("depth", 5), ("stakes", gammon.parse_stakes("dmp")), ("noise", 0.5)):
        with pytest.raises(AttributeError, match=f"Engine.{name} never changes"):
            setattr(engine, name, value)


# Answering: which kind of answer a question has, by the short way to ask for it, too.

ANSWERING_OPENING = Position.opening()
ENGINE = Engine(depth=1)
SECONDS = re.compile(r"[\d.]+ s$", re.MULTILINE)


@pytest.mark.parametrize(
    ("settings", "kind"),
    [
        ({"dice": (3, 1)}, Analysis),
        ({}, CubeDecision),
        ({"rolls": True}, RollTable),
        ({"cubeless": True}, RollTable),
        ({"scores": 2}, ScoreGrid),
        ({"owners": True}, ScoreGrid),
        ({"dice": (3, 1), "scores": 2}, PlayGrid),
    ],
    ids=str,
)
def test_the_question_tells_the_kind_of_answer(settings: dict[str, Any], kind: type) -> None:
    asked = Question(position=ANSWERING_OPENING, depth=1, **settings)
    found = ENGINE.answer(asked)
    assert type(found) is kind


def test_short_ways_to_ask_have_the_same_answers() -> None:
    asked = replace(ENGINE.usual, position=ANSWERING_OPENING)
    roll = ENGINE.analyze(ANSWERING_OPENING, (3, 1)), ENGINE.answer(replace(asked, dice=(3, 1)))
    rolls = ENGINE.analyze_rolls(ANSWERING_OPENING), ENGINE.answer(replace(asked, rolls=True))
    cube = ENGINE.cube(ANSWERING_OPENING), ENGINE.answer(asked)
    scores = ENGINE.cube_by_score(ANSWERING_OPENING, 2), ENGINE.answer(replace(asked, scores=2))
    for one, other in (roll, rolls, cube, scores):
        assert SECONDS.sub("", str(one)) == SECONDS.sub("", str(other))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"dice": (3, 1), "rolls": True}, "rolls with the roll 31: expected no roll"),
        ({"plays": ("8/5 6/5",)}, "play '8/5 6/5': expected a roll too"),
        ({"plays": ("8/5 6/5",), "scores": 2}, "play '8/5 6/5' with scores"),
        ({"cubeless": True, "scores": 2}, "answers by score of a cubeless engine"),
    ],
    ids=str,
)
def test_what_contradicts_itself_is_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingError, match=message):
        ENGINE.answer(Question(position=ANSWERING_OPENING, depth=1, **settings))
    with pytest.raises(SettingError, match=r"expected a gammon\.Question"):
        ENGINE.answer(settings)


# The records of the engine's answers, against sums done by hand.

ANALYSIS_OPENING = Position.opening()
DMP = parse_stakes("dmp")
CHANCES = Probabilities(0.5, 0.125, 0.0, 0.125, 0.0)


def analysis(dice: tuple[int, int], equity: float, depth: int) -> Analysis:
    """An analysis of two candidates; the best one wins (1 + equity) / 2 of its games."""
    play = legal_plays(ANALYSIS_OPENING, dice)[0]
    chances = Probabilities((1 + equity) / 2, 0.25, 0.0, 0.125, 0.0)
    candidates = [
        Candidate(play, equity, 0.0, chances, Kind.EXACT, depth),
        Candidate(play, equity - 1, 1.0, chances, Kind.STATIC, 1),
    ]
    work = Stats(1, 2, 3, 4, 5, 6, 7)
    return Analysis(ANALYSIS_OPENING, dice, DMP, candidates, work, 0.1, 5)


@pytest.mark.parametrize("kind", Kind)
def test_only_exact_candidates_are_exact(kind: Kind) -> None:
    play = legal_plays(ANALYSIS_OPENING, (3, 1))[0]
    candidate = Candidate(play, 0.0, 0.0, CHANCES, kind, 3)
    assert candidate.exact == (kind is Kind.EXACT)
    assert candidate.deep == (kind in (Kind.EXACT, Kind.BOUNDED))


def test_an_analysis_is_as_deep_as_its_best_play() -> None:
    assert analysis((3, 1), 0.0, 5).depth == 5


def test_the_mean_of_the_rolls_counts_doubles_once_and_others_twice() -> None:
    # Doubles win every game, other rolls none: 6 throws of 36 win.
    analyses = [analysis(dice, 1.0 if dice[0] == dice[1] else -1.0, 3) for dice in ROLLS]
    analyses[4] = analysis(ROLLS[4], -1.0, 1)
    table = RollTable(ANALYSIS_OPENING, analyses, 0.5)
    assert table.equity == pytest.approx(6 / 36 - 30 / 36)
    assert table.probabilities == pytest.approx((6 / 36, 0.25, 0.0, 0.125, 0.0))
    assert table.depth == 1, "as deep as the least deep roll"
    assert table.terms == DMP
    assert table.stats == Stats(*(21 * each for each in (1, 2, 3, 4, 5, 6, 7)))


def test_an_answer_is_a_table_as_a_text_and_a_line_where_it_is_shown() -> None:
    found = analysis((3, 1), 0.25, 5)
    assert "  1.  " in str(found)
    assert "X to play 31" in str(found)
    best = found.candidates[0].play
    assert repr(found) == f"<Analysis of 31: 2 plays, best {best} +0.2500, depth 5>"
    table = RollTable(ANALYSIS_OPENING, [analysis(dice, 0.25, 3) for dice in ROLLS], 0.5)
    assert "the mean over the 21 rolls" in str(table)
    assert repr(table) == "<RollTable of 4HPwATDgc/ABMA: equity +0.2500, depth 3>"


def test_what_an_answer_holds_is_shown_in_a_few_words() -> None:
    play = legal_plays(ANALYSIS_OPENING, (3, 1))[0]
    assert repr(play) == f"<Play {play.notation}>"
    shown = {kind: repr(Candidate(play, -0.02345, 0.1, CHANCES, kind, 3)) for kind in Kind}
    assert shown[Kind.EXACT] == f"<Candidate {play}: -0.0234, exact, depth 3>"
    assert shown[Kind.SHALLOW] == f"<Candidate {play}: -0.0234, shallow, depth 3>"
    work = Stats(1, 2, 3, 4, 5, 6, 7)
    assert repr(Evaluation(0.0784, CHANCES, work, 0.1)) == "<Evaluation +0.0784, win 50.0 %>"


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
