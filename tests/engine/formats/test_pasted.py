"""Pasted texts: one position in many ways, lines of texts, characters, what is refused."""

import random
import string
from collections.abc import Iterator
from urllib.parse import quote

import pytest

from gammon.base.errors import FormatError, GammonError
from gammon.formats.characters import plain, quoted, shortened
from gammon.formats.context import TOP, Context, cube_words, score_words, several
from gammon.formats.gnubg_id import parse_match_id, parse_position_id
from gammon.formats.notation import parse_play
from gammon.formats.pasted import MOST, names_a_position, read_pasted, texts_of_positions
from gammon.formats.position import Position
from gammon.formats.xgid import parse_xgid
from tests.conftest import GOLDEN

# Pasted texts: one position in many ways, what is refused, and texts that nobody meant.

#: Of a match to 7 in which the player on roll has 3 points, a cube of 2, and 62.
XGID = "XGID=-b--B-C-CA-AdC-a-c-e-A--A-:1:1:1:62:3:2:0:7:10"
BARE = XGID.removeprefix("XGID=")
CHECKERS, REST = BARE.split(":", maxsplit=1)
ID, MATCH = "4HPiATCYc8kBIg", "UQnrACAAGAAE"
BOTH = f"{ID}:{MATCH}"
#: An ID with characters that links encode.
OTHER, OTHER_MATCH = "4HPwATDgc/ABMA", "cIkFAAAAAAAA"


#: A Match ID without dice.
MATCH_ROLLS = "cAkAAAAAAAAE"


def golden(name: str) -> str:
    return (GOLDEN / "pasted" / f"{name}.txt").read_text()


#: The texts of the programs, and of sites, in which people find a position.
WAYS = {
    "XGID": XGID,
    "bare": BARE,
    "lower case": XGID.replace("XGID", "xgid"),
    "mixed case": XGID.replace("XGID", "XGid"),
    "blanks around the sign": f"XGID = {BARE}",
    "colon for the sign": f"XGID:{BARE}",
    "colon and blank": f"XGID: {BARE}",
    "blank for the sign": f"XGID {BARE}",
    "straight quotes": f'"{XGID}"',
    "single quotes": f"'{XGID}'",
    "typographic quotes": f"“{XGID}”",
    "guillemets": f"« {XGID} »",
    "quotes after the sign": f'XGID="{BARE}"',
    "backticks": f"`{XGID}`",
    "code fence": f"```\n{XGID}\n```",
    "code fence with a language": f"```xgid\n{XGID}\n```\n",
    "full stop": f"{XGID}.",
    "parentheses and comma": f"({XGID}),",
    "question": f"Take point? {XGID}?!",
    "sentence": f"My move here was awful, see {XGID} (I was X).",
    "blanks around colons": f"XGID={CHECKERS} : {REST.replace(':', ' : ')}",
    "full-width colons": XGID.replace(":", "："),
    "line broken in the checkers": f"XGID={CHECKERS[:13]}\n{BARE[13:]}",
    "line broken in the fields": f"{XGID[:37]}\r\n  {XGID[37:]}\r\n",
    "line broken in a number": f"{XGID[:-1]}\n{XGID[-1]}",
    "quoted mail": f"> {XGID}\n> What is your play?\n",
    "no-break spaces": f"\u00a0XGID\u00a0=\u00a0{BARE}\u00a0",
    "blanks of no width": "\u200b".join(XGID),
    "soft hyphens": f"{XGID[:12]}\u00ad{XGID[12:]}",
    "byte order mark": f"\ufeff{XGID}\r\n",
    "minus signs": XGID.replace("-", "−"),
    "no-break hyphens": XGID.replace("-", "‑"),
    "en dashes": XGID.replace("-", "–"),
    "em dash for two hyphens": XGID.replace("--", "—"),
    "percent-encoded": quote(XGID, safe=""),
    "link with a query": f"https://example.org/board?xgid={quote(BARE)}&theme=dark",
    "link with all in the query": f"https://example.org/?xgid={XGID}",
    "link with a fragment": f"https://example.org/bgdb/a/17#xgid=XGID%3D{quote(BARE)}",
    "link with a path": f"<https://example.org/positions/{BARE}>",
    "link in a link": f"https://example.org/go?to={quote(quote(f'?xgid={XGID}'), safe='')}",
    "link of Markdown": f"[{XGID}](https://example.org/?xgid={quote(XGID)})",
    "tag of a forum": f"<div data-theme-position>{XGID}</div>",
    "JSON": f'{{"xgid": "{BARE}", "depth": 3}}',
    "command of GNU Backgammon": f"set xgid {XGID}",
    "export of XG": golden("xg_export"),
    "export of XG, CRLF": golden("xg_export").replace("\n", "\r\n"),
    "export of XG, in one line": " ".join(golden("xg_export").split()),
    "GNU ID": BOTH,
    "GNU ID, lower-case name": f"gnubgid={BOTH}",
    "GNU ID, a name of GNU": f"GNUBgID: {BOTH}",
    "GNU ID with a blank": f"{ID} {MATCH}",
    "GNU ID with blanks": f"{ID} : {MATCH}",
    "GNU ID, padded": f"{ID}==:{MATCH}",
    "GNU ID, padded, two words": f"{ID}== {MATCH}",
    "GNU ID in two lines": f"{ID}\n{MATCH}\n",
    "GNU ID, broken": f"{ID[:6]}\n{ID[6:]}:{MATCH[:3]}\n{MATCH[3:]}",
    "GNU ID in quotes": f"`{BOTH}`.",
    "GNU ID, link with a query": f"https://example.org/i?gnubgid={quote(BOTH, safe='')}&w=9",
    "GNU ID, link with a path": f"https://example.org/d/{ID}/{MATCH}",
    "GNU ID, command": f"position gnubgid {BOTH}",
    "GNU ID, Match ID first": f"{MATCH} {ID}",
    "GNU ID, link with names": f"https://example.org/?id={ID}&match={MATCH}&height=300",
    "GNU labels": f"Position ID: {ID}\nMatch ID: {MATCH}\n",
    "GNU labels, one line": f"Position ID: {ID} Match ID: {MATCH}",
    "GNU labels, Match ID first": f"Match ID: {MATCH}\nPosition ID: {ID}\n",
    "GNU labels, HTML": f"<tt>Position ID: <tt>{ID}</tt> Match ID: <tt>{MATCH}</tt><br/>",
    "GNU labels, German": f"Position-ID: {ID}\n  Match-ID: {MATCH}",
    "GNU labels, Spanish": f"ID de posición: {ID}\n  ID de partida: {MATCH}",
    "GNU labels, Japanese": f"ポジション ID: {ID}\n  マッチ ID: {MATCH}",
    "GNU board": golden("gnubg_board"),
    "GNU board, clockwise": golden("gnubg_clockwise"),
    "GNU board, CRLF": golden("gnubg_board").replace("\n", "\r\n"),
    "GNU export": golden("gnubg_export"),
    "both kinds": f"{XGID}\n{BOTH}",
    "both kinds, no Match ID": f"Position ID: {ID}\n{XGID}",
}


