"""Cube decisions, decisions by score, bearoffs and match equity tables as tables."""

import json
import re
from dataclasses import replace

import pytest

import gammon
from gammon.engine.bearoff import Bearoff, Side
from gammon.engine.cube import CubeAction, CubeDecision, CubeValue
from gammon.eval.equity import Probabilities
from gammon.formats.context import TOP, Context
from gammon.formats.met_file import read_met
from gammon.formats.position import Position
from gammon.rules.terms import Terms
from gammon.search import Stats
from gammon.view import to_json
from gammon.view.bearoff import bearoff_view
from gammon.view.cube import cost_lines, cube_view, play_grid_view, score_grid_view
from gammon.view.met import met_view
from gammon.view.tables import plain_text
from gammon.view.view import Columns
from tests.boards import by_counts
from tests.engine.view.shown import text_of

# A cube decision as a table: three values, the verdict, and the cost of errors.

CHANCES = gammon.Probabilities(0.7, 0.2, 0.01, 0.1, 0.0)
EXACT = gammon.Kind.EXACT
#: A position, by the scores of both sides and the length of the match.
ANY_SCORE = "XGID=--CDBbC-B-----a----bdA-cc-:0:0:1:00:{}:{}:0:{}:10"


MONEY = Terms()


def decision(values: tuple[float, float], terms: Terms = MONEY, offer: bool = False) -> CubeDecision:
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
)
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
        (replace(close, level="roller"), "exact tables have the values"),
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
    assert "X on roll, rolled out, with the cube" in plain_text(cube_view(found))


def test_a_match_has_chances_to_win_it() -> None:
    text = plain_text(cube_view(decision((0.5, 0.8), Terms(7, (3, 4), cube=2, owner=1))))
    assert ["Action", "EMG", "Difference", "Value", "MWC%"] in [line.split() for line in text.splitlines()]
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
            (-0.2, -0.3),
            Terms(beavers=True),
            ["Beaver +0.6000 best", "Take +0.3000 0.3000", "Pass -1.0000 1.6000"],
            "loses 0.4",
        ),
        (
            (0.5, 0.8),
            Terms(7, (3, 4), cube=2, owner=1),
            ["Take -0.8000 best", "Pass -1.0000 0.2000"],
            "redouble gains 0.3000",
        ),
    ],
)
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
    assert asked.answer_gain == pytest.approx(float(rows[-1 if len(rows) == 2 else 2].split()[2]))
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


# The cube by score, as a table.

POSITION = gammon.Position.parse("XGID=-a-B--C-B-a-dDB--bBbcb----:0:0:1:00:0:0:0:0:10")
NUMBER = r"[+-]?\d\.\d{4}"


def test_cells_say_action_answer_and_gain() -> None:
    grid = gammon.Engine(depth=1).cube_by_score(POSITION, 3)
    lines = plain_text(score_grid_view(grid), 100).splitlines()
    head = next(number for number, line in enumerate(lines) if "X needs" in line)
    rows = [line.split() for line in lines[head + 1 : head + 4]]
    assert rows[0] == ["1", "-", "-", "-"], "the leader needs no cube"
    letters = {"no double": "N", "double": "D", "too good to double": "T"}
    for own, row in enumerate(rows[1:], 2):
        for their in (1, 2, 3):
            found = grid.scores[own, their]
            assert found.answer is not None
            code, gain = row[2 * their - 1 : 2 * their + 1]
            assert code == letters[found.action] + found.answer[0]
            assert gain == f"{found.gain:+.2f}"
    assert any(line.split()[:1] == ["gammon-save"] for line in lines)
    assert str(grid) == plain_text(score_grid_view(grid))
    words = "At dmp, gammon-go and gammon-save the cube is centred."
    assert words not in str(grid)
    owned = POSITION.with_terms(gammon.Terms(cube=2, owner=1))
    assert words in str(gammon.Engine(depth=1).cube_by_score(owned, 1))


