"""Match files as text, read and written: by the rules, damaged ones, and back."""

import json
from itertools import groupby
from operator import itemgetter
from typing import Any

import pytest

from gammon.base.errors import FormatError
from gammon.eval.model_file import find_model
from gammon.formats.notation import parse_play
from gammon.match import MatchSettings, parse_player, run_match
from gammon.rules.terms import Score
from gammon_study.match_files.mat import MatSheet, format_mat, parse_mat, transcribe
from gammon_study.match_files.match_file import read_transcript
from gammon_study.match_files.sgf import format_sgf, parse_sgf
from gammon_study.match_files.transcript import Action, ActionKind, GameReplay, GameTranscript, Transcript
from gammon_study.reviews.review import review
from tests.matches import HAND, MATCH5, random_match, session

# Match files as text: programs' and people's, damaged ones, and back.

HEAD = " 5 point match\n\n Game 1\n Ann : 0            Bob : 0\n"
#: Blanks before a word of the right player that stands alone.
RIGHT = 30 * " "


def kinds(match: Transcript, game: int = 0) -> list[str]:
    return [f"{action.kind}{action.side}" for action in match.games[game].actions]


@pytest.mark.smoke
def test_a_match_by_gnu_backgammon() -> None:
    match = read_transcript(MATCH5)
    assert match.players == ("gnubg", "root")
    assert match.details == (("EventDate", "2026.11.22"),)
    assert match.warnings == ()
    assert [(game.score.points, game.winner, game.points) for game in match.games] == [
        ((0, 0), 1, 2),
        ((0, 2), 1, 2),
        ((0, 4), 0, 1),
        ((1, 4), 1, 4),
    ]
    assert kinds(match)[0] == "roll1"
    assert kinds(match)[-1] == "resign0"
    assert kinds(match, 1)[-2:] == ["double1", "pass0"]
    assert kinds(match, 3)[:3] == ["roll1", "double0", "take1"]


def test_a_match_by_hand() -> None:
    match = read_transcript(HAND)
    assert (match.players, match.length, match.warnings) == (("Ann", "Bob"), 3, ())
    first, second = match.games
    assert (first.winner, first.points, second.winner, second.points) == (0, 1, 0, 2)
    assert kinds(match)[-2:] == ["double0", "pass1"]
    # 25/17 passes the bar's blot by way of 23; ???? is a roll that cannot be played.
    assert [move[:2] for move in first.actions[11].moves] == [(25, 23), (23, 17)]
    assert first.actions[9].moves == ()
    assert kinds(match, 1)[-1] == "resign1"
    assert parse_mat(format_mat(match)) == match


def test_sides_are_told_by_turns_not_by_columns() -> None:
    """The one who begins on the right may be written at the left edge."""
    right = parse_mat(HEAD + "1) 31: 8/5 6/5\n2) 42: 8/4 6/4  64: 24/14\n Wins 1 point\n")
    assert kinds(right)[:3] == ["roll1", "roll0", "roll1"]
    left = parse_mat(HEAD + "1) 31: 8/5 6/5  42: 8/4 6/4\n   Wins 1 point\n")
    assert kinds(left) == ["roll0", "roll1", "resign1"]
    wide = parse_mat(HEAD + "1) 31: 8/5 6/5  42: 8/4 6/4\n" + " " * 35 + "Wins 1 point\n")
    assert kinds(wide) == ["roll0", "roll1", "resign0"]


def test_a_game_without_a_roll_of_the_right_player_is_cut() -> None:
    match = parse_mat(HEAD + "1) 31: 8/5 6/5  42: 8/4 6/4\n2)                     31: 8/5\n")
    assert kinds(match) == ["roll0", "roll1"]
    assert "expected the left player" in match.warnings[0]


def test_a_gammon_that_counts_one_point_shows_the_jacoby_rule() -> None:
    match = random_match(0, 86)
    (game, *_) = match.games
    assert (game.points, game.actions[-1].kind) == (2, ActionKind.ROLL)
    assert not any(action.kind is ActionKind.DOUBLE for action in game.actions)
    text = format_mat(Transcript(match.players, 0, match.games[:1]))
    assert not parse_mat(text).games[0].score.jacoby
    found = parse_mat(text.replace("Wins 2 points", "Wins 1 point"))
    assert found.games[0].score.jacoby
    assert found.games[0].points == 1
    assert found.warnings == ("line 3: a gammon counts 1 point: read with the Jacoby rule",)


