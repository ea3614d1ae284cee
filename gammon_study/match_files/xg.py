"""Files of eXtreme Gammon, matches (.xg) and positions (.xgp); gammonview reads their records, but no
comments.

The maker documents the format (extremegammon.com/XGformat.aspx): a heading, a picture, and an
archive of files, of which the first has the records, and `temp.xgc` the comments, one a line, as plain
text or RTF. A record has the numbers of its comments.

Side 0 is the file's first player, who sees the position before a decision; the player who moves sees
the position after it. Every play is identified by the position after it, or else by its moves, and is
checked against the rules as in any other file.
"""

import re
import struct
import zlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import date, timedelta
from itertools import groupby, islice
from typing import Any, NamedTuple

from gammon.base.errors import FormatError
from gammon.eval.equity import Probabilities
from gammon.formats.characters import decoded, one_line
from gammon.formats.context import BOTTOM, TOP, Context
from gammon.formats.notation import format_play
from gammon.formats.position import Position
from gammon.rules.board import OFF, OPENING, Move, Moves, flipped
from gammon.rules.sequences import plays_of
from gammon.rules.terms import Score
from gammon_study.match_files.reading import OnGame, Reading, check_length, check_score, is_one_away
from gammon_study.match_files.transcript import (
    MOST_ACTIONS,
    Action,
    ActionKind,
    GameReplay,
    StoredAnalysis,
    StoredCube,
    StoredPlay,
    Transcript,
)

#: The first bytes of a file.
XG = b"RGMH"
#: Bytes of the heading, and the place in it of the picture's size; picture and records follow.
_HEAD, _PICTURE = 8232, 20
#: Bytes of a record, and the most bytes of a file's records: twice a match to 64.
_RECORD = 2560
_MOST = 25_600 * _RECORD
#: Bytes of the archive's last record and of an entry of its list of files, and the places in an entry
#: of the file's sizes and beginning, and of the sign that it is not compressed.
_ARCHIVE, _ENTRY, _SIZES, _PLAIN = 36, 532, 512, 528
#: Places in a record: of the numbers of its comments, and of the sign that a person flagged it.
_COMMENTS = {"header_game": (56, 60), "cube": (292,), "move": (2524,)}
_FLAGS = {"cube": 288, "move": 2520}
#: The place of the position in a record of the cube, and the number of its points.
_POSITION, _POINTS = 36, 26
#: The most characters of RTF that are read.
_LONGEST = 200_000
_LOST = "the file's comments, or some of them, cannot be read"
#: Control words of RTF that end a line, its groups without text, and all other control words.
_ENDS = re.compile(r"\\(?:par|line)\b ?")
_GROUPS = re.compile(r"\{\\(?:fonttbl|colortbl|stylesheet|info|\*)(?:[^{}]|\{[^{}]*\})*\}")
_CONTROLS = re.compile(r"\\u(-?\d{1,5}) ?\??|\\'([\da-fA-F]{2})|\\([\\{}])|\\[a-z]{1,32}-?\d{0,9} ?|[{}\r\n]")
#: The length of a session for money.
_MONEY = 99999
#: The most records of a position that are read; a match has more decisions.
_MOST_OF_POSITION = 20
#: The day from which the file counts days.
_FIRST_DAY = date(1899, 12, 30)
#: An equity up to this one was not computed.
_NONE = -1000.0
#: Levels that are not a number of plies.
_LEVELS = {
    12: "3-ply red",
    100: "rollout",
    998: "book",
    999: "book",
    1000: "XG Roller",
    1001: "XG Roller+",
    1002: "XG Roller++",
}

#: The errors that damaged files raise.
_UNREADABLE = (FormatError, ValueError, IndexError, struct.error, zlib.error)

Record = tuple[str, dict[str, Any]]


class SavedPosition(NamedTuple):
    """A position that eXtreme Gammon saved.

    Attributes:
        position: the position; side 0 is X. Without a roll it asks whether to double.
        comment: the comment in the file, or an empty text.
    """

    position: Position
    comment: str


