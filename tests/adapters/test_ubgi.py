"""The Universal Backgammon Interface, by the lines of a controller and as a program."""

import queue
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from gammon.base.errors import FormatError, SettingError
from gammon.base.settings import OneOf, Whole
from gammon.engine.bot import Bot
from gammon.engine.engine import Engine
from gammon.engine.question import DEPTHS, Question
from gammon.eval.model_file import shipped_models
from gammon.formats.gnubg_id import format_position_id
from gammon.formats.position import Position
from gammon.rules.terms import Terms
from gammon.search import MAX_THREADS
from gammon_adapters.ubgi import KEYS, OLD_NAMES, SessionTerms, Ubgi, converse, question_of, single_moves
from tests.boards import FLAT, RACE, written
from tests.engine.commands.program import run
from tests.lab.programs.stand_ins import PASS

# The Universal Backgammon Interface, by the lines of a controller.

OPENING = "4HPwATDgc/ABMA"


class Controller:
    """Sends lines and keeps what comes back."""

    def __init__(self) -> None:
        self.heard: list[str] = []
        self.ubgi = Ubgi(self.heard.append)

    def send(self, *lines: str) -> list[str]:
        """Return the answers to lines, without `info`."""
        self.heard.clear()
        for line in lines:
            assert self.ubgi.obey(line)
        return [line for line in self.heard if not line.startswith("info")]


@pytest.fixture
def controller() -> Controller:
    return Controller()


def test_the_handshake(controller: Controller) -> None:
    said = controller.send("ubgi")
    assert said[0].startswith("id name gammon")
    assert said[1].startswith("id author ")
    assert said[2] == "proto 0.2"
    assert all(line.startswith("key ") for line in said[3:-1])
    assert said[-1] == "ubgiok"
    assert controller.send("keys") == said[3:-1]
    assert controller.send("isready") == ["readyok"]
    assert controller.send("newgame", "") == []


@pytest.mark.parametrize(
    ("position", "dice", "part"),
    [(OPENING, "6 1", "/"), ("Np7BQSCYZ/AAWA", "5 3", "bar/"), ("/z0AADDeaxsAAA", "5 5", "/off")],
)
def test_what_bgci_checks(controller: Controller, position: str, dice: str, part: str) -> None:
    (said,) = controller.send("newgame", f"position gnubgid {position}", f"dice {dice}", "go")
    word, *steps = said.split()
    assert word == "bestmove"
    assert part in said
    die1, die2 = map(int, dice.split())
    play = Bot(Engine(depth=3)).play(Position.parse(position), (die1, die2))
    assert steps == single_moves(play)


def test_who_cannot_move_passes(controller: Controller) -> None:
    lines = f"position gnubgid {format_position_id(PASS)}", "dice 6 5", "go"
    assert controller.send(*lines) == ["bestmove pass"]


def test_all_three_questions(controller: Controller) -> None:
    xgid = "XGID=--CDBbC-B-----a----bdA-cc-:0:0:1:00:4:3:0:7:10"
    assert controller.send(f"position xgid {xgid}", "go cube") == ["bestcube double"]
    (turn,) = controller.send("dice 3 1", "go turn")
    assert turn.startswith("bestturn cube=double move=")
    score = controller.heard[-2].split()[4]
    (move,) = controller.send("go chequer")
    assert move.startswith("bestmove ")
    position = Position.parse(xgid)
    doubled = position.with_terms(position.context.terms().doubled())
    best = Bot(Engine(depth=3)).analysis(doubled, (3, 1)).candidates[0]
    assert turn.partition(" move=")[2].split() == single_moves(best.play)
    assert score == f"{best.equity:+.4f}"
    assert controller.send(f"position gnubgid {OPENING}", "go cube") == ["bestcube nodouble"]


@pytest.mark.parametrize("between", [":", " "])
def test_a_match_id_counts_behind_a_colon_or_a_space(controller: Controller, between: str) -> None:
    crawford = "newsession type match length 9", "setscore 8 1"
    said = controller.send(*crawford, f"position gnubgid {OPENING}{between}cIkFAAAAAAAE", "go cube")
    score = Position.parse(f"{OPENING}:cIkFAAAAAAAE").context
    assert said == ["bestcube nodouble"]
    assert controller.ubgi._position is not None
    assert controller.ubgi._position.context == score


