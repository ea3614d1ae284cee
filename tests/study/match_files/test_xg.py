"""Files of eXtreme Gammon: a real match beside its text, records that contradict it, and positions."""

import random
import struct
import zlib
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from itertools import islice
from typing import Any

import pytest

from gammon.base.errors import FormatError
from gammon.formats.notation import format_play
from gammon.formats.position import Position
from gammon_study.match_files.match_file import parse_transcript, read_transcript
from gammon_study.match_files.transcript import ActionKind, GameTranscript, Moment, Transcript
from gammon_study.match_files.xg import parse_xg, parse_xgp
from tests.damage import damages
from tests.matches import SAMPLE, SAMPLE_XG

Records = list[tuple[str, dict[str, Any]]]


@pytest.fixture(scope="module")
def records() -> Records:
    from gvformat.xg import read_xg

    return read_xg(SAMPLE_XG)


def plain(game: GameTranscript) -> list[tuple[Any, ...]]:
    """The actions of a game; nothing depends on the order of two dice."""
    return [(*each[:2], each.dice and {*each.dice}, *each[3:]) for each in game.actions]


def read(records: Records, monkeypatch: pytest.MonkeyPatch) -> Transcript:
    given = iter(records)  # the reader asks for one record at a time
    monkeypatch.setattr("gvformat.xg.read_xg", lambda data: [*islice(given, 1)])
    return parse_xg(SAMPLE_XG.read_bytes())


def test_the_same_match_as_its_text() -> None:
    found, text = read_transcript(SAMPLE_XG), read_transcript(SAMPLE)
    assert (found.players, found.length, found.warnings) == (text.players, text.length, ())
    for ours, theirs in zip(found.games, text.games, strict=True):
        assert (ours.score, ours.winner, ours.points) == (theirs.score, theirs.winner, theirs.points)
        assert plain(ours) == plain(theirs)


def test_what_the_file_says_of_it() -> None:
    match = read_transcript(SAMPLE_XG)
    assert match.stored_by == "eXtreme Gammon"
    losses = []
    for number, game in enumerate(match.games):
        for action, moment in enumerate(game.moments()):
            found = match.stored.get((number, action))
            if found is None:
                continue
            if moment.action.kind is ActionKind.ROLL and found.plays:
                equities = [play.equity for play in found.plays]
                assert equities == sorted(equities, reverse=True)
                names = {play.play: play.equity for play in found.plays}
                losses.append(equities[0] - names[format_play(moment.action.moves)])
            if found.cube is not None:
                assert 0.0 <= found.cube.probabilities[0] <= 1.0
                assert abs(found.cube.no_double) < 3.0
    assert len(losses) > 70
    assert 0.0 < sum(losses) / len(losses) < 0.05, "the players are good ones"


def test_damaged_files() -> None:
    """One line each, or as much as is legal."""
    data, chance = SAMPLE_XG.read_bytes(), random.Random(1)
    for _ in range(6):
        cut = data[: chance.randrange(len(data))]
        with pytest.raises(FormatError, match="eXtreme Gammon"):
            parse_xg(cut)
    with pytest.raises(FormatError, match="eXtreme Gammon"):
        parse_transcript(b"RGMH" + bytes(20_000))


CHANGES: list[tuple[str, dict[str, Any], str]] = [
    ("move", {"actifp": -1}, "the side that is not to act"),
    ("move", {"dice": [7, 1]}, "the roll 71"),
    ("move", {"pos_after": [0] * 26, "candidates": []}, "no legal play of"),
    ("cube", {"doubled": 1, "take": 2}, "a beaver"),
]


@pytest.mark.parametrize(("kind", "change", "words"), CHANGES)
def test_the_rest_of_a_game_is_left_out(
    records: Records, monkeypatch: pytest.MonkeyPatch, kind: str, change: dict[str, Any], words: str
) -> None:
    changed = deepcopy(records)
    found = [
        place
        for place, (name, each) in enumerate(changed)
        if name == kind and each.get("actifp", each.get("actif")) == 1
    ]
    changed[found[1]][1].update(change)
    match = read(changed, monkeypatch)
    assert len(match.warnings) == 1
    assert words in match.warnings[0]
    assert "the rest of the game is left out" in match.warnings[0]
    assert len(match.games[0].actions) < len(read_transcript(SAMPLE).games[0].actions)


def test_half_a_character_in_a_name(records: Records, monkeypatch: pytest.MonkeyPatch) -> None:
    changed = deepcopy(records)
    changed[0][1]["player1"] = "Zo\ud83d"
    name = read(changed, monkeypatch).players[0]
    assert name.encode() == "Zo\ufffd".encode()


