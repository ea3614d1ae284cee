"""Choices, and the reasons and themes of errors, beside positions that were labelled."""

import csv
import re
from collections import Counter
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from gammon import legal_plays
from gammon.eval.equity import Probabilities
from gammon.formats.met_file import read_met
from gammon.formats.position import Position
from gammon.rules.board import OPENING, SIZE, Points, flipped, pip_counts
from gammon.rules.plays import MAX_ROWS
from gammon.rules.terms import Terms
from gammon_study.reviews.choice import (
    ALIKE,
    Choice,
    ChoiceKind,
    CubeValues,
    ReviewedPlay,
    RolledChoice,
    RolledPlay,
    counts_for_gnu,
    counts_without_double,
    cube_error,
    unit_cost,
)
from gammon_study.reviews.explain import after_play, boards_of, explained, game_phase, themes_of, why
from gammon_study.reviews.names import PHASES, THEMES
from gammon_study.reviews.reasons_kernel import cube_bits, play_bits, position_bits, score_bits, shots_at
from gammon_study.reviews.review import Review
from tests.boards import points_of
from tests.conftest import Played
from tests.matches import MATCH5, reviewed_file
from tests.naive import themes as slow_themes
from tests.naive.plays import shots
from tests.study.reviews.stored import cube_choices

# Explanations: each clause is a count or a chance, held to a plain twin.


def shots_left(points: Points) -> int:
    """How many of the opponent's 36 rolls can hit."""
    rows = np.empty((MAX_ROWS, SIZE), np.int8)
    found: int = shots_at(boards_of(points, flipped(points)), rows)
    return found


@pytest.fixture(scope="module")
def found() -> Review:
    return reviewed_file(MATCH5)


def plays_with_errors(found: Review) -> list[Choice]:
    return [c for c in found.choices if c.kind is ChoiceKind.PLAY and c.error >= ALIKE]


def test_shots_are_those_of_all_plays(found: Review) -> None:
    boards = {
        after_play(Position.parse(c.xgid).points, play)
        for c in plays_with_errors(found)[:40]
        for play in (c.made, c.best)
    }
    counts = [shots_left(board) for board in boards]
    assert counts == [shots(board) for board in boards]
    assert len(set(counts)) > 8


@pytest.mark.parametrize(
    ("place", "shots"), [(1, 11), (2, 12), (3, 14), (4, 15), (5, 15), (6, 17), (7, 6), (8, 6),
                         (9, 5), (10, 3), (11, 2), (12, 3), (15, 1), (16, 1)],
)  # fmt: skip
def test_shots_at_a_distance_are_those_of_every_book(place: int, shots: int) -> None:
    """One blot, and one checker that may hit it with nothing between."""
    assert shots_left(points_of({1 + place: 1}, {1: 1, 24: 13})) == shots


def test_nothing_to_hit() -> None:
    assert shots_left(OPENING) == 0
    assert shots_left(points_of({1: 1}, {24: 1})) == 0


def test_nobody_fears_a_hit_in_the_opponents_home_board() -> None:
    """31 played 24/23 13/10: 9 pips to the 10-point are 5 shots, the back checkers none."""
    split = after_play(OPENING, "24/23 13/10")
    assert shots_left(after_play(OPENING, "24/23")) == 0
    assert shots_left(split) == shots_left(after_play(OPENING, "13/10")) == 5
    behind = {1: 1, 24: 13}
    assert [shots_left(points_of({place: 1}, behind)) for place in (17, 18)] == [1, 0]
    assert shots_left(points_of({18: 1}, {12: 1, 24: 13})) == 17
    for place in range(19, 25):
        assert shots_left(points_of({place: 1}, {place - 6: 1, 24 - place % 2: 13})) == 0