def test_nobody_doubles_at_a_cube_of_64(controller: Controller) -> None:
    def asked(log2: int) -> list[str]:
        xgid = f"XGID=-DEBBa-B-------------cecc-:{log2}:1:1:00:0:0:0:0:10"
        return controller.send(f"position xgid {xgid}", "dice 3 1", "go cube", "go turn")

    for log2, cube in ((5, "double"), (6, "nodouble"), (7, "nodouble")):
        said, turn = asked(log2)
        assert said == f"bestcube {cube}"
        assert turn.startswith(f"bestturn cube={cube} move=")


@pytest.mark.parametrize("length", [0, 1])
def test_a_finished_game_has_no_cube(controller: Controller, length: int) -> None:
    xgid = f"XGID=--------------------b-----:0:0:1:00:0:0:0:{length}:10"
    (said,) = controller.send(f"position xgid {xgid}", "go cube")
    assert said.startswith("error ")


def test_an_xgid_brings_its_dice(controller: Controller) -> None:
    xgid = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
    assert controller.send(f"position xgid {xgid}", "go") == ["bestmove 8/5 6/5"]


def test_keys_are_as_they_are_announced(controller: Controller, tmp_path: Path) -> None:
    """Each key takes its default, its limits or choices, and gives them back; nothing else."""
    for line in controller.send("keys"):
        _, name, kind, *rest = line.split()
        if kind == "bool":
            default, values, wrong = rest[0], ["true", "false"], ["maybe", "2"]
        elif kind == "int":
            low, high = rest[0].split("..")
            default, values = rest[1], [low, high]
            wrong = [str(int(high) + 1), "-1", "x", "1.5"]
        elif kind == "string":
            default, values, wrong = rest[1], [str(written(FLAT, tmp_path)), "none"], []
        else:
            default, values, wrong = rest[1], rest[0].split("|"), ["none of these"]
        assert controller.send(f"get {name}") == [f"value {name} {default}"]
        for value in values:
            assert controller.send(f"set {name} {value}", f"get {name}") == [f"value {name} {value}"]
        for value in wrong:
            (said,) = controller.send(f"set {name} {value}")
            assert said.startswith(f"error bad_value {name}")
        assert controller.send(f"get {name}") == [f"value {name} {values[-1]}"]
        controller.send(f"set {name} {default}")  # a level goes with no noise


def test_another_table(controller: Controller, tmp_path: Path) -> None:
    """The player needs four points, and the opponent two: a double risks less than it wins."""
    last = "position xgid XGID=--CDBbC-B-----a----bdA-cc-:0:0:1:00:3:5:0:7:10"
    assert controller.send(last, "go cube") == ["bestcube double"]
    (said,) = controller.send("set engine.met no-such.csv")
    assert said.startswith("error bad_value table 'no-such.csv' cannot be read")
    found = controller.send(f"set engine.met {written(FLAT, tmp_path)}", last, "go cube")
    assert found == ["bestcube nodouble"]  # but by this one it does not


def test_a_path_keeps_its_blanks(controller: Controller, tmp_path: Path) -> None:
    folder = tmp_path / "two  blanks"
    folder.mkdir()
    file = written(FLAT, folder)
    for words in ("set engine.met", "setoption  name engine.met value"):
        assert controller.send("set engine.met none", f" {words} {file} ") == []
        assert controller.send("get engine.met") == [f"value engine.met {file}"]


@pytest.mark.parametrize(
    ("first", "second", "kept"),
    [
        ("engine.level roller", "engine.noise 10", "engine.noise 0"),
        ("engine.noise 10", "engine.level roller", "engine.level none"),
    ],
)
def test_settings_that_contradict_each_other(
    controller: Controller, first: str, second: str, kept: str
) -> None:
    """The second one is refused, so that the engine stays ready."""
    name, _ = kept.split()
    said = controller.send(f"set {first}", f"set {second}", f"get {name}", "isready")
    refused = "error bad_value noise 0.01 with a level: expected a depth"
    assert said == [refused, f"value {kept}", "readyok"]


