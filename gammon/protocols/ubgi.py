"""The Universal Backgammon Interface over lines of text: version 0.2, with the words of 0.1.

A controller sets keys, a position and dice, and asks by `go`; the answer is `bestmove`,
`bestcube` or `bestturn`. (https://github.com/bungogood/bgci, docs/ubgi-v0.2-spec.md and
docs/ubgi-v0.1-spec.md.) Every line that cannot be obeyed gets a line `error`.
"""

import queue
import threading
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple

import gammon
from gammon.base.errors import GammonError, SettingError
from gammon.base.stop import Stop
from gammon.formats.characters import quoted, shortened, visible
from gammon.formats.position import Position
from gammon.protocols.ubgi_keys import KEYS, OLD_NAMES, changed, key_of, written
from gammon.protocols.ubgi_session import SessionTerms
from gammon.rules.dice import parse_dice

if TYPE_CHECKING:
    from gammon.answers.bot import Bot

__all__ = ["Ubgi", "converse"]

_ROLES = ("chequer", "cube", "turn")


class Refusal(GammonError):
    """A line that cannot be obeyed: its text is the code of the error and the detail."""


class _Go(NamedTuple):
    """A decision that is asked for.

    Attributes:
        role: one of `_ROLES`.
        changes: settings for this decision alone.
    """

    role: str
    changes: dict[str, str]


class Ubgi:
    """An engine at one end of the protocol.

    Args:
        say: takes each line of output.
        prepare: called before the first decision; it may compile.
    """

    def __init__(
        self, say: Callable[[str], None], prepare: Callable[[], None] = lambda: None
    ) -> None:
        self._say, self._prepare = say, prepare
        self._values = {key.name: key.default for key in KEYS}
        self._bots: dict[tuple[object, ...], Bot] = {}
        self._session = SessionTerms()
        self._position: Position | None = None
        self._dice: tuple[int, int] | None = None

    def obey(self, line: str, stop: "Stop | None" = None) -> bool:
        """Obey a line, and tell whether more may follow.

        Args:
            line: what the controller sent.
            stop: ends the search that the line asks for.
        """
        word, *rest = visible(line).split() or [""]
        if word == "quit":
            return False
        try:
            self._obey(word, rest, stop)
        except Refusal as refusal:
            self._say(f"error {refusal}")
        except GammonError as error:
            self._say(f"error bad_value {error}")
        return True

    def _obey(self, word: str, rest: list[str], stop: "Stop | None") -> None:
        if word == "go":
            self._go(_asked(rest), stop)
        elif word == "position":
            self._set_position(rest)
        elif word == "dice":
            if len(rest) != 2:
                raise Refusal("bad_command expected: dice <d1> <d2>")
            self._dice = parse_dice(" ".join(rest))
        elif word == "set":
            if len(rest) < 2:
                raise Refusal("bad_command expected: set <key> <value>")
            self._set(rest[0], " ".join(rest[1:]))
        elif word == "setoption":
            self._set_option(rest)
        elif word == "get":
            if len(rest) != 1:
                raise Refusal("bad_command expected: get <key>")
            self._say(f"value {rest[0]} {written(self._values[_known(rest[0])])}")
        elif word in ("newsession", "setscore", "setcube", "setturn"):
            self._session = self._session.told(word, rest)
        elif rest or word not in ("ubgi", "isready", "newgame", "keys", "stop", ""):
            raise Refusal(f"bad_command {shortened(word)}")
        else:
            self._obey_alone(word)

    def _obey_alone(self, word: str) -> None:
        """Obey a word without arguments. A `stop` without a search changes nothing."""
        if word == "ubgi":
            self._say(f"id name gammon {gammon.__version__}")
            self._say("id author The gammon developers")
            self._say("proto 0.2")
        if word in ("ubgi", "keys"):
            for key in KEYS:
                self._say(key.line)
        if word == "ubgi":
            self._say("ubgiok")
        elif word == "isready":
            self._bot(self._values)
            self._say("readyok")
        elif word == "newgame":
            self._position = self._dice = None

    def _set_position(self, rest: list[str]) -> None:
        if len(rest) < 2 or rest[0] not in ("gnubgid", "xgid"):
            raise Refusal("bad_command expected: position gnubgid|xgid <id>")
        position = Position.parse(" ".join(rest[1:]))
        if rest[0] == "gnubgid" and ":" not in rest[1]:
            position = self._session.placed(position)
        self._position, self._dice = position, position.dice

    def _set(self, name: str, value: str) -> None:
        self._values = changed(self._values, _known(name), value)

    def _set_option(self, rest: list[str]) -> None:
        """Obey version 0.1's `setoption name N value V`."""
        if len(rest) != 4 or (rest[0], rest[2]) != ("name", "value"):
            raise Refusal("bad_command expected: setoption name <name> value <value>")
        name, value = rest[1].lower(), rest[3]
        if name == "deterministic":
            if value.lower() not in ("true", "on", "1"):
                raise Refusal("unsupported Deterministic false")
        elif name == "evalmode":
            if value not in ("cubeless", "cubeful"):
                raise SettingError(f"EvalMode {quoted(value)} must_be cubeless|cubeful")
            self._set("engine.cube", "true" if value == "cubeful" else "false")
        else:
            self._set(OLD_NAMES.get(name, name), value)

    def _go(self, asked: _Go, stop: "Stop | None") -> None:
        if self._position is None:
            raise Refusal("bad_state missing position")
        if asked.role != "cube" and self._dice is None:
            raise Refusal("bad_state missing dice")
        if self._position.context.offer:
            raise Refusal("unsupported answer to a double")
        values = self._values
        for name, text in asked.changes.items():
            values = changed(values, name, text)
        if asked.role != "chequer" and not values["engine.cube"]:
            raise Refusal(f"unsupported go {asked.role} with engine.cube false")
        bot, position = self._bot(values), self._position.with_dice(None)
        if asked.role == "chequer":
            self._say(f"bestmove {self._best_move(bot, position, stop)}")
            return
        doubles = bot.doubles(position, stop)
        cube = "double" if doubles else "nodouble"
        if asked.role == "cube":
            self._say(f"bestcube {cube}")
            return
        if doubles:
            position = position.with_terms(position.context.terms().doubled())
        move = self._best_move(bot, position, stop)
        self._say(f"bestturn cube={cube} move={move}")

    def _best_move(self, bot: "Bot", position: Position, stop: "Stop | None") -> str:
        from gammon.answers.bot import checked_text, steps_of

        assert self._dice is not None, "nobody asks for a play without dice"
        best, found = bot.chosen(position, self._dice, stop)
        self._say(
            f"info depth {best.depth} score {best.equity:+.4f} nodes {found.stats.nodes} "
            f"time_ms {found.seconds * 1000:.0f}"
        )
        return checked_text(best.play, self._dice, " ".join(steps_of(best.play))) or "pass"

    def _bot(self, values: dict[str, int | bool | str]) -> "Bot":
        """Return the player of these settings, the same one each time."""
        which = tuple(values.values())
        if which not in self._bots:
            self._prepare()
            from gammon.answers.bot import Bot
            from gammon.answers.engine import Engine

            movetime, named = int(values["engine.movetime"]), values["engine.filter"]
            engine = Engine(
                2 * int(values["engine.ply"]) - 1, model=str(values["engine.model"]),
                noise=int(values["engine.noise"]) / 1000.0,
                noise_seed=int(values["engine.seed"]),
                max_seconds=movetime / 1000.0 if movetime else None,
                threads=int(values["engine.threads"]),
                move_filter=None if named == "none" else str(named),
                cube=bool(values["engine.cube"]),
            )  # fmt: skip
            self._bots = {which: Bot(engine)}
        return self._bots[which]