def test_a_gammon_after_which_one_point_is_counted_shows_the_jacoby_rule() -> None:
    """GNU Backgammon writes what the board is worth, and counts one point."""
    text = format_mat(session(counted=1))
    assert "Wins 2 points" in text
    found = parse_mat(text)
    assert all(game.score.jacoby for game in found.games)
    assert found.games[0].points == 1
    assert found.warnings == ("line 5: a gammon counts 1 point: read with the Jacoby rule",)
    # The other side's point, or two of them, say nothing of the rule.
    for counted in (2, 3):
        match = session(counted=counted)
        assert parse_mat(format_mat(match)).games == match.games


def test_a_session_of_many_points_comes_back() -> None:
    match = session(ahead=32_000)
    assert parse_mat(format_mat(match)) == match


def test_options_in_comments() -> None:
    money = '; [Jacoby "On"]\n 0 point match\n' + HEAD.partition("\n")[2]
    assert parse_mat(money + "1) 31: 8/5 6/5\n").games[0].score.jacoby
    late = HEAD.replace("Ann : 0", "Ann : 4") + "1) 31: 8/5 6/5\n"
    assert parse_mat(late).games[0].score.crawford
    for word in ("Off", "False", "no"):
        assert not parse_mat(f'; [Crawford "{word}"]\n{late}').games[0].score.crawford


REPAIRED = [
    ("1) 31: 8/5 6/5  42: 9/4\n", "line 5: 9/4 is not a legal play of 42"),
    ("1) 31: 8/5 6/5  42: 8/4 6/4\n2) 7x: 9/4\n", "is not understood"),
    ("1) 31: 8/5 6/5  42: ????\n", "line 5: the play of 42 is not recorded"),
    ("1) 31: 8/5 6/5  42:\n     Wins 1 point\n", "line 5: the play of 42 is not recorded"),
    ("1) 31: 8/5 6/5  42: 8/4 6/4\n", "line 3: game 1 has no end"),
    ("1) 31: 8/5 6/5  42: 8/4 6/4\n3) 31: 8/5 6/5\n Wins 1 point\n", "line 6: row 3: expected"),
    ("1) 31: 8/5 6/5  42: 8/4 6/4\n2) Takes\n Wins 1 point\n", "line 6: a take: expected"),
    ("1) 31: 8/5 6/5  Doubles => 4\n Wins 1 point\n", "expected a double to 2"),
    ("1) 31: 8/5 6/5  Beavers => 4\n Wins 1 point\n", "'Beavers => 4' is not"),
    ("1) 31: 8/5 6/5  Doubles => 2\n2) Drops\n Wins 3 points\n", "Bob wins 1 by the rules"),
    ("1) 31: 8/5 6/5  42: 8/4 6/4\n Wins 4 points\n", "a resignation of 4"),
    ("1) 31: 8/5 6/5  Resigns\n2) 42: 8/4 6/4\n Wins 1 point\n", "comes after a resignation"),
]


@pytest.mark.parametrize(("rows", "words"), REPAIRED)
def test_repairs_are_told(rows: str, words: str) -> None:
    match = parse_mat(HEAD + rows)
    assert any(words in warning for warning in match.warnings), match.warnings
    assert kinds(match)[0] == "roll0"


def test_what_a_game_brought_may_stand_in_the_next_heading() -> None:
    rows = "1) 31: 8/5 6/5  42: ????\n\n Game 2\n Ann : 0            Bob : 2\n1) 31: 8/5 6/5\n"
    match = parse_mat(HEAD + rows)
    assert (match.games[0].winner, match.games[0].points) == (1, 2)
    other = parse_mat(HEAD + rows.replace("????", "8/4 6/4 \n Wins 1 point"))
    assert "the score is 0 to 2" in "".join(other.warnings)
    left = parse_mat(HEAD + rows.replace("????", "8/4 6/4 \n Wins 2 points"))
    assert (left.games[0].winner, left.warnings) == (1, ("line 8: game 2 has no end",))


def test_a_heading_with_another_score_is_still_of_the_crawford_game() -> None:
    rows = "1) 31: 8/5 6/5  42: 8/4 6/4\n Wins 1 point\n"
    first = HEAD.replace("Ann : 0", "Ann : 3") + rows
    match = parse_mat(f"{first}\n Game 2\n Ann : 4            Bob : 1\n{rows}")
    assert "the score is 4 to 1" in match.warnings[0]
    assert match.games[1].score.crawford


