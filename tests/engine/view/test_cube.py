"""A cube decision as a table: three values, the verdict, and the cost of errors."""

from dataclasses import replace

import pytest

import gammon
from gammon.engine.cube import CubeDecision, CubeValue
from gammon.rules.terms import Terms
from gammon.search import Stats
from gammon.view.cube import cost_lines, cube_view
from gammon.view.plain import plain_text
from gammon.view.view import Columns

CHANCES = gammon.Probabilities(0.7, 0.2, 0.01, 0.1, 0.0)
EXACT = gammon.Kind.EXACT


MONEY = Terms()


def decision(
    values: tuple[float, float], terms: Terms = MONEY, offer: bool = False
) -> CubeDecision:
    position = gammon.Position.opening().with_terms(terms)
    if offer:
        position = gammon.Position.parse(position.xgid.replace(":00:", ":D:"))
    mwc = 0.5 if terms.length else None
    found = [CubeValue(value, mwc, EXACT) for value in (*values, 1.0)]
    return CubeDecision(position, terms, CHANCES, *found, depth=5)


@pytest.mark.parametrize(
    ("values", "bold", "verdict", "costs"),
    [
        ((0.5, 0.4), "No double", "no double, take", ("X loses 0.1000 by a double", "O 0.60")),
        ((0.5, 0.8), "Double, take", "double, take", ("0.3000 by not doubling", "O 0.2000")),
        ((0.5, 1.2), "Double, pass", "double, pass", ("X loses 0.5000", "O 0.2000 by a take")),
        ((1.1, 1.4), "No double", "too good to double, pass", ("X loses 0.1000", "O 0.4000")),
    ],
)  # fmt: skip
def test_the_verdict_and_what_errors_cost(
    values: tuple[float, float], bold: str, verdict: str, costs: tuple[str, str]
) -> None:
    view = cube_view(decision(values))
    text = plain_text(view)
    assert f"Verdict: {verdict}\n" in text
    assert all(cost in text for cost in costs)
    (line,) = [each for each in text.splitlines() if each.strip().startswith(bold)]
    assert line.split()[-2] == "+0.0000", "the right action loses nothing"
    assert "MWC" not in text
    (columns,) = view.blocks[0]
    assert isinstance(columns, Columns)
    table = columns.table
    names = zip(table.columns[0].cells, table.rows, strict=True)
    assert [name for name, row in names if row.style == "bold"] == [bold]


def test_a_level_says_why_it_played_no_games() -> None:
    searched = {"level": "roller", "stats": Stats(*[0] * 7)}
    close, clear = decision((0.5, 0.49)), decision((0.5, 0.3))
    for found, why in (
        (replace(close, level="roller"), "all is known"),
        (replace(close, **searched), "time was over"),
        (replace(clear, **searched), "nothing is close"),
        (replace(clear, double_take=None, double_pass=None, **searched), "nobody gains by a"),
    ):
        assert f"Level roller: no games: {why}" in plain_text(cube_view(found))


@pytest.mark.parametrize(
    ("values", "line"),
    [  # "close" stands only beside what loses less than .02
        ((0.5, 0.36), "X loses 0.1400 by a double, O 0.6400 by a pass."),
        ((0.5, 0.51), "X loses 0.0100 by not doubling (close), O 0.4900 by a pass."),
        ((0.5, 1.015), "X loses 0.5000 by not doubling, O 0.0150 by a take (close)."),
        ((0.5, 0.500001), "X loses nothing either way, O 0.5000 by a pass."),
    ],
)
def test_close_is_said_of_the_decision_that_is(values: tuple[float, float], line: str) -> None:
    assert cost_lines(decision(values)) == [line]


def test_games_are_no_exact_search() -> None:
    value = CubeValue(0.5, None, gammon.Kind.ROLLOUT, 0.01)
    found = replace(decision((0.5, 0.8)), no_double=value, stats=None)
    assert "X on roll, by games, with the cube" in plain_text(cube_view(found))