def test_a_doubtful_verdict_where_a_double_costs_nothing_is_told() -> None:
    late, money = (ANY_SCORE.format(*at) for at in ((5, 6, 7), (0, 0, 0)))
    engine = gammon.Engine(depth=1)
    decision = engine.cube(gammon.Position.parse(late))
    assert decision.action is CubeAction.TOO_GOOD
    told = "A double costs X nothing."
    assert told in str(decision)
    assert to_json(decision)["notes"][0].startswith(told)
    assert told not in str(engine.cube(gammon.Position.parse(money)))
    grid = engine.cube_by_score(gammon.Position.parse(late), 7)
    told = "At 2-away 1-away, 6-away 1-away the verdict is doubtful: a double costs X nothing."
    assert told in " ".join(str(grid).split())
    assert to_json(grid)["notes"][0].startswith(told)


def test_a_score_of_the_crawford_game_alone_is_told() -> None:
    engine, told = gammon.Engine(depth=1), "X has no point, so this can only be the Crawford game"
    assert told in str(engine.cube(gammon.Position.parse(ANY_SCORE.format(0, 6, 7))))
    assert told not in str(engine.cube(gammon.Position.parse(ANY_SCORE.format(1, 6, 7))))
    crawford = ANY_SCORE.format(0, 6, 7).replace(":0:7:", ":1:7:")
    assert told not in str(engine.cube(gammon.Position.parse(crawford)))


def test_narrow_tables_name_what_is_missing() -> None:
    grid = gammon.Engine(depth=1).cube_by_score(POSITION, 7)
    assert "too narrow for more columns: O" in " ".join(plain_text(score_grid_view(grid), 60).split())


def test_best_plays_are_letters() -> None:
    grid = gammon.Engine(depth=1).plays_by_score(gammon.Position.opening(), (2, 1), 3)
    lines = plain_text(play_grid_view(grid), 100).splitlines()
    head = next(number for number, line in enumerate(lines) if "X needs" in line)
    for own, line in enumerate(lines[head + 1 : head + 4], 1):
        plays = [grid.scores[own, their].candidates[0].play.notation for their in (1, 2, 3)]
        assert line.split() == [str(own), *("AB"[grid.plays.index(play)] for play in plays)]
    assert f"A {grid.plays[0]}" in "\n".join(lines)
    (save,) = [line for line in lines if line.split()[:1] == ["gammon-save"]]
    assert save.split()[1] in "AB"
    assert str(grid) == plain_text(play_grid_view(grid))


def test_the_places_of_the_cube_are_rows() -> None:
    opening = gammon.Position.opening()
    asked = gammon.Question(position=opening, dice=(2, 1), owners=True, depth=1)
    grid = gammon.Engine().answer(asked)
    assert isinstance(grid, gammon.PlayGrid)
    text = str(grid)
    assert "by the cube's place" in text
    assert "needs" not in text
    for name, found in grid.named.items():
        (row,) = [line for line in text.splitlines() if line.split()[:1] == [name]]
        assert f"{found.candidates[0].equity:+.4f}" in row
    assert "cube-mine" in grid._repr_html_()


def test_the_places_of_the_cube_are_whole_at_any_width() -> None:
    engine, opening = gammon.Engine(depth=1), gammon.Position.opening()
    asked = gammon.Question(position=opening, owners=True)
    cube = engine.answer(asked)
    plays = engine.answer(replace(asked, dice=(1, 1)))
    assert isinstance(cube, gammon.ScoreGrid)
    assert isinstance(plays, gammon.PlayGrid)
    for view in (score_grid_view(cube), play_grid_view(plays)):
        numbers = re.findall(NUMBER, plain_text(view))
        assert len(numbers) >= 5
        for width in (40, 60):
            text = plain_text(view, width)
            assert "…" not in text
            assert re.findall(NUMBER, text) == numbers


def test_it_says_whose_values_they_are_and_if_depths_differ() -> None:
    grid = gammon.Engine(strength=25).cube_by_score(POSITION, 1)
    assert "as a player of PR 25 misjudges them" in str(grid)
    assert "some deeper" not in str(grid)
    named = grid.named | {"money": replace(grid.named["money"], depth=3, noise_note="")}
    mixed = " ".join(str(replace(grid, named=named)).split())
    assert "static, without a search, some deeper" in mixed


