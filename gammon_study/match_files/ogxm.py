"""Match files in OGXM, the format of OpenGammon's HedgeHog, and in gammonview's form of it (.gvab).

gammonview reads versions 1 and 2 into one document, whose first analysis is taken. Side 0 is White, of
color 1; points are numbered from Black's side, so that White moves upward. Equities are points of the
cube, or EMG in a match.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from math import isfinite
from typing import Any

from gammon.base.checks import shown
from gammon.base.errors import FormatError
from gammon.eval.equity import Probabilities
from gammon.formats.characters import one_line
from gammon.formats.context import MOST_POINTS
from gammon.formats.notation import format_play
from gammon.rules.board import OFF, OWN_BAR, Move
from gammon.rules.terms import LONGEST_MATCH, Score
from gammon_study.match_files.reading import OnGame, Reading, check_score, is_one_away, whole_in
from gammon_study.match_files.transcript import (
    Action,
    ActionKind,
    GameReplay,
    StoredAnalysis,
    StoredCube,
    StoredPlay,
    Transcript,
)

#: The first bytes of a file.
OGXM = b"OGXM"
#: The most bytes of a file: gammonview's document takes a hundred times the memory.
MOST = 4_000_000
#: Numbers of actions that are not rolls, which are 0 to 20: acts about the cube, and ends of a game or
#: match, such as resignations, whose points the game has.
_CUBE = {21: ActionKind.DOUBLE, 22: ActionKind.TAKE, 23: ActionKind.PASS}
_ENDS = range(24, 31)
_LAST_ROLL, _SET_POSITION = 20, 31
#: Programs by a part of their names in the files, such as `gv-bgsage/3.4`.
_PROGRAMS = {"xg": "eXtreme Gammon", "bgblitz": "BGBlitz", "gnubg": "GNU Backgammon", "bgsage": "bgsage"}
_LEVELS = {"database": "book"}
_PLIES = re.compile(r"([0-9]+)ply")
_CHANCES = "win", "gammon_win", "bg_win", "gammon_loss", "bg_loss"

Record = Mapping[str, Any]


def parse_ogxm(data: bytes, on_game: OnGame = lambda number: None) -> Transcript:
    """Read the bytes of a match file in OGXM.

    Args:
        data: the bytes of the file.
        on_game: see `OnGame`.

    Raises:
        FormatError: the bytes are not such a file.
    """
    from gvformat import read_gvab

    if len(data) > MOST:
        raise FormatError(f"an OGXM file of more than {MOST:,} bytes")
    try:
        return _match(read_gvab(data), on_game)
    except (FormatError, ValueError, LookupError, TypeError, AttributeError, OverflowError, OSError) as error:
        raise FormatError(f"an OGXM file that cannot be read: {error}") from None


def _match(document: Record, on_game: OnGame) -> Transcript:
    length = whole_in(document, "match_length", 0, LONGEST_MATCH)
    if document.get("variant"):
        raise FormatError(f"another game than backgammon: variant {shown(document['variant'])}")
    white, black = document.get("score_start") or (0, 0)
    points = [int(white or 0), int(black or 0)]
    info = document.get("analysis_info") or {}
    reading = Reading(on_game, length)
    jacoby = not length and document.get("jacoby") is True
    was_one_away = False
    for game in document["games"]:
        at = points[0], points[1]
        check_score(length, at)
        # Files that were made of a .mat lack the Crawford rule; a double shows that it was not in force.
        crawford = not was_one_away and is_one_away(length, at) and not _doubles(game)
        if crawford and game.get("is_crawford") is not True:
            reading.warnings.append(f"game {len(reading.games) + 1} is read as the Crawford game")
        was_one_away = was_one_away or is_one_away(length, at)
        _game(reading, Score(length, at, crawford, jacoby), game, _level(info))
        if game.get("winner") in (0, 1):
            points[game["winner"]] += whole_in(game, "points_won", 0, MOST_POINTS)
            if length:
                points = [min(side, length) for side in points]
    started = document.get("timestamp")
    details = [
        ("Event", one_line(document.get("event") or "")),
        ("Site", one_line(document.get("site") or "")),
        ("EventDate", f"{datetime.fromtimestamp(started, UTC):%Y.%m.%d}" if started else ""),
    ]
    names = [document.get("player_white") or "", document.get("player_black") or ""]
    program = one_line(info.get("model_id") or "")
    known = (name for word, name in _PROGRAMS.items() if word in program)
    return reading.transcript(names, details, next(known, program))


def _doubles(game: Record) -> bool:
    """Return whether somebody doubles in a game."""
    return any(_CUBE.get(ply.get("action_id")) is ActionKind.DOUBLE for ply in game["plies"])


def _game(reading: Reading, score: Score, record: Record, level: str) -> None:
    """Read a game, as far as possible; `level` is the level of an analysis that names none."""
    replay = reading.begin(score)
    ended = False
    with reading.rest_left_out(replay):
        for ply in record["plies"]:
            number = whole_in(ply, "action_id", 0, 63)
            text = "\n".join(
                note["value"]
                for note in ply.get("annotations", ())
                if not note.get("key") and isinstance(note["value"], str)
            )
            if text:
                replay.remark(len(replay.actions), text)
            if number in _ENDS:
                ended = True
                continue
            action = _action(number, ply, replay)
            if ended:
                raise FormatError(f"a {action.kind} after the end of the game")
            analysis = _analysis(ply.get("analysis") or {}, action, replay, level)
            replay.do(action, analysis if any(analysis) else None)
    wins = None
    if record.get("winner") in (0, 1):
        wins = record["winner"], whole_in(record, "points_won", 0, MOST_POINTS)
    reading.add(replay, wins)


def _action(number: int, ply: Record, replay: GameReplay) -> Action:
    """Return the action of a ply.

    Raises:
        FormatError: the action is not understood, or is not possible here.
    """
    side = 1 - whole_in(ply, "color", 0, 1)
    if number in _CUBE:
        return Action(_CUBE[number], side)
    if number == _SET_POSITION:
        raise FormatError("a position that was set up")
    if number > _LAST_ROLL:
        raise FormatError(f"an action of number {number}, which is not understood")
    low, high = sorted((whole_in(ply, "d1", 1, 6), whole_in(ply, "d2", 1, 6)))
    dice = high, low  # files do not have the order
    if replay.side not in (None, side):
        raise FormatError("a roll of the side that is not to act")
    moves = tuple(_moves(ply["moves"], side))
    return Action(ActionKind.ROLL, side, dice, replay.find(dice, moves) if moves else replay.unwritten(dice))


def _moves(steps: Sequence[Record], side: int) -> Iterator[Move]:
    """Yield the moves of a play, seen from the side that makes it."""
    for step in steps:
        begin = whole_in(step, "from", 0, OWN_BAR)
        source = begin if side else OWN_BAR - begin
        yield Move(source, max(source - whole_in(step, "pips", 1, 6), OFF))


def _analysis(record: Record, action: Action, replay: GameReplay, level: str) -> StoredAnalysis:
    """Return the analysis of an action, before the action is taken."""
    if action.kind is not ActionKind.ROLL or action.dice is None:
        return StoredAnalysis(cube=_cube(record, level))
    plays = []
    for entry in record.get("alternatives", ()):
        try:
            moves = replay.find(action.dice, tuple(_moves(entry["move"], action.side)))
        except FormatError:  # a play that is against the rules
            continue
        chances, equity = _chances(entry), _number(entry, "equity")
        if chances and equity is not None:
            plays.append(StoredPlay(format_play(moves), equity, _level(entry) or level, chances))
    plays.sort(key=lambda play: -play.equity)
    luck = _number(record, "luck") or None  # 0 if it was not computed
    cube = _cube(record.get("cube_decision") or {}, level)
    return StoredAnalysis(tuple(plays), cube, luck)


def _cube(record: Record, level: str) -> StoredCube | None:
    """Return the analysis of a decision about the cube, or None without one."""
    stay, taken = _number(record, "no_double_equity"), _number(record, "double_take_equity")
    chances = _chances(record)
    if not chances or stay is None or taken is None:
        return None
    return StoredCube(stay, taken, _level(record) or level, chances)


def _chances(record: Record) -> Probabilities | None:
    """Return the chances of an analysis, or None if one is missing."""
    values = [_number(record.get("eval") or {}, name) for name in _CHANCES]
    numbers = [value for value in values if value is not None]
    return Probabilities(*numbers) if len(numbers) == len(values) else None


def _number(record: Record, name: str) -> float | None:
    """Return a number, or None if there is none."""
    value: Any = record.get(name)
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool) and isfinite(value)
    return float(value) if is_number else None


def _level(record: Record) -> str:
    """Return the level of an analysis, such as `2-ply`, or an empty text if the record has none."""
    level = record.get("eval_level") or ""
    plies = _PLIES.fullmatch(level)
    return f"{plies[1]}-ply" if plies else _LEVELS.get(level, one_line(level))
