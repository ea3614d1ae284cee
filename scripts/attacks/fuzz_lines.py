"""Damaged lines for the protocols: UBGI, queries in JSON, and GNU Backgammon's boards."""

import json
import random
from collections.abc import Callable, Iterable
from typing import Any

import gammon
from attacks.damaged import damaged
from gammon.commands.stream import answers_to
from gammon.engine.bot import Bot
from gammon.engine.question import Question
from gammon.formats.characters import visible
from gammon_adapters.external import ExternalPlayer
from gammon_adapters.ubgi import Ubgi
from tests.processes import ROOT

_OPENING = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
_UBGI = [
    "ubgi", "isready", "newgame", "keys", "stop", "position gnubgid 4HPwATDgc/ABMA",
    "position gnubgid 4HPwATDgc/ABMA:cAkAAAAAAAAE", f"position xgid {_OPENING}", "dice 3 1",
    "dice 6 6", "go", "go chequer", "go cube", "go turn", "go role chequer movetime 5",
    "go depth 1", "set engine.ply 1", "set engine.cube false", "set engine.noise 30",
    "set engine.seed 7", "set engine.movetime 5", "get engine.ply", "set engine.filter tiny",
    "setoption name Ply value 1", "setoption name EvalMode value cubeless",
    "newsession type match length 7 crawford on", "newsession type money jacoby on",
    "setscore 3 5", "setcube value 2 owner p0", "setturn p1", "quit",
]  # fmt: skip
_QUERIES = [
    '{"id": 1, "position": "4HPwATDgc/ABMA", "dice": "31", "depth": 1}',
    '{"id": "a", "position": "4HPwATDgc/ABMA", "dice": [3, 1], "plays": ["8/5 6/5"], "top": 2}',
    '{"id": 2, "position": "4HPwATDgc/ABMA:cAkAAAAAAAAE", "rolls": true, "interim": true}',
    '{"id": 3, "terminate": "a"}',
    "4HPwATDgc/ABMA",
    _OPENING,
    "# a comment",
    '{"position": "4HPwATDgc/ABMA", "dice": "66", "interim": false, "id": null}',
    '{"id": 4, "position": "4HPwATDgc/ABMA", "match": 7, "score": "3-5", "filter": "tiny"}',
]


def _answered(lines: Iterable[str], engine: gammon.Engine) -> int:
    """Send queries, and return the number of answers; each must be JSON."""

    def answer(question: Question, stop: gammon.Stop) -> dict[str, Any]:
        return gammon.to_json(engine.answer(question, stop=stop))

    count = 0
    for values in answers_to(lines, answer, Question(depth=1)):
        assert json.dumps(values, allow_nan=False)
        count += 1
    return count


def line_readers() -> dict[str, Callable[[random.Random], object]]:
    """Return the readers of lines, by name."""
    engine = gammon.Engine(depth=1)
    conversation = (ROOT / "tests/golden/external_conversation.jsonl").read_text().splitlines()
    talk = map(json.loads, conversation)
    boards = [line.strip("\n\0") for _, direction, line in talk if direction == "<"]
    player = ExternalPlayer(Bot(engine), resigns=True)
    printed: list[str] = []
    ubgi = Ubgi(printed.append)
    # Searches end at once, whatever depth a damaged line asks for.
    stop = gammon.Stop()
    stop.set()

    def obey(rng: random.Random) -> object:
        line = rng.choice(_UBGI) if rng.random() < 0.5 else damaged(rng, _UBGI)
        printed.clear()
        going = ubgi.obey(line, stop)
        assert going == (visible(line).split()[:1] != ["quit"]), line
        assert not any("\n" in line for line in printed), printed
        return printed

    def ask(rng: random.Random) -> object:
        line = damaged(rng, _QUERIES).replace("\n", " ")
        return _answered([line], engine)

    def reply(rng: random.Random) -> object:
        answer = player.reply(damaged(rng, boards))
        assert "\n" not in answer, answer
        return answer

    return {"UBGI": obey, "queries in JSON": ask, "GNU Backgammon's boards": reply}