def test_a_match_has_chances_to_win_it() -> None:
    text = plain_text(cube_view(decision((0.5, 0.8), Terms(7, (3, 4), cube=2, owner=1))))
    assert ["Action", "EMG", "Difference", "Value", "MWC%"] in [
        line.split() for line in text.splitlines()
    ]
    assert "Redouble, take" in text
    assert "X loses 0.3000 by not redoubling" in text
    assert "50.00" in text


@pytest.mark.parametrize(
    ("values", "terms", "rows", "double"),
    [
        ((0.5, 1.2), MONEY, ["Pass -1.0000 best", "Take -1.2000 0.2000"], "gains 0.5000"),
        ((1.0348, 1.4789), MONEY, ["Pass -1.0000 best", "Take -1.4789 0.4789"], "loses 0.0348"),
        ((0.5, 0.8), MONEY, ["Take -0.8000 best", "Pass -1.0000 0.2000"], "gains 0.3000"),
        ((0.5, 0.5), MONEY, ["Take -0.5000 best", "Pass -1.0000 0.5000"], "loses nothing"),
        (
            (-0.2, -0.3), Terms(beavers=True),
            ["Beaver +0.6000 best", "Take +0.3000 0.3000", "Pass -1.0000 1.6000"], "loses 0.4",
        ),
        (
            (0.5, 0.8), Terms(7, (3, 4), cube=2, owner=1),
            ["Take -0.8000 best", "Pass -1.0000 0.2000"], "redouble gains 0.3000",
        ),
    ],
)  # fmt: skip
def test_an_offer_asks_for_the_answer(
    values: tuple[float, float], terms: Terms, rows: list[str], double: str
) -> None:
    """The rows are the answers, as the player sees them who must decide, the best one first."""
    asked = decision(values, terms, offer=True)
    text = plain_text(cube_view(asked))
    assert "X has doubled" in text
    assert f"Verdict: {asked.answer} by O" in text
    lines = [line.split() for line in text.splitlines()]
    first = next(n for n, line in enumerate(lines) if line[:1] == ["Answer"])
    answers = lines[first + 1 : first + 1 + len(rows)]
    assert [" ".join(line[:3]) for line in answers] == rows
    assert asked.answer_gain == pytest.approx(
        float(rows[-1 if len(rows) == 2 else 2].split()[2])
    )
    assert double in text
    assert "X loses" not in text
    chances = next(n for n, line in enumerate(lines) if line[:1] == ["Win%"])
    assert lines[chances + 1][:4] == ["30.0", "10.0", "0.0", "70.0"]
    assert "the chances of O" in text


def test_a_beaver_that_is_right_has_a_row() -> None:
    text = plain_text(cube_view(decision((-0.2, -0.3), Terms(beavers=True))))
    assert ["Double,", "beaver", "-0.6000", "-0.4000", "exact"] in [
        line.split() for line in text.splitlines()
    ]
    assert "X loses 0.4000 by a double" in text
    assert "beaver" not in plain_text(cube_view(decision((-0.2, -0.3))))


def test_without_a_cube_there_is_one_value() -> None:
    terms = Terms(1, (1, 1))
    position = gammon.Position.opening().with_terms(terms)
    found = CubeDecision(position, terms, CHANCES, CubeValue(0.1, 0.55, EXACT), None, None)
    text = plain_text(cube_view(found))
    assert "Verdict: no double, dead cube" in text
    assert "Double, take" not in text


@pytest.mark.parametrize("width", [40, 60, 80])
@pytest.mark.parametrize("offer", [False, True])
def test_all_widths(width: int, offer: bool) -> None:
    found = decision((0.5, 0.8), Terms(7, (3, 4), cube=2, owner=1), offer)
    lines = plain_text(cube_view(found), width).splitlines()
    assert max(len(line) for line in lines if "GID=" not in line) <= width
