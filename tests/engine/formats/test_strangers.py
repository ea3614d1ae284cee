"""Texts of strangers: nothing in them steers a terminal, takes long, or takes much memory."""

import struct
import time
import tracemalloc
import zlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from gammon.base.errors import FormatError, GammonError
from gammon.commands.stream import read_query
from gammon.engine.question import Question
from gammon.formats.characters import decoded, one_line, visible, visible_in
from gammon.formats.gnubg_id import parse_match_id, parse_position_id
from gammon.formats.met_file import read_met
from gammon.formats.notation import format_play, parse_play
from gammon.formats.ogid import parse_ogid
from gammon.formats.pasted import texts_of_positions
from gammon.formats.play import choose_play, legal_plays
from gammon.formats.position import Position
from gammon.formats.xgid import parse_xgid
from gammon.match.player import parse_player
from gammon.rules.board import flipped
from gammon.rules.dice import parse_dice
from gammon.rules.terms import Score
from gammon.view.tables import plain_text
from gammon_adapters.external import parse_board
from gammon_adapters.ubgi import Ubgi
from gammon_study.match_files.match_file import parse_transcript
from gammon_study.match_files.transcript import MOST_ACTIONS, Action, ActionKind, GameReplay, Transcript
from tests.bgf import bgf_file, bgf_match
from tests.matches import MATCH5, MATCH5_SGF, SAMPLE_XG, random_match

#: An escape sequence, a bell, NUL, C1's CSI, an override and an isolate of direction, marks
#: that nobody sees, and separators of lines and paragraphs.
EVIL = "a\x1bP52;c;ZXZpbA==\x07b\0c\x9b31md\u202ee\u2066f\u200eg\ufeffh\u2028i\u2029j"
GOOD = "aP52;c;ZXZpbA==bc31mdefgh i j"
MAT = f"""; [Event "{EVIL}"]
 0 point match

 Game 1
 {EVIL} : 0      Bob{EVIL} : 0
  1) 31: 8/5 6/5   21: 24/23 13/11
"""
SGF = (
    f"(;FF[4]GM[6]AP[{EVIL}]MI[length:0][game:0][ws:0][bs:0]PW[{EVIL}]PB[Bob{EVIL}]"
    f"EV[{EVIL}\n{EVIL}]RE[{EVIL}];W[31hefe])"
)


def texts_of(match: Transcript) -> list[str]:
    return [*match.players, match.stored_by, *match.warnings, *sum(match.details, ())]


@pytest.mark.parametrize("text", [MAT, SGF])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-le", "utf-16-be", "utf-8-sig"])
def test_a_match_file_steers_nothing(text: str, encoding: str) -> None:
    match = parse_transcript(text.encode(encoding))
    # A name is short, so that it ends before the second text does.
    assert match.players == (GOOD, f"Bob{GOOD}"[:60])
    assert GOOD in match.details[0][1]
    for each in texts_of(match):
        assert each.isprintable(), each


def test_a_file_of_eXtreme_Gammon_steers_nothing() -> None:
    data, start, records = xg_parts()
    names = bytearray(records)
    for place in (880, 1138, 622, 1396):  # the players, the event, the site
        evil = (EVIL + "\0").replace("\0c", "c").encode("utf-16-le")
        names[place : place + len(evil)] = evil
    match = parse_transcript(data[:start] + zlib.compress(bytes(names)))
    assert match.players == (GOOD, GOOD)
    assert [text for text in texts_of(match) if not text.isprintable()] == []


def test_a_file_of_bgblitz_steers_nothing() -> None:
    found = bgf_match(random_match(1, 1))
    found |= {"nameGreen": EVIL, "nameRed": EVIL, "event": EVIL}
    found["games"][0]["moves"][1]["red"] = EVIL
    match = parse_transcript(bgf_file(found))
    assert match.players == (GOOD, GOOD)
    assert match.details[0] == ("Event", GOOD)
    assert [text for text in texts_of(match) if not text.isprintable()] == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (EVIL, GOOD),
        ("two\nlines\tand a tab", "two\nlines\tand a tab"),
        ("half \ud83d, whole \ud83d\ude00", "half \ufffd, whole 😀"),
        ("می‌خواهم 👩‍🚀 Zoë", "می‌خواهم 👩‍🚀 Zoë"),
    ],
)
def test_what_is_visible_stays(text: str, expected: str) -> None:
    assert visible(text) == expected
    assert visible_in([{text: [text, 1, None]}]) == [{expected: [expected, 1, None]}]
    assert one_line(f" {text}\n\n ") == " ".join(expected.split())