@pytest.mark.parametrize("text", WAYS.values(), ids=WAYS)
def test_ways_to_paste_one_position(text: str) -> None:
    expected = Position.parse(XGID)
    found = Position.parse(text)
    assert (found.points, found.dice) == (expected.points, (6, 2))
    assert found.position_id == ID
    names = ("cube_log2", "cube_owner", "on_roll", "scores", "length", "crawford")
    assert [getattr(found.context, name) for name in names] == [1, 1, 1, (3, 2), 7, False]


@pytest.mark.parametrize(
    "text",
    [
        f"{OTHER}==",
        f"Position ID: {OTHER}",
        f"https://example.org/p/{OTHER}",
        f"https://example.org/p/{quote(OTHER, safe='')}?flip=1",
        f"set board {OTHER}",
        f"An intermediate position ({OTHER}) of characteristically few surprises",
        f"Problem 42: {OTHER}",
        f"{OTHER} see page 31/2 of 4.31",
        f"{OTHER} is the first position of a long book, and of its 42 problems the easiest",
    ],
)
def test_a_position_id_without_a_match_id(text: str) -> None:
    assert Position.parse(text) == Position.opening()


def test_a_slash_is_part_of_an_id_or_of_an_address() -> None:
    slashes = "/z0AADDeaxsAAA"
    assert Position.parse(f"https://example.org//{slashes}").position_id == slashes
    path = f"example.org/a/b/{OTHER}/{OTHER_MATCH}"
    assert Position.parse(path) == Position.parse(f"{OTHER}:{OTHER_MATCH}")


