"""The C interface: programs in C get the answers that Python gets."""

import ctypes
import random
import re
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest

import gammon
from gammon import CubeDecision, Engine, Evaluation
from gammon.compiled.kernel import no_library
from gammon.compiled.library import library
from gammon.core.estimate import N_JUDGED, N_WORK, judge
from gammon.engine.analysis import Analysis
from gammon.engine.misjudge import misjudge
from gammon.formats.play import legal_plays
from gammon.rules.board import Move, Points, legal_moves
from gammon_adapters.embed.calls import analyze, decide_cube, explain_cube, explain_play, play_games
from gammon_adapters.embed.core_state import CoreState
from gammon_adapters.embed.layout import REASONS, width
from gammon_adapters.embed.packed_engine import packed_engine
from tests.adapters.embed.crafted import crafted
from tests.adapters.embed.questions import AT, asked, numbers
from tests.engine.commands.program import run
from tests.processes import ROOT

pytestmark = [
    pytest.mark.skipif(no_library() != "", reason="the library is not used"),
    pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler"),
]
PLAYS, ANALYZE, DECIDE, EVALUATE, STOPPED, GAMES, EXPLAIN, JUDGE = range(8)


def compiled(folder: Path, source: Path) -> Path:
    """Compile a program beside the files of `gammon embed`, where it finds the library.

    The linker is given the path of that, from another folder.
    """
    program = folder / source.stem
    subprocess.run(
        ["cc", "-std=c11", "-Wall", "-Wextra", "-Werror", source, "-I", folder,
         Path(folder.name, library().path.name), "-Wl,-rpath,$ORIGIN", "-o", program],
        cwd=folder.parent, check=True,
    )  # fmt: skip
    return program


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("embedded")
    done = run("embed", "--out", str(made))
    assert done.exit_code == 0
    compiled(made, ROOT / "tests/adapters/embed/answers.c")
    return made


def answers(folder: Path, questions: list[list[int]]) -> list[list[str]]:
    """The lines of each answer, of which the last says how many there are."""
    text = "\n".join(" ".join(map(str, each)) for each in questions)
    done = subprocess.run(
        [folder / "answers", folder / "gammon.engine"], input=text, capture_output=True, text=True, check=True
    )
    found: list[list[str]] = [[]]
    for line in done.stdout.splitlines():
        found[-1].append(line)
        if line.startswith("="):
            found.append([])
    return found[:-1]


def texts(*values: float | None) -> list[str]:
    return [(value or 0.0).hex() for value in values]


def shown(answer: Analysis | CubeDecision | Evaluation) -> list[list[str]]:
    """The numbers of Python's answer, as C has them, but for plays and words."""
    if isinstance(answer, Analysis):
        return [
            texts(
                each.equity,
                each.mwc,
                each.cubeless_equity,
                each.equity if each.bound is None else each.bound,
                *each.probabilities,
            )
            for each in answer.candidates
        ]
    if isinstance(answer, Evaluation):
        return [texts(answer.equity, answer.mwc, *answer.probabilities)]
    choices = answer.no_double, answer.double_take, answer.double_pass
    equities = [each and each.equity for each in choices]
    return [texts(*equities, *(each and each.mwc for each in choices), *answer.probabilities)]


def reals(lines: list[str]) -> list[list[str]]:
    """The numbers with a point in the lines of an answer."""
    found = [re.findall(r"-?0x[^ ]*", line) for line in lines[:-1]]
    return [[float.fromhex(each).hex() for each in line] for line in found]