def test_it_says_how_far_values_are_exact_as_a_single_answer_does() -> None:
    opening = gammon.Position.opening()
    for settings, words in (
        ({"depth": 3}, "exact to depth 3 ("),
        ({"depth": 3, "move_filter": "tiny"}, "exact within the filter to depth 3 ("),
    ):
        engine = gammon.Engine(**settings)
        for answer in (
            engine.cube(opening),
            engine.cube_by_score(opening, 1),
            engine.analyze(opening, (2, 1)),
            engine.plays_by_score(opening, (2, 1), 1),
        ):
            assert words in str(answer)
    shallow = gammon.Engine(depth=1)
    for found in (shallow.cube(opening), shallow.cube_by_score(opening, 1)):
        assert "static, without a search" in str(found)
        assert "exact to" not in str(found)
    grid = shallow.plays_by_score(opening, (2, 1), 1)
    assert "exact to depth 1 (" in str(grid)


# The bearoff tables' answer as tables and as JSON.

BEAROFF_POSITION = Position(by_counts((2,), (0, 0, 0, 0, 0, 2)))
OWN = Side(2, 2, (1.0, *31 * (0.0,)), True)
THEIR = Side(2, 12, (0.125, 0.5, 0.375, *29 * (0.0,)), True)
FOUND = Bearoff(BEAROFF_POSITION, Probabilities(0.75, 0.25, 0.0, 0.125, 0.0), True, OWN, THEIR)


def squeezed(found: Bearoff) -> list[str]:
    return [" ".join(line.split()) for line in text_of(bearoff_view(found))]


def test_tables() -> None:
    lines = squeezed(FOUND)
    at = lines.index("Win% Gammon% Equity Pips Rolls EPC Wastage")
    assert lines[at + 1 :] == [
        "X 75.00 25.00 +0.6250 2 1.000 8.17 6.17",
        "O 25.00 12.50 -0.6250 12 2.250 18.38 6.38",
        "",
        "The chances are exact: best play of both sides. So are the rolls.",
        "",
        "Rolls to bear off X % by then O % by then",
        "1 100.00 100.00 12.50 12.50",
        "2 0.00 100.00 50.00 62.50",
        "3 0.00 100.00 37.50 100.00",
    ]
    assert f"Position ID: {BEAROFF_POSITION.position_id} Match ID: {BEAROFF_POSITION.match_id}" in lines
    assert "\u2026" not in "".join(text_of(bearoff_view(FOUND), 60))
    lost = replace(FOUND, probabilities=Probabilities(-1e-9, -1e-9, 0.0, 0.0, 0.0))
    assert "X 0.00 0.00 -1.0000 2 1.000 8.17 6.17" in squeezed(lost)


def test_one_sided_chances_and_dice_are_named() -> None:
    position = Position(BEAROFF_POSITION.points, dice=(3, 1))
    lines = squeezed(Bearoff(position, FOUND.probabilities, False, OWN, THEIR))
    assert any(line.startswith("The chances are one-sided") for line in lines)
    assert "The rolls are exact." in lines
    assert "~" not in "".join(lines)
    assert "X to roll, cubeless, money; the dice 31 are ignored" in lines


def test_estimates_are_marked_and_have_fewer_digits() -> None:
    estimate = replace(THEIR, exact=False)
    lines = squeezed(replace(FOUND, exact=False, their=estimate))
    at = lines.index("Win% Gammon% Equity Pips Rolls EPC Wastage")
    assert lines[at + 1 : at + 3] == [
        "X ~75.0 ~25.0 ~+0.62 2 1.000 8.17 6.17",
        "O ~25.0 ~12.5 ~-0.62 12 ~2.25 ~18.4 ~6.4",
    ]
    assert lines[-3:] == [
        "1 100.00 100.00 ~12.5 ~12.5",
        "2 0.00 100.00 ~50.0 ~62.5",
        "3 0.00 100.00 ~37.5 ~100.0",
    ]
    assert "~ marks estimates: O has more than three checkers, not all at home, " in " ".join(lines)
    both = squeezed(replace(FOUND, exact=False, own=replace(OWN, exact=False), their=estimate))
    assert "~ marks estimates: both sides have more" in " ".join(both)