def parse_xg(data: bytes, on_game: OnGame = lambda number: None) -> Transcript:
    """Read the bytes of a match file of eXtreme Gammon.

    Args:
        data: the bytes of the file.
        on_game: see `OnGame`.

    Raises:
        FormatError: the bytes are not such a file, or are a position that was set up.
    """
    try:
        return _match(_records(data), on_game)
    except _UNREADABLE as error:
        why = f"a file of eXtreme Gammon that cannot be read: {error}"
    with suppress(FormatError):
        xgid = parse_xgp(data).position.xgid
        why = f'a position of eXtreme Gammon, not a match: try `gammon analyze "{xgid}"`'
    raise FormatError(why)


def parse_xgp(data: bytes) -> SavedPosition:
    """Read the bytes of a position that eXtreme Gammon saved (.xgp).

    Raises:
        FormatError: the bytes are not such a file, or have several decisions, as a match has.
    """
    try:
        return _saved_position(_records(data))
    except _UNREADABLE as error:
        raise FormatError(f"a position of eXtreme Gammon that cannot be read: {error}") from None


def _records(data: bytes) -> Iterator[Record]:
    """Yield the records of a file.

    gammonview would decompress files of any size, and takes fifteen times the memory of the
    records. It therefore gets one record at a time, compressed at level 0.

    Raises:
        FormatError: there are too many records, or some are missing.
        struct.error, zlib.error: the file is damaged.
    """
    from gvformat.xg import read_xg

    (picture,) = struct.unpack_from("<I", data, _PICTURE)
    archive = data[_HEAD + picture :]
    records, rest = _unpacked(archive)
    comments = _comments(archive) if rest else []
    head = XG + bytes(_HEAD - len(XG))
    for place in range(0, len(records), _RECORD):
        part = records[place : place + _RECORD]
        for kind, record in read_xg(head + zlib.compress(part, 0)):  # one, or none of an unknown kind
            numbers = [struct.unpack_from("<i", part, field)[0] for field in _COMMENTS.get(kind, ())]
            known = comments or []
            record["comments"] = [known[n] if 0 <= n < len(known) else "" for n in numbers]
            # A file without comments may have 0 in place of -1.
            record["lost"] = max(numbers, default=-1) >= (0 if comments is None else max(len(known), 1))
            record["flagged"] = kind in _FLAGS and part[_FLAGS[kind]] == 1
            if kind == "cube":
                record["pos_before"] = struct.unpack_from(f"<{_POINTS}b", part, _POSITION)
            yield kind, record


def _unpacked(data: bytes) -> tuple[bytes, bytes]:
    """Return the first compressed file of an archive, decompressed, and what follows it.

    Raises:
        FormatError: it is cut short, or too long.
        zlib.error: it is damaged.
    """
    unpacker = zlib.decompressobj()
    content = unpacker.decompress(data, _MOST)
    if not unpacker.eof:
        raise FormatError(f"its records are cut short, or more than {_MOST:,} bytes")
    return content, unpacker.unused_data


def _comments(archive: bytes) -> list[str] | None:
    """Return the comments of an archive; None if its list of files, or of comments, is damaged."""
    with suppress(struct.error, zlib.error, FormatError, IndexError):
        _, count, _, size, _, packed = struct.unpack_from("<6I", archive, len(archive) - _ARCHIVE)
        entries = archive[len(archive) - _ARCHIVE - size : -_ARCHIVE]
        entries = _unpacked(entries)[0] if packed else entries
        if not 0 < count * _ENTRY == len(entries):
            return None
        for place in range(0, len(entries), _ENTRY):
            entry = entries[place : place + _ENTRY]
            if entry[1 : 1 + entry[0]] == b"temp.xgc":
                whole, part, begin = struct.unpack_from("<3I", entry, _SIZES)
                content = archive[begin : begin + (whole if entry[_PLAIN] else part)]
                text = content if entry[_PLAIN] else _unpacked(content)[0]
                return [_plain(line) for line in _lines(text)]
        return []
    return None


def _lines(data: bytes) -> list[str]:
    """Return the lines of a file of comments; the bytes 1 and 2 stand for an end of a line in one."""
    lines = data.replace(b"\1\2", b"\x0b").split(b"\r\n")
    return [decoded(line.replace(b"\x0b", b"\n")) for line in lines]


def _plain(comment: str) -> str:
    """Return the text of a comment, which may be RTF."""
    if not comment.startswith("{\\rtf"):
        return comment
    text = _GROUPS.sub("", comment[:_LONGEST])
    return _CONTROLS.sub(_character, _ENDS.sub("\v", text)).replace("\v", "\n").strip("\n\0")


