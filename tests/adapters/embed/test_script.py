"""The interface in JavaScript: a program in node gets the answers that Python gets."""

import json
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gammon import Engine, Position
from gammon.eval.equity import Probabilities
from gammon.formats.play import legal_plays
from gammon_adapters.embed.layout import REASONS
from gammon_study.reviews.choice import Choice, ChoiceKind, ReviewedPlay
from gammon_study.reviews.explain import reasons_of, themes_of
from gammon_study.reviews.names import THEMES
from tests.adapters.embed.questions import asked, named
from tests.engine.commands.program import run
from tests.processes import ROOT
from tests.wasm import unbuilt

pytestmark = [
    pytest.mark.skipif(unbuilt() != "", reason=unbuilt()),
    pytest.mark.skipif(shutil.which("node") is None, reason="there is no node"),
]
PROGRAM = """
import fs from "node:fs";
import readline from "node:readline";
import { Engine } from "./gammon.js";
const [module, engine] = process.argv.slice(2).map((name) => fs.readFileSync(name));
let made;
try {
  made = new Engine(new WebAssembly.Module(module), new Uint8Array(engine).buffer);
} catch (error) {
  console.log(JSON.stringify([`${error.constructor.name}: ${error.message}`]));
  process.exit();
}
for await (const line of readline.createInterface({ input: process.stdin })) {
  const found = JSON.parse(line).map(([call, question, depth]) => {
    try {
      return made[call](question, depth);
    } catch (error) {
      return error.message;
    }
  });
  console.log(JSON.stringify(found));
}
"""
#: Gives a module of the folder questions, and returns its answers.
Ask = Callable[[str, list[Any]], Any]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("javascript")
    assert run("embed", "--javascript", "--out", str(made)).exit_code == 0
    (made / "ask.js").write_text(PROGRAM)
    return made


@pytest.fixture(scope="module")
def ask(folder: Path) -> Iterator[Ask]:
    """Each module has one program for all tests: it takes seconds to begin."""
    with ExitStack() as ending:

        @cache
        def program(module: str) -> "subprocess.Popen[str]":
            command = ["node", "ask.js", module, "gammon.engine"]
            pipe = subprocess.PIPE
            return ending.enter_context(
                subprocess.Popen(command, cwd=folder, stdin=pipe, stdout=pipe, text=True)
            )

        def answers(module: str, questions: list[Any]) -> Any:
            run = program(module)
            assert run.stdin and run.stdout
            run.stdin.write(json.dumps(questions) + "\n")
            run.stdin.flush()
            return json.loads(run.stdout.readline())

        yield answers


@pytest.mark.parametrize(
    ("depth", "count"),
    [(1, 24), (3, 2), *(pytest.param(*each, marks=pytest.mark.nightly) for each in ((1, 120), (3, 12)))],
)
def test_answers_are_those_of_python(ask: Ask, depth: int, count: int) -> None:
    engine, cases = Engine(depth), asked(count, depth)
    questions = [[call, named(*each), depth] for each in cases for call in ("analyze", "decide", "evaluate")]
    found = iter(ask("gammon.wasm", questions))
    for position, dice in cases:
        plays = [
            (tuple(p["points"]), p["equity"], p["cubeless"], tuple(p["chances"]), p["kind"])
            for p in next(found)
        ]
        assert plays == [
            (c.play.points, c.equity, c.cubeless_equity, tuple(c.probabilities), 1 - c.deep)
            for c in engine.analyze(position, dice).candidates
        ]
        cube, decision = next(found), engine.cube(position)
        choices = decision.no_double, decision.double_take, decision.double_pass
        assert cube["equity"] == [each.equity if each else 0 for each in choices]
        assert cube["chances"] == list(decision.probabilities)
        worth, value = next(found), engine.evaluate(position)
        assert (worth["equity"], worth["mwc"]) == (value.equity, value.mwc or 0)


def test_bearoffs_are_those_of_the_tables(ask: Ask) -> None:
    """A light engine has none, so the module has made them."""
    rows = [(3, 1, 0, 0, 0, 2), (0, 0, 0, 0, 0, 6), (5, 4, 3, 2, 1, 0), (1, 0, 0, 0, 0, 0)]
    positions = [
        Position((0, *own, *[0] * 12, *(-c for c in reversed(their)), 0)) for own in rows for their in rows
    ]
    found = ask("gammon.wasm", [["evaluate", named(each), 1] for each in positions])
    engine = Engine(1)
    for position, each in zip(positions, found, strict=True):
        value = engine.evaluate(position)
        assert (each["equity"], each["chances"]) == (value.equity, list(value.probabilities))


