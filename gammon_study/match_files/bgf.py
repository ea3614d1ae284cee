"""Match files of BGBlitz (.bgf): a line of JSON, then the match in Smile or JSON, in gzip.

Side 0 is Green, side 1 Red. Points are numbered from the player who moves, and every play is
checked against the rules. The format's documentation was not available: the fields were inferred
from real files and the same matches in other formats (docs/files.md).

Smile is the binary JSON that Jackson writes; all of it is read except big numbers and raw bytes.
A value is a token of one byte and its data. Short names, and short texts if the heading enables
it, enter tables, and later values refer to them by number. (FasterXML's
smile-format-specification.)
"""

import json
import struct
import zlib
from collections.abc import Iterator, Sequence
from math import isfinite
from typing import Any

from gammon.base.checks import is_whole, shown
from gammon.base.errors import FormatError
from gammon.eval.equity import Probabilities
from gammon.formats.characters import one_line
from gammon.formats.context import MOST_POINTS
from gammon.formats.notation import format_play
from gammon.rules.board import OFF, OPENING, OWN_BAR, Move, Moves
from gammon.rules.terms import LONGEST_MATCH, Score
from gammon_study.match_files.reading import OnGame, Reading, is_one_away, whole_in
from gammon_study.match_files.transcript import (
    Action,
    ActionKind,
    GameReplay,
    StoredAnalysis,
    StoredCube,
    StoredPlay,
    Transcript,
)

MAGIC = b":)\n"
_NAMES_SHARED, _TEXTS_SHARED = 1, 2
#: The largest depth of nesting, and the most values of a file.
_DEEPEST, MOST = 32, 2_000_000
_PLAIN = {0x20: "", 0x21: None, 0x22: False, 0x23: True}
_ARRAY, _ARRAY_END, _OBJECT, _OBJECT_END, _TEXT_END = 0xF8, 0xF9, 0xFA, 0xFB, 0xFC
#: The size of each table. A full table is emptied.
_TABLE = 1024


def parse_smile(data: bytes) -> Any:
    """Return the value of a document: objects as dicts, arrays as lists.

    Raises:
        FormatError: the bytes are not such a document, or hold a big number or raw bytes.
    """
    if data[:3] != MAGIC or len(data) < 5 or data[3] >> 4:
        raise FormatError("expected Smile's heading of version 0")
    try:
        return _Reader(data).value(0)
    except (IndexError, UnicodeDecodeError):
        raise FormatError("its Smile is cut short or damaged") from None