def test_the_crawford_game_comes_where_the_score_before_was_read_too_high() -> None:
    rows = "1) 31: 8/5 6/5  42: 8/4 6/4\n"
    first = f"{HEAD}{rows}2) Doubles => 2  Takes\n3) 31: 6/5 6/3 Resigns\n Wins 6 points\n"
    late = " Ann : 4            Bob : 0\n"
    match = parse_mat(f"{first} Game 2\n{late}{rows} Wins 1 point\n Game 3\n{late}{rows}")
    assert match.games[0].points == 6
    assert [game.score.crawford for game in match.games] == [False, True, False]


def test_a_double_shows_that_the_crawford_game_is_over() -> None:
    late = HEAD.replace("Ann : 0", "Ann : 4") + "1) 31: 8/5 6/5  Doubles => 2\n2) Takes\n"
    match = parse_mat(late)
    assert not match.games[0].score.crawford
    assert "not the Crawford game" in match.warnings[1]


def test_the_word_of_a_resignation_is_read() -> None:
    rows = f"1) 31: 8/5 6/5  42: 8/4 6/4\n2) Resigns\n{RIGHT}Wins 2 points\n"
    match = parse_mat(HEAD + rows)
    assert kinds(match) == ["roll0", "roll1", "resign0"]
    assert (match.games[0].winner, match.games[0].points, match.warnings) == (1, 2, ())


def test_an_end_that_stands_alone_is_of_who_has_not_resigned() -> None:
    rows = "1) 31: 8/5 6/5  42: 8/4 6/4\n"
    for end, winner in (
        ("2) Resigns\nWins 2 points\n", 1),
        (f"2) 31: 8/5 6/5   Resigns\n{RIGHT}Wins 2 points\n", 0),
        (f"2) 31: 8/5 6/5\n3) {RIGHT}Resigns\n{RIGHT}Wins 2 points\n", 0),
    ):
        match = parse_mat(HEAD + rows + end)
        assert (match.games[0].winner, match.games[0].points, match.warnings) == (winner, 2, ())
    unsure = parse_mat(f"{HEAD}1) Resigns\nWins 2 points\n Game 2\n{HEAD[-27:]}{rows}")
    assert unsure.games[0].winner == 0


def test_a_resignation_beside_the_next_score() -> None:
    """It is the end of a game; the score may say that its side has won."""
    rows = "1) 31: 8/5 6/5  42: 8/4 6/4\n"
    second = f" Game 2\n Ann : 0            Bob : 1\n{rows} Wins 1 point\n"
    match = parse_mat(f"{HEAD}{rows}2) Resigns\n{second}")
    assert (match.games[0].winner, match.games[0].points, match.warnings) == (1, 1, ())
    other = second.replace("Ann : 0            Bob : 1", "Ann : 1            Bob : 0")
    match = parse_mat(f"{HEAD}{rows}2) Resigns\n{other}")
    assert (match.games[0].winner, match.games[0].points) == (0, 1)
    assert match.warnings == ("line 6: Ann resigned, but has won by the file's points",)
    assert parse_mat(f"{HEAD}{rows}2) Resigns\n").warnings == ("line 3: game 1 has no end",)


@pytest.mark.parametrize(
    ("end", "winner"), [(f"3) Resigns\n{RIGHT}", 1), (f"3) Doubles => 4\n{RIGHT}Drops\n ", 0)]
)
def test_the_last_points_of_a_match_may_be_those_that_were_needed(end: str, winner: int) -> None:
    tied = HEAD.replace("Ann : 0", "Ann : 4").replace("Bob : 0", "Bob : 4")
    rows = "1) 31: 8/5 6/5  Doubles => 2\n2) Takes  61: 8/2 6/5\n" + end
    match = parse_mat(f"{tied}{rows}Wins 1 point and the match\n")
    assert (match.games[0].winner, match.games[0].points, match.warnings) == (winner, 2, ())


REFUSED = [
    ("", "no length"),
    ("hello\n", "no length"),
    (" 5 point match\n", "no game"),
    (" 500 point match\n", "line 1: a match of 500 points"),
    (" 5 point match\n Game 1\n Ann 0 Bob\n", "line 3: 'Ann 0 Bob': expected both players"),
    (HEAD.replace("Ann : 0", "Ann : 5"), "line 4: a score of 5"),
    (HEAD.replace("5 p", "0 p").replace("Bob : 0", "Bob : 32768"), "line 4: a score of 32768"),
    (HEAD, "line 3: game 1 has no end; nothing else can be read"),
    (HEAD + "1) 31: 9/5\n", "line 5: 9/5 is not a legal play of 31"),
]