def reasons_in(said: str) -> set[str]:
    """The reasons in what is said of a play, by the names of reasons.csv."""
    patterns = {
        "wins": r"[Ww]ins [\d.]+ % less",
        "gammons won": r"[Ww]ins [\d.]+ % fewer gammons",
        "gammons lost": r"[Ll]oses [\d.]+ % more gammons",
        "but": ", but ",
        "cube": "[Tt]he cube makes",
        "shots": "[Ss]hots left",
        "blots": "[Bb]lots",
        "home": "[Pp]oints at home",
        "bar": "[Tt]heir checkers on the bar",
        "back": "[Cc]heckers back",
        "off": "[Cc]heckers off",
        "makes": "[Mm]akes (no point|the [0-9]|their)",
    }
    return {name for name, pattern in patterns.items() if re.search(pattern, said)}


LABELLED = [
    line
    for line in (Path(__file__).parents[2] / "golden" / "reasons.csv").read_text().splitlines()
    if not line.startswith("#")
]


@pytest.mark.parametrize("by", ["eye", "twin"])
def test_reasons_are_those_of_the_labels_and_no_others(by: str) -> None:
    seen: Counter[str] = Counter()
    for row in csv.DictReader(LABELLED):
        if row["by"] != by:
            continue
        plays = tuple(
            ReviewedPlay(row[name], 0.0, Probabilities(*map(float, row[chances].split())))
            for name, chances in (("best", "best_chances"), ("made", "made_chances"))
        )
        choice = Choice(
            0, 0, 0, ChoiceKind.PLAY, row["xgid"], row["made"], row["best"],
            float(row["loss"]), 0.0, True, True, 3, plays=plays,
        )  # fmt: skip
        said = why(choice, Position.parse(row["xgid"]))
        wanted = set(filter(None, row["reasons"].split("; ")))
        assert reasons_in(said) == wanted, f"{row['xgid']} {row['made']}: {said}"
        seen.update(wanted or {"nothing"})
    assert sum(row["by"] == by for row in csv.DictReader(LABELLED)) == {"eye": 26, "twin": 274}[by]
    names = {"wins", "gammons won", "gammons lost", "but", "shots", "home", "back", "makes"}
    assert names <= seen.keys()
    if by == "twin":
        assert names | {"cube", "blots", "bar", "off", "nothing"} == seen.keys()


def play_choice(xgid: str, loss: float, made: Probabilities, best: Probabilities) -> Choice:
    position = Position.parse(xgid)
    assert position.dice is not None
    names = [each.notation for each in legal_plays(position, position.dice)[:2]]
    plays = tuple(ReviewedPlay(name, 0.0, chances) for name, chances in zip(names, (best, made), strict=True))
    return Choice(0, 0, 0, ChoiceKind.PLAY, xgid, names[1], names[0], loss, 0.0, True, True, 3, plays=plays)


@pytest.mark.parametrize(
    ("context", "cube"),
    [("0:0:1:31:0:0:0:0:10", True), ("0:0:1:31:4:4:0:5:10", False), ("0:0:1:31:3:4:1:5:10", False)],
)
def test_a_play_that_wins_more_is_an_error_by_the_cube(context: str, cube: bool) -> None:
    """Without a cube that can be turned, there is no such reason, and none is said."""
    xgid = f"XGID=-b----E-C---eE---c-e----B-:{context}"
    made, best = Probabilities(0.55, 0.1, 0, 0.1, 0), Probabilities(0.52, 0.1, 0, 0.1, 0)
    choice = play_choice(xgid, 0.076, made, best)
    said = why(choice, Position.parse(xgid))
    why_not = "the cube makes the difference: without it this is worth 0.060 more"
    assert said == (f"Wins 3.0 % more, but {why_not}." if cube else "")


@pytest.mark.parametrize(
    ("context", "counts"),
    [
        ("0:0:1:31:0:0:0:0:10", True),
        ("0:0:1:31:0:0:1:0:10", False),
        ("1:1:1:31:0:0:1:0:10", True),
        ("0:0:1:31:4:4:0:5:10", False),
    ],
)
def test_gammons_that_count_nothing_are_no_reason(context: str, counts: bool) -> None:
    xgid = f"XGID=-b----E-C---eE---c-e----B-:{context}"
    made, best = Probabilities(0.5, 0.1, 0, 0.15, 0), Probabilities(0.52, 0.2, 0, 0.1, 0)
    said = why(play_choice(xgid, 0.2, made, best), Position.parse(xgid))
    assert said.startswith("Wins 2.0 % less")
    assert ("gammons" in said) == counts


