"""Analyses as tables: the board, the heading and its notes, and the style of tables."""

import itertools
import re
from collections.abc import Sequence
from dataclasses import replace

import pytest
from rich.console import Console, Group
from rich.text import Text

import gammon
from gammon.engine.analysis import Analysis, Sample
from gammon.formats.context import BOTTOM, TOP, Context
from gammon.formats.position import Position
from gammon.rules.terms import CUBELESS, NAMED_STAKES, Terms, parse_stakes
from gammon.search import Stats
from gammon.view.analysis import (
    analysis_view,
    bounds_table,
    chances_cells,
    depth_words,
    level_lines,
    roll_table_view,
    work_line,
)
from gammon.view.heading import board_text, board_view, heading, notes, stakes_words, terms_words
from gammon.view.tables import Fitted, indented, new_table, plain_text, without_last_columns
from gammon_lab.report import Report, Sheet
from gammon_lab.view import report_view
from tests.boards import points_of
from tests.engine.commands.program import OPENING_31
from tests.engine.view.shown import text_of

# Analyses as tables: each kind of value says what it is.

OPENING = gammon.Position.opening()
#: The plies of kinds of values in a search to depth 3.
DEPTHS = {gammon.Kind.STATIC: 1, gammon.Kind.SHALLOW: 1}


def analysis(
    kinds: list[gammon.Kind], top: int = 5, stakes: str = "money", named: Sequence[int] = ()
) -> Analysis:
    plays = gammon.legal_plays(OPENING, (3, 1))
    chances = gammon.Probabilities(0.5, 0.125, 0.01, 0.15, 0.02)
    candidates = [
        gammon.Candidate(
            play,
            0.2 - 0.1 * rank,
            0.1 * rank,
            chances,
            kind,
            DEPTHS.get(kind, 3),
            named=rank in named,
            bound=0.25 - 0.1 * rank if kind is gammon.Kind.SHALLOW else None,
        )
        for rank, (play, kind) in enumerate(zip(plays, kinds, strict=False))
    ]
    work = Stats(12, 3456, 4567, 8, 6, 5, 0)
    worth = gammon.parse_stakes(stakes)
    return Analysis(OPENING, (3, 1), worth, candidates, work, 0.25, top)


@pytest.mark.smoke
def test_exact_shallow_and_static_values() -> None:
    exact, shallow, static = gammon.Kind.EXACT, gammon.Kind.SHALLOW, gammon.Kind.STATIC
    lines = text_of(analysis_view(analysis([exact, shallow, static])))
    first, second, third = (
        next(line for line in lines if line.split()[:1] == [f"{rank}."]) for rank in (1, 2, 3)
    )
    assert "+0.2000" in first
    assert "0.0000" in first
    assert re.search(r"exact +50\.0 +12\.5 +1\.0 +50\.0 +15\.0 +2\.0$", first.rstrip())
    assert "+0.1000  0.1000  depth 1  50.0" in second
    assert "=" not in second
    assert "+0.0000" in third
    assert "0.2000" not in third, "a static value has no loss"
    # Chances of another depth than the equity's are not shown.
    assert re.search(r"static +50\.0 +12\.5 +1\.0 +50\.0 +15\.0 +2\.0$", third.rstrip())
    certain = gammon.Probabilities(1.0 + 1e-12, 0.0, 0.0, 0.0, 0.0)
    assert chances_cells(certain)[3] == "0.0"


@pytest.mark.parametrize(
    ("last", "words"), [("shallow", "and 4 more, from -0.8000 down"), ("static", "and 4 more")]
)
def test_plays_that_are_not_shown(last: str, words: str) -> None:
    kinds = [gammon.Kind.EXACT] * 4 + [gammon.Kind(last)] * 10
    (line,) = [each for each in text_of(analysis_view(analysis(kinds, 1))) if "more" in each]
    assert line.strip() == words


def test_bounds_stand_in_a_table_of_their_own() -> None:
    kinds = [gammon.Kind.EXACT, gammon.Kind.SHALLOW, gammon.Kind.STATIC]
    found = analysis(kinds)
    head, line = text_of(bounds_table(found))
    assert head.split() == ["Play", "Equity", "at", "most"]
    assert line.split()[-1] == "+0.1500"
    assert line.startswith(found.candidates[1].play.notation)
    assert bounds_table(analysis(kinds[:1])) is None