def test_a_position_that_was_set_up(records: Records, monkeypatch: pytest.MonkeyPatch) -> None:
    first = next(place for place, (kind, _) in enumerate(records) if kind == "move")
    changed = deepcopy(records[: first + 1])
    changed[first][1]["pos_before"] = [0] * 26
    with pytest.raises(FormatError, match="set up"):
        read(changed, monkeypatch)
    with pytest.raises(FormatError, match="no end"):
        read(changed[:first], monkeypatch)


def test_a_score_that_no_position_holds(records: Records, monkeypatch: pytest.MonkeyPatch) -> None:
    for length, score, words in (
        (7, 7, "a score of 7 before a game of a match to 7"),
        (99999, 32768, "a score of 32768 for money"),
    ):
        changed = deepcopy(records)
        changed[0][1]["match_length"] = length
        next(found for kind, found in changed if kind == "header_game")["score2"] = score
        with pytest.raises(FormatError, match=words):
            read(changed, monkeypatch)


def test_xg_numbers_that_cannot_be_are_left_out(records: Records, monkeypatch: pytest.MonkeyPatch) -> None:
    changed = deepcopy(records)
    rolls = [found for kind, found in changed if kind == "move" and found["candidates"]]
    rolls[0]["err_luck"] = 1e300
    rolls[0]["candidates"][0]["equity"] = 1e300
    whole, match = read(records, monkeypatch), read(changed, monkeypatch)
    place = next(iter(whole.stored))
    assert (match.stored[place].luck, whole.stored[place].luck is None) == (None, False)
    assert len(match.stored[place].plays) == len(whole.stored[place].plays) - 1