def test_a_right_choice_needs_no_reason(found: Review) -> None:
    for choice in found.choices:
        position = Position.parse(choice.xgid)
        said = why(choice, position)
        assert choice.error >= ALIKE or not said
        assert explained(choice, position) == (said, tuple(themes_of(choice, position)))


def test_what_is_said_of_a_play(found: Review) -> None:
    verbs = {"wins": 0, "gammons won": 1, "gammons lost": 3}
    told = 0
    for choice in plays_with_errors(found):
        position = Position.parse(choice.xgid)
        said = why(choice, position)
        chances = {each.play: each.probabilities for each in choice.plays}
        difference = [a - b for a, b in zip(chances[choice.made], chances[choice.best], strict=True)]
        for share, words, what in re.findall(r"[Ww]ins ([\d.]+) % (more|less|fewer)( gammons)?", said):
            index = verbs["gammons won"] if what else verbs["wins"]
            sign = 1 if words == "more" else -1
            assert 100 * difference[index] == pytest.approx(sign * float(share), abs=0.051)
            told += 1
        for share, words in re.findall(r"[Ll]oses ([\d.]+) % (more|fewer) gammons", said):
            sign = 1 if words == "more" else -1
            assert 100 * difference[3] == pytest.approx(sign * float(share), abs=0.051)
        for one, other in re.findall(r"hots left of 36: (\d+) \(best (\d+)\)", said):
            after = [after_play(position.points, play) for play in (choice.made, choice.best)]
            assert [int(one), int(other)] == [shots(each) for each in after]
            told += 1
    assert told > 20


def test_what_is_said_of_the_cube(found: Review) -> None:
    kinds = set()
    for choice in found.choices:
        if choice.values is None or choice.error < ALIKE:
            continue
        position = Position.parse(choice.xgid)
        said = why(choice, position)
        kinds.add(choice.kind)
        own, their = pip_counts(position.points)
        assert f"Pips {own} to {their}." in said
        assert choice.chances is not None
        _, won, _, lost, _ = (round(100 * chance) for chance in choice.chances)
        assert ("gammon" in said) == (won > 0 or lost > 0)
        if choice.kind is ChoiceKind.TAKE:
            assert f"Pass -1.000, take {-choice.values.double_take:+.3f}." in said
        else:
            double = "redouble" if position.context.cube_owner else "double"
            assert choice.made in (double, f"no {double}")
            assert f"No {double} is worth {choice.values.no_double:+.3f}, a {double} " in said
    assert {ChoiceKind.NO_DOUBLE, ChoiceKind.TAKE} <= kinds


# Themes: each rule beside positions that were labelled from its definition.

ROWS = [
    line
    for line in (Path(__file__).parents[2] / "golden" / "themes.csv").read_text().splitlines()
    if not line.startswith("#")
]
#: Boards with the themes of their labels, and who labelled them.
THEMES_LABELLED = [
    (row["board"], set(filter(None, row["themes"].split("; "))), row["by"]) for row in csv.DictReader(ROWS)
]
NAMES = (
    "opening",
    "blitz",
    "prime",
    "holding game",
    "back game",
    "containment",
    "race",
    "bear-in",
    "bear-off",
)


def named(bits: int) -> list[str]:
    return [theme for k, theme in enumerate(THEMES) if bits >> k & 1]


def position_themes(points: Points) -> list[str]:
    return named(position_bits(boards_of(points, flipped(points))))


def play_themes(points: Points, plays: list[str]) -> list[str]:
    after = boards_of(*(after_play(points, play) for play in plays))
    return named(play_bits(boards_of(points)[0], after))


def cube_themes(kind: ChoiceKind, values: CubeValues, error: float) -> list[str]:
    return named(cube_bits(kind.number, *values, error))


def score_themes(terms: Terms) -> list[str]:
    return named(score_bits(terms.length, *terms.away, terms.cube))