def test_the_work_of_a_search_is_a_line() -> None:
    found = analysis([gammon.Kind.EXACT], 1)
    (line,) = text_of(work_line(found.stats, found.seconds, 0.0314))
    assert "probes 8, of these cut 6 (75 %), search cuts 5; 0.25 s; width 0.031" in line
    (line,) = text_of(work_line(found.stats._replace(nodes=1), found.seconds, None))
    assert line.startswith("  nodes 1, "), "a line with `1 nodes` would be wrong"
    assert "width" not in text_of(work_line(found.stats, found.seconds, None))[0]


def test_a_level_says_how_sure_it_is() -> None:
    for sure, words in ((0.75, "games; 75.0 % confidence"), (1.0, "99.9 %"), (None, "no games: why")):
        (line,) = level_lines("roller", sure, "games", "why")
        assert words in line


def test_a_level_says_why_it_played_no_games() -> None:
    found = replace(analysis([gammon.Kind.EXACT] * 3), level="roller")
    first, *others = found.candidates
    close = [first, *(replace(each, loss=0.01) for each in others)]
    for candidates, why in (
        ([first], "there is only one play"),
        (found.candidates, "nothing is close"),
        (close, "exact tables have the values, or time was over"),
    ):
        lines = text_of(analysis_view(replace(found, candidates=candidates)))
        assert f"  Level roller: no games: {why}." in lines


def test_the_heading_says_what_equities_are() -> None:
    found = "\n".join(text_of(analysis_view(analysis([gammon.Kind.EXACT], 1, "gammon-go"))))
    assert OPENING.position_id in found
    assert OPENING.xgid in found
    heading = f"X to play 31, exact to {depth_words(3)}, cubeless, stakes gammon-go"
    assert heading in " ".join(found.split())
    assert "probes" not in found


def test_chances_to_win_the_match_have_two_decimals() -> None:
    found = analysis([gammon.Kind.EXACT], 1)
    (best,) = found.candidates
    terms, only = gammon.Terms(7, (3, 4)), replace(best, mwc=0.57839)
    text = str(replace(found, terms=terms, candidates=[only]))
    assert " exact  57.84  50.0 " in text


def test_all_rolls() -> None:
    rolls = gammon.Engine(depth=1, stakes="dmp").analyze_rolls(OPENING)
    found = text_of(roll_table_view(rolls))
    assert any("X to roll" in line for line in found)
    assert any("stakes dmp" in line for line in found)
    assert any(f"before the roll: {rolls.equity:+.4f}" in line for line in found)
    assert sum("/36" in line for line in found) == 21


def rows(view: object, width: int) -> list[list[str]]:
    """The cells of a table of plays, from its head on."""
    lines = plain_text(view, width).splitlines()
    head = next(n for n, line in enumerate(lines) if "Equity" in line.split())
    table = itertools.takewhile(lambda line: line and not line.startswith("  The terminal"), lines[head:])
    return [line.split() for line in table]


def test_named_plays_stand_below_the_best() -> None:
    kinds = [gammon.Kind.EXACT] * 10 + [gammon.Kind.SHALLOW] * 4
    found = rows(analysis_view(analysis(kinds, named=[11])), 120)
    assert [row[0] for row in found[11:]] == ["12.", "and"]
    assert found[-1][:3] == ["and", "3", "more,"]
    found = rows(analysis_view(analysis(kinds, named=[1])), 120)
    assert [row[0] for row in found[10:]] == ["10.", "and"], "shown once"


def test_games_stand_before_searches() -> None:
    rollout, exact = gammon.Kind.ROLLOUT, gammon.Kind.EXACT
    found = analysis([*[rollout] * 3, exact, gammon.Kind.SHALLOW], named=[2])
    *games, searched, last = found.candidates
    games = [replace(each, rollout=Sample(0.01, 1.0, 36)) for each in games]
    candidates = [*games, replace(searched, equity=0.12), last]
    view = analysis_view(replace(found, candidates=candidates))
    assert [row[0] for row in rows(view, 120)[1:]] == ["1.", "2.", "3.", "4.", "5."]


@pytest.mark.parametrize("width", [40, 60])
def test_columns_that_are_left_out_are_named(width: int) -> None:
    view = analysis_view(analysis([gammon.Kind.EXACT] * 2, 1))
    text = " ".join(plain_text(view, width).split())
    gone = text.partition("The terminal is too narrow for more columns: ")[2].partition(".")[0]
    assert [*rows(view, width)[0], *gone.split(", ")] == rows(view, 120)[0]