def test_o_on_roll_is_o() -> None:
    theirs = Position(BEAROFF_POSITION.points, Context(on_roll=TOP))
    lines = squeezed(Bearoff(theirs, FOUND.probabilities, True, OWN, THEIR))
    assert "O to roll, cubeless, money" in lines
    assert "O is on roll: the board and the plays are seen from O's side." in lines
    at = lines.index("Win% Gammon% Equity Pips Rolls EPC Wastage")
    assert [line.split()[0] for line in lines[at + 1 : at + 3]] == ["O", "X"]
    assert lines[at + 1].startswith("O 75.00")
    assert "Rolls to bear off O % by then X % by then" in lines


def test_the_notes_are_those_of_an_analysis() -> None:
    match = Context(length=7, scores=(2, 4))
    found = Bearoff(Position(BEAROFF_POSITION.points, match), FOUND.probabilities, True, OWN, THEIR)
    said = [
        "`gammon analyze` with the cube decides whether to double; shown are the chances before the roll.",
        "Score and cube not taken into account: X 2, O 4 in a match to 7; centred cube.",
    ]
    assert [line for line in squeezed(found) if line in said] == said
    assert to_json(found)["notes"] == said


@pytest.mark.parametrize("width", [40, 60, 80])
def test_a_narrow_terminal_breaks_nothing(width: int) -> None:
    lines = text_of(bearoff_view(FOUND), width)
    (said,) = [line.rstrip() for line in lines if "X, to play: " in line]
    assert said.endswith("  X, to play: pips 2, off 13")
    assert "\u2026" not in "".join(lines)


def test_json() -> None:
    found = to_json(FOUND)
    assert json.loads(json.dumps(found)) == found
    assert list(found) == [
        "schema_version", "position_id", "match_id", "xgid", "ogid", "exact", "equity",
        "probabilities", "own", "their", "notes",
    ]  # fmt: skip
    assert found["probabilities"]["win"] == 0.75
    assert found["own"] == {
        "checkers": 2,
        "pips": 2,
        "exact": True,
        "mean_rolls": 1.0,
        "epc": OWN.epc,
        "wastage": OWN.wastage,
        "rolls": list(OWN.rolls),
    }


# A match equity table as text of any width, and as JSON.

MET = read_met()


@pytest.mark.parametrize(
    ("width", "length", "columns"), [(60, 15, 9), (60, 9, 9), (120, 15, 15), (200, 25, 25), (200, 30, 30)]
)
def test_text(width: int, length: int, columns: int) -> None:
    lines = [line.rstrip() for line in text_of(met_view(MET, length), width)]
    assert lines[0] == "Kazaross-XG2: the chance to win a match, in per cent"
    at = next(i for i, line in enumerate(lines) if line.split()[:1] == ["away"])
    assert lines[at].split() == ["away", *map(str, range(1, columns + 1))]
    rows = [line.split() for line in lines[at + 1 : at + length + 2]]
    assert [row[0] for row in rows] == [*map(str, range(1, length + 1)), "post"]
    assert {len(row) for row in rows} == {columns + 1}
    assert rows[1][1:4] == ["32.26", "50.00", "59.95"]
    assert rows[-1][1:4] == ["50.00", "48.80", "32.26"]
    text = " ".join(" ".join(lines).split())
    assert ("too narrow for more columns: 10, 11" in text) == (columns < length)
    assert ("Beyond 25 points, and at 25 after the Crawford game, the table is" in text) == (length >= 25)
    assert "\u2026" not in text
    assert max(map(len, lines)) <= width


def test_met_json() -> None:
    found = json.loads(json.dumps(to_json(MET)))
    assert (found["name"], found["length"]) == ("Kazaross-XG2", 25)
    assert len(found["main"]) == len(found["main"][63]) == len(found["post_crawford"]) == 64
    assert found["main"][0][1] == 0.67736
    assert found["post_crawford"][1] == 0.48803
