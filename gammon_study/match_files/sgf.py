"""Matches in GNU Backgammon's SGF: a tree of nodes for each game, with GM[6].

Side 0 is W (white), side 1 is B. Points are letters, numbered from W: `a` to `x` are 1 to 24, `y`
is the bar and `z` is off. GNU Backgammon's analysis is read, but not written: plays (A), decisions
about the cube (DA), luck (LU). Only evaluations are read; rollouts are left out. The file does not
name the match equity table behind its chances to win; Kazaross-XG2, GNU Backgammon's usual table,
is assumed. Comments (C) and marks (BM, DO, IT, TE, HO) are read and written.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import isfinite

from gammon.base.errors import FormatError
from gammon.eval.equity import Probabilities
from gammon.formats.characters import one_line, quoted
from gammon.formats.met_file import read_met
from gammon.formats.notation import format_play
from gammon.rules.board import OFF, OWN_BAR, Move, Moves
from gammon.rules.terms import Score, Terms
from gammon_study.match_files.reading import OnGame, Reading, check_length, check_score, is_one_away
from gammon_study.match_files.sgf_text import DETAILS, Node, details_in, trees
from gammon_study.match_files.transcript import (
    MARKS,
    Action,
    ActionKind,
    GameReplay,
    GameTranscript,
    Remark,
    StoredAnalysis,
    StoredCube,
    StoredPlay,
    Transcript,
)

#: The mark of an evaluation; the other kind is a rollout.
_EVALUATED = "E"
#: The number of best plays of a roll that are read, beside the play that was made.
_MOST = 8
#: The count of numbers for each of the two positions of a cube decision: five chances, the equity
#: without the cube and the equity with it.
_POSITION = 7


def stored_of(
    values: Mapping[str, Sequence[str]], terms: Terms, named: Callable[[str], str]
) -> StoredAnalysis | None:
    """Return the analysis in a node, or None without one.

    Args:
        values: the properties of the node.
        terms: what is at stake for the player on roll.
        named: returns the notation of a play from its letters, or raises a `FormatError`.
    """
    made, *listed = values.get("A", []) or [""]
    read = [_play(text, named) for number, text in enumerate(listed) if number < _MOST or made == str(number)]
    plays = [play for play in read if play is not None]
    cube = _cube("".join(values.get("DA", [])[:1]), terms)
    luck = _numbers(values.get("LU", [])[:1])
    if not (plays or cube or luck):
        return None
    plays.sort(key=lambda play: -play.equity)
    return StoredAnalysis(tuple(plays), cube, luck[0] if luck else None)


def _play(text: str, named: Callable[[str], str]) -> StoredPlay | None:
    """Return a play such as `lnab E ver 3 0.49 0.13 0.01 0.14 0.01 -0.008 0C ...`."""
    words = text.split()
    if words[1:2] != [_EVALUATED]:
        return None
    numbers = _numbers(words[4:10])
    if len(numbers) != 6 or len(words) < 11:
        return None
    try:
        play = named(words[0])
    except FormatError:
        return None
    return StoredPlay(play, numbers[5], _level(words[10]), Probabilities(*numbers[:5]))


def _cube(text: str, terms: Terms) -> StoredCube | None:
    """Return a decision such as `E ver 3 0C 1 0.000000 1` with the numbers of two positions."""
    words = text.split()
    numbers = _numbers(words[7:])
    if words[:1] != [_EVALUATED] or len(numbers) != 2 * _POSITION:
        return None
    stay, taken = numbers[_POSITION - 1], numbers[-1]
    if terms.length:  # in a match the file has chances to win it
        stay, taken = (read_met().emg(mwc, terms) for mwc in (stay, taken))
    return StoredCube(stay, taken, _level(words[3]), Probabilities(*numbers[:5]))


def _level(text: str) -> str:
    """Return a level such as `2C` in words: the plies, and whether it is cubeless."""
    plies = text.rstrip("C")
    return f"{plies}-ply" + ("" if text.endswith("C") else ", cubeless")


def _numbers(words: Sequence[str]) -> list[float]:
    """Return words as numbers, or an empty list if a word is not a finite number."""
    try:
        numbers = [float(word) for word in words]
    except ValueError:
        return []
    return numbers if all(map(isfinite, numbers)) else []


_COLORS = "WB"
_BAR, _OFF = "y", "z"
_WORDS = {"double": ActionKind.DOUBLE, "take": ActionKind.TAKE, "drop": ActionKind.PASS}
_OF_KIND = {kind: word for word, kind in _WORDS.items()}
_SETUP = {"AE", "AW", "AB", "PL", "CV", "CP", "DI"}
#: These properties alone are a roll without a play: the game ended or was saved before the play.
_ROLLED = {"PL", "DI"}
#: Names of the rules of other games begin with one of these, in any case.
_OTHER_GAMES = "nackgammon", "hypergammon"
_ROLL = re.compile("([1-6])([1-6])((?:[a-z][a-z]){0,4})")
_LETTERS = re.compile("(?:[a-z][a-z]){0,4}")
_RESULT = re.compile(r"([WB])\+(\d{1,4})(R?)")


def parse_sgf(text: str, on_game: OnGame = lambda number: None) -> Transcript:
    """Read a match of GNU Backgammon's SGF.

    Args:
        text: the text of the file.
        on_game: see `OnGame`.

    Raises:
        FormatError: the text is not such a match. The message names the line.
    """
    reading, root = Reading(on_game), Node(1, {})
    for nodes in trees(text):
        if not nodes or nodes[0].first("GM") != "6":
            line = nodes[0].line if nodes else 1
            raise FormatError(f"line {line}: no game of backgammon: expected GM[6]")
        if not reading.games:
            root = nodes[0]
        _game(reading, nodes)
    names = root.first("PW"), root.first("PB")
    program = one_line(root.first("AP").replace(":", " "))
    return reading.transcript(names, details_in(root), program)


def _game(reading: Reading, nodes: list[Node]) -> None:
    """Read a game, as far as possible."""
    root, number = nodes[0], len(reading.games) + 1
    try:
        score = _score(root)
    except FormatError as error:
        raise FormatError(f"line {root.line}: {error}") from None
    if not reading.games:
        reading.length = score.length
    if score.length != reading.length:
        raise FormatError(f"game {number} is of a match of another length")
    replay = reading.begin(score)
    for node in nodes:
        try:
            for action in _actions(node, replay):
                replay.do(action, _stored(node, replay, action))
        except FormatError as error:
            place = f"line {node.line}: {error}"
            reading.warnings.append(f"{place}; the rest of game {number} is left out")
            replay.cut = True
            break
        text, mark = "\n".join(node.values.get("C", [])), _mark(node)
        if text or mark:
            replay.remark(max(len(replay.actions) - 1, 0), text, mark)
    result = _RESULT.match(root.first("RE"))
    wins = (_COLORS.index(result[1]), int(result[2])) if result else None
    reading.add(replay, wins, f"line {root.line}: ")


def _stored(node: Node, replay: GameReplay, action: Action) -> StoredAnalysis | None:
    """Return the analysis of an action in a node, before the action is taken."""

    def named(letters: str) -> str:
        if action.dice is None:
            raise FormatError("plays without a roll")
        return format_play(replay.find(action.dice, _moves(letters, action.side)))

    terms = replay.position(action.side).context.terms()
    return stored_of(node.values, terms, named)


def _mark(node: Node) -> str:
    """Return the first mark of a node, or an empty text; other values than a mark's are milder."""
    for mark, (name, value) in MARKS.items():
        if name in node.values and (value in node.values[name] or value in ("", "1")):
            return mark
    return ""


