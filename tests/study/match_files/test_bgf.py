"""Match files of BGBlitz, beside the same match by other ways, and what is wrong in them."""

import random
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gammon.base.errors import FormatError
from gammon_study.match_files.bgf import parse_bgf, parse_smile
from gammon_study.match_files.mat import format_mat, parse_mat
from gammon_study.match_files.match_file import parse_transcript, read_transcript
from gammon_study.match_files.transcript import ActionKind, Transcript
from tests.bgf import bgf_file, bgf_match, smile
from tests.matches import SAMPLE, random_match


def same(found: Transcript, match: Transcript) -> None:
    assert (found.players, found.length, found.warnings) == (match.players, match.length, ())
    assert found.games == match.games


@pytest.mark.parametrize(("packed", "in_smile"), [(True, True), (True, False), (False, True)])
def test_a_real_match_in_each_form(packed: bool, in_smile: bool) -> None:
    match = read_transcript(SAMPLE)
    data = bgf_file(bgf_match(match), packed, in_smile)
    same(parse_transcript(data), match)


@pytest.mark.parametrize("length", [0, 1, 3, 7])
def test_random_matches(length: int) -> None:
    match = random_match(length, seed=length)
    same(parse_bgf(bgf_file(bgf_match(match))), match)


def test_details() -> None:
    found = bgf_match(random_match(1, 1)) | {"event": "Cup\x1b", "site": "A\nB"}
    match = parse_bgf(bgf_file(found))
    assert match.details == (("Event", "Cup"), ("Site", "A B"), ("EventDate", "2026.11.25"))
    assert match.stored_by == ""


#: As BGBlitz 1.0 wrote it of the position after 5-3 and 5-4 in a match to 7.
EQUITY = {
    "myWins": "0.53569618", "myGammon": "0.16342861", "myBackGammon": "0.00250409",
    "oppWins": "0.46430382", "oppGammon": "0.11988480", "oppBackGammon": "0.00199538",
    "equity": "0.11544488", "matchEquity": "0.50707015", "emg": "0.11873763", "hasEMG": True,
    "cubeDecision": {
        "hasDoubled": None, "eqNoDouble": "0.50960815", "eqDoubleTake": "0.49420656",
        "eqDoublePass": "0.55954434", "eqCubeFul": "0.50960815",
    },
}  # fmt: skip
#: The same figures for money.
MONEY = EQUITY | {
    "matchEquity": "-999.00000000",
    "emg": "-999.00000000",
    "hasEMG": False,
    "cubeDecision": {
        "eqNoDouble": "0.15",
        "eqDoubleTake": "-0.12",
        "eqDoublePass": "1.00000000",
        "eqCubeFul": "0.25",
    },
}


def first_plays(length: int, equity: dict[str, Any]) -> dict[str, Any]:
    """A match whose third record has an analysis: a roll of 31 after two others."""
    none = [-1, -1]
    rolls = [(1, 5, 3, [8, 6], [3, 3]), (-1, 5, 4, [24, 13], [20, 8]), (1, 3, 1, [8, 6], [5, 5])]
    found = bgf_match(random_match(1, 1)) | {"matchlen": length, "finalGreen": 0, "finalRed": 0}
    game = found["games"][0] | {"scoreGreen": 0, "scoreRed": 0}
    game["moves"] = [
        {"red": a, "green": b, "player": side, "from": ends + none, "to": targets + none}
        for side, a, b, ends, targets in rolls
    ]
    worse = equity | {"emg": "-0.2" if length else "-999.0", "equity": "-0.2"}
    if not length:
        worse |= {"cubeDecision": None}
    game["moves"][0]["equity"] = equity  # before the first roll nobody may double
    game["moves"][2] |= {
        "equity": equity,
        "luck": {"luckPlain": "0.01", "luckWeighted": "0.2", "mode": "Match"},
        "moveAnalysis": [
            {"move": {"from": [13, 24, -1, -1], "to": [10, 23, -1, -1]}, "eq": worse, "ply": 3},
            {"move": {"from": [8, 6, -1, -1], "to": [5, 5, -1, -1]}, "eq": equity, "ply": 3},
            {"move": {"from": [1, 6, -1, -1], "to": [5, 5, -1, -1]}, "eq": equity, "ply": 3},
        ],
    }
    found["games"] = [game]
    return found