MIRRORED = "XGID=-a--a-E-C-A-cDaB-b-a-e-A----B-:0:0:1:31:0:0:0:0:10"
REFUSED = [
    (f"{XGID}\n{XGID.replace(':62:', ':31:')}", "found two that differ"),
    (f"{XGID} {OTHER}", "found two that differ"),
    (f"{ID}\n{OTHER}", "found two that differ"),
    (f"{ID} and {BOTH} and {ID}:{OTHER_MATCH}", "found two that differ"),
    (f"{XGID}\n{ID}:{OTHER_MATCH}", "found two that differ"),
    (f"{XGID} and then {XGID[:-3]}", "10 fields"),
    (MATCH, "a Match ID has no checkers"),
    (f"Match ID: {MATCH}", "a Match ID has no checkers"),
    (f"{ID} 31", "'31' is not read: use --dice 31, or an XGID with its dice"),
    (f"{OTHER} roll 31", "'31' is not read: use --dice 31"),
    (f"{OTHER}, dice: 31!", "'31' is not read: use --dice 31"),
    (f"roll 31 in {OTHER}", "'31' is not read: use --dice 31"),
    (f"{XGID.replace(':62:', ':00:')} with 64", "'64' is not read: use --dice 64"),
    (f"{ID} {MATCH_ROLLS} to play 64", "'64' is not read: use --dice 64"),
    (f"{XGID} 31", "'31' after an ID: expected a Match ID"),
    (f"{ID} {MATCH} 31", "'31' after an ID: expected a Match ID"),
    (f"{ID}== 31", "'31' is not read: use --dice 31"),
    (f"{ID}:{MATCH[:-1]}", "12 characters, found 11"),
    (f"look: {ID}:{MATCH[:-1]} and say", "12 characters, found 11"),
    (f"{ID} {MATCH[:-1]}", "Match ID"),
    (f"ID de posición: {ID}\nID de partida: {MATCH[1:]}", "12 characters, found 11"),
    (f"https://example.org/?id={ID}&m={MATCH[2:]}", "12 characters, found 10"),
    (f"{MATCH[:3]} {MATCH[3:]} {ID}", "12 characters, found 9"),
    (f"Position ID: {ID}\n{XGID[:-3]}", "10 fields"),
    (f"Position ID: {ID}\nXGID=- {BARE[2:]}", "26 characters"),
    (f"Position ID: {ID}\n{XGID.replace('--', '-', 1)}", "26 characters"),
    (f"Position ID: {ID[:-1]}\nMatch ID: {MATCH}\n +13-14-15-16", "14 characters, found 13"),
    (golden("xg_export").replace(":62:", ":72:"), "'72'"),
    (golden("xg_export").replace("CA-AdC", "CAAdC"), "26 characters of checkers, found 25"),
    (golden("gnubg_board").replace(ID, ID[:-2]), "14 characters, found 12"),
    (golden("gnubg_board").replace(MATCH, MATCH[:-1]), "12 characters, found 11"),
    (golden("gnubg_board").replace(MATCH, "é" + MATCH[1:]), "A-Z, a-z"),
    (golden("gnubg_board") + golden("gnubg_board").replace(MATCH, OTHER_MATCH), "that differ"),
    (XGID.replace(":62:", ":٦٢:"), "'٦٢'"),
    (XGID.replace(":7:", ":٧:"), "match length '٧'"),
    (XGID.replace(":7:", ":７:"), "match length '７'"),
    (XGID.replace(":7:", ":+7:"), "match length '+7'"),
    (XGID.replace("B", "В"), "checkers 'В'"),
    (ID.replace("A", "А"), "A-Z, a-z"),
    (ID.replace("4", "４"), "A-Z, a-z"),
    (XGID.replace(":3:2:0:7:", ":8:2:0:7:"), "score 8 in a match of 7"),
    (XGID.replace(":3:2:0:7:", ":3:9:0:7:"), "score 9 in a match of 7"),
    (f"{ID}:UQnrAJAAGAAE", "score 9 in a match of 7"),
    (MIRRORED, "26 characters"),
    ("Where is my position?", "expected a Position ID such as"),
    ("```\n```", "expected a Position ID such as"),
    ("https://example.org/", "expected a Position ID"),
]


@pytest.mark.parametrize(("text", "words"), REFUSED)
def test_refused_in_one_line(text: str, words: str) -> None:
    with pytest.raises(FormatError) as caught:
        Position.parse(text)
    message = str(caught.value)
    assert words in message
    assert "\n" not in message
    assert len(message) < 260, "it shows a part of a long text, not all"


def test_money_play_has_no_length_to_be_beyond() -> None:
    money = Position.parse(XGID.replace(":3:2:0:7:", ":30:2:0:0:"))
    assert money.context.scores == (30, 2)
    assert Position.parse(f"{money.position_id}:{money.match_id}").context.scores == (30, 2)