def _moves(letters: str, side: int) -> Moves:
    """Return the moves of a play from its letters, two for each checker.

    Raises:
        FormatError: the text is not a list of letters of points.
    """
    if not _LETTERS.fullmatch(letters):
        raise FormatError(f"{quoted(letters)}: expected two letters for each checker")
    pairs = [letters[at : at + 2] for at in range(0, len(letters) - 1, 2)]
    return tuple(Move(_point(pair[0], side, OWN_BAR), _point(pair[1], side, OFF)) for pair in pairs)


def _score(root: Node) -> Score:
    """Return the score before a game.

    Raises:
        FormatError: the score is impossible, or the game is not backgammon.
    """
    match = dict(entry.partition(":")[::2] for entry in root.values.get("MI", []))
    try:
        length, white, black = (int(match.get(name, 0)) for name in ("length", "ws", "bs"))
    except ValueError:
        raise FormatError("MI: expected whole numbers") from None
    check_length(length)
    check_score(length, (white, black))
    rules = root.first("RU").split(":")
    for rule in rules:
        if rule.lower().startswith(_OTHER_GAMES):
            raise FormatError(f"a match of {quoted(rule)}: only backgammon is read")
    crawford = "CrawfordGame" in rules and is_one_away(length, (white, black))
    jacoby = not length and "Jacoby" in rules
    return Score(length, (white, black), crawford, jacoby, "NoCube" not in rules)