def test_an_analysis_in_a_match() -> None:
    match = parse_bgf(bgf_file(first_plays(7, EQUITY)))
    assert match.stored_by == "BGBlitz"
    assert list(match.stored) == [(0, 2)]
    found = match.stored[0, 2]
    assert found.luck == 0.2
    assert [(each.play, each.equity, each.level) for each in found.plays] == [
        ("8/5* 6/5", 0.11873763, "3-ply"),
        ("24/23 13/10", -0.2, "3-ply"),
    ]
    assert found.plays[0].probabilities == (0.53569618, 0.16342861, 0.00250409, 0.11988480, 0.00199538)
    assert found.cube is not None
    # Its table has 50 % at 7-away 7-away, and the loss as far below it as the win above it.
    half = 0.55954434 - 0.5
    assert found.cube.no_double == pytest.approx((0.50960815 - 0.5) / half, abs=1e-5)
    assert found.cube.double_take == pytest.approx((0.49420656 - 0.5) / half, abs=1e-5)


def test_an_analysis_for_money() -> None:
    record = first_plays(0, MONEY)
    record["games"][0]["moves"][2]["luck"]["mode"] = "Money"
    found = parse_bgf(bgf_file(record)).stored[0, 2]
    assert [each.equity for each in found.plays] == [0.25, -0.2]
    assert found.luck == 0.01
    assert found.cube is not None
    assert (found.cube.no_double, found.cube.double_take) == (0.15, -0.12)


def test_a_double_and_its_answer_have_the_same_analysis() -> None:
    record = first_plays(7, EQUITY)
    moves = record["games"][0]["moves"]
    none = [-1, -1, -1, -1]
    moves[2:] = [
        {"red": n, "green": 7, "player": side, "from": none, "to": none, "equity": EQUITY}
        for n, side in ((1, 1), (2, -1))
    ]
    match = parse_bgf(bgf_file(record))
    kinds = [action.kind for action in match.games[0].actions]
    assert kinds[2:] == [ActionKind.DOUBLE, ActionKind.TAKE]
    assert match.stored[0, 2] == match.stored[0, 3]


def game(change: dict[str, Any]) -> Callable[[dict[str, Any]], Any]:
    return lambda found: found["games"][0].update(change)


def record(place: int, change: dict[str, Any]) -> Callable[[dict[str, Any]], Any]:
    return lambda found: found["games"][0]["moves"][place].update(change)


_END = {"player": 1, "red": 4, "green": 7, "from": [-1], "to": [-1]}
WRONG = [
    (lambda found: found.update(matchlen=65), "matchlen 65"),
    (lambda found: found.update(matchlen="7"), "matchlen '7'"),
    (lambda found: found.update(games={}), "games"),
    (lambda found: found["games"].insert(0, 3), "expected an object"),
    (lambda found: found.update(games=[]), "no game"),
    (lambda found: found["games"].extend(found["games"] * 29), "fewer games"),
    (game({"scoreRed": 7}), "scoreRed 7"),
    (game({"scoreRed": True}), "scoreRed True"),
    (game({"initial": None}), "initial None"),
    (game({"moves": None}), "moves None"),
]
LEFT_OUT = [
    (record(1, {"player": 1}), "the side that is not to act"),
    (record(1, {"player": 0}), "player 0"),
    (record(1, {"player": 2}), "player 2"),
    (record(1, {"red": 7}), "the roll"),
    (record(1, {"green": 9}), "green 9"),
    (record(1, {"red": 8, "green": 7}), "number 8"),
    (lambda found: found["games"][0]["moves"].insert(1, _END), "a roll after the end"),
    (record(1, {"red": 5, "green": 7}), "the roll"),
    (record(1, {"red": 5, "green": 7, "from": [2], "to": [1]}), "not a legal play"),
    (record(1, {"from": [24, 13, 0, -1]}), "a move from 0"),
    (record(1, {"to": [20, 25, -1, -1]}), "to 25"),
    (record(1, {"to": [20, 9, -1, -1]}), "is not a legal play"),
    (record(1, {"from": None}), "not a legal play"),
]


