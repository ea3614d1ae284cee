"""Match files of BGBlitz (.bgf): a line of JSON, then the match in Smile or JSON, in gzip.

Side 0 is Green, side 1 Red. Points are numbered as the player who moves sees them, and every
play is held to the rules. The program's own page was not at hand: the fields are those of real
files, beside the same matches in other formats (docs/files.md).

Smile is the binary JSON that Jackson writes; all of it is read but big numbers and raw bytes. A
value is a token of one byte and what follows it. Short names, and short texts where the heading
says so, are kept in tables, and later ones are numbers in these. (FasterXML's
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
from gammon.formats.characters import one_line
from gammon.formats.context import MOST_POINTS, is_one_away
from gammon.formats.notation import format_play
from gammon.rules.board import OFF, OPENING, OWN_BAR
from gammon.rules.moves import Move, Moves
from gammon.rules.terms import LONGEST_MATCH, Score
from gammon_study.match_files.reading import OnGame, Reading
from gammon_study.match_files.stored import StoredAnalysis, StoredCube, StoredPlay
from gammon_study.match_files.transcript import Action, ActionKind, GameReplay, Transcript

MAGIC = b":)\n"
_NAMES_SHARED, _TEXTS_SHARED = 1, 2
#: No value lies deeper in others, and no file has more of them.
_DEEPEST, MOST = 32, 2_000_000
_PLAIN = {0x20: "", 0x21: None, 0x22: False, 0x23: True}
_ARRAY, _ARRAY_END, _OBJECT, _OBJECT_END, _TEXT_END = 0xF8, 0xF9, 0xFA, 0xFB, 0xFC
#: The size of each table. A full one begins anew.
_TABLE = 1024


def parse_smile(data: bytes) -> Any:
    """Return the value of a document: objects as dicts, arrays as lists.

    Raises:
        FormatError: the bytes are no such document, or hold a big number or bytes.
    """
    if data[:3] != MAGIC or len(data) < 5 or data[3] >> 4:
        raise FormatError("expected Smile's heading of version 0")
    try:
        return _Reader(data).value(0)
    except (IndexError, UnicodeDecodeError):
        raise FormatError("its Smile is cut short or damaged") from None


class _Reader:
    """The rest of a document, and the tables of names and texts."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 4
        self.values = 0
        # A table is None where nothing is shared.
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
        found = []
        while (token := self.byte()) != _ARRAY_END:
            found.append(self.of(token, depth))
        return found

    def object(self, depth: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        while (token := self.byte()) != _OBJECT_END:
            name = self.name(token)
            if name in found:
                raise FormatError(f"its Smile has {name[:40]!r} twice in one object")
            found[name] = self.value(depth)
        return found

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
        """Return a number of `size` bytes of 7 bits."""
        found = 0
        for _ in range(size):
            found = found << 7 | self.byte() & 0x7F
        return found

    def whole(self) -> int:
        """Return a number without sign: bytes of 7 bits, and a marked last one of 6."""
        found = 0
        for _ in range(10):  # 64 bits
            byte = self.byte()
            if byte & 0x80:
                return found << 6 | byte & 0x3F
            found = found << 7 | byte
        raise FormatError("its Smile has a number of more than 64 bits")

    def shared(self, size: int, table: list[str] | None) -> str:
        """Return a text of `size` bytes, which a table keeps."""
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
        """Return a text of a table."""
        return (table or [])[number]


def _signed(number: int) -> int:
    """Return a number whose last bit is its sign."""
    return number >> 1 ^ -(number & 1)


#: The first byte of a file.
BGF = b"{"
#: Bytes of a match when it is unpacked; a real one has some 100,000 for each game.
_MOST = 16_000_000
_SIDES = {-1: 0, 1: 1}
#: A second die of 7 stands for an action, and the first die says which one.
_ACTS = 7
_CUBE = {1: ActionKind.DOUBLE, 2: ActionKind.TAKE, 3: ActionKind.PASS}
_END, _DANCE, _RESIGN = 4, 5, 9
#: The first 24 points of a game, as Red numbers them; Green's checkers count positive.
_BEGIN = [-count for count in OPENING[1:25]]
#: Stands for a number that was not worked out.
_NONE = -900.0
_CHANCES = ("myWins", "myGammon", "myBackGammon", "oppGammon", "oppBackGammon")
#: The nearest that an equity may be to 1 for a scale to follow from it.
_NEAR = 1e-3

Record = dict[str, Any]


def parse_bgf(data: bytes, on_game: OnGame = lambda number: None) -> Transcript:
    """Read the bytes of a match file of BGBlitz.

    Args:
        data: of the file.
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


def _record(found: Any, what: str) -> Record:
    if not isinstance(found, dict):
        raise FormatError(f"{what} {shown(found)}: expected an object")
    return found


def _records(found: Record, name: str) -> list[Record]:
    listed = found.get(name)
    if not isinstance(listed, list):
        raise FormatError(f"{name} {shown(listed)}: expected an array")
    return [_record(each, name) for each in listed]


def _list(found: Record, name: str) -> list[Any]:
    """Return an array, or an empty one where there is none."""
    listed = found.get(name)
    return listed if isinstance(listed, list) else []


def _whole(found: Record, name: str, low: int, high: int) -> int:
    value: Any = found.get(name)
    if not is_whole(value, low, high):
        raise FormatError(f"{name} {shown(value)}: expected {low} to {high}")
    return int(value)


def _match(found: Record, on_game: OnGame) -> Transcript:
    length = _whole(found, "matchlen", 0, LONGEST_MATCH)
    records, reading = _records(found, "games"), Reading(on_game, length)
    live = found.get("useCube") is not False
    jacoby = not length and found.get("useJacoby") is True
    for number, record in enumerate(records):
        points = _points(record, "score", length)
        crawford = record.get("isCrawford") is True and is_one_away(length, points)
        score = Score(length, points, crawford, jacoby, live)
        last = number + 1 == len(records)
        after = _points(found, "final", 0) if last else _points(records[number + 1], "score", 0)
        _game(reading, score, record, after)
    texts = {name: value for name, value in found.items() if isinstance(value, str)}
    names = [texts.get("nameGreen", ""), texts.get("nameRed", "")]
    details = [("CubeLimit", "" if live else "1")] + [
        (detail, one_line(texts.get(name, "")))
        for detail, name in (("Event", "event"), ("Round", "round"), ("Site", "site"), ("EventDate", "date"))
    ]
    return reading.transcript(names, details, "BGBlitz")


def _points(found: Record, name: str, length: int) -> tuple[int, int]:
    """Return a score of Green and Red, which is below the length of a match."""
    high = length - 1 if length else MOST_POINTS
    return _whole(found, f"{name}Green", 0, high), _whole(found, f"{name}Red", 0, high)


def _game(reading: Reading, score: Score, record: Record, after: tuple[int, int]) -> None:
    """Read a game, as far as that can be done.

    Args:
        reading: of the file.
        score: before the game.
        record: of the game.
        after: the score after it.
    """
    replay = reading.begin(score)
    cube: StoredCube | None = None  # what is said of a double before its answer
    ended = False
    with reading.rest_left_out(replay):
        _check_begin(record)
        for found in _records(record, "moves"):
            action = _action(found, replay)
            if action is None:
                ended = True
                continue
            if ended:
                raise FormatError(f"a {action.kind} after the end of the game")
            said = _said(found, action, replay, cube)
            cube = said.cube if action.kind is ActionKind.DOUBLE else None
            replay.do(action, said if any(said) else None)
    gained = [then - now for then, now in zip(after, score.points, strict=True)]
    wins = (gained.index(max(gained)), max(gained)) if min(gained) == 0 < max(gained) else None
    reading.add(replay, wins)


def _check_begin(record: Record) -> None:
    """Check that a game is one of backgammon, from the opening position."""
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


def _action(found: Record, replay: GameReplay) -> Action | None:
    """Return what a record says that a side does, or None at the end of a game.

    Raises:
        FormatError: it says nothing that the side could do here.
    """
    player = _whole(found, "player", -1, 1)
    if player not in _SIDES:
        raise FormatError(f"player {player}: expected -1 or 1")
    side = _SIDES[player]
    first, second = _whole(found, "red", 1, 9), _whole(found, "green", 1, _ACTS)
    sources, targets = _list(found, "from"), _list(found, "to")
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
    """Yield the moves of a play; -1 stands behind the last one."""
    for source, target in zip(sources, targets, strict=False):
        if source == -1:
            return
        if not is_whole(source, 1, OWN_BAR) or not is_whole(target, 0, 24):
            raise FormatError(f"a move from {shown(source)} to {shown(target)}")
        yield Move(source, target or OFF)


def _said(found: Record, action: Action, replay: GameReplay, doubled: StoredCube | None) -> StoredAnalysis:
    """Return what a record says of its action, before it is taken.

    Args:
        found: the record.
        action: that of the record.
        replay: the game before the action.
        doubled: what was said of the double that is answered.
    """
    if action.kind is not ActionKind.ROLL or action.dice is None:
        double = action.kind is ActionKind.DOUBLE
        return StoredAnalysis(cube=_cube(found) if double else doubled)
    plays = []
    for each in _list(found, "moveAnalysis"):
        if (play := _play(each, action.dice, replay)) is not None:
            plays.append(play)
    plays.sort(key=lambda play: -play.equity)
    context = replay.position(action.side).context
    live = replay.score.live and not context.crawford
    may = replay.rolled and live and context.cube_owner != -context.on_roll
    luck = found.get("luck")
    lucky = luck if isinstance(luck, dict) else {}
    name = "luckPlain" if lucky.get("mode") == "Money" else "luckWeighted"
    return StoredAnalysis(tuple(plays), _cube(found) if may else None, _number(lucky, name))


def _number(found: Any, name: str) -> float | None:
    """Return a number, which files have as a text, or None where there is none."""
    try:
        number = float(found[name])
    except (KeyError, TypeError, ValueError, OverflowError):
        return None
    return number if isfinite(number) and number > _NONE else None


def _inner(found: Any, name: str) -> Record:
    value = found.get(name) if isinstance(found, dict) else None
    return value if isinstance(value, dict) else {}


def _numbers(found: Record, names: Sequence[str]) -> list[float]:
    """Return numbers, or none at all where one is missing."""
    numbers = [_number(found, name) for name in names]
    return [each for each in numbers if each is not None] if None not in numbers else []


def _level(found: Any) -> str:
    plies = found.get("ply")
    return f"{plies}-ply" if is_whole(plies, 0, 9) else ""


def _play(found: Any, dice: tuple[int, int], replay: GameReplay) -> StoredPlay | None:
    """Return a play of a roll, or None where it is not one."""
    equities, move = _inner(found, "eq"), _inner(found, "move")
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
    return StoredPlay(play, equity, _level(found), tuple(chances))


def _cube(found: Record) -> StoredCube | None:
    """Return what a record says of the cube before it; in a match from chances to win that.

    The equity without the cube, which stands there in both ways, gives their scale.
    """
    equities = _inner(found, "equity")
    said = _numbers(_inner(equities, "cubeDecision"), ("eqNoDouble", "eqDoubleTake", "eqDoublePass"))
    chances = _numbers(equities, _CHANCES)
    if len(said) != 3 or len(chances) != len(_CHANCES):
        return None
    stay, taken, passed = said
    if scale := _numbers(equities, ("emg", "matchEquity")):
        equity, mwc = scale
        if abs(1.0 - equity) < _NEAR or passed == mwc:
            return None
        half = (passed - mwc) / (1.0 - equity)
        stay, taken = (1.0 + (each - passed) / half for each in (stay, taken))
    return StoredCube(stay, taken, _level(found), tuple(chances))