def _character(control: re.Match[str]) -> str:
    """Return the character that a control word of RTF stands for, or an empty text."""
    number, byte, itself = control.groups()
    if number:
        return chr(int(number) % 0x10000)
    return bytes.fromhex(byte).decode("cp1252", "ignore") if byte else itself or ""


def _saved_position(records: Iterator[Record]) -> SavedPosition:
    """Return the position of records: a match's heading, a game's, and one decision.

    The file keeps a roll with the decision about the cube that came before it.
    """
    parts: dict[str, list[dict[str, Any]]] = {}
    for kind, record in islice(records, _MOST_OF_POSITION):
        parts.setdefault(kind, []).append(record)
    decisions = parts.get("move") or parts.get("cube", [])
    if len(decisions) != 1 or not {"header_match", "header_game"} <= parts.keys():
        raise FormatError(f"{len(decisions)} decisions: expected one, with its match and game")
    length, jacoby, beavers = _rules(parts["header_match"][0])
    score = _score(parts["header_game"][0], length, jacoby)
    decision = decisions[0]
    moves = "dice" in decision
    turn = BOTTOM if _side(decision["actifp" if moves else "actif"]) == 0 else TOP
    cube = decision["cube_a" if moves else "cube_b"]
    context = Context(
        cube_log2=abs(cube),
        cube_owner=(cube > 0) - (cube < 0),
        on_roll=turn,
        scores=score.points,
        length=length,
        crawford=score.crawford,
        jacoby=score.jacoby,
        beavers=beavers and not length,
    )
    points = tuple(decision["pos_before"])
    position = Position(
        points if turn == BOTTOM else flipped(points), context, tuple(decision["dice"]) if moves else None
    )
    return SavedPosition(Position.parse(position.xgid), "\n".join(filter(None, decision["comments"])))


def _rules(head: dict[str, Any]) -> tuple[int, bool, bool]:
    """Return the length of a match, 0 for money, and whether the Jacoby rule and beavers apply."""
    length = 0 if head["match_length"] == _MONEY else head["match_length"]
    check_length(length)
    return length, head["jacoby"], head["beaver"]


def _match(records: Iterator[Record], on_game: OnGame) -> Transcript:
    """Return the match of records, which begin with its heading."""
    head = next((record for kind, record in records if kind == "header_match"), None)
    if head is None:
        raise FormatError("no heading of a match")
    length, jacoby, _ = _rules(head)
    reading = Reading(on_game, length)
    for part in _games(records):
        _game(reading, _score(part[0][1], length, jacoby), part)
    names = [head["player1"], head["player2"]]
    details = [
        ("Event", one_line(head["event"])),
        ("Site", one_line(head["location"])),
        ("EventDate", _day(head.get("date"))),
    ]
    return reading.transcript(names, details, "eXtreme Gammon")


def _day(number: float | None) -> str:
    """Return a day from its number, or an empty text."""
    try:
        return f"{_FIRST_DAY + timedelta(days=number):%Y.%m.%d}" if number else ""
    except (OverflowError, ValueError):
        return ""


def _games(records: Iterator[Record]) -> Iterator[list[Record]]:
    """Yield the records of each game, its heading first, at most as many as a game can have."""
    number = 0

    def game_of(record: Record) -> int:
        nonlocal number
        number += record[0] == "header_game"
        return number

    for game, part in groupby(records, game_of):
        if game:
            yield list(islice(part, 2 * MOST_ACTIONS))


def _score(head: dict[str, Any], length: int, jacoby: bool) -> Score:
    points = head["score1"], head["score2"]
    check_score(length, points)
    crawford = head["is_crawford"] and is_one_away(length, points)
    return Score(length, points, crawford, not length and jacoby)