@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_rank_play_and_equity_are_whole_at_any_width(width: int) -> None:
    exact, shallow = gammon.Kind.EXACT, gammon.Kind.SHALLOW
    view = analysis_view(analysis([exact, exact, shallow], top=2))
    lines = plain_text(view, width).splitlines()
    ids = [line for line in lines if "GID=" in line]
    assert ids == [f"  {OPENING.xgid}", f"  {OPENING.ogid}"], "never broken"
    assert max(len(line) for line in lines if line not in ids) <= width
    assert f"Match ID: {OPENING.match_id}" in "\n".join(lines)
    whole = rows(view, 120)
    for row, every in zip(rows(view, width)[1:], whole[1:], strict=True):
        assert row == every[: len(row)]
        assert any(re.fullmatch(r"[+-]\d\.\d{4}", cell) for cell in row)
    assert "…" not in "".join(lines)
    assert {40: 4, 60: 8, 80: 10, 120: 10}[width] == len(rows(view, width)[0])


def test_long_plays_take_two_lines_rather_than_lose_a_letter() -> None:
    position = gammon.Position.parse("XGID=-----aBaB---aB---------aB-:0:0:1:11:0:0:0:0:10")
    play = max(gammon.legal_plays(position, (1, 1)), key=lambda each: len(each.notation))
    found = analysis([gammon.Kind.SHALLOW], 1)
    one = replace(found.candidates[0], play=play)
    view = analysis_view(replace(found, candidates=[one]))
    text = plain_text(view, 30)
    assert "…" not in text
    assert "+0.2000" in text
    assert set(play.notation.split()) <= set(text.split())


# The board in letters.


def test_the_bar_and_points_with_more_checkers_than_rows() -> None:
    position = Position(points_of({25: 2, 6: 11}, {0: 1, 19: 6}))
    lines = board_text(position).plain.splitlines()
    assert [line[22:25] for line in lines[1:6]] == [" X ", " X ", "   ", "   ", "   "]
    assert [line[22:25] for line in lines[7:12]] == ["   ", "   ", "   ", "   ", " O "]
    assert lines[7][26:29] == "11 "
    assert lines[5][26:29] == " 6 "
    assert lines[0].endswith("O: pips 61, off 8")
    assert lines[-1].endswith("X, to play: pips 116, off 2")


def test_nobody_is_to_play_where_the_game_is_over_or_a_double_waits() -> None:
    over = Position.parse("XGID=-A------------------------:0:0:1:00:0:0:0:0:10")
    for position in (over, Position.opening().with_offer(True)):
        assert "to play" not in board_text(position).plain


def test_o_on_roll_is_o() -> None:
    position = Position.parse("XGID=-b----E-C---eE---c-e----B-:0:0:-1:31:0:0:0:0:10")
    lines = board_text(position).plain.splitlines()
    assert lines[0].endswith("+  X: pips 167, off 0")
    assert lines[1] == "  | O           X    |   | X              O |"
    assert lines[-1].endswith("+  O, to play: pips 167, off 0")


def test_a_narrow_board_has_its_notes_above_and_below() -> None:
    lines = plain_text(board_view(Position.opening()), 60).splitlines()
    assert lines[0] == "  O: pips 167, off 0"
    assert lines[1:-1] == [line[:45] for line in board_text(Position.opening()).plain.splitlines()]
    assert lines[-1] == "  X, to play: pips 167, off 0"


def test_a_board_that_does_not_fit_is_left_out() -> None:
    assert plain_text(board_view(Position.opening()), 40).splitlines() == [
        "  O: pips 167, off 0",
        "  X, to play: pips 167, off 0",
    ]


def test_a_turned_board_is_upside_down() -> None:
    position = Position.parse("XGID=-a-B-BC-A---bC---c-db-A--A:1:-1:1:52:3:5:0:7:10")
    plain = board_text(position).plain.splitlines()
    turned = board_text(position, turned=True).plain.splitlines()
    assert [line[:45] for line in turned] == [line[:45] for line in plain[::-1]]
    assert turned[0].endswith("X, to play: pips 128, off 2")
    assert turned[-1].endswith("O: pips 108, off 3")
    narrow = board_text(position, 60, turned=True).plain.splitlines()
    assert (narrow[0], narrow[-1]) == ("  X, to play: pips 128, off 2", "  O: pips 108, off 3")