@pytest.mark.parametrize(("text", "words"), REFUSED)
def test_texts_that_are_no_match(text: str, words: str) -> None:
    with pytest.raises(FormatError) as refused:
        parse_mat(text)
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    "end",
    [
        "2) Losses 1 point                Wins 1 point\n",  # Backgammon Galaxy
        "2) Concedes                      Wins 1 point\n",  # Backgammon Studio
        "2) Resigns                       Wins 1 point\n",
    ],
)
def test_the_words_of_a_resignation(end: str) -> None:
    match = parse_mat(f"{HEAD}1) 31: 8/5 6/5                 61: 13/7 8/7\n{end}")
    (game,) = match.games
    assert game.actions[-1] == Action(ActionKind.RESIGN, 0, points=1)
    assert (game.winner, game.points, match.warnings) == (1, 1, ())


def test_a_file_that_counts_no_more_points_than_the_match_needs() -> None:
    """A gammon with the cube at 2 is resigned, of which the winner needs 3 points."""
    head = " 3 point match\n\n Game 1\n Ann : 0            Bob : 0\n"
    rows = "1) 31: 8/5 6/5  Doubles => 2\n2) Takes        42: 8/4 6/4\n"
    match = parse_mat(f"{head}{rows}{RIGHT}Wins 3 points\n")
    (game,) = match.games
    assert game.actions[-1] == Action(ActionKind.RESIGN, 0, points=4)
    assert (game.winner, game.points, match.warnings) == (1, 4, ())


def test_a_side_that_has_won_without_a_last_roll() -> None:
    """Backgammon Studio writes 00 where nobody rolled."""
    rows = "1) 31: 8/5 6/5                 61: 13/7 8/7\n2) 42: 8/4 6/4        00: ????\n"
    match = parse_mat(f"{HEAD}{rows}3) Wins 2 point\n")
    assert (len(match.games[0].actions), match.games[0].winner) == (3, 0)
    assert match.warnings == ("line 6: '00: ????' is not understood; the rest of game 1 is left out",)


def test_a_game_that_has_ended_keeps_its_winner_before_a_stray_cell() -> None:
    rows = "1) 31: 8/5 6/5    Doubles => 2\n2) Drops    42: 8/4 6/4\n"
    match = parse_mat(HEAD + rows)
    assert (match.games[0].winner, match.games[0].points, match.games[0].complete) == (1, 1, True)
    assert [warning.rpartition("; ")[2] for warning in match.warnings] == ["the rest of game 1 is left out"]


def test_other_games_and_positions_that_were_set_up() -> None:
    rows = "1) 31: 8/5 6/5                 61: 13/7 8/7\n"
    with pytest.raises(FormatError, match="a match of 'nackgammon': only backgammon is read"):
        parse_mat(f'; [Variation "NackGammon"]\n{HEAD}{rows}')
    assert parse_mat(f'; [Variation "Backgammon"]\n{HEAD}{rows}').games
    again = HEAD.partition("Game 1\n")[2]
    match = parse_mat(f"{HEAD}{rows} Game 2\n{again}; Set Pos=01234/0\n{rows}")
    assert [len(game.actions) for game in match.games] == [2, 0]
    assert any("Set Pos" in warning for warning in match.warnings)


SCORES = [
    Score(0, (3, 1), jacoby=True),
    Score(0, live=False),
    Score(5, (4, 2)),
    Score(5, (4, 4)),
    Score(5, (4, 2), crawford=True),
    Score(5, (1, 2), live=False),
]


@pytest.mark.parametrize("score", SCORES, ids=str)
@pytest.mark.parametrize("way", [(format_mat, parse_mat), (format_sgf, parse_sgf)])
def test_rules_are_written(score: Score, way: tuple[Any, Any]) -> None:
    rolls = [Action(ActionKind.ROLL, 0, (3, 1), parse_play("8/5 6/5"))]
    game = GameTranscript(score, tuple(rolls), None, 0)
    match = Transcript(("Ann", "Bob"), score.length, (game,))
    write, read = way
    assert read(write(match)).games == match.games


NAMES = {
    "Ann : 3": "Ann - 3",
    "Ann:3 Bob : 4": "Ann-3 Bob - 4",
    ": 0": "- 0",
    "#1": "-1",
    "; A": "- A",
    "A  B\nC": "A B C",
    "Team: Ann": "Team: Ann",
    "": "player 1",
}