def test_alone_means_no_other_words() -> None:
    assert read_pasted(f"Position ID: {ID} Match ID : {MATCH}", alone=True)[2] == (6, 2)
    assert read_pasted(f"XGID = XGID={BARE}", alone=True)[2] == (6, 2)
    for text, words in (
        (f"{ID} tiny", "'tiny': expected a Match ID"),
        (f"{XGID} 31", "and nothing else"),
        (f"{XGID} XGID={BARE}", "and nothing else"),
        (f"see {XGID}", "and nothing else"),
        (f"Position ID: {ID} 31", "'31': expected a Match ID"),
        (f"Position ID: {ID} Match ID: {MATCH} 31", "and nothing else"),
        (f"{ID} {MATCH} 31", "and nothing else"),
    ):
        with pytest.raises(FormatError, match=words):
            read_pasted(text, alone=True)


def test_what_names_a_position() -> None:
    begun = "GNU Backgammon Position ID: 4HP"
    for clean in (XGID, BARE, XGID[:20], ID, f"see {BOTH}", begun, BOTH[:-1], f"{ID}:{'*' * 12}"):
        assert names_a_position(clean), clean
    for clean in ("", "X:Xavier O:Olga", " | O X | | X |", "intermediates", "24/18 20/18"):
        assert not names_a_position(clean), clean


JUNK = {
    "blanks": " ", "letters": "a", "hyphens": "-", "colons": ":", "checkers": "-b--B-C-CA-",
    "prefixes": "XGID=", "labels": "Position ID: ", "slashes": "/", "percent signs": "%25",
    "tags": "<a", "ids": f"{ID} ", "broken IDs": XGID[:-4], "match labels": f"{ID} ID ",
    "dashes": "—", "blank checkers": "a ", "no width": "\u200b", "digits": ":1",
}  # fmt: skip


@pytest.mark.parametrize("junk", JUNK.values(), ids=JUNK)
def test_a_long_text_is_read_or_refused(junk: str) -> None:
    """At the longest that is read; one that takes squared time would not end."""
    text = (junk * MOST)[:MOST]
    try:
        Position.parse(text)
    except GammonError as error:
        assert len(str(error)) < 260
    with pytest.raises(FormatError, match="characters, expected a text of at most 20000"):
        Position.parse(text + junk * 100)


#: What mutations put in: the alphabets of the formats, and what editors and keyboards give.
PIECES = [
    *string.printable, *"–—−“”«»\u00a0\u200b\ufeff\u00ad：＝٣３АéİıſK²\ud800\U0001d7d8",
    XGID, ID, MATCH, BOTH, "XGID=", "Position ID: ", "Match ID   : ", "%3A", "%", "==", "\r\n",
    "9" * 5000, "24/18*/13", "bar/22", "6/off(2)", "<tt>", "```", ":1:1:1:62:3:2:0:7:10",
]  # fmt: skip
SEEDS = [*WAYS.values(), "24/18*/13 6/5(2)", "", "bar/22, 13 / 8", "6/off(4)"]


def mutated(rng: random.Random) -> str:
    """A text of the table with a few pieces put in, left out, doubled or exchanged."""
    text = rng.choice(SEEDS)
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(text) + 1)
        to = min(len(text), at + rng.choice((0, 1, 1, 2, 8, 40)))
        with_ = rng.choice(("", rng.choice(PIECES), rng.choice(PIECES), text[at:to] * 2))
        text = text[:at] + with_ + text[to:]
    return text


def fuzz(texts: int, seed: int) -> dict[str, int]:
    """Give texts to every parser; return how many each of them read."""
    rng = random.Random(seed)
    parsers = [Position.parse, parse_xgid, parse_position_id, parse_match_id, parse_play]
    read = dict.fromkeys((parser.__name__ for parser in parsers), 0)
    for _ in range(texts):
        text = mutated(rng)
        for parser in parsers:
            try:
                found = parser(text)
            except GammonError as error:
                assert "\n" not in str(error), text
                assert len(str(error)) < 1000, text
            else:
                read[parser.__name__] += 1
                if isinstance(found, Position):
                    assert Position.parse(found.xgid).points == found.points, text
    return read


def test_only_our_errors() -> None:
    read = fuzz(1500, seed=19)
    assert read["parse"] > 200, "the mutations are too wild to test anything"


# Lines parted into texts of one position each.

LABELS = f" GNU Backgammon  Position ID: {ID}\n                 Match ID   : {MATCH}\n"