# The heading of an answer, its notes and its stakes: what counts, what it leaves out.

DMP = NAMED_STAKES["dmp"]
GAMMON_GO = NAMED_STAKES["gammon-go"]

HEADING_OPENING = Position.opening()
MATCH = Context(length=7, scores=(2, 4))


def lines_of(xgid: str, width: int, turned: bool = False) -> list[str]:
    views = heading(Position.parse(xgid), "X to play 31", ["A note."], turned)
    return [line for view in views for line in plain_text(view, width).splitlines()]


def test_board_ids_and_notes() -> None:
    position = Position.parse(OPENING_31)
    lines = lines_of(OPENING_31, 120)
    assert lines[:13] == board_text(position).plain.splitlines()
    assert lines[13:] == [
        f"  Position ID: {position.position_id}   Match ID: {position.match_id}",
        f"  {OPENING_31}",
        f"  {position.ogid}",
        "  X to play 31",
        "  A note.",
    ]


def test_ids_stand_below_each_other_where_there_is_no_room() -> None:
    lines = lines_of(OPENING_31, 45)
    assert f"  {OPENING_31}" in lines
    assert "  Position ID: 4HPwATDgc/ABMA" in lines


def test_o_on_roll_is_said() -> None:
    said = "  O is on roll: the board and the plays are seen from O's side."
    assert said in lines_of(OPENING_31.replace(":1:31", ":-1:31"), 120)
    assert said not in lines_of(OPENING_31, 120)


def test_a_turned_board_keeps_the_numbers_of_its_points() -> None:
    lines = lines_of(OPENING_31.replace(":1:31", ":-1:31"), 120, turned=True)
    assert lines[0].startswith("  +12-11-10--9")
    assert "  O is on roll: points are numbered from O's side." in lines


def said(context: Context, dice: tuple[int, int] | None = (3, 1)) -> list[str]:
    return notes(replace(HEADING_OPENING, context=context, dice=dice), CUBELESS)


def test_nothing_is_said_of_a_play_for_money() -> None:
    assert said(Context()) == []


@pytest.mark.parametrize(
    ("context", "words"),
    [
        (MATCH, "Score and cube not taken into account: X 2, O 4 in a match to 7; centred cube."),
        (
            replace(MATCH, crawford=True, scores=(6, 2)),
            "Score not taken into account: X 6, O 2 in a match to 7, Crawford game.",
        ),
        (
            replace(MATCH, cube_log2=1, cube_owner=TOP),
            "Score and cube not taken into account: X 2, O 4 in a match to 7; O's cube at 2.",
        ),
        (
            replace(MATCH, scores=(6, 6)),
            "Score not taken into account: X 6, O 6 in a match to 7 (stakes dmp would fit).",
        ),
        (
            replace(MATCH, scores=(6, 5), crawford=True),
            "Score not taken into account: X 6, O 5 in a match to 7, Crawford game (stakes "
            "gammon-save would fit).",
        ),
        (
            replace(MATCH, scores=(6, 5), crawford=True, on_roll=TOP),
            "Score not taken into account: X 6, O 5 in a match to 7, Crawford game (stakes "
            "gammon-go would fit).",
        ),
        (Context(cube_log2=2, cube_owner=BOTTOM), "Cube not taken into account: X's cube at 4."),
        (Context(cube_log2=1), "Cube not taken into account: centred cube at 2."),
        (Context(jacoby=True), "Jacoby rule not taken into account."),
    ],
    ids=str,
)
def test_score_cube_and_rules_do_not_count(context: Context, words: str) -> None:
    assert said(context) == [words]


def test_stakes_that_are_asked_for_stand_for_the_score() -> None:
    position = replace(HEADING_OPENING, context=replace(MATCH, scores=(6, 6)), dice=(3, 1))
    assert notes(position, DMP) == []


@pytest.mark.parametrize("stakes", ["gammon-go", "money", "1,2,2,-1,-1,-1"])
def test_stakes_that_do_not_fit_leave_the_score_out(stakes: str) -> None:
    context = replace(MATCH, scores=(6, 5), crawford=True)
    position = replace(HEADING_OPENING, context=context, dice=(3, 1))
    assert notes(position, parse_stakes(stakes)) == [
        "Score not taken into account: X 6, O 5 in a match to 7, Crawford game (stakes "
        "gammon-save would fit)."
    ]
    # The named stakes fit few scores.
    if stakes == "gammon-go":
        (said,) = notes(replace(HEADING_OPENING, context=MATCH, dice=(3, 1)), parse_stakes(stakes))
        assert "X 2, O 4 in a match to 7" in said