@pytest.mark.parametrize("name", NAMES)
def test_any_name_is_read_back(name: str) -> None:
    match = Transcript((name, name), 0, read_transcript(MATCH5).games[:1], (("Event", "a\nb"),))
    found = parse_mat(format_mat(match))
    assert found.games[0].actions == match.games[0].actions
    assert found.details == (("Event", "a b"),)
    assert found.players[0] == NAMES[name]


def test_a_limit_of_1_is_no_cube() -> None:
    rows = "1) 31: 8/5 6/5                 61: 13/7 8/7\n2) Doubles => 2  Takes\n"
    with_cube = parse_mat(f'; [CubeLimit "1024"]\n{HEAD}{rows}')
    assert with_cube.games[0].score.live
    assert len(with_cube.games[0].actions) == 4
    match = parse_mat(f'; [CubeLimit "1"]\n{HEAD}{rows}')
    (game,) = match.games
    assert "a double without a cube" in match.warnings[0]
    terms = [moment.position.context.terms() for moment in game.moments()]
    assert len(terms) == 2
    assert not any(each.live for each in terms)
    assert parse_mat(format_mat(match)).games[0].score == game.score


SHEET = [" 5 point match", "Game 1", " A:B (x) : 0       Bob : 2"]


def sheet_of(*lines: str) -> MatSheet:
    sheet = MatSheet()
    for number, line in enumerate([*SHEET, *lines], 1):
        sheet.take(number, line)
    return sheet


def test_headings() -> None:
    sheet = sheet_of()
    assert sheet.length == 5
    assert (sheet.blocks[0].names, sheet.blocks[0].points) == (("A:B (x)", "Bob"), (0, 2))
    money = MatSheet()
    money.take(1, '; [Player 1 Elo "1500/3"]')
    money.take(2, "; a remark")
    money.take(3, "Unlimited game")
    assert (money.length, money.details) == (0, [("Player 1 Elo", "1500/3")])


@pytest.mark.parametrize(
    ("lines", "cells"),
    [  # each cell's text, side, and whether the side is sure
        (["1) 31: 8/5 6/5"], [("31: 8/5 6/5", 0, False)]),
        (["1)                      31: 8/5"], [("31: 8/5", 1, False)]),
        (["1) 31: 8/5 42: 8/4"], [("31: 8/5", 0, True), ("42: 8/4", 1, True)]),
        (["1) 31: pass 42: cannot move"], [("31: pass", 0, True), ("42: cannot move", 1, True)]),
        (["1) Redoubles => 4 Takes"], [("Redoubles => 4", 0, True), ("Takes", 1, True)]),
        (["1) x 31:"], [("x", 0, True), ("31:", 1, True)]),
        (["1)"], []),
        (["1)", "2) Drops"], [("Drops", 0, True)]),
    ],
)
def test_cells(lines: list[str], cells: list[tuple[str, int, bool]]) -> None:
    found = sheet_of(*lines).blocks[0].cells
    assert [(cell.text, cell.side, cell.sure) for cell in found] == cells


def test_the_end_of_a_game_stands_apart() -> None:
    block = sheet_of("1) Drops            Wins 2 points").blocks[0]
    assert [cell.text for cell in block.cells] == ["Drops"]
    assert block.wins
    assert (block.wins.text, block.wins.side) == ("Wins 2 points", 1)
    twice = sheet_of("    Wins 1 point", " " * 30 + "Wins 2 points and the match")
    assert twice.warnings == [(5, "a second end of the game is left out")]


def test_headings_without_a_game_are_left_out() -> None:
    sheet = sheet_of("1) 31:", "Game 2", "Game 2", " A:B (x) : 0       Bob : 3", "Game 3")
    sheet.leave_out_empty()
    empty = "a game without players and points is left out"
    assert sheet.warnings == [(5, empty), (8, empty)]
    assert [block.points for block in sheet.blocks] == [(0, 2), (0, 3)]


# Games as text: it says what happened, and by the rules.

QUICK, PROBE = (parse_player(text) for text in ("depth=1", "model=probe"))