@pytest.mark.parametrize(("change", "words"), WRONG)
def test_refused(change: Callable[[dict[str, Any]], object], words: str) -> None:
    found = first_plays(7, EQUITY)
    change(found)
    with pytest.raises(FormatError, match=words) as caught:
        parse_bgf(bgf_file(found))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("change", "words"), LEFT_OUT)
def test_the_rest_of_a_game_is_left_out(change: Callable[[dict[str, Any]], object], words: str) -> None:
    found = first_plays(7, EQUITY)
    change(found)
    match = parse_bgf(bgf_file(found))
    assert len(match.games[0].actions) == 1
    (warning,) = match.warnings
    assert warning.startswith("game 1, action 2: ")
    assert words in warning


@pytest.mark.parametrize(
    "change",
    [
        {"cube": 2},
        {"cubeOwner": 1},
        {"gameMode": 2},
        {"egyptian": True},
        {"points": [0] * 28},
        {"points": [-2, *[0] * 27]},
        {"points": None},
    ],
)
def test_games_that_do_not_begin_as_backgammon_does(change: dict[str, Any]) -> None:
    found = first_plays(7, EQUITY)
    found["games"].append(deepcopy(found["games"][0]))
    found["games"][1]["initial"].update(change)
    match = parse_bgf(bgf_file(found))
    assert [len(game.actions) for game in match.games] == [3, 0]
    assert "a position that was set up, or another game" in match.warnings[-1]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"games": [{"scoreGreen": 2, "scoreRed": 2}]}, "does not follow"),
        ({"finalRed": 5}, "resignation of 5"),
    ],
)
def test_warnings(change: dict[str, Any], words: str) -> None:
    found = first_plays(7, EQUITY)
    if extra := change.pop("games", None):
        change = {"games": [*found["games"], found["games"][0] | extra[0]]}
    match = parse_bgf(bgf_file(found | change))
    assert any(words in warning for warning in match.warnings)


@pytest.mark.parametrize("odd", [True, 3, "x", {}, [None], [{"move": {"from": 3}}]])
def test_an_analysis_that_is_none(odd: Any) -> None:
    found = first_plays(7, EQUITY)
    found["games"][0]["moves"][2] |= {"moveAnalysis": odd, "equity": odd, "luck": odd}
    match = parse_bgf(bgf_file(found))
    assert (match.stored, match.warnings) == ({}, ("game 1 has no end",))
    assert len(match.games[0].actions) == 3


def test_a_match_without_the_cube() -> None:
    found = first_plays(7, EQUITY) | {"useCube": False}
    match = parse_bgf(bgf_file(found))
    assert match.details[0] == ("CubeLimit", "1")
    assert not match.games[0].score.live
    assert match.stored[0, 2].cube is None
    assert parse_mat(format_mat(match)).games == match.games


def test_bytes_that_are_none() -> None:
    good = bgf_file(bgf_match(random_match(1, 1)))
    head, body = good.split(b"\n", 1)
    for data in (
        b"{", b"{}\n", b'{"format":"XYZ"}\n' + body, head, head + b"\n",
        head + b"\n" + body[:-200], head + b"\n[]", b"{" * 100_000,
        head + b"\n" + b"[" * 100_000,
        head + b'\n{"a":' * 20_000, bgf_file([]), bgf_file({}, in_smile=False),
        bgf_file({"matchlen": 10**30}, in_smile=False), b'{"format":' + b"9" * 5000 + b"}\n",
        bgf_file("x" * 17_000_000), bgf_file([0] * 2_000_001, in_smile=False),
    ):  # fmt: skip
        with pytest.raises(FormatError, match=r"a file of BGBlitz that cannot be read") as caught:
            parse_transcript(data)
        assert "\n" not in str(caught.value)


def test_a_number_too_large_for_a_float_is_none() -> None:
    found = first_plays(7, EQUITY)
    found["games"][0]["moves"][2]["luck"]["luckWeighted"] = 10**400
    assert parse_bgf(bgf_file(found, in_smile=False)).stored[0, 2].luck is None