def test_the_unit_of_stakes_is_free_and_numbers_may_stand_for_any_score() -> None:
    position = replace(HEADING_OPENING, context=replace(MATCH, scores=(6, 6)), dice=(3, 1))
    assert notes(position, parse_stakes("1,1,1,0,0,0")) == []
    cubeless = replace(MATCH, scores=(4, 6), crawford=True)
    position = replace(HEADING_OPENING, context=cubeless, dice=(3, 1))
    assert notes(position, parse_stakes("1,2,2.5,-1,-1,-1")) == []
    assert len(notes(position, DMP)) == 1


@pytest.mark.parametrize(
    ("fields", "highest"),
    [
        ("0:0:1:00:0:0:0:0:1", 2), ("0:0:-1:31:0:0:0:0:5", 32), ("0:0:1:00:0:0:0:0:6", None),
        ("1:1:1:00:0:0:0:0:1", None), ("0:0:1:00:0:0:0:5:2", 4), ("0:0:1:00:0:0:0:5:3", None),
        ("0:0:1:00:0:0:0:3:1", 2), ("0:0:1:00:4:3:1:5:1", None), ("1:1:1:00:0:6:0:7:2", None),
        ("1:1:1:00:4:0:0:7:2", 4), ("1:-1:1:00:4:0:0:7:2", None),
    ],
)  # fmt: skip
def test_a_highest_cube_that_doubles_can_pass_is_left_out(fields: str, highest: int | None) -> None:
    """Only its present value matters to the search, so a note says when a later cube is too high."""
    position = Position.parse(f"XGID=-b----E-C---eE---c-e----B-:{fields}")
    told = f"Highest cube of {highest} not taken into account: values are as if doubles could go on."
    assert notes(position, position.context.terms()) == ([told] if highest else [])


@pytest.mark.parametrize(("offer", "word"), [("D", "double"), ("B", "beaver"), ("R", "raccoon")])
def test_an_offer_is_not_what_is_answered(offer: str, word: str) -> None:
    """A command is named only where one answers it."""
    context = Context(offer=offer, on_roll=TOP, to_decide=BOTTOM)
    teller = "`gammon analyze` with the cube" if offer == "D" else "No command"
    assert said(context, None) == [
        f"{teller} decides whether to take the {word}; shown is O's best play of each roll."
    ]


def test_what_answers_whether_to_double_is_named() -> None:
    words = "`gammon analyze` with the cube decides whether to double; shown is X's best play of each roll."
    for able in (Context(), Context(cube_log2=1, cube_owner=BOTTOM), MATCH, replace(MATCH, scores=(5, 6))):
        assert words in said(able, None)
    for unable in (
        Context(cube_log2=1, cube_owner=TOP),
        replace(MATCH, crawford=True),
        replace(MATCH, scores=(6, 2)),
        Context(cube_log2=10),
    ):
        assert words not in said(unable, None)


def test_stakes() -> None:
    assert stakes_words(CUBELESS) == "money"
    assert stakes_words(GAMMON_GO) == "stakes gammon-go"


@pytest.mark.parametrize(
    ("terms", "words"),
    [
        (Terms(), "money, centred cube"),
        (Terms(jacoby=True, beavers=True), "money, Jacoby rule, beavers, centred cube"),
        (Terms(cube=2, owner=-1), "money, O's cube at 2"),
        (Terms(7, (5, 6), cube=2, owner=1), "X 2, O 1 in a match to 7 (5-away 6-away), X's cube at 2"),
        (Terms(7, (2, 2), cube=2, owner=1), "X 5, O 5 in a match to 7 (2-away 2-away), X's cube at 2, dead"),
        (Terms(7, (2, 1)), "X 5, O 6 in a match to 7, post-Crawford (2-away 1-away), centred cube"),
        (Terms(7, (1, 1)), "X 6, O 6 in a match to 7 (1-away 1-away), centred cube, dead"),
        (
            Terms(7, (1, 6), crawford=True),
            "X 6, O 1 in a match to 7, Crawford game (1-away 6-away), centred cube",
        ),
    ],
)
def test_terms(terms: Terms, words: str) -> None:
    assert terms_words(terms, Context().with_terms(terms)) == f"At stake: {words}."