@pytest.mark.parametrize("by", [{"eye"}, {"eye", "twin"}], ids=["eye", "all"])
@pytest.mark.parametrize("theme", NAMES)
def test_a_rule_says_what_the_labels_say(theme: str, by: set[str]) -> None:
    """At least 95 % of what has the theme, and of what is said to have it."""
    labelled, said = set(), set()
    for board, themes, who in THEMES_LABELLED:
        if who in by:
            position = Position.parse(f"XGID={board}:0:0:1:00:0:0:0:0:10")
            labelled |= {board} if theme in themes else set()
            said |= {board} if theme in position_themes(position.points) else set()
    assert len(labelled) >= 5
    right = len(labelled & said)
    assert right >= 0.95 * max(len(labelled), len(said))


def test_there_are_300_positions() -> None:
    assert len({board for board, _, _ in THEMES_LABELLED}) == 300
    assert sum(by == "eye" for _, _, by in THEMES_LABELLED) == 60


def test_names_are_those_that_there_are() -> None:
    assert THEMES[: len(NAMES)] == NAMES
    assert len(set(THEMES)) == len(THEMES) == 20
    positions = [Position.parse(f"XGID={board}:0:0:1:00:0:0:0:0:10") for board, _, _ in THEMES_LABELLED]
    assert {game_phase(each.points) for each in positions} == set(PHASES)
    assert len(PHASES) == 4


def test_the_opening() -> None:
    assert position_themes(OPENING) == ["opening"]
    assert game_phase(OPENING) == "opening"


def test_plays_that_differ() -> None:
    assert play_themes(OPENING, ["8/5 6/5", "8/5 6/5"]) == []
    assert play_themes(OPENING, ["8/5 6/5", "24/23 13/10"]) == ["point or slot"]
    assert play_themes(OPENING, ["13/11 6/5", "24/23 13/11"]) == ["point or slot"]
    assert play_themes(OPENING, ["24/14", "24/18 13/9"]) == []
    assert play_themes(OPENING, ["24/14", "24/20 13/7"]) == ["point or slot", "run"]


def test_a_play_is_played() -> None:
    assert after_play(OPENING, "13/7 8/7")[7] == 2
    blot = after_play(after_play(OPENING, "24/23"), "24/23")
    assert blot[23] == 2


def test_all_plays_are_played_as_the_rules_play_them() -> None:
    """The board after each legal play of 300 positions and a roll, most of them doubles."""
    rolls, hits = [(6, 5), *((die, die) for die in range(1, 7))], 0
    for number, (board, _, _) in enumerate(THEMES_LABELLED):
        position = Position.parse(f"XGID={board}:0:0:1:00:0:0:0:0:10")
        for play in legal_plays(position, rolls[number % len(rolls)]):
            after = after_play(position.points, play.notation)
            assert after == play.points, f"{board} {play.notation}"
            hits += "*" in play.notation
    assert hits > 2000
    hit_by_two = Position.parse("XGID=--bBbBDA-CB-b-A-ac-c-a--a-:1:-1:-1:22:0:0:0:5:10")
    after = after_play(hit_by_two.points, "13/11 13/11*/9 6/4")
    assert sum(count for count in after if count > 0) == 15


def test_the_cube() -> None:
    too_good = CubeValues(1.2, 1.4, 1.0)
    assert cube_themes(ChoiceKind.NO_DOUBLE, too_good, 0.0) == ["too good"]
    assert cube_themes(ChoiceKind.DOUBLE, too_good, 0.2) == ["too good", "wrong double"]
    assert cube_themes(ChoiceKind.NO_DOUBLE, CubeValues(0.5, 0.7, 1.0), 0.2) == ["missed double"]
    assert cube_themes(ChoiceKind.TAKE, CubeValues(0.5, 1.2, 1.0), 0.2) == ["wrong take"]
    assert cube_themes(ChoiceKind.PASS, CubeValues(0.5, 0.7, 1.0), 0.3) == ["wrong pass"]
    assert cube_themes(ChoiceKind.PASS, too_good, 0.0) == []
    assert cube_themes(ChoiceKind.DOUBLE, CubeValues(1.1, 0.9, 1.0), 0.2) == ["wrong double"]