@pytest.mark.parametrize(
    ("depth", "count"),
    [
        (1, 40),
        (3, 6),
        (5, 1),
        *(pytest.param(*each, marks=pytest.mark.nightly) for each in ((1, 120), (3, 12))),
    ],
)
def test_answers_are_those_of_python(folder: Path, depth: int, count: int) -> None:
    engine, cases = Engine(depth), asked(count, depth)
    questions, wanted = [], []
    for position, dice in cases:
        for kind, answer in (
            (ANALYZE, engine.analyze(position, dice)),
            (DECIDE, engine.cube(position)),
            (EVALUATE, engine.evaluate(position)),
        ):
            questions.append([depth, kind, *numbers(position, dice)])
            wanted.append(shown(answer))
    found = answers(folder, questions)
    assert [reals(each) for each in found] == wanted


def told(points: Points, moves: Iterable[Move]) -> str:
    """The line of a play."""
    made = [f"{each.source}/{each.target}{'*' * each.hit}" for each in moves]
    return " ".join(["points", *map(str, points), "moves", *made])


def test_plays_are_those_of_python(folder: Path) -> None:
    """The last question is of one die, whose plays are single moves."""
    cases = asked(20, 9)
    wanted = [[told(each.points, each.moves) for each in legal_plays(*case)] for case in cases]
    position, (die, _) = cases[0]
    moves = list(legal_moves(position.points, die))
    wanted.append([told(after, [move]) for move, after in moves])
    questions = [*(numbers(*each) for each in cases), numbers(position, (die, 0))]
    found = answers(folder, [[1, PLAYS, *each] for each in questions])
    assert len(moves) > 1
    assert found == [[*plays, f"= {len(plays)}, no fault"] for plays in wanted]


def test_games_are_those_of_a_state_in_python(folder: Path) -> None:
    questions = []
    for seed, each in enumerate(asked(4, 8)):
        question = numbers(each.position)
        question[AT["seed"]], question[AT["truncate"]] = seed, 9
        question[AT["may_begin"]] = seed % 2
        questions.append(question)
    found = answers(folder, [[1, GAMES, *each] for each in questions])
    core = CoreState.allocate(1)
    for question, lines in zip(questions, found, strict=True):
        core.question[:] = question
        assert play_games(core) == 36
        assert reals(lines) == [texts(*row) for row in core.real[:36, :3].tolist()]


def test_reasons_are_those_of_a_state_in_python(folder: Path) -> None:
    core, questions, wanted = CoreState.allocate(1), [], []
    for number, (position, dice) in enumerate(asked(16, 8)):
        question = numbers(position, dice)
        question[AT["action"]] = number % 5
        questions.append(question)
        core.question[:] = question
        if number % 5:
            decide_cube(core)
            assert explain_cube(core) == 1
        else:
            rows = [analyze(core) - 1, 0]
            for part in (core.whole, core.real):
                part[:2] = part[rows].copy()
            core.question[AT["compared"]] = 2
            assert explain_play(core) == 1
        whole, real = core.whole[0, : width(REASONS.whole)], core.real[0, : width(REASONS.real)]
        wanted.append((" ".join(map(str, whole.tolist())), texts(*real.tolist())))
    found = answers(folder, [[1, EXPLAIN, *each] for each in questions])
    assert [(lines[0].partition("  ")[0], reals(lines)[0]) for lines in found] == wanted


def test_games_are_judged_as_in_python(folder: Path) -> None:
    question = numbers(asked(1, 8)[0].position)
    question[AT["seed"]], question[AT["truncate"]] = 3, 9
    [lines] = answers(folder, [[1, JUDGE, *question]])
    core, values, table = CoreState.allocate(1), np.empty((2 + N_WORK, 36)), np.empty((2, N_JUDGED))
    for doubled in range(2):
        core.question[:] = question
        core.question[AT["doubled"]] = doubled
        assert play_games(core) == 36
        values[doubled] = core.real[:36, 0]
    both = np.ones(2, np.int64)
    clear = judge(values, 36 * both, both, 1.0, 1.0, False, table)
    assert reals(lines) == [texts(clear, *table.ravel().tolist())]