def _known(name: str) -> str:
    """Return the name of a setting.

    Raises:
        Refusal: there is no setting of this name.
    """
    if key_of(name) is None:
        raise Refusal(f"unsupported {shortened(name)}")
    return name


def _asked(rest: list[str]) -> _Go:
    """Read what follows `go`: a role, and in version 0.1 `role ROLE` with limits.

    Raises:
        Refusal: it is something else, or a limit that no search of ours has.
    """
    words = rest[1:] if rest[:1] == ["role"] else rest
    role = words[0] if words and words[0] in _ROLES else "chequer"
    words = words[1:] if words and words[0] in _ROLES else words
    known = {"movetime": "engine.movetime", "depth": "engine.ply"}
    if len(words) % 2:
        raise Refusal("bad_command expected: go [chequer|cube|turn] [movetime <ms>]")
    changes = {}
    for name, value in zip(words[::2], words[1::2], strict=True):
        if name not in known:
            raise Refusal(f"unsupported go {shortened(name)}")
        changes[known[name]] = value
    return _Go(role, changes)


def converse(
    lines: Iterable[str], say: Callable[[str], None], prepare: Callable[[], None]
) -> None:
    """Obey lines in their order until `quit` or their end, and `stop` at once.

    Args:
        lines: of the controller; they are read while a search is under way.
        say: takes each line of output.
        prepare: called before the first decision.
    """
    ubgi, waiting = Ubgi(say, prepare), queue.SimpleQueue[tuple[str, Stop]]()

    def read() -> None:
        stop = Stop()
        for line in lines:
            word = line.split()[:1]
            if word in (["stop"], ["quit"]):
                stop.set()
            else:
                stop = Stop()
            waiting.put((line, stop))
        waiting.put(("quit", stop))

    threading.Thread(target=read, daemon=True).start()
    going = True
    while going:
        line, stop = waiting.get()
        going = ubgi.obey(line, stop)