def test_damaged_contents() -> None:
    """Each is read, or refused in a line, whatever a value in it becomes."""
    chance, good = random.Random(1), first_plays(7, EQUITY)
    odd = [None, True, -1, 10**12, 0.5, float("nan"), "", "x", "1e400", [], {}, [[]], {"a": 1}]
    for _ in range(300):
        found = deepcopy(good)
        where: Any = found
        while True:
            inner = list(where if isinstance(where, dict) else range(len(where)))
            key = chance.choice(inner)
            if not isinstance(where[key], dict | list) or not where[key] or chance.random() < 0.2:
                where[key] = chance.choice(odd)
                break
            where = where[key]
        try:
            parse_bgf(bgf_file(found, packed=False))
        except FormatError as error:
            assert "\n" not in str(error)


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=70)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | TEXTS | st.floats(allow_nan=False),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(TEXTS, inner, max_size=5),
    max_leaves=30,
)


@given(VALUES, st.booleans(), st.booleans())
def test_what_is_written_is_read(value: Any, names: bool, texts: bool) -> None:
    assert parse_smile(smile(value, names, texts)) == value


@pytest.mark.parametrize("texts", [False, True])
def test_tables_of_more_than_they_hold(texts: bool) -> None:
    chance = random.Random(1)
    value = [{f"name {chance.randrange(1500)}": f"text {chance.randrange(900)}"} for _ in range(5000)]
    data = smile(value, texts=texts)
    assert parse_smile(data) == value
    assert len(data) < len(smile(value, names=False))


#: By the specification, token by token.
KNOWN = [
    (b"\x01\xfa\x80a\xc2\x81bb\xc1\xfb", {"a": 1, "bb": -1}),
    (b"\x01\xf8\xfa\x80a\x20\xfb\xfa\x40\x22\xfb\xf9", [{"a": ""}, {"a": False}]),
    (b"\x01\xf8\xfa\x80a\x20\xfb\xfa\x30\x00\x23\xfb\xf9", [{"a": ""}, {"a": True}]),
    (b"\x00\xfa\x80a\x20\xfb", {"a": ""}),
    (b"\x02\xf8\x40a\x01\x80\xc3\xa4\x02\xec\x01\xf9", ["a", "a", "ä", "ä", "ä"]),
    (b"\x00\x24\x01\x80", 32),
    (b"\x00\x24\xbf", -32),
    (b"\x00\x25\x01\x00\x80", 4096),
    (b"\x00\x28\x03\x7c\x00\x00\x00", 1.0),
    (b"\x00\x29\x00\x3f\x78\x00\x00\x00\x00\x00\x00\x00", 1.0),
    (b"\x00\xe0abc\xfc", "abc"),
    (b"\x00\xe4\xc3\xa4\xfc", "ä"),
    (b"\x00\xfa\x34abc\xfc\x21\xfb", {"abc": None}),
]
REFUSED = [
    (b"\x10\x21", "version 0"),
    (b"\x00", "version 0"),
    (b"\x01\xfa\x80a\xc2\x40\x21\xfb", "'a' twice"),
    (b"\x00\xf8\x21", "cut short"),
    (b"\x00\x41a", "cut short"),
    (b"\x00\xe0ab", "cut short"),
    (b"\x00\x40\xff", "damaged"),
    (b"\x00\x01", "damaged"),
    (b"\x01\xfa\x40\x21\xfb", "damaged"),
    (b"\x00\x24" + b"\x01" * 11 + b"\x80", "64 bits"),
    (b"\x00\x26\x81\x01", "0x26"),
    (b"\x00\xfd\x81\x01", "0xfd"),
    (b"\x00\xf9", "0xf9"),
    (b"\x00\xfa\x35\x21\xfb", "0x35"),
    (b"\x00" + b"\xf8" * 100_000, "deeper than 32"),
]


@pytest.mark.parametrize(("rest", "found"), KNOWN)
def test_tokens(rest: bytes, found: Any) -> None:
    assert parse_smile(b":)\n" + rest) == found


@pytest.mark.parametrize(("rest", "words"), REFUSED, ids=[words for _, words in REFUSED])
def test_refused_smile(rest: bytes, words: str) -> None:
    with pytest.raises(FormatError, match=words):
        parse_smile(b":)\n" + rest)


def test_the_number_of_values_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gammon_study.match_files.bgf.MOST", 1000)
    assert len(parse_smile(smile([None] * 999))) == 999
    with pytest.raises(FormatError, match="over 1,000 values"):
        parse_smile(smile([None] * 1000))