def found(text: str) -> list[str]:
    """The Position IDs of the texts in order, and the texts that no position is in."""
    answers = []
    for part in texts_of_positions(text.splitlines(keepends=True)):
        try:
            answers.append(Position.parse(part).position_id)
        except GammonError:
            answers.append(part)
    return answers


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (f"{XGID}\n{OTHER}\n{BARE}", [ID, OTHER, ID]),
        (f"\ufeff{XGID}\r\n\r\n   \r\n{OTHER}\r\n", [ID, OTHER]),
        (f"# {OTHER}\n{XGID}\n  # more\n", [ID]),
        (f"rubbish\n{XGID}\nrubbish\n{BOTH}", ["rubbish", ID, "rubbish", ID]),
        (LABELS, [ID]),
        (LABELS.replace("\n", "\r\n"), [ID]),
        (LABELS + LABELS + OTHER, [ID, ID, OTHER]),
        (f"Position ID: {ID}\nPosition ID: {OTHER}", [ID, OTHER]),
        (f"Position ID: {ID}\n\nMatch ID: {MATCH}\nPosition ID: {OTHER}", [ID, OTHER]),
        (f"Position ID: {ID} Match ID: {MATCH}\n{OTHER}", [ID, OTHER]),
        (f"Match ID: {MATCH}\n{OTHER}", [f"Match ID: {MATCH}", OTHER]),
        (golden("gnubg_board"), [ID]),
        (golden("gnubg_board") + golden("gnubg_clockwise"), [ID, ID]),
        (golden("gnubg_export") + golden("gnubg_export"), [ID, ID]),
        (golden("gnubg_board") + ID[:-1] + "\n" + OTHER, [ID, ID[:-1], OTHER]),
        (golden("xg_export"), [ID]),
        (golden("xg_export").replace("\n", "\r\n") + golden("xg_export"), [ID, ID]),
        (golden("xg_export") + "some rubbish\n" + golden("gnubg_board"), [ID, "some rubbish", ID]),
        (f"{XGID}\nneither this nor that\n{XGID}", [ID, "neither this nor that", ID]),
        ("+13-14-15-16-17-18-\nX:X   O:O", ["+13-14-15-16-17-18-", "X:X   O:O"]),
        (f"{XGID}\nX:Xavier   O:Olga\n{XGID[:30]}\n{XGID[:-2]}", [ID, XGID[:30], XGID[:-2]]),
    ],
)
def test_texts(text: str, expected: list[str]) -> None:
    assert found(text) == expected


def test_the_two_labelled_lines_are_one_text() -> None:
    (text,) = texts_of_positions(golden("gnubg_board").splitlines())
    assert Position.parse(text) == Position.parse(BOTH)


def test_a_text_comes_as_soon_as_its_line_has() -> None:
    given: list[str] = []

    def lines() -> Iterator[str]:
        for line in (XGID, "rubbish", BOTH, f"Position ID: {ID}", f"Match ID: {MATCH}", OTHER):
            given.append(line)
            yield line

    counts = [len(given) for _ in texts_of_positions(lines())]
    assert counts == [1, 2, 3, 5, 6]


def test_a_long_line_is_one_text() -> None:
    line = XGID + " " * MOST + "end"
    assert list(texts_of_positions([line, OTHER])) == [line, OTHER]


# Typographic characters as plain ones, texts cut for messages, contexts in words.


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("‐‑‒−﹣－", "------"),
        ("“a” ‘b’ «c» `d` 'e' \"f\"", " a   b   c   d   e   f "),
        ("\ufeffa\u200b\u200d\u2060\u00adb", "ab"),
        ("a\u00a0\u2009\u3000b", "a   b"),
        ("：＝／＋", ":=/+"),
        ("٣ ３ А Ａ é", "٣ ３ А Ａ é"),
    ],
)
def test_plain(text: str, expected: str) -> None:
    assert plain(text) == expected


def test_a_long_dash_can_stand_for_two_hyphens() -> None:
    assert plain("-–—") == "---"
    assert plain("-–—", "--") == "-----"


def test_long_texts_are_cut_in_the_middle() -> None:
    assert shortened("x" * 72) == "x" * 72
    text = shortened("begin" + 1000 * "x" + "end")
    assert len(text) == 72
    assert (text[:5], text[-3:]) == ("begin", "end")
    assert "..." in text
    assert quoted("a\nb") == r"'a\nb'"


def test_cubes_and_scores() -> None:
    assert [several(count, "match", "es") for count in (0, 1, 2)] == ["0 matches", "1 match", "2 matches"]
    assert cube_words(1, 0) == "centred cube"
    assert cube_words(2, 0) == "centred cube at 2"
    assert cube_words(4, TOP) == "O's cube at 4"
    assert score_words(Context(scores=(6, 2), length=7, crawford=True)) == (
        "X 6, O 2 in a match to 7, Crawford game"
    )
    # A mark of the Crawford game at double match point means nothing.
    assert score_words(Context(scores=(6, 6), length=7, crawford=True)) == "X 6, O 6 in a match to 7"