def test_reasons_are_those_of_python(ask: Ask) -> None:
    """The worst of the best plays of a roll, and what is not done with the cube."""
    cases = asked(16, 12)
    plays = ask("gammon.wasm", [["analyze", named(*each), 1] for each in cases])
    questions = [
        ["explainPlay", named(position), [found[-1], found[0], *found[:2]]]
        for (position, _), found in zip(cases, plays, strict=True)
    ]
    questions += [
        ["explainCube", named(position) | {"action": 1}, {"equity": [0.5, 0.9, 1.0]}] for position, _ in cases
    ]
    found = ask("gammon.wasm", questions)
    for (position, dice), reasons, rows in zip(cases, found, plays, strict=False):
        names = {each.points: each.notation for each in legal_plays(position, dice)}
        reviewed = tuple(
            ReviewedPlay(names[tuple(row["points"])], 0.0, Probabilities(*row["chances"]))
            for row in (*rows[:2], rows[-1])
        )
        best, made = reviewed[0].play, reviewed[-1].play
        error = rows[0]["equity"] - rows[-1]["equity"]
        choice = Choice(
            0, 0, 0, ChoiceKind.PLAY, position.xgid, made, best, error, 0.0, True, True, 1, plays=reviewed
        )
        told, figures = reasons_of(choice, position)
        kept = [reasons[each.name] for each in REASONS.whole[1:]]
        assert list(np.hstack(kept)) == told
        assert [*reasons["more"], reasons["without"]] == figures
        assert named_themes(reasons["themes"]) == themes_of(choice, position)
    for reasons in found[len(cases) :]:
        assert reasons["loss"] == 0.9 - 0.5
        assert "missed double" in named_themes(reasons["themes"])


def named_themes(bits: int) -> list[str]:
    return [theme for k, theme in enumerate(THEMES) if bits >> k & 1]


def test_plays_and_faults(ask: Ask) -> None:
    [(position, dice)] = asked(1, 4)
    questions = [
        ["plays", named(position, dice)],
        ["analyze", named(position)],
        ["analyze", {}, 3],
        ["analyze", named(position, dice), 4],
        ["analyze", named(position, dice), 3.9],
        ["analyze", named(position, dice), 2**32 + 3],
        ["analyze", {"points": [0.5] * 26}],
        ["plays", {"points": [0] * 25}],
        ["plays", {"points": [0] * 27}],
        ["plays", {"points": [2**64] * 26}],
        ["plays", {"dice": [3, 1, 1]}],
        ["decide", {"length": 2**64}],
        ["decide", {"length": 1e300}],
        ["decide", {"crawfrod": True}],
    ]
    plays, *faults = ask("gammon.wasm", questions)
    expected = legal_plays(position, dice)
    assert [tuple(each["points"]) for each in plays] == [each.points for each in expected]
    no_points = "no such points: expected 26 whole numbers, below 2^53"
    *faults, misspelt = faults
    assert misspelt.startswith("no such entry: crawfrod, expected points, dice, top, ")
    assert faults == [
        "no such roll: expected two numbers from 1 to 6",
        "the game is over: expected checkers of both sides",
        *[f"no such depth: {wrong}, expected the number 1, 3, 5 or 7" for wrong in (4, 3.9, 4294967299)],
        *[no_points] * 4,
        "no such dice: expected 2 whole numbers, below 2^53",
        *["no such length: expected a whole number, below 2^53"] * 2,
    ]


def test_games_and_boards_that_cannot_be_judged_are_refused(ask: Ask) -> None:
    board = Position.opening().points
    wrong = [
        ["judge", []],
        ["judge", [[]]],
        ["judge", [[1.0] * 35]],
        ["misjudge", [board], [0.5, 0, 0, 0, 0]],
    ]
    assert [said.split(":")[0] for said in ask("gammon.wasm", wrong)] == ["judge"] * 3 + ["misjudge"]


def test_damaged_engines_are_refused(folder: Path) -> None:
    whole = (folder / "gammon.engine").read_bytes()
    for place in (3, 12, 20, 90, len(whole) - 5):
        damaged = bytearray(whole)
        damaged[place] ^= 4
        (folder / "damaged").write_bytes(damaged)
        done = subprocess.run(
            ["node", "ask.js", "gammon.wasm", "damaged"],
            cwd=folder,
            capture_output=True,
            text=True,
            check=True,
        )
        [said] = json.loads(done.stdout)
        assert said.startswith("GammonError: it ")


def test_the_example_of_the_page(folder: Path) -> None:
    page = (ROOT / "docs/embed.md").read_text().split("\n## JavaScript\n")[1]
    (folder / "example.js").write_text(page.split("```js\n")[1].split("```")[0])
    done = subprocess.run(["node", "example.js"], cwd=folder, capture_output=True, text=True, check=True)
    assert done.stdout == page.split("```text\n")[1].split("```")[0]


def test_the_example_of_the_package(folder: Path) -> None:
    """The folder is the package `gammon-engine`, so a program in it finds the engine by this name."""
    (folder / "first.mjs").write_text((folder / "README.md").read_text().split("```js\n")[1].split("```")[0])
    done = subprocess.run(["node", "first.mjs"], cwd=folder, capture_output=True, text=True, check=True)
    assert "8, 5, 0, 6, 5" in done.stdout
    assert "] 0.2335" in done.stdout