def test_keys_do_what_they_say(controller: Controller) -> None:
    ask = f"position gnubgid {OPENING}", "dice 3 1", "go"

    def info(*lines: str) -> str:
        controller.send(*lines, *ask)
        return controller.heard[-2]

    assert info("set engine.ply 1").startswith("info depth 1 ")
    at_ply_2 = info("set engine.ply 2")
    assert at_ply_2.startswith("info depth 3 ")
    score = at_ply_2.split()[4]
    assert info("set engine.cube false").split()[4] != score
    assert info("set engine.cube true").split()[4] == score
    assert info("set engine.model probe").split()[4] != score
    assert info("set engine.model leaf", "set engine.noise 100").split()[4] != score
    noisy = info("set engine.noise 100").split()[4]
    assert info("set engine.seed 7").split()[4] != noisy
    assert info("set engine.noise 0", "set engine.threads 2").split()[4] == score
    assert "error" not in " ".join(controller.send("set engine.filter tiny", *ask))
    assert info("set engine.strength 9").startswith("info depth 1 ")
    controller.send("go depth 2")
    assert controller.heard[-2].startswith("info depth 3 "), "in place of the strength"


def test_the_words_of_version_0_1(controller: Controller) -> None:
    assert controller.send(
        "setoption name Threads value 2", "get engine.threads",
        "setoption name EvalMode value cubeless", "get engine.cube",
        "setoption name EvalMode value cubeful", "get engine.cube",
        "setoption name Seed value 5", "get engine.seed",
        "setoption name Deterministic value true",
        "setoption name engine.ply value 1", "get engine.ply",
    ) == [
        "value engine.threads 2", "value engine.cube false", "value engine.cube true",
        "value engine.seed 5", "value engine.ply 1",
    ]  # fmt: skip
    ask = f"position gnubgid {OPENING}", "dice 3 1", "go role chequer depth 1 movetime 500"
    assert controller.send(*ask) == ["bestmove 8/5 6/5"]
    race = f"position gnubgid {format_position_id(RACE)}"
    told = "newsession type match length 7", "setscore 6 4", "setturn p1", race
    assert controller.send(*told, "go role cube") == ["bestcube nodouble"], "the Crawford game"
    whole = f"{race}:{Position(RACE).match_id}"
    assert controller.send(whole, "go role cube") == ["bestcube double"], "as its Match ID says"
    later = "setscore 6 5", race, "go role cube"
    assert controller.send(*later) == ["bestcube double"], "post-Crawford, the one behind"
    assert controller.send("setturn p0", race, "go role cube") == ["bestcube nodouble"]
    owned = "newsession type money", "setcube value 2 owner p1", race, "go role cube"
    assert controller.send(*owned) == ["bestcube nodouble"]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("nonsense", "bad_command nonsense"),
        ("isready now", "bad_command"),
        ("dice 3", "bad_command"),
        ("dice 3 7", "bad_value"),
        ("set engine.ply", "bad_command"),
        ("set engine.unknown 1", "unsupported engine.unknown"),
        ("get engine.unknown", "unsupported engine.unknown"),
        ("get", "bad_command"),
        ("position", "bad_command"),
        ("position startpos", "bad_command"),
        ("position gnubgid xx", "bad_value"),
        ("position xgid XGID=", "bad_value"),
        ("go", "bad_state missing position"),
        ("go nodes 5", "unsupported go nodes"),
        ("go movetime", "bad_command"),
        ("setoption name Threads", "bad_command"),
        ("setoption name Hash value 4", "unsupported"),
        ("setoption name Deterministic value false", "unsupported"),
        ("setoption name EvalMode value x", "bad_value"),
        ("newsession type tournament", "bad_value"),
        ("setscore 1", "bad_value"),
        ("setcube value x owner p0", "bad_value"),
        ("setturn p2", "bad_value"),
    ],
)
def test_what_is_refused(controller: Controller, line: str, code: str) -> None:
    (said,) = controller.send(line)
    assert said.startswith(f"error {code}")
    assert "\n" not in said