class _Reader:
    """A document, the place of the next byte, and the tables of names and texts."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 4
        self.values = 0
        # A table is None if the heading does not enable it.
        self.names: list[str] | None = [] if data[3] & _NAMES_SHARED else None
        self.texts: list[str] | None = [] if data[3] & _TEXTS_SHARED else None

    def value(self, depth: int) -> Any:
        """Return the next value."""
        return self.of(self.byte(), depth)

    def of(self, token: int, depth: int) -> Any:
        """Return the value that a token begins."""
        self.values += 1
        if depth > _DEEPEST or self.values > MOST:
            raise FormatError(f"its Smile is deeper than {_DEEPEST}, or has over {MOST:,} values")
        if token in _PLAIN:
            return _PLAIN[token]
        if token in (_ARRAY, _OBJECT):
            return self.array(depth + 1) if token == _ARRAY else self.object(depth + 1)
        if 0xC0 <= token <= 0xDF:
            return _signed(token & 0x1F)
        if token in (0x24, 0x25):
            return _signed(self.whole())
        if token in (0x28, 0x29):
            size, kind = ((5, ">f"), (10, ">d"))[token - 0x28]
            bits = self.bits(size) & (1 << 8 * struct.calcsize(kind)) - 1
            return struct.unpack(kind, bits.to_bytes(struct.calcsize(kind)))[0]
        if 0x40 <= token <= 0xBF:
            return self.shared(token % 0x40 + (1 if token < 0x80 else 2), self.texts)
        if token in (0xE0, 0xE4):
            return self.long_text()
        if 0x01 <= token <= 0x1F:
            return self.known(token - 1, self.texts)
        if 0xEC <= token <= 0xEF:
            return self.known((token & 3) << 8 | self.byte(), self.texts)
        raise FormatError(f"its Smile has the value 0x{token:02x}, which is not understood")

    def array(self, depth: int) -> list[Any]:
        values = []
        while (token := self.byte()) != _ARRAY_END:
            values.append(self.of(token, depth))
        return values

    def object(self, depth: int) -> dict[str, Any]:
        members: dict[str, Any] = {}
        while (token := self.byte()) != _OBJECT_END:
            name = self.name(token)
            if name in members:
                raise FormatError(f"its Smile has {name[:40]!r} twice in one object")
            members[name] = self.value(depth)
        return members

    def name(self, token: int) -> str:
        """Return the name in an object that a token begins."""
        if 0x40 <= token <= 0x7F:
            return self.known(token - 0x40, self.names)
        if 0x80 <= token <= 0xF7:
            return self.shared(token - (0x7F if token < 0xC0 else 0xBE), self.names)
        if 0x30 <= token <= 0x33:
            return self.known((token & 3) << 8 | self.byte(), self.names)
        if token == 0x34:
            return self.long_text()
        if token == 0x20:
            return ""
        raise FormatError(f"its Smile has the name 0x{token:02x}, which is not understood")

    def byte(self) -> int:
        self.at += 1
        return self.data[self.at - 1]

    def bits(self, size: int) -> int:
        """Return the number in the next `size` bytes, of 7 bits each."""
        number = 0
        for _ in range(size):
            number = number << 7 | self.byte() & 0x7F
        return number

    def whole(self) -> int:
        """Return an unsigned number: bytes of 7 bits, and a marked last byte of 6 bits."""
        number = 0
        for _ in range(10):  # 64 bits
            byte = self.byte()
            if byte & 0x80:
                return number << 6 | byte & 0x3F
            number = number << 7 | byte
        raise FormatError("its Smile has a number of more than 64 bits")

    def shared(self, size: int, table: list[str] | None) -> str:
        """Return a text of `size` bytes, and add it to a table."""
        end = self.at + size
        if end > len(self.data):
            raise IndexError
        text = self.data[self.at : end].decode()
        self.at = end
        if table is not None and size <= 64:
            if len(table) == _TABLE:
                table.clear()
            table.append(text)
        return text

    def long_text(self) -> str:
        end = self.data.find(_TEXT_END, self.at)
        if end < 0:
            raise IndexError
        text = self.data[self.at : end].decode()
        self.at = end + 1
        return text

    def known(self, number: int, table: list[str] | None) -> str:
        """Return the text with a number in a table."""
        return (table or [])[number]


def _signed(number: int) -> int:
    """Return a number whose last bit is its sign."""
    return number >> 1 ^ -(number & 1)


#: The first byte of a file.
BGF = b"{"
#: The most bytes of a decompressed match; a real match has some 100,000 for each game.
_MOST = 16_000_000
_SIDES = {-1: 0, 1: 1}
#: A second die of 7 marks another action than a play, and the first die is its number.
_ACTS = 7
_CUBE = {1: ActionKind.DOUBLE, 2: ActionKind.TAKE, 3: ActionKind.PASS}
_END, _DANCE, _RESIGN = 4, 5, 9
#: The 24 points of the opening position, as Red numbers them; Green's checkers count positive.
_BEGIN = [-count for count in OPENING[1:25]]
#: Numbers up to this one mean that nothing was computed.
_NONE = -900.0
_CHANCES = ("myWins", "myGammon", "myBackGammon", "oppGammon", "oppBackGammon")
#: The least distance of an equity from 1 that is enough to compute a scale.
_NEAR = 1e-3

Record = dict[str, Any]


def parse_bgf(data: bytes, on_game: OnGame = lambda number: None) -> Transcript:
    """Read the bytes of a match file of BGBlitz.

    Args:
        data: the bytes of the file.
        on_game: see `OnGame`.

    Raises:
        FormatError: the bytes are not such a file.
    """
    try:
        return _match(_unpacked(data), on_game)
    except (FormatError, zlib.error, RecursionError, ValueError) as error:
        raise FormatError(f"a file of BGBlitz that cannot be read: {error}") from None


def _unpacked(data: bytes) -> Record:
    head, _, rest = data.partition(b"\n")
    if len(head) > 1000 or _record(json.loads(head), "heading").get("format") != "BGF":
        raise FormatError('expected {"format":"BGF", ...} in its first line')
    unpacker = zlib.decompressobj(wbits=47)  # of gzip or zlib
    if not rest.startswith((MAGIC, b"{")):
        rest = unpacker.decompress(rest, _MOST + 1)
        if not unpacker.eof and len(rest) <= _MOST:
            raise FormatError("it is cut short")
    if len(rest) > _MOST:
        raise FormatError(f"more than {_MOST:,} bytes when it is unpacked")
    if rest.startswith(MAGIC):
        return _record(parse_smile(rest), "match")
    if sum(map(rest.count, b"[{,")) > MOST:
        raise FormatError(f"it has over {MOST:,} values")
    return _record(json.loads(rest), "match")


def _record(value: Any, what: str) -> Record:
    if not isinstance(value, dict):
        raise FormatError(f"{what} {shown(value)}: expected an object")
    return value


def _records(record: Record, name: str) -> list[Record]:
    listed = record.get(name)
    if not isinstance(listed, list):
        raise FormatError(f"{name} {shown(listed)}: expected an array")
    return [_record(entry, name) for entry in listed]


def _list(record: Record, name: str) -> list[Any]:
    """Return an array, or an empty list if the record has none."""
    listed = record.get(name)
    return listed if isinstance(listed, list) else []


def _match(record: Record, on_game: OnGame) -> Transcript:
    length = whole_in(record, "matchlen", 0, LONGEST_MATCH)
    records, reading = _records(record, "games"), Reading(on_game, length)
    live = record.get("useCube") is not False
    jacoby = not length and record.get("useJacoby") is True
    for number, game in enumerate(records):
        points = _points(game, "score", length)
        crawford = game.get("isCrawford") is True and is_one_away(length, points)
        score = Score(length, points, crawford, jacoby, live)
        last = number + 1 == len(records)
        after = _points(record, "final", 0) if last else _points(records[number + 1], "score", 0)
        _game(reading, score, game, after)
    texts = {name: value for name, value in record.items() if isinstance(value, str)}
    names = [texts.get("nameGreen", ""), texts.get("nameRed", "")]
    details = [("CubeLimit", "" if live else "1")] + [
        (detail, one_line(texts.get(name, "")))
        for detail, name in (("Event", "event"), ("Round", "round"), ("Site", "site"), ("EventDate", "date"))
    ]
    return reading.transcript(names, details, "BGBlitz")


def _points(record: Record, name: str, length: int) -> tuple[int, int]:
    """Return a score of Green and Red, which is below the length of a match."""
    high = length - 1 if length else MOST_POINTS
    return whole_in(record, f"{name}Green", 0, high), whole_in(record, f"{name}Red", 0, high)


def _game(reading: Reading, score: Score, record: Record, after: tuple[int, int]) -> None:
    """Read a game, as far as possible.

    Args:
        reading: the file being read.
        score: the score before the game.
        record: the record of the game.
        after: the score after the game.
    """
    replay = reading.begin(score)
    cube: StoredCube | None = None  # the analysis of a double, for its answer
    ended = False
    with reading.rest_left_out(replay):
        _check_begin(record)
        for move_record in _records(record, "moves"):
            action = _action(move_record, replay)
            if action is None:
                ended = True
                continue
            if ended:
                raise FormatError(f"a {action.kind} after the end of the game")
            analysis = _analysis(move_record, action, replay, cube)
            cube = analysis.cube if action.kind is ActionKind.DOUBLE else None
            replay.do(action, analysis if any(analysis) else None)
    gained = [then - now for then, now in zip(after, score.points, strict=True)]
    wins = (gained.index(max(gained)), max(gained)) if min(gained) == 0 < max(gained) else None
    reading.add(replay, wins)


def _check_begin(record: Record) -> None:
    """Check that a game is backgammon from the opening position."""
    begin = _record(record.get("initial"), "initial")
    points = begin.get("points")
    usual = {"cube": 1, "cubeOwner": 0, "gameMode": 0, "egyptian": False}
    if (
        not isinstance(points, list)
        or points[:24] != _BEGIN
        or any(points[24:])
        or any(begin.get(name, value) != value for name, value in usual.items())
    ):
        raise FormatError("a position that was set up, or another game")


def _action(record: Record, replay: GameReplay) -> Action | None:
    """Return the action of a record, or None at the end of a game.

    Raises:
        FormatError: the record is malformed, or its action is not possible here.
    """
    player = whole_in(record, "player", -1, 1)
    if player not in _SIDES:
        raise FormatError(f"player {player}: expected -1 or 1")
    side = _SIDES[player]
    first, second = whole_in(record, "red", 1, 9), whole_in(record, "green", 1, _ACTS)
    sources, targets = _list(record, "from"), _list(record, "to")
    if second == _ACTS and first != _DANCE:
        if first in _CUBE:
            return Action(_CUBE[first], side)
        if first in (_END, _RESIGN):
            return None
        raise FormatError(f"an action of number {first}, which is not understood")
    dances = second == _ACTS
    dice = (sources[:1] + targets[:1]) if dances else [first, second]
    if len(dice) != 2 or not all(is_whole(die, 1, 6) for die in dice):
        raise FormatError(f"the roll {shown(dice)}")
    if replay.side not in (None, side):
        raise FormatError("a roll of the side that is not to act")
    moves = () if dances else tuple(_moves(sources, targets))
    roll = dice[0], dice[1]
    return Action(ActionKind.ROLL, side, roll, replay.find(roll, moves) if moves else ())


def _moves(sources: Sequence[Any], targets: Sequence[Any]) -> Iterator[Move]:
    """Yield the moves of a play, up to a source of -1."""
    for source, target in zip(sources, targets, strict=False):
        if source == -1:
            return
        if not is_whole(source, 1, OWN_BAR) or not is_whole(target, 0, 24):
            raise FormatError(f"a move from {shown(source)} to {shown(target)}")
        yield Move(source, target or OFF)


def _analysis(
    record: Record, action: Action, replay: GameReplay, doubled: StoredCube | None
) -> StoredAnalysis:
    """Return the analysis of an action, before the action is taken.

    Args:
        record: the record of the action.
        action: the action.
        replay: the game before the action.
        doubled: the analysis of the double that the action answers, if it answers one.
    """
    if action.kind is not ActionKind.ROLL or action.dice is None:
        double = action.kind is ActionKind.DOUBLE
        return StoredAnalysis(cube=_cube(record) if double else doubled)
    plays = []
    for entry in _list(record, "moveAnalysis"):
        if (play := _play(entry, action.dice, replay)) is not None:
            plays.append(play)
    plays.sort(key=lambda play: -play.equity)
    context = replay.position(action.side).context
    live = replay.score.live and not context.crawford
    may = replay.rolled and live and context.cube_owner != -context.on_roll
    luck = record.get("luck")
    lucky = luck if isinstance(luck, dict) else {}
    name = "luckPlain" if lucky.get("mode") == "Money" else "luckWeighted"
    return StoredAnalysis(tuple(plays), _cube(record) if may else None, _number(lucky, name))


def _number(record: Any, name: str) -> float | None:
    """Return a number, which files store as a text, or None if there is no number."""
    try:
        number = float(record[name])
    except (KeyError, TypeError, ValueError, OverflowError):
        return None
    return number if isfinite(number) and number > _NONE else None


def _inner(record: Any, name: str) -> Record:
    value = record.get(name) if isinstance(record, dict) else None
    return value if isinstance(value, dict) else {}


def _numbers(record: Record, names: Sequence[str]) -> list[float]:
    """Return numbers, or an empty list if one is missing."""
    numbers = [_number(record, name) for name in names]
    return [number for number in numbers if number is not None] if None not in numbers else []


def _level(record: Any) -> str:
    plies = record.get("ply")
    return f"{plies}-ply" if is_whole(plies, 0, 9) else ""


def _play(record: Any, dice: tuple[int, int], replay: GameReplay) -> StoredPlay | None:
    """Return the analysis of a play, or None if it lacks numbers or the play is not legal."""
    equities, move = _inner(record, "eq"), _inner(record, "move")
    chances = _numbers(equities, _CHANCES)
    equity = _number(equities, "emg")
    if equity is None:  # for money
        cube = equities.get("cubeDecision")
        equity = _number(cube, "eqCubeFul") if cube else _number(equities, "equity")
    try:
        moves: Moves = tuple(_moves(_list(move, "from"), _list(move, "to")))
        play = format_play(replay.find(dice, moves))
    except FormatError:
        return None
    if equity is None or len(chances) != len(_CHANCES):
        return None
    return StoredPlay(play, equity, _level(record), Probabilities(*chances))


def _cube(record: Record) -> StoredCube | None:
    """Return the analysis of the cube decision in a record, or None without one.

    In a match the record has chances to win the match. It has the equity without the cube both as
    such a chance and as EMG, from which the scale follows.
    """
    equities = _inner(record, "equity")
    values = _numbers(_inner(equities, "cubeDecision"), ("eqNoDouble", "eqDoubleTake", "eqDoublePass"))
    chances = _numbers(equities, _CHANCES)
    if len(values) != 3 or len(chances) != len(_CHANCES):
        return None
    stay, taken, passed = values
    if scale := _numbers(equities, ("emg", "matchEquity")):
        equity, mwc = scale
        if abs(1.0 - equity) < _NEAR or passed == mwc:
            return None
        half = (passed - mwc) / (1.0 - equity)
        stay, taken = (1.0 + (value - passed) / half for value in (stay, taken))
    return StoredCube(stay, taken, _level(record), Probabilities(*chances))
