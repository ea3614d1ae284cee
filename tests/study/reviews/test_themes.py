"""Themes: each rule beside positions that were labelled from its definition."""

import csv
from itertools import product
from pathlib import Path

import pytest

from gammon import legal_plays
from gammon.formats.position import Position
from gammon.rules.board import OPENING, Points, flipped
from gammon.rules.terms import Terms
from gammon_study.reviews.choice import ChoiceKind, CubeValues
from gammon_study.reviews.names import PHASES, THEMES
from gammon_study.reviews.reasons_kernel import (
    cube_bits,
    play_bits,
    position_bits,
    score_bits,
)
from gammon_study.reviews.themes import after_play, boards_of, game_phase
from tests.conftest import Played
from tests.study.reviews import slow_themes

ROWS = [
    line
    for line in (Path(__file__).parents[2] / "golden" / "themes.csv").read_text().splitlines()
    if not line.startswith("#")
]
#: Boards with the themes of their labels, and who labelled them.
LABELLED = [
    (row["board"], set(filter(None, row["themes"].split("; "))), row["by"])
    for row in csv.DictReader(ROWS)
]
NAMES = (
    "opening", "blitz", "prime", "holding game", "back game", "containment", "race", "bear-in",
    "bear-off",
)  # fmt: skip


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
    for board, themes, who in LABELLED:
        if who in by:
            position = Position.parse(f"XGID={board}:0:0:1:00:0:0:0:0:10")
            labelled |= {board} if theme in themes else set()
            said |= {board} if theme in position_themes(position.points) else set()
    assert len(labelled) >= 5
    right = len(labelled & said)
    assert right >= 0.95 * max(len(labelled), len(said))


def test_there_are_300_positions() -> None:
    assert len({board for board, _, _ in LABELLED}) == 300
    assert sum(by == "eye" for _, _, by in LABELLED) == 60


def test_names_are_those_that_there_are() -> None:
    assert THEMES[: len(NAMES)] == NAMES
    assert len(set(THEMES)) == len(THEMES) == 20
    positions = [
        Position.parse(f"XGID={board}:0:0:1:00:0:0:0:0:10") for board, _, _ in LABELLED
    ]
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
    for number, (board, _, _) in enumerate(LABELLED):
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
    assert cube_themes(ChoiceKind.NO_DOUBLE, CubeValues(0.5, 0.7, 1.0), 0.2) == [
        "missed double"
    ]
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
    boards = [
        Position.parse(f"XGID={board}:0:0:1:00:0:0:0:0:10").points for board, _, _ in LABELLED
    ]
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
    for kind, stay, taken, error in product(
        list(ChoiceKind)[1:], (0.5, 1.2), (0.7, 1.4), (0.0, 0.001, 0.2)
    ):
        values = CubeValues(stay, taken, 1.0)
        expected = slow_themes.cube_themes(kind, values, error)
        assert set(cube_themes(kind, values, error)) == set(expected)