def test_a_resignation(records: Records, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file gives no more points than the match needs."""
    end = [place for place, (kind, _) in enumerate(records) if kind == "footer_game"][-1]
    changed = deepcopy(records)
    last = [place for place in range(end) if records[place][0] == "move"][-1]
    del changed[last]
    match = read(changed, monkeypatch)
    whole = read_transcript(SAMPLE)
    action = match.games[-1].actions[-1]
    assert action.kind is ActionKind.RESIGN
    assert action.points == whole.games[-1].points
    assert match.final_score == whole.final_score


# Positions (.xgp). No file that eXtreme Gammon saved may stand here, so the records of the real match
# make positions, one from each decision.

#: Bytes of the heading and of a record, and the kinds of records.
HEAD, RECORD = 8232, 2560
MATCH, GAME, CUBE, MOVE = 0, 1, 2, 3


def sample_records() -> list[bytes]:
    data = SAMPLE_XG.read_bytes()
    (picture,) = struct.unpack_from("<I", data, 20)
    content = zlib.decompressobj().decompress(data[HEAD + picture :])
    return [content[place : place + RECORD] for place in range(0, len(content), RECORD)]


def saved(*records: bytes, comments: bytes = b"") -> bytes:
    """A file of records, with comments as the archive has them."""
    files = [(b"temp.xg", b"".join(records))] + [(b"temp.xgc", comments)] * bool(comments)
    body = entries = b""
    for name, content in files:
        part = zlib.compress(content)
        sizes = struct.pack("<4I4B", len(content), len(part), len(body), zlib.crc32(content), 0, 2, 0, 0)
        entries += bytes([len(name)]) + name.ljust(511, b"\0") + sizes
        body += part
    listed = zlib.compress(entries)
    end = struct.pack("<6I12x", 0, len(files), 1, len(listed), len(body), 1)
    return b"RGMH".ljust(HEAD, b"\0") + body + listed + end


def decisions() -> Iterator[tuple[list[bytes], Moment]]:
    """The records that a position would have, with the decision that the match has there."""
    games = iter(read_transcript(SAMPLE_XG).games)
    match, *rest = sample_records()
    for record in rest:
        if record[8] == GAME:
            game, cube, moments = record, b"", next(games).moments()
        elif record[8] == CUBE:
            cube = record
            if record[16] == 1:  # a double
                yield [match, game, record], next(moments)
                next(moments)  # its answer
        elif record[8] == MOVE:
            yield [match, game, cube, record], next(moments)


def test_a_position_is_the_one_that_the_match_has_there() -> None:
    kinds = Counter[tuple[bool, int]]()
    for records, moment in decisions():
        position = moment.position
        assert parse_xgp(saved(*records)) == (position, "")
        kinds[position.dice is None, position.context.cube_owner] += 1
        if len(records) == 4 and records[2][16] != 1:
            # Before the roll, the record of the cube has the same position.
            assert parse_xgp(saved(*records[:3])).position == position.with_dice(None)
            kinds[True, position.context.cube_owner] += 1
    assert all(kinds[without_dice, owner] for without_dice in (True, False) for owner in (0, 1, -1)), kinds


def with_fields(record: bytes, *fields: tuple[str, int, float]) -> bytes:
    changed = bytearray(record)
    for kind, place, value in fields:
        struct.pack_into(kind, changed, place, value)
    return bytes(changed)


@pytest.mark.parametrize(
    ("match", "game", "rules"),
    [
        ((99999, 0, 0), (0, 0, 0), ":0:0:0:0:10"),
        ((99999, 1, 0), (3, 1, 0), ":3:1:1:0:10"),
        ((99999, 1, 1), (0, 0, 0), ":0:0:3:0:10"),
        ((7, 0, 0), (6, 2, 1), ":6:2:1:7:10"),
        ((7, 1, 1), (6, 2, 0), ":6:2:0:7:10"),
    ],
)
def test_score_and_rules_of_a_position(
    match: tuple[int, int, int], game: tuple[int, int, int], rules: str
) -> None:
    records, _ = next(decisions())
    length, jacoby, beaver = match
    records[0] = with_fields(records[0], ("<i", 92, length), ("b", 101, jacoby), ("b", 102, beaver))
    records[1] = with_fields(records[1], ("<i", 12, game[0]), ("<i", 16, game[1]), ("b", 20, game[2]))
    assert parse_xgp(saved(*records)).position.xgid.endswith(rules)


def commented_position(comment: bytes) -> bytes:
    """The file of a position with a comment."""
    records, _ = next(decisions())
    return saved(*records[:3], with_fields(records[3], ("<i", 2524, 0)), comments=comment)


def test_a_comment_stays_with_its_position() -> None:
    records, _ = next(decisions())
    records[2] = with_fields(records[2], ("<i", 292, 0))
    records[3] = with_fields(records[3], ("<i", 2524, 1))
    data = saved(*records, comments=b"of the cube\r\nof the\1\2roll")
    assert parse_xgp(data).comment == "of the\nroll"
    assert parse_xgp(saved(*records[:3], comments=b"of the cube")).comment == "of the cube"


def test_a_match_is_no_position_and_a_position_no_match() -> None:
    with pytest.raises(FormatError, match="decisions: expected one"):
        parse_xgp(SAMPLE_XG.read_bytes())
    match, game, cube, move = next(decisions())[0]
    setup = with_fields(move, *(("b", 9 + point, 0) for point in range(6)))
    data = saved(match, game, cube, setup)
    xgid = parse_xgp(data).position.xgid
    with pytest.raises(FormatError) as refused:
        parse_transcript(data)
    assert f'not a match: try `gammon analyze "{xgid}"`' in str(refused.value)
    for records, words in (
        ([match, game], "0 decisions"),
        ([match, cube], "expected one, with its match and game"),
        ([match, game, cube, move, move], "2 decisions"),
        ([match, game, cube, with_fields(move, ("<i", 100, 7))], "dice"),
        ([match, game, cube, with_fields(move, ("b", 20, 15))], "checkers"),
        ([with_fields(match, ("<i", 92, 65)), game, cube, move], "65 points"),
    ):
        with pytest.raises(FormatError, match=f"a position of eXtreme Gammon that.*{words}"):
            parse_xgp(saved(*records))


@pytest.mark.parametrize("times", [300, pytest.param(10_000, marks=pytest.mark.nightly)])
def test_damaged_positions(times: int) -> None:
    """A damaged archive is refused, or has the same position; a damaged record ends in no other error."""
    records, _ = next(decisions())
    whole = saved(*records, comments=b"a")
    right, results = parse_xgp(whole).position, Counter[str]()
    for damage in damages(whole[HEAD:], times):
        try:
            assert parse_xgp(whole[:HEAD] + damage.data).position == right
            results["same"] += 1
        except FormatError as error:
            assert "\n" not in str(error)
            results["refused"] += 1
    assert min(results["same"], results["refused"]) > 0, results
    for damage in damages(b"".join(records), times):
        try:
            position = parse_xgp(saved(damage.data)).position
        except FormatError as error:
            assert "\n" not in str(error)
        else:
            assert Position.parse(position.xgid) == position