def test_doubles_takes_and_drops():
    """Each side doubles before its first turn, and the other one drops."""
    game = {
        "match": 0, "game": 0, "score": [0, 0], "crawford": False, "first": 0, "rolls": "",
        "positions": [], "doubles": [0], "cube": 1, "points": 1, "luck": 0.0,
    }  # fmt: skip
    other = game | {"game": 1, "score": [1, 0], "first": 1, "points": -1}
    text = format_mat(transcribe("Ann", "Bob", [game, other], Score(5)))
    assert [line.rstrip() for line in text.splitlines()] == [
        " 5 point match",
        "",
        " Game 1",
        " Ann : 0                           Bob : 0",
        "  1)  Doubles => 2                  Drops",
        "      Wins 1 point",
        "",
        " Game 2",
        " Ann : 1                           Bob : 0",
        "  1)                                Doubles => 2",
        "  2)  Drops                         Wins 1 point",
    ]


@pytest.mark.parametrize(("length", "games"), [(0, 40), (5, 8)])
def test_games_follow_the_rules(tmp_path, length, games):
    """Files of matches, or of games for money: each game goes and ends as its record says."""
    settings = MatchSettings(QUICK, PROBE, games, tmp_path, luck=None, mat=True, length=length)
    run_match(settings)
    records = [json.loads(line) for line in (tmp_path / "games.jsonl").read_text().splitlines()]
    files = {"games.mat": records}
    if length:
        files = {
            f"matches/{number:06}.mat": list(match)
            for number, match in groupby(records, key=itemgetter("match"))
        }
    assert len(files) == (games if length else 1)
    assert sorted(tmp_path.rglob("*.mat")) == [tmp_path / name for name in files]
    seen, won = set(), set()
    for name, played in files.items():
        match = transcribe(str(QUICK), str(PROBE), played, settings.start)
        assert parse_mat((tmp_path / name).read_text()).games == match.games
        for game, record in zip(match.games, played, strict=True):
            if length:
                assert list(game.score.points) == record["score"]
                assert game.score.crawford == record["crawford"]
            replay = GameReplay(game.score)
            doubles = []
            for action in game.actions:
                if action.kind is ActionKind.DOUBLE:
                    doubles.append(replay.rolled)
                replay.do(action)
                seen.add(action.kind)
            assert (doubles, replay.rolled) == (record["doubles"], len(record["positions"]))
            winner = 0 if record["points"] > 0 else 1
            assert replay.result == (winner, abs(record["points"]))
            won.add(abs(record["points"]))
    assert won >= {1, 2}
    cubes = {ActionKind.DOUBLE, ActionKind.TAKE, ActionKind.PASS} if length else set()
    assert seen == {ActionKind.ROLL} | cubes


@pytest.mark.parametrize("rules", [{}, {"cubeful": True}, {"cubeful": True, "jacoby": True}])
def test_a_review_by_the_player_itself_finds_nothing_wrong(tmp_path, rules):
    """So the file says by which rules it was played."""
    run_match(MatchSettings(QUICK, QUICK, 8, tmp_path, luck=None, mat=True, **rules))
    found = review(tmp_path / "games.mat", depth=1)
    score = found.transcript.games[0].score
    assert (score.live, score.jacoby) == (bool(rules), "jacoby" in rules)
    assert found.worst() == []


def test_names_that_are_cut_alike_stay_two(tmp_path):
    file = tmp_path / f"{'x' * 60}.safetensors"
    file.write_bytes(find_model("leaf").read_bytes())
    mine = QUICK._replace(model=str(file))
    cut = str(mine)[:58]
    for number, (noise, players) in enumerate(
        (({"noise": 0.1}, (f"A {cut}", f"B {cut}")), ({}, (str(mine)[:60],) * 2))
    ):
        out = tmp_path / str(number)
        run_match(MatchSettings(mine, mine._replace(**noise), 4, out, luck=None, mat=True))
        assert parse_mat((out / "games.mat").read_text()).players == players


@pytest.mark.parametrize("length", [0, 1])
def test_texts_are_those_of_the_games_that_there_are(tmp_path, length):
    """Also where the folder gets fewer games, and where it gets more without `mat`."""
    for games, mat in ((6, True), (4, True), (8, False)):
        run_match(MatchSettings(QUICK, PROBE, games, tmp_path, luck=None, mat=mat, length=length))
        texts = sorted(tmp_path.rglob("*.mat"))
        assert len(texts) == (games if length else 1)
        assert sum(len(parse_mat(text.read_text()).games) for text in texts) == games
    other = tmp_path / "other"
    run_match(MatchSettings(QUICK, PROBE, 4, other, luck=None, length=length))
    assert list(other.rglob("*.mat")) == []
