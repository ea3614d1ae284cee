"""Match files of any kind, and transcripts: actions held to the rules."""

import json
import random
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from gammon.base.errors import FormatError, GammonError, SettingError
from gammon.formats.context import BOTTOM, TOP
from gammon.formats.position import Position
from gammon.rules.board import OPENING, Move
from gammon.rules.terms import Score
from gammon_lab.programs.gnubg import find_program
from gammon_study.match_files.mat import format_mat, parse_mat
from gammon_study.match_files.match_file import parse_transcript, read_transcript, write_transcript
from gammon_study.match_files.reading import check_games, player_names
from gammon_study.match_files.sgf import format_sgf, parse_sgf
from gammon_study.match_files.transcript import (
    Action,
    ActionKind,
    GameReplay,
    GameTranscript,
    Remark,
    Transcript,
)
from tests.matches import HAND, MATCH5, random_match

# Match files: written, read and damaged; GNU Backgammon imports what is written.


def test_files_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(GammonError, match="cannot be read"):
        read_transcript(tmp_path / "none.mat")
    with pytest.raises(SettingError, match="expected a path"):
        read_transcript(3)  # type: ignore[arg-type]
    path = tmp_path / "a.xg"
    path.write_bytes(b"RGMH" + bytes(range(256)))
    with pytest.raises(FormatError, match="a file of eXtreme Gammon that cannot be read"):
        read_transcript(path)
    path.write_bytes(bytes(range(256)))
    with pytest.raises(FormatError, match=r"a\.xg"):
        read_transcript(path)


#: The head of a match as text that GNU Backgammon 1.07 exports.
GNU_TEXT = """The score (after 0 games) is: gnubg 0, root 0 (match to 5 points)

Match Information:
Date: 11/22/26

Move number 1:  root to play 21

 GNU Backgammon  Position ID: 4HPwATDgc/ABMA
                 Match ID   : cAilAAAAAAAE
 +13-14-15-16-17-18------19-20-21-22-23-24-+     O: gnubg
 | X           O    |   | O              X |     0 points
"""


def test_what_is_no_match_says_what_to_do_instead(tmp_path: Path) -> None:
    text, position = tmp_path / "m.txt", tmp_path / "p.xgp"
    text.write_text(GNU_TEXT)
    with pytest.raises(FormatError, match=r"m\.txt'.*with boards.*save the match \(\.sgf\)"):
        read_transcript(text)
    position.write_bytes(b"RGMH" + bytes(range(256)))
    with pytest.raises(FormatError, match=r"p\.xgp'.*eXtreme Gammon that cannot be read"):
        read_transcript(position)
    # A match is one whatever its name.
    position.write_bytes(HAND.read_bytes())
    assert read_transcript(position) == read_transcript(HAND)


def test_a_match_that_cannot_be_is_not_written(tmp_path: Path) -> None:
    match = read_transcript(HAND)
    (game, *_), path = match.games, tmp_path / "a.mat"
    first = game.actions[0]
    double = first._replace(dice=(3, 3))
    for changed, words in (
        ({"games": ()}, "a match without a game"),
        ({"players": ("A",)}, "expected two names"),
        ({"length": -3}, "expected two names, and 0 to 64 points"),
        ({"length": "3"}, "expected two names, and 0 to 64 points"),
        ({"games": (replace(game, actions=(double,)),)}, "game 1: a double as the first roll"),
        ({"games": (replace(game, actions=(first._replace(dice=None),)),)}, "without dice"),
        ({"games": (replace(game, actions=(first._replace(side=7),)),)}, "side 0 or 1"),
        ({"games": (replace(game, actions=(first._replace(kind="fly"),)),)}, "an action of"),
    ):
        with pytest.raises(FormatError, match=words):
            write_transcript(replace(match, **changed), path)  # type: ignore[arg-type]
    assert not path.exists()


def test_the_name_says_the_format(tmp_path: Path) -> None:
    match = read_transcript(HAND)
    for name in ("a.mat", "b.SGF"):
        write_transcript(match, tmp_path / name)
        assert read_transcript(str(tmp_path / name)) == match
    with pytest.raises(SettingError, match=r"expected a name in \.mat or \.sgf"):
        write_transcript(match, tmp_path / "a.txt")


@pytest.mark.parametrize("length", [0, 1, 3, 5])
@pytest.mark.parametrize(
    ("written", "read"), [(format_mat, parse_mat), (format_sgf, parse_sgf)], ids=["mat", "sgf"]
)
def test_what_is_written_is_read(written, read, length: int) -> None:
    for seed in range(10, 14):
        match = random_match(length, seed)
        found = read(written(match))
        assert (found, found.warnings) == (match, ())