def _actions(node: Node, replay: GameReplay) -> Iterator[Action]:
    """Yield the actions of a node.

    Raises:
        FormatError: an action is malformed, or not possible here.
    """
    setup = _SETUP & node.values.keys()
    player, rolled = node.first("PL"), node.first("DI")
    if setup == _ROLLED and player in [*_COLORS] and len(rolled) == 2:
        node = Node(node.line, {player: [rolled]})
    elif setup:
        raise FormatError("a position that was set up")
    for side, color in enumerate(_COLORS):
        for text in node.values.get(color, []):
            roll = _ROLL.fullmatch(text)
            if text in _WORDS:
                yield Action(_WORDS[text], side)
            elif roll:
                dice = int(roll[1]), int(roll[2])
                if replay.side not in (None, side):
                    raise FormatError(f"{color}[{text}]: the other side is to act")
                written = _moves(roll[3], side)
                play = replay.find(dice, written) if written else replay.unwritten(dice)
                yield Action(ActionKind.ROLL, side, dice, play)
            else:
                raise FormatError(f"{color}[{quoted(text)[1:-1]}] is not understood")


def _point(letter: str, side: int, beyond: int) -> int:
    """Return a point, numbered from a side.

    Args:
        letter: `a` to `z`.
        side: 0 or 1.
        beyond: the meaning of `y` and `z` here, the bar or off.
    """
    if letter in (_BAR, _OFF):
        return beyond
    number = ord(letter) - ord("a") + 1
    return number if side == 0 else 25 - number


def _letter(point: int, side: int) -> str:
    if point in (OWN_BAR, OFF):
        return _BAR if point == OWN_BAR else _OFF
    return chr(ord("a") + (point if side == 0 else 25 - point) - 1)


def format_sgf(match: Transcript) -> str:
    """Return a match as SGF that GNU Backgammon imports."""
    trees = []
    for number, game in enumerate(match.games):
        nodes = [_root(match, number, game)]
        for place, action in enumerate(game.actions):
            nodes.append(_node(action, match.remarks.get((number, place), Remark())))
        text = "\n;".join(node for node in nodes if node)
        trees.append(f"(;{text})\n")
    return "\n".join(trees)


def _root(match: Transcript, number: int, game: GameTranscript) -> str:
    white, black = game.score.points
    names = [_escaped(name) for name in match.players]
    rules = ["NoCube"] * (not game.score.live) + ["Jacoby"] * game.score.jacoby
    if match.length:
        rules += ["Crawford"] + ["CrawfordGame"] * game.score.crawford
    text = (
        "FF[4]GM[6]CA[UTF-8]AP[gammon]"
        f"MI[length:{match.length}][game:{number}][ws:{white}][bs:{black}]"
        f"PW[{names[0]}]PB[{names[1]}]"
    )
    if number == 0:
        text += _detail_properties(match.details)
    if rules:
        text += f"RU[{':'.join(rules)}]"
    if game.winner is not None:
        resigned = bool(game.actions) and game.actions[-1].kind is ActionKind.RESIGN
        text += f"RE[{_COLORS[game.winner]}+{game.points}{'R' * resigned}]"
    return text


def _detail_properties(details: tuple[tuple[str, str], ...]) -> str:
    """Return the properties of details; a comment has the details that SGF has no property for."""
    known = {detail: name for name, detail in DETAILS.items()}
    properties: dict[str, list[str]] = {}
    for detail, value in details:
        name = known.pop(detail, "GC")
        text = value.replace(".", "-") if name == "DT" else value
        properties.setdefault(name, []).append(f'[{detail} "{value}"]' if name == "GC" else text)
    return "".join(f"{name}[{_escaped(chr(10).join(entries))}]" for name, entries in properties.items())


def _escaped(text: str) -> str:
    return re.sub(r"([\\\]:])", r"\\\1", text)


def _node(action: Action, remark: Remark) -> str:
    """Return the node of an action; a resignation has none, as the result expresses it."""
    beside = f"C[{_escaped(remark.text)}]" * bool(remark.text)
    if remark.mark:
        beside += "{}[{}]".format(*MARKS[remark.mark])
    color = _COLORS[action.side]
    if action.kind is ActionKind.RESIGN:
        return ""
    if action.kind is not ActionKind.ROLL or action.dice is None:
        return f"{color}[{_OF_KIND[action.kind]}]{beside}"
    points = (point for move in action.moves for point in (move.source, move.target))
    text = "".join(_letter(point, action.side) for point in points)
    return f"{color}[{action.dice[0]}{action.dice[1]}{text}]{beside}"