def test_positions_are_misjudged_as_in_python() -> None:
    boards = np.array([each.position.points for each in asked(20, 9)], np.int8)
    chances, found, wanted = np.array([0.5, 0.1, 0.0, 0.1, 0.0]), np.empty(20), np.empty(20)
    for seed in (1, 2**64 - 1):
        ctypes.CDLL(str(library().path)).gammon_misjudge(
            20,
            ctypes.c_void_p(boards.ctypes.data),
            ctypes.c_void_p(chances.ctypes.data),
            ctypes.c_double(12.5),
            ctypes.c_uint64(seed),
            ctypes.c_void_p(found.ctypes.data),
        )
        work = np.empty((1, 26), np.int8)
        misjudge(boards, chances, 12.5, np.uint64(seed), work, wanted)
        assert found.tolist() == wanted.tolist()


def test_faults_have_words(folder: Path) -> None:
    [(position, dice)] = asked(1, 1)
    wrong = numbers(position, (0, 0))
    stopped = [3, STOPPED, *numbers(position, dice)]
    lines = answers(folder, [[1, ANALYZE, *wrong], stopped, [3, EVALUATE, *wrong]])
    assert lines[0] == ["= -3, no such roll: expected two numbers from 1 to 6"]
    assert lines[1] == ["= -8, the search was stopped"]
    assert lines[2][-1] == "= 1, no fault"


def test_the_example_of_the_page(folder: Path) -> None:
    page = (ROOT / "docs/embed.md").read_text()
    source = folder / "example.c"
    source.write_text(page.split("```c\n")[1].split("```")[0])
    assert len(source.read_text().splitlines()) <= 60
    done = subprocess.run([compiled(folder, source)], cwd=folder, capture_output=True, text=True, check=True)
    head, rest = done.stdout.split("\n", 1)
    assert head.startswith("16 plays, by ")
    assert rest == page.split("```text\n")[1].split("```")[0].split("\n", 1)[1]


def opened(folder: Path, data: bytes) -> str:
    """The program's words about an engine's file with these bytes."""
    path = folder / "other.engine"
    path.write_bytes(data)
    done = subprocess.run([folder / "answers", path], input="", capture_output=True, text=True, check=False)
    assert done.stderr == ""
    return done.stdout


def test_damaged_engines_are_not_opened(folder: Path) -> None:
    whole = packed_engine(library(), depths=[1])
    assert opened(folder, whole) == ""
    rng = random.Random(1)
    for number in range(20):
        most = len(whole) if number % 3 else 600
        damaged = bytearray(whole)
        damaged[rng.randrange(most)] ^= 1 << rng.randrange(8)
        assert opened(folder, bytes(damaged)).startswith("fault: it ")
        cut = whole[: rng.randrange(most)]
        assert opened(folder, cut).startswith("fault: it is ")
    assert opened(folder, whole + b"\0") == "fault: it is damaged\n"
    assert opened(folder, b"").startswith("fault: it is no engine")


def test_engines_that_somebody_made_up_are_not_opened(folder: Path) -> None:
    """Their checksum is right; with a kernel of number 10,000,000 a program crashed."""
    whole = packed_engine(library(), depths=[1], light=True)
    count = 0
    for what, data in crafted(whole, random.Random(1), 1):
        assert opened(folder, data) == "fault: it is damaged\n", what
        count += 1
    assert count > 50


def test_a_program_sees_the_version_of_the_library(folder: Path) -> None:
    source = folder / "version.c"
    source.write_text(
        "#include <stdio.h>\n#include <gammon.h>\n"
        'int main(void) { printf("%s %s", GAMMON_VERSION, gammon_version()); return 0; }\n'
    )
    done = subprocess.run([compiled(folder, source)], capture_output=True, text=True, check=True)
    assert done.stdout == f"{gammon.__version__} {gammon.__version__}"


def test_no_file(folder: Path) -> None:
    done = subprocess.run([folder / "answers", folder / "none"], capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (1, b"fault: it cannot be opened\n")