def test_a_state_in_which_no_answer_is_possible(controller: Controller) -> None:
    placed = f"position gnubgid {OPENING}"
    assert controller.send(placed, "go") == ["error bad_state missing dice"]
    assert controller.send("go turn") == ["error bad_state missing dice"]
    missing = "error bad_state missing position"
    assert controller.send("dice 3 1", "newgame", "go") == [missing]
    assert controller.send(placed, "dice 3 1", "position xgid XGID=x", "go")[1] == missing
    for refused in ("dice 3 7", "dice 3"):
        said = controller.send(placed, "dice 3 1", refused, "go")
        assert said[1] == "error bad_state missing dice", "not those before"
    (said,) = controller.send(placed, "set engine.cube false", "go cube")
    assert said.startswith("error unsupported go cube")
    offered = "position xgid XGID=-b----E-C---eE---c-e----B-:0:0:1:D:0:0:0:0:10"
    (said,) = controller.send(offered, "set engine.cube true", "go cube")
    assert said.startswith("error unsupported answer")
    over = "position gnubgid AAAArtsWBAAAAA"
    (said,) = controller.send(over, "dice 3 1", "go")
    assert said.startswith("error bad_value")


def test_quit_ends_it(controller: Controller) -> None:
    assert not controller.ubgi.obey("quit")


def test_a_stop_ends_the_search_that_is_under_way() -> None:
    """The answer to a search of minutes comes after the stop, and then another one can come."""
    asked = queue.SimpleQueue[str | None]()
    heard = queue.SimpleQueue[str]()

    def lines() -> Iterator[str]:
        while (line := asked.get()) is not None:
            yield line

    thread = threading.Thread(target=converse, args=[lines(), heard.put])
    thread.start()
    for line in ("set engine.ply 4", f"position gnubgid {OPENING}", "dice 5 4", "isready"):
        asked.put(line)
    assert heard.get(timeout=300) == "readyok"
    for between in ((), ("isready", "get engine.ply")):
        for line in ("go", *between, "stop"):
            asked.put(line)
        assert heard.get(timeout=60).startswith("info depth ")
        assert heard.get(timeout=60).startswith("bestmove ")
    assert heard.get(timeout=60) == "readyok"
    assert heard.get(timeout=60) == "value engine.ply 4"
    for line in ("set engine.ply 1", "go"):
        asked.put(line)
    assert heard.get(timeout=60).startswith("info depth 1 ")
    asked.put(None)
    thread.join(60)
    assert not thread.is_alive()


# The settings and the stakes of the Universal Backgammon Interface.

USUAL = {name: key.default for name, key in KEYS.items()}


def test_their_lines() -> None:
    lines = [key.line for key in KEYS.values()]
    assert "key engine.ply int 1..5 2 plies as XG counts them: 1 is static" in lines
    assert "key engine.threads int 1..256 1 ! processors for one decision" in lines
    assert any(line.startswith("key engine.cube bool true ") for line in lines)
    assert any(line.startswith("key engine.met string * none ") for line in lines)
    assert any(line.startswith("key game.variant enum backgammon backgammon ") for line in lines)


def test_limits_and_choices_are_those_that_there_are() -> None:
    for ply in range(1, 5):
        question = question_of(USUAL | {"engine.ply": ply})
        assert question.depth == 2 * ply - 1 == DEPTHS[ply - 1]
    assert KEYS["engine.model"].kind == OneOf(
        tuple(path.stem for path in shipped_models() if path.stem != "width")
    )
    assert KEYS["engine.threads"].kind == Whole(1, MAX_THREADS)


def test_old_names_are_of_settings() -> None:
    assert {*OLD_NAMES.values()} <= {*KEYS}


def test_the_question_of_settings(tmp_path: Path) -> None:
    assert question_of(USUAL) == Question(depth=3, cubeless=False, seed=0)
    level = question_of(USUAL | {"engine.level": "roller"})
    assert level == Question(level="roller", cubeless=False, seed=0)
    path = str(written(FLAT, tmp_path))
    texts = {
        "engine.cube": "OFF",
        "engine.filter": "tiny",
        "engine.noise": "30",
        "engine.met": path,
        "engine.seed": "7",
        "engine.movetime": "1500",
    }
    values = {name: KEYS[name].kind.read(name, text) for name, text in texts.items()}
    assert question_of(USUAL | values) == Question(
        depth=3,
        cubeless=True,
        move_filter="tiny",
        noise=0.03,
        met=FLAT,
        noise_seed=7,
        max_seconds=1.5,
        seed=7,
    )


