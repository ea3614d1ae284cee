"""Cube decisions: GNU Backgammon's verdicts, each verdict's words, and decisions by score."""

import csv
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import gammon
from gammon.base.errors import GammonError, IllegalPositionError, SettingError
from gammon.engine.analysis import Kind
from gammon.engine.cube import CubeAction, CubeAnswer, CubeDecision, CubeValue, cube_from_chances
from gammon.eval.equity import Probabilities
from gammon.formats.context import BOTTOM, TOP, Context
from gammon.formats.met_file import read_met
from gammon.formats.position import Position
from gammon.rules.terms import Terms
from tests.boards import FLAT, written
from tests.conftest import GOLDEN

# Cube decisions from five chances: GNU Backgammon's verdicts, and each verdict's words.

OPENING = Position.opening()
CHANCES = Probabilities(0.70, 0.20, 0.01, 0.08, 0.002)
MATCH = Context(length=7, scores=(4, 1))
MONEY = Terms()


def reference_rows() -> list[dict[str, str]]:
    with (GOLDEN / "cube.csv").open(newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.smoke
@pytest.mark.parametrize("row", reference_rows(), ids=lambda row: row["xgid"][5:])
@pytest.mark.usefixtures("as_gnu_backgammon")
def test_gnu_backgammons_decisions(row: dict[str, str]) -> None:
    position = Position.parse(row["xgid"])
    chances = [float(row[f"{name}0"]) for name in ("win", "wg", "wbg", "lg", "lbg")]
    found = cube_from_chances(position, chances)
    theirs = row["act0"].lower().replace("never ", "no ").replace("take (dead cube)", "dead cube")
    if row["crawford"] == "1":
        theirs = "no double, Crawford game"
    assert found.verdict == theirs
    assert found.probabilities == Probabilities(*chances)
    assert found.no_double.kind is Kind.STATIC
    values = found.no_double, found.double_take, found.double_pass
    for value, name in zip(values, ("nd0", "dt0", "dp0"), strict=True):
        assert (value is not None) == bool(row[name])
        if value is not None:
            # GNU Backgammon's table of small bearoffs has 16 bits.
            close = 2e-4 if row["kind"] == "bearoff2" else 1e-5
            assert value.equity == pytest.approx(float(row[name]), abs=close)
            assert (value.mwc is not None) == (row["length"] != "0")
    # From the other seat the same is said.
    context = replace(
        position.context,
        on_roll=-position.context.on_roll,
        scores=position.context.scores[::-1],
        cube_owner=-position.context.cube_owner,
    )
    assert cube_from_chances(replace(position, context=context), chances) == replace(
        found, position=replace(position, context=context)
    )


def decision(
    stay: float,
    taken: float | None,
    passed: float | None = 1.0,
    terms: Terms = MONEY,
    chances: Probabilities = CHANCES,
) -> CubeDecision:
    values = (None if equity is None else CubeValue(equity, None, Kind.STATIC) for equity in (taken, passed))
    first = CubeValue(stay, None, Kind.STATIC)
    return CubeDecision(OPENING, terms, chances, first, *values)


NO_GAMMON = Probabilities(0.8, 0.0, 0.0, 0.0, 0.0)
NO_WIN = Probabilities(0.0, 0.0, 0.0, 0.5, 0.0)
OWNED = Terms(cube=2, owner=1)
BEAVERS = Terms(jacoby=True, beavers=True)


@pytest.mark.parametrize(
    ("found", "verdict", "equity"),
    [
        (decision(0.5, 0.6), "double, take", 0.6),
        (decision(0.5, 0.4), "no double, take", 0.5),
        (decision(0.9, 1.2), "double, pass", 1.0),
        (decision(1.1, 1.2), "too good to double, pass", 1.1),
        (decision(1.3, 1.2), "too good to double, pass", 1.3),
        (decision(1.1, 0.9), "too good to double, take", 1.1),
        (decision(0.6, -0.3), "no double, take", 0.6),
        (decision(0.5, 0.6, terms=OWNED), "redouble, take", 0.6),
        (decision(0.5, 0.4, terms=OWNED), "no redouble, take", 0.5),
        (decision(1.1, 1.2, terms=OWNED), "too good to redouble, pass", 1.1),
        # Equal ones
        (decision(0.5, 0.5), "optional double, take", 0.5),
        (decision(0.500004, 0.5), "optional double, take", 0.500004),
        (decision(0.50002, 0.5), "no double, take", 0.50002),
        (decision(0.5, 0.500004), "optional double, take", 0.500004),
        (decision(1.000004, 1.2, terms=OWNED), "optional redouble, pass", 1.000004),
        (decision(0.9, 1.0), "double, pass", 1.0),
        # Without gammons nobody is too good, and without a win nobody doubles.
        (decision(1.0001, 1.2, chances=NO_GAMMON), "double, pass", 1.0001),
        (decision(1.0001, 0.9, chances=NO_GAMMON), "no double, take", 1.0001),
        (decision(-1.1, -1.0, chances=NO_WIN), "no double, take", -1.0),
        # Beavers: the cube at twice the double, and the opponent's.
        (decision(-0.3, -0.1), "double, take", -0.1),
        (decision(-0.3, -0.1, terms=BEAVERS), "double, beaver", -0.2),
        (decision(-0.3, -0.2, terms=BEAVERS), "no double, beaver", -0.3),
        (decision(0.2, -0.2, terms=BEAVERS), "no double, beaver", 0.2),
        (decision(-0.2, -0.1, terms=BEAVERS), "optional double, beaver", -0.2),
        (decision(0.5, 0.6, terms=BEAVERS), "double, take", 0.6),
        # No cube to turn
        (decision(0.3, None, None, Terms(7, (3, 1), crawford=True)), "no double, Crawford game", 0.3),
        (decision(0.3, None, None, Terms(cube=2, owner=-1)), "no double, the opponent owns the cube", 0.3),
        (decision(0.3, None, None, Terms(7, (4, 3), cube=4, owner=-1)), "no double, dead cube", 0.3),
        (decision(0.3, None, None, Terms(7, (1, 3))), "no double, a single win wins the match", 0.3),
        (decision(0.3, None, None, Terms(7, (2, 5), cube=2, owner=1)), "no redouble, dead cube", 0.3),
    ],
    ids=repr,
)
def test_verdicts(found: CubeDecision, verdict: str, equity: float) -> None:
    assert found.verdict == verdict
    assert found.equity == equity
    words = [*CubeAction, *CubeAnswer, None]
    assert found.action in words
    assert found.answer in words
    if found.answer is None:
        assert (found.action, found.doubled, found.gain) == (CubeAction.NO_DOUBLE, None, None)
        assert not found.optional
        assert not found.close
        assert not found.answer_close
    else:
        assert verdict.endswith(f", {found.answer}")
        assert found.gain == found.doubled - found.no_double.equity
        if not found.optional:
            first = verdict.partition(",")[0]
            assert first.replace("redouble", "double") == found.action
    assert repr(found).startswith(f"<CubeDecision {verdict}: no double {found.no_double.equity:+.4f}")


@pytest.mark.parametrize(
    ("stay", "taken", "close", "answer_close"),
    [
        (0.5, 0.481, True, False),
        (0.5, 0.519, True, False),
        (0.5, 0.479, False, False),
        (0.5, 0.36, False, False),
        (0.5, 0.99, False, True),
        (0.99, 1.3, True, False),
        (1.2, 1.3, False, False),
        (1.019, 1.01, True, True),
    ],
)
def test_a_decision_is_close_within_two_hundredths(
    stay: float, taken: float, close: bool, answer_close: bool
) -> None:
    """Each decision for itself, whatever another program counts as close."""
    found = decision(stay, taken)
    assert (found.close, found.answer_close) == (close, answer_close)


def test_a_beaver_loses_twice_what_the_take_would() -> None:
    """A pass pays 1 in place of twice -.49, or of twice -.01: neither is close."""
    for taken in (-0.49, -0.01):
        found = decision(-0.5, taken, terms=BEAVERS)
        assert found.answer is CubeAnswer.BEAVER
        assert found.answer_gain == pytest.approx(1.0 - 2.0 * taken)
        assert not found.answer_close


def test_a_match_has_chances_to_win_it() -> None:
    found = cube_from_chances(replace(OPENING, context=MATCH), CHANCES)
    met = read_met()
    assert found.terms == Terms(7, (3, 6))
    assert found.double_pass == CubeValue(1.0, met.mwc(2, 6), Kind.EXACT)
    for value in (found.no_double, found.double_take, found.double_pass):
        assert value is not None
        assert value.mwc == pytest.approx(met.mwc_of_emg(value.equity, found.terms))
    # The worth of the position is that with the right decisions, to double or not.
    better = cube_from_chances(replace(OPENING, context=MATCH), (0.75, 0.2, 0.0, 0.05, 0.0))
    assert [found.action, better.action] == ["no double", "double"]
    for decision in (found, better):
        mwc = met.mwc_of_emg(decision.equity, decision.terms)
        assert decision.mwc == pytest.approx(mwc)
    # What it is worth turns on the score: a gammon is worth less to the leader.
    money = cube_from_chances(OPENING, CHANCES)
    assert found.double_take is not None
    assert money.double_take is not None
    assert found.double_take.equity != pytest.approx(money.double_take.equity, abs=0.01)


def test_the_table_and_the_pips_count(tmp_path: Path) -> None:
    position = replace(OPENING, context=MATCH)
    found = cube_from_chances(position, CHANCES, met=FLAT)
    assert found.double_pass is not None
    assert found.double_pass.mwc == FLAT.mwc(2, 6)
    assert cube_from_chances(position, CHANCES, met=written(FLAT, tmp_path)) == found
    assert found != cube_from_chances(position, CHANCES)
    race = Position((0, *[0] * 11, 5, 0, 0, 0, 0, 0, -2, *[0] * 7))
    roller, mean = (cube_from_chances(race, CHANCES, pips=pips) for pips in ("roller", "mean"))
    assert roller == cube_from_chances(race, CHANCES)
    assert roller.no_double != mean.no_double


def test_a_double_on_offer_is_answered() -> None:
    text = "XGID=--CDBbC-B-----a----bdA-cc-:0:0:1:D:0:0:1:0:10"
    offered = cube_from_chances(Position.parse(text), CHANCES)
    before = cube_from_chances(Position.parse(text.replace(":D:", ":00:")), CHANCES)
    assert offered.answer is CubeAnswer.TAKE
    assert replace(offered, position=before.position) == before
    # A leader's double after the Crawford game gains nothing; but a pass would lose the match.
    late = text.replace("D:0:0:1:0:", "D:4:1:0:5:")
    leader = cube_from_chances(Position.parse(late), CHANCES)
    assert (leader.answer, leader.double_take, leader.gain) == (CubeAnswer.TAKE, None, None)
    assert leader.verdict == "no double, a single win wins the match"
    assert cube_from_chances(Position.parse(late.replace(":D:", ":00:")), CHANCES).answer is None


@pytest.mark.parametrize(
    ("rest", "words"),
    [
        ("0:0:1:D:4:1:1:5:10", "a double in the Crawford game"),
        ("1:-1:1:D:0:0:0:5:10", "a double of a cube that the other side owns"),
        ("1:1:1:D:0:0:0:0:1", "a double of a cube at 2, expected a lower one"),
    ],
)
def test_a_double_that_the_rules_forbid(rest: str, words: str) -> None:
    position = Position.parse(f"XGID=-b----E-C---eE---c-e----B-:{rest}")
    with pytest.raises(SettingError, match=words):
        cube_from_chances(position, CHANCES)


@pytest.mark.parametrize(
    "chances", [[1, 0, 0, 0, 0], [0, 0, 0, 1, 1], [1.0, 1.0, 1.0, 0.0, 0.0], [0, 0, 0, 0, 0]]
)
@pytest.mark.parametrize(
    "context", [Context(), Context(jacoby=True), MATCH, replace(MATCH, on_roll=TOP)], ids=str
)
def test_certain_games(chances: list[float], context: Context) -> None:
    found = cube_from_chances(replace(OPENING, context=context), chances)
    won = chances[0] > 0.0
    assert (found.equity > 0.0) == won
    assert found.action in ((CubeAction.DOUBLE, CubeAction.TOO_GOOD) if won else ("no double",))
    assert found.answer is (CubeAnswer.PASS if won else CubeAnswer.TAKE)


@pytest.mark.parametrize(
    ("chances", "words"),
    [
        ((0.5, 0.2, 0.0, 0.1), "expected five, win, win_gammon, win_backgammon"),
        (0.5, "probabilities 0.5: expected five"),
        (None, "probabilities None: expected five"),
        ((1.5, 0.2, 0.0, 0.1, 0.0), "win 1.5: expected a chance from 0 to 1"),
        ((0.5, -0.2, 0.0, 0.1, 0.0), "win_gammon -0.2: expected a chance"),
        ((0.5, 0.2, float("nan"), 0.1, 0.0), "win_backgammon nan: expected a chance"),
        ("abcde", "win 'a': expected a chance"),
        ((0.5, 0.6, 0.0, 0.1, 0.0), "win_gammon 0.6: expected at most win, which is 0.5"),
        ((0.5, 0.2, 0.3, 0.1, 0.0), "win_backgammon 0.3: expected at most win_gammon"),
        ((0.5, 0.2, 0.0, 0.6, 0.0), "lose_gammon 0.6: expected at most 1 - win, which is 0.5"),
        ((0.5, 0.2, 0.0, 0.1, 0.2), "lose_backgammon 0.2: expected at most lose_gammon"),
    ],
)
def test_what_are_no_chances(chances: Any, words: str) -> None:
    with pytest.raises(SettingError) as caught:
        cube_from_chances(OPENING, chances)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_rounded_chances_may_contradict_each_other_a_little() -> None:
    found = cube_from_chances(OPENING, (0.5, 0.2, 0.2000001, 0.5000001, 0.0))
    assert found.probabilities.win_backgammon == 0.2000001


def test_a_beaver_on_offer_is_no_decision_of_ours() -> None:
    context = Context(cube_log2=2, offer="B", to_decide=BOTTOM)
    with pytest.raises(SettingError, match="a beaver or a raccoon is on"):
        cube_from_chances(replace(OPENING, context=context), CHANCES)
    with pytest.raises(SettingError, match="cube 512: expected 1, 2, 4"):
        cube_from_chances(replace(OPENING, context=Context(cube_log2=9, cube_owner=TOP)), CHANCES)


def test_other_mistakes() -> None:
    over = Position((0, *[0] * 23, -2, 0))
    wrong: list[tuple[type[GammonError], str, tuple[Any, ...], dict[str, Any]]] = [
        (IllegalPositionError, "the game is over", (over, CHANCES), {}),
        (SettingError, "position 'x': expected a gammon.Position", ("x", CHANCES), {}),
        (
            SettingError,
            "met 5: expected a table of gammon.read_met, or its file",
            (OPENING, CHANCES),
            {"met": 5},
        ),
        (SettingError, "pips 'no': expected one of roller", (OPENING, CHANCES), {"pips": "no"}),
    ]
    for error, words, arguments, named in wrong:
        with pytest.raises(error) as caught:
            cube_from_chances(*arguments, **named)
        assert words in str(caught.value)


# Cube decisions by score: each cell is the decision at that score.

POSITION = gammon.Position.parse("XGID=-a-B--C-B-a-dDB--bBbcb----:0:0:1:00:0:0:0:0:10")


@pytest.fixture(scope="module")
def engine() -> gammon.Engine:
    return gammon.Engine(depth=1)


def test_each_cell_is_the_decision_at_its_score(engine: gammon.Engine) -> None:
    grid = engine.cube_by_score(POSITION, 3)
    assert list(grid.scores) == [(own, their) for own in (1, 2, 3) for their in (1, 2, 3)]
    for (own, their), found in grid.scores.items():
        terms = Terms(max(own, their), (own, their))
        assert found.terms == terms
        alone = engine.cube(POSITION.with_terms(terms))
        assert found.no_double == alone.no_double
        assert found.double_take == alone.double_take
    assert grid.depth == 1
    assert grid.named["money"].no_double == engine.cube(POSITION).no_double
    assert grid.named["dmp"].double_take is None
    go, save = grid.named["gammon-go"], grid.named["gammon-save"]
    assert (go.terms.away, save.terms.away) == ((2, 1), (1, 2))
    assert go.terms.crawford and save.terms.crawford


def test_the_cube_and_its_owner_stay(engine: gammon.Engine) -> None:
    owned = POSITION.with_terms(Terms(9, (4, 7), cube=2, owner=1))
    grid = engine.cube_by_score(owned, 3)
    assert {(each.terms.cube, each.terms.owner) for each in grid.scores.values()} == {(2, 1)}
    assert grid.named["money"].terms == Terms(cube=2, owner=1)
    # In the Crawford game there is no double; the cells are not that game.
    crawford = POSITION.with_terms(Terms(9, (1, 7), crawford=True))
    assert not any(each.terms.crawford for each in engine.cube_by_score(crawford, 2).scores.values())


@pytest.mark.parametrize("away", [0, 26, 2.5, "7", None])
def test_scores_out_of_range_are_refused(engine: gammon.Engine, away: object) -> None:
    with pytest.raises(gammon.SettingError, match="away"):
        engine.cube_by_score(POSITION, away)  # type: ignore[arg-type]


def test_progress(engine: gammon.Engine) -> None:
    import numpy as np

    bar = np.zeros(2, np.int64)
    engine.cube_by_score(POSITION, 2, bar)
    assert bar.tolist() == [8, 8]


def test_best_plays_by_score(engine: gammon.Engine) -> None:
    opening = gammon.Position.opening()
    grid = engine.plays_by_score(opening, (2, 1), 3)
    for (own, their), found in grid.scores.items():
        alone = engine.analyze(opening.with_terms(Terms(max(own, their), (own, their))), (2, 1), 1)
        assert found.candidates[0] == alone.candidates[0]
    money = grid.named["money"].candidates[0]
    assert grid.plays[0] == money.play.notation
    for analysis in grid.named.values():
        (mine,) = [c for c in analysis.candidates if c.play.points == money.play.points]
        assert mine.exact
    bests = {each.candidates[0].play.notation for each in grid.scores.values()}
    assert bests <= set(grid.plays)
    with pytest.raises(gammon.SettingError, match="cubeless"):
        gammon.Engine(depth=1, cubeless=True).plays_by_score(opening, (2, 1))


def owners(engine: gammon.Engine, **settings: object) -> gammon.PlayGrid | gammon.ScoreGrid:
    found = engine.answer(gammon.Question(owners=True, depth=1, **settings))  # type: ignore[arg-type]
    assert isinstance(found, gammon.PlayGrid | gammon.ScoreGrid)
    return found


def test_best_plays_by_the_place_of_the_cube(engine: gammon.Engine) -> None:
    at = POSITION.with_terms(Terms(7, (4, 2), cube=4, owner=-1))
    grid = owners(engine, position=at, dice=(6, 4))
    assert (grid.away, list(grid.scores), grid.depth) == (0, [], 1)
    assert list(grid.named) == ["cube-centred", "cube-mine", "cube-theirs"]
    cubes = [(1, 0), (4, 1), (4, -1)]
    for (cube, owner), found in zip(cubes, grid.named.values(), strict=True):
        assert isinstance(found, gammon.Analysis)
        terms = Terms(7, (4, 2), cube=cube, owner=owner)
        alone = engine.analyze(at.with_terms(terms), (6, 4), 1).candidates[0]
        best = found.candidates[0]
        assert (best.play, best.equity) == (alone.play, alone.equity)
    assert isinstance(grid, gammon.PlayGrid)
    assert (
        grid.plays[0]
        == engine.analyze(at.with_terms(Terms(7, (4, 2))), (6, 4), 1).candidates[0].play.notation
    )


def test_decisions_by_the_place_of_the_cube_beside_scores(engine: gammon.Engine) -> None:
    grid = owners(engine, position=POSITION, scores=2)
    assert isinstance(grid, gammon.ScoreGrid)
    assert list(grid.named)[:2] == ["money", "dmp"]
    assert len(grid.scores) == 4
    turned = [engine.cube(POSITION.with_terms(Terms(cube=2, owner=owner))) for owner in (1, -1)]
    assert grid.named["cube-centred"].no_double == engine.cube(POSITION).no_double
    assert grid.named["cube-mine"].double_take == turned[0].double_take
    assert grid.named["cube-theirs"].no_double == turned[1].no_double
    assert grid.named["cube-theirs"].double_take is None
    question = gammon.Question(position=POSITION, owners=True, scores=2)
    assert question.searches == 4 + 4 + 3
    assert "cube-mine" in repr(grid)


@pytest.mark.parametrize("dice", [None, (3, 1)])
def test_nobody_owns_a_cube_in_the_crawford_game(engine: gammon.Engine, dice: tuple[int, int] | None) -> None:
    with pytest.raises(gammon.SettingError, match="owners in the Crawford game: expected"):
        owners(engine, position=POSITION, dice=dice, match=7, score="6-3", crawford=True)
