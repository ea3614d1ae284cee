"""The Universal Backgammon Interface over lines of text: version 0.2, with the words of 0.1.

A controller sets keys, a position and dice, and asks by `go`; the answer is `bestmove`, `bestcube`
or `bestturn`. (https://github.com/bungogood/bgci, docs/ubgi-v0.2-spec.md and
docs/ubgi-v0.1-spec.md.) The answer to a line that cannot be executed is a line `error`.

Version 0.1 has words for score, cube and rules, which apply to a Position ID alone. Version 0.2 has
no such words: the ID of a position has everything.
"""

import queue
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import gammon
from gammon.base.errors import FormatError, GammonError
from gammon.base.settings import Flag, OneOf, SettingKind, Text, Whole
from gammon.base.stop import Stop
from gammon.engine.question import DEPTHS, FILTERS, LEVELS, Question
from gammon.formats.characters import quoted, shortened, visible
from gammon.formats.play import Play, checked_text
from gammon.formats.position import Position
from gammon.rules.dice import parse_dice
from gammon.rules.terms import HIGHEST_CUBE, LONGEST_MATCH, Terms

if TYPE_CHECKING:
    from gammon.engine.bot import Bot


class Key(NamedTuple):
    """A setting.

    Attributes:
        name: the name in the protocol.
        kind: the kind of the value.
        default: the value at first.
        text: the description.
        minor: whether the answers do not depend on the setting.
    """

    name: str
    kind: SettingKind
    default: Any
    text: str
    minor: bool = False

    @property
    def line(self) -> str:
        """The line that announces the setting."""
        mark = " !" if self.minor else ""
        return f"key {self.name} {_type(self.kind)} {written(self.default)}{mark} {self.text}"


def _type(kind: SettingKind) -> str:
    """Return the type and the range of a kind, such as `int 1..4`."""
    if isinstance(kind, Whole):
        return f"int {kind.low}..{kind.high}"
    if isinstance(kind, OneOf):
        return f"enum {'|'.join(kind.choices)}"
    return "bool" if isinstance(kind, Flag) else "string *"


#: The text for no value.
_NONE = "none"
#: The settings by their names.
KEYS = {
    key.name: key
    for key in (
        Key("game.variant", OneOf(("backgammon",)), "backgammon", "the only game"),
        Key("engine.ply", Whole(1, len(DEPTHS)), 2, "plies as XG counts them: 1 is static"),
        Key(
            "engine.level",
            OneOf((_NONE, *LEVELS)),
            _NONE,
            "in place of plies, a level, whose rollouts may settle close plays",
        ),
        Key("engine.model", OneOf(("large", "leaf", "probe")), "leaf", "the network"),
        Key("engine.filter", OneOf((_NONE, *FILTERS)), _NONE, "the move filter"),
        Key("engine.cube", Flag(), True, "plays are judged with the cube and the score"),
        Key("engine.met", Text(), _NONE, "the file of another match equity table"),
        Key("engine.noise", Whole(0, 1000), 0, "standard deviation of errors in 1/1000 points"),
        Key(
            "engine.strength",
            Whole(0, 30),
            0,
            "in place of plies and level, a player's performance rating from 2 on, 0 for none",
        ),
        Key("engine.seed", Whole(0, 2**31 - 1), 0, "the seed of the noise, and of a level's dice"),
        Key("engine.movetime", Whole(0, 3_600_000), 0, "milliseconds for a decision, 0 for no limit"),
        Key("engine.threads", Whole(1, 256), 1, "processors for one decision", True),
    )
}
#: Version 0.1's names of options, in lower case.
OLD_NAMES = {
    "threads": "engine.threads",
    "seed": "engine.seed",
    "ply": "engine.ply",
    "model": "engine.model",
    "evalmode": "engine.cube",
    "strength": "engine.strength",
}