def damaged(data: bytes, chance: random.Random) -> bytes:
    """Cut, flip a bit, swap two lines or lose one."""
    lines, how = data.split(b"\n"), chance.randrange(4)
    if how == 0:
        return data[: chance.randrange(len(data))]
    if how == 1:
        place = chance.randrange(len(data))
        return data[:place] + bytes([data[place] ^ 1 << chance.randrange(8)]) + data[place + 1 :]
    a, b = chance.randrange(len(lines)), chance.randrange(len(lines))
    lines[a], lines[b] = lines[b], lines[a]
    return b"\n".join(lines if how == 2 else lines[:a] + lines[a + 1 :])


def assert_nothing_wrong(match: Transcript, right: Transcript) -> None:
    """Check that a reading has all games as they were, but perhaps for their last roll.

    Nobody can see that dice were others where no checker could move.
    """
    for game, other in zip(match.games, right.games, strict=True):
        played = [a for a in game.actions if a.kind is not ActionKind.RESIGN]
        assert len(played) >= len(other.actions) - 2
        for a, b in zip(played, other.actions, strict=False):
            assert (a.kind, a.side, a.moves) == (b.kind, b.side, b.moves)


@pytest.mark.parametrize(("kind", "times"), [("mat", 200), ("sgf", 100)])
def test_damaged_files_are_refused_or_told(kind: str, times: int) -> None:
    """Nothing that a reading has in silence is wrong; the end of a game may be lost."""
    right, chance = read_transcript(HAND), random.Random(7)
    whole = HAND.read_bytes() if kind == "mat" else format_sgf(right).encode()
    seen = {"refused": 0, "told": 0, "silent": 0}
    for _ in range(times):
        data = damaged(whole, chance)
        try:
            match = parse_transcript(data)
        except FormatError as error:
            assert "\n" not in str(error)
            seen["refused"] += 1
            continue
        seen["told" if match.warnings else "silent"] += 1
        if not match.warnings:
            assert_nothing_wrong(match, right)
    assert all(seen.values()), seen
    assert seen["told"] > 10


IMPORT = """
import json, gnubg
gnubg.command("set jacoby off")
found = []
for name in NAMES:
    gnubg.command(("load match " if name.endswith("sgf") else "import mat ") + name)
    found.append([[g["info"]["score-X"], g["info"]["score-O"],
                   g["info"]["winner"], g["info"]["points-won"],
                   [[e["player"], e["action"], e.get("dice"),
                     e["action"] == "move" and e["board"]] for e in g["game"]]]
                  for g in gnubg.match()["games"]])
print("FOUND", json.dumps(found))
"""
WORDS = {"roll": "move", "pass": "drop"}