def test_terms_are_those_of_the_player_on_roll() -> None:
    terms = Terms(7, (5, 6), cube=2, owner=1)
    context = Context(on_roll=TOP).with_terms(terms)
    assert terms_words(terms, context) == (
        "At stake: X 1, O 2 in a match to 7 (5-away 6-away), O's cube at 2."
    )


# The style of tables, and the tables of a report.


def test_names_stand_left_and_numbers_right() -> None:
    table = new_table("name", "number")
    table.add_row("a", "1")
    table.add_row("longer", "12,345")
    assert [line.rstrip() for line in text_of(table)] == [
        "name    number",
        "a            1",
        "longer  12,345",
    ]
    assert [line.rstrip() for line in text_of(indented(table))] == [
        "  name    number",
        "  a            1",
        "  longer  12,345",
    ]


def test_columns_on_the_left() -> None:
    table = new_table("a", "b", left=(1,))
    table.add_row("123", "2")
    assert [line.rstrip() for line in text_of(table)] == ["  a  b", "123  2"]


def test_only_a_table_that_wraps_has_cells_of_several_lines() -> None:
    for wrap, lines in ((True, 3), (False, 2)):
        table = new_table("name", wrap=wrap)
        table.add_row("word " * 40)
        assert len(text_of(table)) == lines


def test_a_cell_that_wraps_loses_no_letter() -> None:
    table = new_table("name")
    table.add_row("redoubled")
    assert "".join(plain_text(table, 5).split()) == "nameredoubled"


def test_the_last_columns_go_where_there_is_no_room() -> None:
    table = new_table("rank", "play", "chance")
    table.add_row("1.", "13/7", "55.4")
    view = without_last_columns(table, 2)
    for width, columns in ((18, 3), (16, 3), (15, 2), (10, 2), (18, 3)):
        text = plain_text(view, width)
        lines = text.splitlines()
        assert lines[0].split() == ["rank", "play", "chance"][:columns], width
        said = "The terminal is too narrow for more columns: chance."
        assert (said in " ".join(text.split())) == (columns == 2)


def test_without_an_edge_no_column_goes_and_text_is_broken() -> None:
    table = new_table("rank", *(f"a column {number}" for number in range(20)), wrap=False)
    table.add_row("1.", *(f"the cell {number}" for number in range(20)))
    view = Group(indented(without_last_columns(table, 2)), Text("word " * 40))
    head, row, *text = plain_text(view).splitlines()
    assert head.endswith("a column 19") and row.endswith("the cell 19") and len(row) > 200
    assert len(text) == 2 and max(map(len, text)) <= 120


def test_gaps_shrink_before_columns_go() -> None:
    table = new_table("rank", "play", "chance")
    table.add_row("1.", "13/7", "55.4")
    view = without_last_columns(table, 2, Text("and more"))
    for width, first in ((18, "rank  play  chance"), (17, "rank play chance"), (18, "rank  play  chance")):
        lines = plain_text(view, width).splitlines()
        assert (lines[0], lines[2:]) == (first, ["and more"])
    assert plain_text(view, 15).splitlines()[2:4] == ["and more", "The terminal is"]


def test_a_fitted_view_knows_its_width() -> None:
    assert plain_text(indented(Fitted(lambda width: width * "x")), 30) == "  " + 28 * "x"


def test_a_fitted_view_is_no_wider_than_its_text() -> None:
    console = Console(width=30)
    table = new_table("rank", "play")
    for view in (Fitted(lambda width: Text("ten digits")), without_last_columns(table, 1)):
        (line,) = console.render_lines(indented(view), pad=False)
        assert sum(len(segment.text) for segment in line) == 12


def test_a_report_shows_its_tables_and_notes() -> None:
    nodes = Sheet("nodes", "Nodes searched", ["depth", "expected", "ours"], [[3, None, 12_345]])
    shares = Sheet("shares", "Shares", ["search", "share"], [["star1", 0.123456]])
    lines = text_of(report_view(Report("Of 1983", [nodes, shares], notes=["Seed 1.", "Quick."])))
    assert [line.rstrip() for line in lines] == [
        "Of 1983",
        "",
        "  Nodes searched",
        "  depth  expected    ours",
        "      3            12,345",
        "",
        "  Shares",
        "  search   share",
        "  star1   0.1235",
        "",
        "  Seed 1.",
        "  Quick.",
    ]