def written(value: Any) -> str:
    """Return a value as the protocol writes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def question_of(values: Mapping[str, Any]) -> Question:
    """Return the question that settings ask of each position.

    Args:
        values: the values of all keys, by name.

    Raises:
        SettingError, FormatError, GammonError: as for `Question`.
    """
    chosen, met, level = (
        None if values[name] == _NONE else values[name]
        for name in ("engine.filter", "engine.met", "engine.level")
    )
    milliseconds, strength = values["engine.movetime"], values["engine.strength"]
    return Question(
        depth=DEPTHS[values["engine.ply"] - 1],
        noise=values["engine.noise"] / 1000.0,
        noise_seed=values["engine.seed"],
        cubeless=not values["engine.cube"],
        max_seconds=milliseconds / 1000.0 if milliseconds else None,
        move_filter=chosen,
        met=met,
        level=None if strength else level,
        seed=values["engine.seed"],
        strength=strength or None,
    )


class SessionTerms(NamedTuple):
    """The score, the cube and the rules of a session. The default is money with a centred cube.

    Attributes:
        length: points of the match, 0 for money.
        jacoby: whether gammons count only after the cube is turned (money).
        crawford: whether the match has a Crawford game.
        score: the points of players 0 and 1.
        crawford_score: the first score at which a side was one point away, or None. It becomes
            None when the score goes back.
        cube: the value of the cube.
        owner: 0, 1, or None for a centred cube.
        turn: the player on roll, 0 or 1.
    """

    length: int = 0
    jacoby: bool = False
    crawford: bool = True
    score: tuple[int, int] = (0, 0)
    crawford_score: tuple[int, int] | None = None
    cube: int = 1
    owner: int | None = None
    turn: int = 0

    def after(self, word: str, rest: list[str]) -> "SessionTerms":
        """Return the session after a line.

        Args:
            word: `newsession`, `setscore`, `setcube` or `setturn`.
            rest: the words after it.

        Raises:
            FormatError: the words are malformed.
        """
        try:
            return self._after(word, rest)
        except (ValueError, KeyError):
            text = " ".join([word, *rest])
            raise FormatError(f"{quoted(text)}: expected {_EXPECTED[word]}") from None

    def _after(self, word: str, rest: list[str]) -> "SessionTerms":
        """Return the session after a line; raise a `ValueError` or a `KeyError` at a wrong line."""
        if word == "setscore":
            first, second = map(int, rest)
            if min(first, second) < 0 or 0 < self.length <= max(first, second):
                raise ValueError
            score, before = (first, second), self.crawford_score
            if first < self.score[0] or second < self.score[1]:
                before = None
            if before is None and self.length - 1 in score:
                before = score
            return self._replace(score=score, crawford_score=before)
        if word == "setturn":
            (player,) = rest
            return self._replace(turn={"p0": 0, "p1": 1}[player])
        given = dict(zip(rest[::2], rest[1::2], strict=True))
        if word == "setcube":
            owner = {"center": None, "p0": 0, "p1": 1}[given.get("owner", "center")]
            cube, own = int(given["value"]), int(owner is not None)
            Terms(self.length, 2 * (self.length,), cube=cube, owner=own).checked()
            return self._replace(cube=cube, owner=owner)
        is_match = {"money": False, "match": True}[given.pop("type")]
        length, marks = int(given.pop("length", "0")), {"on": True, "off": False}
        jacoby = marks[given.pop("jacoby", "off")]
        crawford = marks[given.pop("crawford", "on")]
        if given or is_match != bool(length) or not 0 <= length <= LONGEST_MATCH:
            raise ValueError
        return SessionTerms(length, jacoby and not length, crawford)

    def placed(self, position: Position) -> Position:
        """Return a position with the score, the cube and the rules of the session.

        Raises:
            SettingError: no game has such terms.
        """
        if self == SessionTerms():
            return position
        own = 0 if self.owner is None else 1 if self.owner == self.turn else -1
        at = Terms(jacoby=self.jacoby, cube=self.cube, owner=own)
        if self.length:
            first, second = self.score
            away = self.length - first, self.length - second
            away = away if self.turn == 0 else (away[1], away[0])
            crawford = self.crawford and self.score == self.crawford_score and away != (1, 1)
            at = at._replace(length=self.length, away=away, crawford=crawford)
        return replace(position.with_terms(at), dice=position.dice)


_EXPECTED = {
    "newsession": f"newsession type money, or newsession type match length N, N from 1 to {LONGEST_MATCH}",
    "setscore": "setscore <p0> <p1>, in a match below its length",
    "setcube": f"setcube value N owner center|p0|p1, N 1, 2, 4, ... {HIGHEST_CUBE}, with center at 1",
    "setturn": "setturn p0|p1",
}


_ROLES = ("chequer", "cube", "turn")
#: The syntax of the lines that begin with these words.
_USAGE = {
    "dice": "dice <d1> <d2>",
    "get": "get <key>",
    "go": "go [chequer|cube|turn] [movetime <ms>]",
    "position": "position gnubgid|xgid <id>",
    "set": "set <key> <value>",
    "setoption": "setoption name <name> value <value>",
}


def single_moves(play: Play) -> list[str]:
    """Return the moves of a play one by one, as `bar/22` and `6/off`, in the order of play."""
    names = {25: "bar", 0: "off"}
    return [
        f"{names.get(move.source, move.source)}/{names.get(move.target, move.target)}" for move in play.moves
    ]


class _LineError(GammonError):
    """A line that cannot be executed; the text has the code of the error and the detail."""


class Ubgi:
    """An engine at one end of the protocol.

    Args:
        say: called with each line of output.
    """

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._values = {name: key.default for name, key in KEYS.items()}
        self._bots: dict[tuple[object, ...], Bot] = {}
        self._session = SessionTerms()
        self._position: Position | None = None
        self._dice: tuple[int, int] | None = None

    def obey(self, line: str, stop: "Stop | None" = None) -> bool:
        """Execute a line, and return whether more lines may follow.

        Args:
            line: the line from the controller.
            stop: ends the search that the line asks for.
        """
        text = visible(line).strip()
        if text.split()[:1] == ["quit"]:
            return False
        try:
            self._obey(text, stop)
        except _LineError as error:
            self._say(f"error {error}")
        except GammonError as error:
            self._say(f"error bad_value {error}")
        return True

    def _obey(self, text: str, stop: "Stop | None") -> None:
        """Execute the text of a line. `stop` without a search has no effect."""
        words = text.split()
        if words[:1] == ["position"]:  # after a refused position there is none
            self._position = self._dice = None
        elif words[:1] == ["dice"]:
            self._dice = None
        match words:
            case [] | ["stop"]:
                pass
            case ["ubgi"]:
                self._say(f"id name gammon {gammon.__version__}")
                self._say("id author The gammon developers")
                self._say("proto 0.2")
                self._obey("keys", stop)
                self._say("ubgiok")
            case ["keys"]:
                for key in KEYS.values():
                    self._say(key.line)
            case ["isready"]:
                self._bot(self._values)
                self._say("readyok")
            case ["newgame"]:
                self._position = self._dice = None
            case ["position", "gnubgid" | "xgid" as kind, first, *rest]:
                position = Position.parse(" ".join([first, *rest]))
                if kind == "gnubgid" and ":" not in first and not rest:
                    position = self._session.placed(position)
                self._position, self._dice = position, position.dice
            case ["dice", first, second]:
                self._dice = parse_dice(f"{first} {second}")
            case ["set", name, _, *_]:
                self._set(name, text.split(None, 2)[2])  # a path may have blanks
            case ["setoption", "name", name, "value", _, *_]:
                self._set_option(name.lower(), text.split(None, 4)[4])
            case ["get", name]:
                self._say(f"value {name} {written(self._values[_known(name)])}")
            case ["newsession" | "setscore" | "setcube" | "setturn" as word, *rest]:
                self._session = self._session.after(word, rest)
            case ["go", *rest]:
                self._go(*_role_and_changes(rest), stop)
            case [word, *_]:
                raise _wrong(word)

    def _set(self, name: str, value: str) -> None:
        """Give a setting its value."""
        values = self._values | {name: KEYS[_known(name)].kind.read(name, value)}
        question_of(values)  # raises an error at contradictions, or if a file cannot be read
        self._values = values

    def _set_option(self, name: str, value: str) -> None:
        """Execute version 0.1's `setoption name N value V`."""
        if name == "deterministic":
            if value.lower() not in ("true", "on", "1"):
                raise _LineError("unsupported Deterministic false")
        elif name == "evalmode":
            mode = OneOf(("cubeless", "cubeful")).read("EvalMode", value)
            self._set("engine.cube", written(mode == "cubeful"))
        else:
            self._set(OLD_NAMES.get(name, name), value)

    def _go(self, role: str, changes: dict[str, str], stop: "Stop | None") -> None:
        """Make a decision, and print it."""
        if self._position is None:
            raise _LineError("bad_state missing position")
        if role != "cube" and self._dice is None:
            raise _LineError("bad_state missing dice")
        if self._position.context.offer:
            raise _LineError("unsupported answer to a double")
        values = self._values
        for name, text in changes.items():
            values = values | {name: KEYS[name].kind.read(name, text)}
        if role != "chequer" and not values["engine.cube"]:
            raise _LineError(f"unsupported go {role} with engine.cube false")
        bot, position = self._bot(values), self._position.with_dice(None)
        if role == "chequer":
            self._say(f"bestmove {self._best_move(bot, position, stop)}")
            return
        doubles = bot.doubles(position, stop)
        cube = "double" if doubles else "nodouble"
        if role == "cube":
            self._say(f"bestcube {cube}")
            return
        if doubles:
            position = position.with_terms(position.context.terms().doubled())
        move = self._best_move(bot, position, stop)
        self._say(f"bestturn cube={cube} move={move}")

    def _best_move(self, bot: "Bot", position: Position, stop: "Stop | None") -> str:
        """Return the best play of the dice, after a line with its equity."""
        assert self._dice is not None, "checked by `_go`"
        analysis = bot.analysis(position, self._dice, stop)
        best = analysis.candidates[0]
        self._say(
            f"info depth {best.depth} score {best.equity:+.4f} nodes {analysis.stats.nodes} "
            f"time_ms {analysis.seconds * 1000:.0f}"
        )
        return checked_text(best.play, self._dice, " ".join(single_moves(best.play))) or "pass"

    def _bot(self, values: dict[str, Any]) -> "Bot":
        """Return the bot with these settings, cached for the next call."""
        key = tuple(values.values())
        if key not in self._bots:
            from gammon.engine.bot import Bot
            from gammon.engine.engine import Engine

            model, threads = values["engine.model"], values["engine.threads"]
            self._bots = {key: Bot(Engine.of(question_of(values), model, threads))}
        return self._bots[key]