@pytest.mark.skipif(find_program() is None, reason="GNU Backgammon is not installed")
def test_gnu_backgammon_imports_what_is_written(tmp_path: Path) -> None:
    matches = [
        read_transcript(HAND),
        read_transcript(MATCH5),
        random_match(5, 1),
        random_match(3, 2),
        random_match(0, 3),
    ]
    names = []
    for number, match in enumerate(matches):
        remark = Remark("I 61: 13/7 8/7 \\\nGame 2\nWins 1 point", "bad")
        remarks = {(game, place): remark for game in range(len(match.games)) for place in (0, 3)}
        for kind in ("mat", "sgf"):
            names.append(f"{number}.{kind}")
            write_transcript(replace(match, remarks=remarks), tmp_path / names[-1])
    (tmp_path / "import.py").write_text(IMPORT.replace("NAMES", str(names)))
    done = subprocess.run(
        [find_program(), "-t", "-q", "-r", "-p", "import.py"],
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    found = json.loads(done.stdout.partition("FOUND ")[2].splitlines()[0])
    for name, games in zip(names, found, strict=True):
        match = matches[int(name[0])]
        assert len(games) == len(match.games)
        for (a, b, winner, points, actions), game in zip(games, match.games, strict=True):
            assert (a, b) == game.score.points
            assert (winner, points) == ("XO"[game.winner], game.points)
            expected = []
            for action, position, _ in game.moments():
                if action.kind is not ActionKind.RESIGN:
                    rolled = action.kind is ActionKind.ROLL
                    word = WORDS.get(action.kind.value, action.kind.value)
                    dice = list(action.dice) if rolled else None
                    board = rolled and position.position_id
                    expected.append(["XO"[action.side], word, dice, board])
            assert [each for each in actions if each[1] != "resign"] == expected


# Helpers of all readers of match files.


def test_names_are_lines() -> None:
    assert player_names(["Ann\n Lee", " "]) == ("Ann Lee", "player 2")


def test_a_letter_with_an_accent_has_one_form() -> None:
    one, other = player_names(["Zo\u00eb", "Zoe\u0308"])
    assert one == other == "Zo\u00eb"


def test_no_match_has_more_games_than_it_can_have() -> None:
    check_games(28, 7)
    with pytest.raises(FormatError, match="game 29: a match to 7 has fewer games"):
        check_games(29, 7)
    check_games(100_000, 0)
    with pytest.raises(FormatError, match="game 100001: a match to 0 has fewer games"):
        check_games(100_001, 0)


# Transcripts: actions held to the rules, and the position before each.

ROLL = Action(ActionKind.ROLL, 0, (3, 1), (Move(8, 5), Move(6, 5)))
DANCE = Action(ActionKind.ROLL, 1, (6, 2))


def act(kind: str, side: int, points: int = 0) -> Action:
    return Action(ActionKind(kind), side, points=points)


@pytest.mark.smoke
def test_positions_carry_the_cube_and_the_score() -> None:
    game = GameTranscript(
        Score(7, (2, 3)),
        (
            ROLL,
            act("double", 1),
            act("take", 0),
            Action(ActionKind.ROLL, 1, (4, 2), (Move(8, 4), Move(6, 4))),
            act("double", 0),
            act("pass", 1),
        ),
        0,
        2,
    )
    moments = list(game.moments())
    assert [moment.first for moment in moments] == [True] + 5 * [False]
    first, double, take, roll, redouble, last = (moment.position for moment in moments)
    assert (first.points, first.dice, first.context.on_roll) == (OPENING, (3, 1), BOTTOM)
    assert first.context.terms().away == (5, 4)
    assert (double.context.on_roll, double.context.offer, double.dice) == (TOP, "", None)
    assert double.context.terms().away == (4, 5)
    assert (take.context.on_roll, take.context.offer) == (TOP, "D")
    assert take.context.to_decide == BOTTOM
    assert take.points == double.points == roll.points
    assert roll.context.terms().cube == 2
    assert roll.context.terms().owner == -1
    assert redouble.context.terms().owner == 1
    assert last.context.terms().cube == 2
    for moment in moments:
        assert Position.parse(moment.position.xgid) == moment.position


WRONG = [
    ([act("double", 0)], "before the first roll"),
    ([act("take", 0)], "expected a roll or a double"),
    ([ROLL, ROLL], "not to act"),
    ([ROLL, act("double", 1), act("roll", 0)], "expected an answer"),
    ([ROLL, act("double", 1), act("pass", 0), DANCE], "after the end"),
    ([ROLL, DANCE], "not a legal play"),
    ([Action(ActionKind.ROLL, 0, (1, 1))], "first roll"),
    ([ROLL, act("resign", 1, 4)], "1, 2 or 3 times the cube of 1"),
]


@pytest.mark.parametrize(("actions", "words"), WRONG)
def test_actions_against_the_rules(actions: list[Action], words: str) -> None:
    with pytest.raises(FormatError, match=words):
        list(GameTranscript(Score(5), tuple(actions)).moments())


def test_doubles_that_nobody_may_make() -> None:
    crawford = GameReplay(Score(5, (4, 0), True))
    crawford.do(ROLL)
    with pytest.raises(FormatError, match="Crawford"):
        crawford.do(act("double", 1))
    owned = GameReplay(Score())
    for action in (ROLL, act("double", 1), act("take", 0)):
        owned.do(action)
    owned.do(Action(ActionKind.ROLL, 1, (4, 2), owned.find((4, 2), (Move(8, 4), Move(6, 4)))))
    owned.do(Action(ActionKind.ROLL, 0, (4, 2), owned.find((4, 2), (Move(8, 4), Move(6, 4)))))
    with pytest.raises(FormatError, match="own the cube"):
        owned.do(act("double", 1))


@pytest.mark.parametrize("length", [0, 1, 3, 5])
def test_random_matches_end_as_a_plain_count_has_it(length: int) -> None:
    kinds = set()
    for seed in range(4):
        match = random_match(length, seed)
        score = Score(length)
        for game in match.games:
            assert game.score == score
            replay = GameReplay(game.score)
            for action in game.actions:
                assert replay.result is None
                replay.do(action)
                kinds.add(action.kind)
            assert replay.result == (game.winner, game.points)
            score = score.after(game.points if game.winner == 0 else -game.points)
        assert match.final_score == score.points
    assert kinds >= {ActionKind.ROLL, ActionKind.DOUBLE, ActionKind.TAKE}


def test_plays_that_are_meant() -> None:
    replay = GameReplay(Score())
    assert replay.find((6, 5), (Move(24, 13),)) == (Move(24, 18), Move(18, 13))
    with pytest.raises(FormatError, match="24/13 is not a legal play of 64"):
        replay.find((6, 4), (Move(24, 13),))
    assert replay.only_play((6, 5)) is None
    replay.do(Action(ActionKind.ROLL, 0, (6, 1), (Move(13, 7), Move(6, 5))))
    with pytest.raises(FormatError, match="24/14 can mean several legal plays of 64 here"):
        replay.find((6, 4), (Move(24, 14),))


def test_the_crawford_game_comes_once() -> None:
    games = read_transcript(MATCH5).games
    assert [game.score.crawford for game in games] == [False, False, True, False]
    assert Transcript(("a", "b"), 5, ()).final_score == (0, 0)