def _game(reading: Reading, score: Score, records: Sequence[Record]) -> None:
    """Read a game, as far as possible."""
    replay = reading.begin(score)
    cube: dict[str, Any] | None = None  # the record of the cube decision before the next roll
    wins: tuple[int, int] | None = None
    with reading.rest_left_out(replay):
        for kind, record in records:
            if record["lost"] and _LOST not in reading.warnings:
                reading.warnings.append(_LOST)
            text = "\n".join(record["comments"])
            if text or record["flagged"]:
                replay.remark(len(replay.actions), text, "flagged" if record["flagged"] else "")
            if kind == "cube":
                cube = None if record["doubled"] == 1 else record
                analysis = StoredAnalysis(cube=_cube(record))
                for action in _cube_actions(record):
                    replay.do(action, analysis if any(analysis) else None)
            elif kind == "move":
                action, plays = _roll(record, replay)
                luck = record["err_luck"] or None  # 0 if it was not computed
                analysis = StoredAnalysis(tuple(plays), _cube(cube) if cube else None, luck)
                replay.do(action, analysis if any(analysis) else None)
                cube = None
            elif kind == "footer_game" and record["winner"]:
                wins = _side(record["winner"]), record["points"]
    reading.add(replay, wins)


def _side(sign: int) -> int:
    """Return a side, which the file writes as 1 or -1."""
    return 0 if sign == 1 else 1


def _cube_actions(record: dict[str, Any]) -> Iterator[Action]:
    """Yield the double and its answer in a record, if it has a double."""
    if record["doubled"] != 1:
        return
    side = _side(record["actif"])
    yield Action(ActionKind.DOUBLE, side)
    if record["take"] == 2:
        raise FormatError("a beaver")
    yield Action(ActionKind.TAKE if record["take"] == 1 else ActionKind.PASS, 1 - side)


def _roll(record: dict[str, Any], replay: GameReplay) -> tuple[Action, list[StoredPlay]]:
    """Return the action of a roll, and the analysis of its plays."""
    side, dice = _side(record["actifp"]), (record["dice"][0], record["dice"][1])
    if not all(1 <= die <= 6 for die in dice):
        raise FormatError(f"the roll {dice[0]}{dice[1]}")
    if replay.side not in (None, side):
        raise FormatError("a roll of the side that is not to act")
    points = replay.position(side).points
    if points == OPENING and not replay.rolled:
        begun = {tuple(record["pos_before"]), flipped(record["pos_before"])}
        if OPENING not in begun:
            raise FormatError("a position that was set up")
    legal = plays_of(points, dice)

    def play_of(after: Sequence[int], hops: Sequence[int]) -> Moves | None:
        moves = legal.get(tuple(after))
        if moves is not None:
            return moves
        try:
            return replay.find(dice, tuple(_moves(hops)))
        except FormatError:
            return None

    played = [candidate for candidate in record["candidates"] if candidate["is_played"]]
    moves = play_of(record["pos_after"], played[0]["moves"] if played else ())
    if moves is None:
        moves = replay.only_play(dice)
    if moves is None:
        raise FormatError(f"no legal play of {dice[0]}{dice[1]} leads to the position after it")
    plays = []
    for candidate in record["candidates"]:
        play = play_of(candidate["pos"], candidate["moves"])
        if play is not None and candidate["equity"] > _NONE:
            level, chances = _level(candidate["level"]), Probabilities(*candidate["probs"])
            plays.append(StoredPlay(format_play(play), candidate["equity"], level, chances))
    plays.sort(key=lambda play: -play.equity)
    return Action(ActionKind.ROLL, side, dice, moves), plays


def _moves(hops: Sequence[int]) -> Iterator[Move]:
    """Yield the moves of a candidate.

    Args:
        hops: sources and targets by turns: points from 0 to 23, 24 for the bar, a target below 0
            for off, and a source of -1 after the last move.
    """
    for source, target in zip(hops[::2], hops[1::2], strict=False):
        if source < 0 or source == target:
            return
        yield Move(source + 1, target + 1 if target >= 0 else OFF)


def _cube(record: dict[str, Any]) -> StoredCube | None:
    """Return the analysis of a decision about the cube, or None without one."""
    stay, taken = record["equ_b"], record["equ_double"]
    if stay <= _NONE or taken <= _NONE or not any(record["eval_nd"]):
        return None
    lose_bg, lose_g, _, win, win_g, win_bg, _ = record["eval_nd"]
    chances = Probabilities(win, win_g, win_bg, lose_g, lose_bg)
    return StoredCube(stay, taken, _level(record["level"]), chances)


def _level(code: int) -> str:
    return _LEVELS.get(code) or f"{code + 1}-ply"