def _wrong(word: str) -> _LineError:
    """Return the error of a line whose syntax is wrong for its first word."""
    usage = _USAGE.get(word)
    return _LineError(f"bad_command {f'expected: {usage}' if usage else shortened(word)}")


def _known(name: str) -> str:
    """Return the name of a setting; raise a `_LineError` if there is no such setting."""
    if name not in KEYS:
        raise _LineError(f"unsupported {shortened(name)}")
    return name


def _role_and_changes(rest: list[str]) -> tuple[str, dict[str, str]]:
    """Return the role and the settings that follow `go`; version 0.1 has `role ROLE`."""
    words = rest[1:] if rest[:1] == ["role"] else rest
    role = words[0] if words and words[0] in _ROLES else "chequer"
    words = words[1:] if words and words[0] in _ROLES else words
    known = {"movetime": "engine.movetime", "depth": "engine.ply"}
    if len(words) % 2:
        raise _wrong("go")
    changes = {}
    for name, value in zip(words[::2], words[1::2], strict=True):
        if name not in known:
            raise _LineError(f"unsupported go {shortened(name)}")
        changes[known[name]] = value
    if "engine.ply" in changes:
        changes |= {"engine.level": "none", "engine.strength": "0"}
    return role, changes


def converse(lines: Iterable[str], say: Callable[[str], None]) -> None:
    """Execute lines in order until `quit` or their end, but `stop` at once.

    Args:
        lines: the lines of the controller, which are read also during a search.
        say: called with each line of output.
    """
    ubgi, waiting = Ubgi(say), queue.SimpleQueue[tuple[str, Stop]]()

    def read() -> None:
        stop = Stop()
        for line in lines:
            waiting.put((line, stop))
            if line.split()[:1] in (["stop"], ["quit"]):
                stop.set()  # for all lines that came before
                stop = Stop()
        waiting.put(("quit", stop))

    threading.Thread(target=read, daemon=True).start()
    going = True
    while going:
        line, stop = waiting.get()
        going = ubgi.obey(line, stop)