@pytest.mark.parametrize("path", [MATCH5, MATCH5_SGF])
def test_files_of_other_encodings_are_read(path: Path) -> None:
    text = path.read_text().replace("root", "Zoë")
    whole = parse_transcript(text.encode())
    assert whole.players == ("gnubg", "Zoë")
    for encoding in ("latin-1", "utf-16", "utf-16-le", "utf-16-be", "utf-8-sig"):
        found = parse_transcript(text.replace("\n", "\r\n").encode(encoding))
        assert (found, found.warnings, found.stored) == (whole, whole.warnings, whole.stored)


def test_letters_of_windows_are_read() -> None:
    """The first one means nothing there, and is left out."""
    assert decoded(b"\x81O\x92Brien, \x8ei\x9eek \x80 \xeb") == "O’Brien, Žižek € ë"


def test_a_table_of_windows_is_read(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text("# Mine\x1b[31m\u202e\naway,1\n1,0.5\npost,.5\n", encoding="utf-16")
    assert read_met(path).name == "Mine[31m"


def xg_parts() -> tuple[bytes, int, bytes]:
    """A file of eXtreme Gammon, where its records begin, and its records."""
    data = SAMPLE_XG.read_bytes()
    start = 8232 + struct.unpack_from("<I", data, 20)[0]
    return data, start, zlib.decompressobj().decompress(data[start:])


def test_a_bomb_takes_no_memory() -> None:
    """300 MB of zeros in 300 kB."""
    data, start, _ = xg_parts()
    packer = zlib.compressobj(9)
    packed = b"".join(packer.compress(bytes(1 << 20)) for _ in range(300)) + packer.flush()
    tracemalloc.start()
    with pytest.raises(FormatError, match="or more than 65,536,000 bytes"):
        parse_transcript(data[:start] + packed)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 200_000_000


def xg_of(games: int) -> bytes:
    data, start, records = xg_parts()
    head = bytearray(records[:2560])
    struct.pack_into("<i", head, 92, 99999)  # a session for money
    return data[:start] + zlib.compress(bytes(head) + records[2560 : 2560 * 5] * games)


def read(make: Callable[[int], str]) -> Callable[[int], object]:
    return lambda n: parse_transcript(make(n).encode())


HEAD = " 0 point match\n"
GAME = "\n Game {}\n a : 0   b : 0\n  1) 31: 8/5 6/5   21: 24/23 13/11\n"
ROW = HEAD + GAME.format(1) + "2) 31: "
SAID = " E ver 3 0.49 0.13 0.01 0.14 0.01 -0.008 0C"
SGF_GAME = "(;GM[6]MI[length:0][game:0][ws:0][bs:0]PW[a]PB[b]"
ROLLS = [legal_plays(Position.opening(), (3, 1)), (3, 1)]


def board(n: int) -> None:
    parse_board("board:" + "a:0:" * n)


#: What a reader takes by its size: a name, a size that takes it some milliseconds, and a
#: function that reads an input of that size.
SIZES: dict[str, tuple[int, Callable[[int], object]]] = {
    "mat: steps of a play": (4000, read(lambda n: ROW + "8/5 " * n)),
    "mat: counted steps": (4000, read(lambda n: ROW + "8/5(4) " * n)),
    "mat: games": (60, read(lambda n: HEAD + "".join(map(GAME.format, range(1, n + 1))))),
    "mat: cells of a row": (5000, read(lambda n: ROW + "31: " * n)),
    "mat: rows": (3000, read(lambda n: HEAD + GAME.format(1) + "2) 31: 8/5 6/5\n" * n)),
    "mat: blanks of a name": (20_000, read(lambda n: HEAD + " Game 1\n a" + " " * n + "b\n")),
    "mat: names": (5000, read(lambda n: HEAD + " Game 1\n" + "a : 0 " * n + "x\n")),
    "mat: a comment": (20_000, read(lambda n: "; [" + " " * n + "\n" + HEAD)),
    "mat: quotes of a comment": (20_000, read(lambda n: '; [a "' + '" ' * n + "\n" + HEAD)),
    "mat: lines": (5000, read(lambda n: HEAD + "x\n" * n)),
    "mat: a number": (20_000, read(lambda n: HEAD + "Game " + "1" * n)),
    "mat: a cube": (20_000, read(lambda n: HEAD + GAME.format(1) + "2) Doubles => " + "2" * n)),
    "sgf: games": (150, read(lambda n: (SGF_GAME + ";B[21lnab])\n") * n)),
    "sgf: nodes": (5000, read(lambda n: SGF_GAME + ";" * n + ")")),
    "sgf: lines": (5000, read(lambda n: SGF_GAME + ";\n" * n + ")")),
    "sgf: properties": (50, read(lambda n: SGF_GAME + (";" + "AB[x]CD[y]" * 40) * n + ")")),
    "sgf: values": (20_000, read(lambda n: SGF_GAME + ";W[31hefe]A" + "[x]" * n + ")")),
    "sgf: a play": (20_000, read(lambda n: SGF_GAME + ";W[31" + "ab" * n + "])")),
    "sgf: an analysis": (2000, read(lambda n: f"{SGF_GAME};W[31hefe]A[0][{'fe' * n}{SAID}])")),
    "sgf: a value": (100_000, read(lambda n: SGF_GAME + "GC[" + "\\]\n" * n + "])")),
    "sgf: a value without an end": (100_000, read(lambda n: SGF_GAME + "GC[" + "\\]" * n)),
    "xg: games": (60, lambda n: parse_transcript(xg_of(n))),
    "a play": (2000, lambda n: parse_play("8/5 " * n)),
    "stops of a play": (2000, lambda n: parse_play("8/5/" * n)),
    "a play among legal ones": (2000, lambda n: choose_play(ROLLS[0], ROLLS[1], "8/5 " * n)),
    "dice": (20_000, lambda n: parse_dice("3 " * n)),
    "a Position ID": (20_000, lambda n: parse_position_id("4HPwATDgc/ABMA" * n)),
    "a Match ID": (20_000, lambda n: parse_match_id("cIkqAAAAAAAA" * n)),
    "an XGID": (20_000, lambda n: parse_xgid("-b----E-C---eE---c-e----B-:0:0:1:" * n)),
    "a pasted text": (250, lambda n: Position.parse("4HPwATDgc/ABMA " * n)),
    "a pasted text of colons": (2000, lambda n: Position.parse(" : 0" * n)),
    "pasted lines": (200, lambda n: list(texts_of_positions(["4HPwATDgc/ABMA"] * n))),
    "a pasted line": (50_000, lambda n: list(texts_of_positions(["X: O " * n]))),
    "a line of FIBS": (20_000, board),
    "players in words": (2000, lambda n: parse_player("depth=1," * n)),
    "an OGID": (20_000, lambda n: parse_ogid(("1" * n + ":") * 5)),
    "a match of BGBlitz": (2000, lambda n: parse_transcript(bgf_file({"games": [{}] * n}))),
    "a query": (5000, lambda n: read_query('{"id": ' + "1, " * n + "}", Question())),
    "a query that nests": (20_000, lambda n: read_query('{"id":' + "[" * n, Question())),
    "UBGI": (20_000, lambda n: Ubgi(lambda line: None).obey("x " * n)),
}


def seconds(work: Callable[[int], object], size: int) -> float:
    """The processor time of the quickest of some readings."""
    best = 1e9
    for _ in range(3):
        begun = time.process_time()
        with suppress(GammonError):
            work(size)
        best = min(best, time.process_time() - begun)
    return best


def is_linear(work: Callable[[int], object], size: int) -> bool:
    """Four times the input takes no more than nine times the time; by the square it were 16."""
    return seconds(work, 4 * size) < max(9 * seconds(work, size), 0.02)


@pytest.mark.parametrize("name", SIZES)
def test_work_is_in_proportion_to_the_input(name: str) -> None:
    size, work = SIZES[name]
    assert is_linear(work, size) or is_linear(work, 2 * size), name


@pytest.mark.parametrize(
    ("begin", "text", "end"),
    [
        ("<met>", "<a>", ""),
        ("<met>", "<a>x</a>", ""),
        ("<met><info><name>", "x<!---->", ""),
        ("", "# a\n", ""),
        ("away,1\n", "1,0.5\n", ""),
    ],
)
def test_so_it_is_for_equity_tables(tmp_path: Path, begin: str, text: str, end: str) -> None:
    path = tmp_path / "mine.met"

    def work(size: int) -> None:
        path.write_text(begin + text * size + end)
        read_met(path)

    assert is_linear(work, 10_000) or is_linear(work, 20_000)


def test_so_it_is_for_recipes(tmp_path: Path) -> None:
    pytest.importorskip("pydantic")
    from gammon_lab.train.recipe import read_recipe

    path = tmp_path / "mine.toml"

    def work(size: int) -> None:
        path.write_text("".join(f"a{number} = 1\n" for number in range(size)))
        read_recipe(path)

    assert is_linear(work, 500) or is_linear(work, 1000)


def test_what_cannot_be_is_refused_by_its_size() -> None:
    """A play, a game and a match have a limited number of parts."""
    with pytest.raises(FormatError, match="5 moves: expected at most 4"):
        choose_play(ROLLS[0], ROLLS[1], "8/5(4) 6/5")
    with pytest.raises(FormatError, match="expected a play of at most 200"):
        parse_play("8/5 " * 60)
    with pytest.raises(FormatError, match="game 21: a match to 5 has fewer games"):
        games = "".join(map(GAME.format, range(1, 40)))
        parse_transcript(f" 5 point match\n{games}".encode())
    with pytest.raises(FormatError, match="game 21: a match to 5 has fewer games"):
        parse_transcript((SGF_GAME.replace("h:0", "h:5") + ";B[21lnab])").encode() * 30)
    with pytest.raises(FormatError, match="too many nodes of a game"):
        parse_transcript((SGF_GAME + ";" * 20_000 + ")").encode())


def test_a_game_has_an_end() -> None:
    """Here one side is on the bar for ever."""
    replay, roll = (GameReplay(Score(0, (0, 0), False, False)), Action(ActionKind.ROLL, 0, (6, 5)))
    replay._points = (*19 * [0], *6 * [-2], 1)
    for _ in range(MOST_ACTIONS):
        replay.do(roll)
        replay.side, replay._points = 0, flipped(replay._points)
    with pytest.raises(FormatError, match="a game of at most 10000 actions"):
        replay.do(roll)


def test_reading_can_be_stopped_between_two_games() -> None:
    numbers: list[int] = []

    class StopError(Exception):
        pass

    def on_game(number: int) -> None:
        numbers.append(number)
        if number == 2:
            raise StopError

    for data in (
        (HEAD + "".join(map(GAME.format, range(1, 9)))).encode(),
        ((SGF_GAME + ";B[21lnab])") * 8).encode(),
        xg_of(8),
    ):
        numbers.clear()
        with pytest.raises(StopError):
            parse_transcript(data, on_game)
        assert numbers == [0, 1, 2]


def test_names_are_shown_as_they_are() -> None:
    """Square brackets and colons mean something to the library that prints tables."""
    from gammon.view.tables import new_table

    table = new_table("", "[red]me[/] :x: [link=http://x]you[/link]")
    assert plain_text(table).strip() == "[red]me[/] :x: [link=http://x]you[/link]"
    assert format_play(parse_play("8/5 6/5")) == "8/5 6/5"