def terms(*lines: str) -> Terms:
    session = SessionTerms()
    for line in lines:
        word, *rest = line.split()
        session = session.after(word, rest)
    return session.placed(Position.opening()).context.terms()


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ([], Terms()),
        (["newsession type money jacoby on"], Terms(jacoby=True)),
        (["setcube value 2 owner p0"], Terms(cube=2, owner=1)),
        (["setcube value 2 owner p0", "setturn p1"], Terms(cube=2, owner=-1)),
        (["newsession type match length 7"], Terms(7, (7, 7))),
        (["newsession type match length 7", "setscore 2 4"], Terms(7, (5, 3))),
        (["newsession type match length 7", "setscore 2 4", "setturn p1"], Terms(7, (3, 5))),
        (["newsession type match length 7", "setscore 6 4"], Terms(7, (1, 3), crawford=True)),
        (["newsession type match length 7 crawford off", "setscore 6 4"], Terms(7, (1, 3))),
        (["newsession type match length 7", "setscore 6 4", "setscore 6 4"], Terms(7, (1, 3), crawford=True)),
        (["newsession type match length 7", "setscore 6 4", "setscore 6 5"], Terms(7, (1, 2))),
        (["newsession type match length 7", "setscore 6 6"], Terms(7, (1, 1))),
        (
            ["newsession type match length 7", "setscore 6 0", "setscore 0 0", "setscore 0 6"],
            Terms(7, (7, 1), crawford=True),
        ),
        (["newsession type match length 7", "setscore 6 4", "setscore 6 2"], Terms(7, (1, 5), crawford=True)),
        (["newsession type match length 7", "setscore 6 4", "setscore 5 4"], Terms(7, (2, 3))),
        (["newsession type match length 1"], Terms(1, (1, 1))),
        (["newsession type match length 5", "newsession type money"], Terms()),
    ],
)
def test_what_was_told(lines: list[str], expected: Terms) -> None:
    assert terms(*lines) == expected


@pytest.mark.parametrize(
    "line",
    [
        "newsession", "newsession type match", "newsession type money length 5",
        "newsession type match length 5 hats on", "newsession type match length -5",
        "newsession type match length 65", "newsession type match length 9999999999",
        "newsession type money jacoby maybe", "setscore 1", "setscore 1 2 3", "setscore -1 2",
        "setscore a b", "setcube value", "setcube owner p0", "setcube value 2 owner p3",
        "setcube value 3 owner p0", "setcube value 128 owner p0", "setcube value 1 owner p0",
        "setturn", "setturn p0 p1", "setturn 1",
    ],
)  # fmt: skip
def test_ubgi_state_what_is_refused(line: str) -> None:
    with pytest.raises(FormatError, match=f"{line.split(maxsplit=1)[0]}.*expected"):
        terms(line)


def test_stakes_that_no_game_has() -> None:
    for line in ("setscore 5 1", "setscore 3 99", "setcube value 2 owner center"):
        with pytest.raises(FormatError, match=f"{line}.*expected"):
            terms("newsession type match length 5", line)
    with pytest.raises(SettingError, match="cube 2 in the Crawford game"):
        terms("newsession type match length 5", "setscore 4 1", "setcube value 2 owner p0")


# `gammon ubgi`, by a program at the other end of its standard streams.


def test_the_end_of_the_input_is_a_quit() -> None:
    done = run("ubgi", stdin="nonsense")
    assert (done.exit_code, done.stdout) == (0, "error bad_command nonsense\n")


def test_it_answers_line_by_line_and_quits() -> None:
    child = subprocess.Popen(
        [sys.executable, "-m", "gammon", "ubgi"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert child.stdin and child.stdout and child.stderr
    for line, answer in (("isready", "readyok"), ("get engine.ply", "value engine.ply 2")):
        child.stdin.write(f"{line}\n")
        child.stdin.flush()
        assert child.stdout.readline() == f"{answer}\n"
    child.stdin.write("quit\n")
    child.stdin.flush()
    assert child.wait(120) == 0
    assert child.stderr.read() == ""
    for pipe in (child.stdin, child.stdout, child.stderr):
        pipe.close()