def test_scores() -> None:
    def themes(own: int, their: int, cube: int = 1) -> list[str]:
        return score_themes(Terms(7, (own, their), cube=cube))

    assert themes(2, 1) == ["gammon go"]
    assert themes(1, 2) == ["gammon save"]
    assert [themes(*away) for away in ((3, 1), (1, 1), (2, 2), (7, 7))] == [[]] * 4
    assert themes(4, 2, 2) == ["gammon go"]
    assert themes(3, 2, 2) == ["gammon go"]
    assert themes(2, 3, 2) == ["gammon save"]
    assert score_themes(Terms()) == []


def test_rules_are_those_of_plain_python(played: Played) -> None:
    """Of labelled positions, positions from play, and all that two plays of a roll lead to."""
    boards = [Position.parse(f"XGID={board}:0:0:1:00:0:0:0:0:10").points for board, _, _ in THEMES_LABELLED]
    boards += played(600, 3)
    seen = set()
    for number, points in enumerate(boards):
        for board in (points, flipped(points)):
            found = position_themes(board)
            assert found == slow_themes.position_themes(board), board
            seen |= set(found)
        dice = (1 + number % 6, 1 + number // 6 % 6)
        legal = legal_plays(Position(points), dice)
        plays = [legal[(number * k) % len(legal)].notation for k in (0, 1, 5, 7)]
        found = play_themes(points, plays)
        assert found == slow_themes.play_themes(points, plays), (points, plays)
        seen |= set(found)
    assert seen == set(THEMES[: THEMES.index("too good")])


def test_scores_and_cubes_are_those_of_plain_python() -> None:
    for own, their, cube in product(range(1, 8), range(1, 8), (1, 2, 4)):
        terms = Terms(7, (own, their), cube=cube)
        assert score_themes(terms) == slow_themes.score_themes(terms)
    for kind, stay, taken, error in product(list(ChoiceKind)[1:], (0.5, 1.2), (0.7, 1.4), (0.0, 0.001, 0.2)):
        values = CubeValues(stay, taken, 1.0)
        expected = slow_themes.cube_themes(kind, values, error)
        assert set(cube_themes(kind, values, error)) == set(expected)


# Errors and what counts, against GNU Backgammon's own figures.


@pytest.mark.smoke
def test_cube_decisions_are_those_that_gnu_backgammon_counts() -> None:
    """match5_stats.txt of the program: totals, close ones, errors, what they cost."""
    choices = cube_choices()
    for player, total, close, error, cost in ((0, 46, 14, 1.189, 0.11985), (1, 35, 9, 0.298, 0.02410)):
        mine = [choice for choice in choices if choice.player == player]
        assert (len(mine), sum(choice.active for choice in mine)) == (total, close)
        assert sum(choice.error for choice in mine) == pytest.approx(error, abs=6e-4)
        assert sum(choice.cost for choice in mine) == pytest.approx(cost, abs=2e-5)
    missed = {
        player: [
            choice
            for choice in choices
            if choice.player == player and choice.kind is ChoiceKind.NO_DOUBLE and choice.error
        ]
        for player in (0, 1)
    }
    assert [len(missed[player]) for player in (0, 1)] == [9, 2]
    takes = [choice for choice in choices if choice.kind is ChoiceKind.TAKE and choice.error]
    assert [round(choice.error, 3) for choice in takes] == [0.389, 0.126]


@pytest.mark.parametrize(
    ("values", "errors"),
    [  # no double, double and take, double and pass; errors of no double, double, take, pass
        ((0.5, 0.7, 1.0), (0.2, 0.0, 0.0, 0.3)),
        ((0.8, 1.3, 1.0), (0.2, 0.0, 0.3, 0.0)),
        ((1.2, 1.6, 1.0), (0.0, 0.2, 0.6, 0.0)),
        ((0.3, 0.1, 1.0), (0.0, 0.2, 0.0, 0.9)),
        ((0.9, 0.9 + 1e-12, 1.0), (0.0, 0.0, 0.0, 0.1)),
    ],
)
def test_errors_by_their_formulas(values: tuple[float, float, float], errors: tuple[float, ...]) -> None:
    kinds = [ChoiceKind.NO_DOUBLE, ChoiceKind.DOUBLE, ChoiceKind.TAKE, ChoiceKind.PASS]
    found = [cube_error(kind, CubeValues(*values)) for kind in kinds]
    assert found == pytest.approx(errors)


@pytest.mark.parametrize(
    ("values", "counted"),
    [
        ((0.3, 0.25, 1.0), True),
        ((0.3, 0.0995, 1.0), False),  # a double is far off
        ((1.25, 1.6, 1.0), False),  # far too good
        ((1.15, 1.6, 1.0), True),
        ((-0.95, -0.97, 1.0), False),  # lost
        ((-0.85, -0.97, 1.0), True),
        ((0.3, 0.3, 1.0), False),  # alike
        ((0.3, 0.302, 1.0), True),
        ((-0.95, -0.94, 1.0), True),  # wrong ones count
        ((0.1, 0.9, 1.0), True),
    ],
)
def test_no_doubles_that_count(values: tuple[float, float, float], counted: bool) -> None:
    assert counts_without_double(CubeValues(*values)) == counted


def test_close_decisions() -> None:
    assert counts_for_gnu(CubeValues(0.3, 0.15, 1.0))
    assert not counts_for_gnu(CubeValues(0.3, 0.13, 1.0))
    assert counts_for_gnu(CubeValues(1.1, 2.0, 1.0))
    assert not counts_for_gnu(CubeValues(1.2, 2.0, 1.0))


def test_units_of_cost() -> None:
    met = read_met()
    assert unit_cost(Terms(cube=4, owner=1), met) == 4.0
    assert unit_cost(Terms(1, (1, 1)), met) == pytest.approx(0.5)
    # Kazaross-XG2 at 2-away 2-away: 67.736 % after a point won, 32.264 % after one lost.
    assert unit_cost(Terms(3, (2, 2)), met) == pytest.approx(0.5 * (0.67736 - 0.32264))


@pytest.mark.parametrize(("error", "mark"), [(0.029, 0), (0.03, 1), (0.06, 2), (0.119, 2), (0.12, 3)])
def test_marks(error: float, mark: int) -> None:
    choice = Choice(0, 0, 0, ChoiceKind.PLAY, "", "", "", error, error, True, True, 1)
    assert choice.mark == mark


@pytest.mark.parametrize(("apart", "said"), [(0.02, "not told apart from best"), (0.01, "best")])
def test_a_loss_that_chance_may_explain_is_said_to_be_one(apart: float, said: str) -> None:
    chances = Probabilities(0.5, 0.1, 0.0, 0.1, 0.0)
    best = RolledPlay("8/5 6/5", 0.2, 0.01, 0.0, 0.0, 36, chances)
    made = RolledPlay("13/9", 0.17, 0.01, 0.03, apart, 36, chances)
    words = RolledChoice(36, 1, (best, made), "").words("13/9")
    assert words == f"-0.030 ± {apart:.3f}, {said} 8/5 6/5"
    cube = RolledChoice(36, 1, (best._replace(name="No double"),), "no redouble, take")
    assert cube.words("", 1) == "no redouble, take (no redouble +0.200 ± 0.010)"


@pytest.mark.parametrize(
    ("equity", "said"),
    [
        (1.5, "pass -1.000, take -1.500 ± 0.010 (redouble, pass)"),
        (0.8, "take -0.800 ± 0.010, pass -1.000 (redouble, pass)"),
    ],
)
def test_games_answer_the_player_who_was_doubled(equity: float, said: str) -> None:
    chances = Probabilities(0.5, 0.1, 0.0, 0.1, 0.0)
    stay, taken = (
        RolledPlay(name, value, 0.01, 0.0, 0.0, 36, chances)
        for name, value in (("No double", 0.9), ("Double, take", equity))
    )
    rolled = RolledChoice(36, 1, (stay, taken), "redouble, pass")
    assert rolled.words("take", 1) == rolled.words("pass", 1) == said
