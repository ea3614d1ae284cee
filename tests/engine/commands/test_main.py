"""The program as a whole: its start, its help, one line for each mistake, small commands."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from gammon.commands.group import every_command
from gammon.commands.main import _FIRST, main
from tests.engine.commands.program import OPENING as ID
from tests.engine.commands.program import OPENING_31, assert_refused, run
from tests.matches import HAND
from tests.processes import ROOT, printed

# The program as a whole: its start, its help, and one line for each of many mistakes.

TABLE = ROOT / "gammon/data/kazaross_xg2.csv"

HOME = "t20PAADbtg8AAA"
#: The packages beside the engine, which add commands.
BESIDE = "gammon_adapters", "gammon_lab", "gammon_study", "gammon_web"
#: The modules of several commands, and of those with another name.
TOGETHER = {
    "bench": "bench grade",
    "analyze": "analyze demo",
    "main": "completion",
    "programs": "embed external ubgi",
    "reproduce": "noise reproduce",
    "serve": "play schema serve site",
    "show": "bearoff show",
}
#: The commands of the program, those of its groups too, and those without.
EVERY = {path[7:]: each for path, each in every_command(main, "gammon") if path != "gammon"}
COMMANDS = {name: each for name, each in EVERY.items() if " " not in name}


def loaded(*arguments: str) -> set[str]:
    """The modules that a run of the program imports."""
    code = (
        "import sys\n"
        "before = set(sys.modules)\n"
        "from gammon.commands.main import main\n"
        "try: main(sys.argv[1:])\n"
        "finally: print(*set(sys.modules) - before)"
    )
    *said, modules = printed(code, *arguments).splitlines()
    assert said
    return set(modules.split())


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="Linux counts them there")
def test_the_program_starts_no_threads_of_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Unless its user asks for them."""
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    code = "import gammon.commands.main, numpy, os; print(len(os.listdir('/proc/self/task')))"
    assert printed(code) == "1"
    asked_for = min(2, os.cpu_count() or 1)
    assert printed(code, OPENBLAS_NUM_THREADS="2") == f"{asked_for}"


def test_help_imports_no_command() -> None:
    """Of gammon it imports these alone, and of other packages click."""
    modules = loaded("--help")
    assert {name for name in modules if name.startswith("gammon")} == {
        "gammon",
        "gammon.base",
        "gammon.base.errors",
        "gammon.base.plugins",
        "gammon.commands",
        "gammon.commands.group",
        "gammon.commands.main",
        "gammon.commands.process",
        "gammon.compiled",
        "gammon.compiled.compiling",
        *(name for each in BESIDE for name in (each, f"{each}.commands")),
    }
    others = {name.split(".")[0] for name in modules} - sys.stdlib_module_names
    assert others == {"click", "gammon", *BESIDE}


def test_a_command_of_the_engine_looks_for_no_other_package() -> None:
    modules = loaded("show", "--help")
    assert not {name for name in modules if name.startswith("gammon_")}
    assert "importlib.metadata" not in modules


#: Prints for each command what its help imports beside what was imported before it.
HELPED = """
import sys
from gammon.commands.main import main
before = set()
for name in sys.argv[1:]:
    try:
        main([name, "--help"])
    except SystemExit:
        print("imported:", name, *set(sys.modules) - before)
    before = set(sys.modules)
"""


def test_help_of_a_command_imports_nothing_slow() -> None:
    lines = [line.split() for line in printed(HELPED, *sorted(COMMANDS)).splitlines()]
    imported = {words[1]: set(words[2:]) for words in lines if words[:1] == ["imported:"]}
    assert imported.keys() == COMMANDS.keys()
    known: set[str] = set()
    for name, modules in imported.items():
        known |= modules
        module = next((module for module, names in TOGETHER.items() if name in names.split()), name)
        assert any(each.endswith(f".commands.{module}") for each in known), name
        assert not modules & {"concurrent.futures", "numba", "numpy", "rich"}, name


def helped(*arguments: str) -> str:
    """A page of help at 80 columns."""
    done = CliRunner().invoke(main, [*arguments, "--help"], terminal_width=80)
    assert done.exit_code == 0
    return done.stdout


def test_no_command_tells_where_to_begin() -> None:
    done = run()
    assert (done.exit_code, done.stderr) == (0, "")
    assert len(_FIRST) == 6
    for line, said in _FIRST:
        assert line in done.stdout
        assert said in " ".join(done.stdout.split())
        _, command, *words = line.split()
        options = [each for each in words if each.startswith("--")]
        assert {*options} <= {*re.findall(r"--\w+", run(command, "--help").stdout)}


def test_each_command_has_its_line_in_one_part_of_the_help() -> None:
    titles = "Play and study", "Laboratory", "Programs"
    parts = re.split(rf"^({'|'.join(titles)}):$", helped(), flags=re.MULTILINE)[1:]
    assert tuple(parts[::2]) == titles
    lines = "".join(parts[1::2]).split("\n")
    listed = [line.split(maxsplit=1) for line in lines if line]
    found = [[name, each.get_short_help_str(200)] for name, each in COMMANDS.items()]
    assert sorted(listed) == sorted(found)
    assert listed[0][0] == "play"


def test_every_command_has_a_line_of_help_that_is_not_cut() -> None:
    assert {*COMMANDS} == {
        "anki",
        "analyze", "bearoff", "bench", "completion", "demo", "drill", "embed", "external",
        "grade", "hypergammon", "info", "match", "met", "noise", "play", "reproduce", "review", "rollout",
        "schema",
        "serve", "show", "site", "study", "train", "ubgi",
    }  # fmt: skip
    for page in (helped(), helped("bearoff"), helped("study")):
        listed = re.split(r"(?:Commands|Play and study):\n", page)[1].splitlines()
        lines = [line for line in listed if line.startswith("  ")]
        assert all(len(line.split()) > 2 and not line.endswith("...") for line in lines)
        assert len(lines) > 1


@pytest.mark.parametrize("name", sorted(EVERY))
def test_every_option_says_in_words_what_it_is(name: str) -> None:
    command = EVERY[name]
    for option in command.params:
        if isinstance(option, click.Option):
            assert len(option.help or "") > 20, option.name
            assert (option.help or "")[-1] in ".]", option.name
    page = helped(*name.split())
    assert max(map(len, page.splitlines())) <= 80
    assert "RANGE" not in page
    assert "TEXT" not in page


def test_every_experiment_has_its_line() -> None:
    (argument,) = (each for each in COMMANDS["reproduce"].params if each.name == "name")
    assert isinstance(argument.type, click.Choice)
    lines = [line.split() for line in helped("reproduce").splitlines()]
    for name in argument.type.choices:
        assert any(line[:1] == [name] and len(line) > 3 for line in lines)


#: A command of the program, and words of its one line. `--out x` is a folder of the test's,
#: which must not be made. What click itself checks stands here once for each kind.
BAD = [
    # the program
    ("no-such", "'no-such'"), ("--no-such", "'--no-such'"), ("ANALYZE", "'ANALYZE'"),
    ("--version=1", "--version"), ("demo extra", "extra"),
    ("play a b", "unexpected extra arguments"),
    # review
    ("review a.mat b.mat", "one match at a time: `gammon study add a.mat b.mat` reviews"),
    ("review a b c --depth 1", "`gammon study add a b ...` reviews several"),
    ("review", "Missing argument 'FILE'"),
    # analyze
    ("analyze", "Missing argument"), ("analyze ''", "''"),
    ("analyze hello", "'hello': expected a Position ID such as"),
    ("analyze nofile.txt", "or an OGID"),
    ("analyze hello", "`gammon analyze - < FILE` reads the positions of a file"),
    ("analyze positions-of-may.txt", "`gammon analyze - < FILE` reads"),
    (f"analyze 'see this {'x' * 1000}'", "xxx...xxx"),
    ("analyze 4HPwATDgc/AB --dice 31", "expected a Position ID of 14 characters"),
    (f"analyze {OPENING_31.replace('B-:', 'C-:')}", "16 checkers"),
    ("analyze XGID=-B------------------------:0:0:1:31:0:0:0:0:10", "game is over"),
    (f"analyze {ID} {ID} {ID}", ""), (f"analyze {ID} 31", "'31': for a roll, use --dice 31"),
    (f"analyze {OPENING_31} {OPENING_31.replace(':31:', ':62:')}", "and nothing else"),
    (f"analyze {OPENING_31} 62", "use --dice 62"), (f"analyze --dept 3 {ID}", "No such option"),
    (f"analyze {ID} --depth 2", "'2' is not one of"),
    (f"analyze {ID} --top 0", "0 is not in the range"),
    (f"analyze {ID} --model ''", "''"), (f"analyze {ID} --model no-such", "'no-such'"),
    (f"analyze {ID} --model .", "'.'"), (f"analyze {ID} --model {'x' * 5000}", "no such file"),
    (f"analyze {ID} --model {__file__}", "test_main"),
    (f"analyze {ID} --threads 0", "'--threads'"),
    (f"analyze {OPENING_31} --workers 2", "--workers 2"),
    ("analyze - --workers 0", "'--workers'"),
    (f"analyze {OPENING_31} --play '8/4 6/4'", "'8/4 6/4' is not a legal"),
    (f"analyze {ID} --play '8/5 6/5'", "'8/5 6/5': expected a roll too"),
    (f"analyze {ID} --dice 31 --play 8/5 6/5",
     "'6/5': a play of several moves is put in quotes, such as --play \"8/5 6/5\""),
    # bearoff
    ("bearoff ''", "''"), ("bearoff biuld", "'biuld': expected a Position ID such as"),
    (f"bearoff {ID}", "the sides have contact"), (f"bearoff {HOME} {HOME}", ""),
    (f"bearoff {HOME} 31", "'31': expected a Match ID"),
    ("bearoff -", "'-': expected a position, standard input is not read"),
    ("bearoff show - --json", "standard input is not read"), ("bearoff build --out ''", "''"),
    ("bearoff build --out .", "expected the name of a file"),
    ("bearoff build --out /dev/null/x", "/dev/null/x"),
    # bench
    ("bench --threads 0", "'--threads'"), ("bench --positions 501", "expected 1 to 500"),
    ("bench --deep -1", "expected 0 to 500"), ("bench --against gnubg,xg", "'xg'"),
    ("bench --against gnubg,gnubg", "each program once"),
    ("bench --model no-such", "'no-such'"),
    # external
    ("external :1234", "':1234'"), ("external ''", "''"),
    ("external /dev/null", "cannot listen there"), ("external --model no-such", "'no-such'"),
    ("external --max-seconds 0", "0"), ("external --depth 2", "'2'"),
    # grade
    ("grade depth=1 --seed -1", "'--seed'"), ("grade ''", "''"),
    ("grade depth=1 colour=red", "'colour=red'"),
    ("grade external=127.0.0.1:1", "--cubeful"), ("grade model=no-such", "'no-such'"),
    # match
    ("match depth=1 depth=1 --out ''", "''"), ("match depth=1 '' --out x", "''"),
    ("match depth=2 depth=1 --out x", "2"),
    ("match depth=1 depth=1 --out /dev/null/x --games 4", "/dev/null/x"),
    ("match depth=1 depth=1 --out x --games 2", "2 is not in the range 4 to"),
    ("match depth=1 depth=1 --out x --games 5", "5: expected an even number"),
    ("match depth=1 depth=1 --out x --games 1000000000000", "1000000000000"),
    ("match depth=1 depth=1 --out x --until-se nan", "nan"),
    ("match depth=1 depth=1 --out x --luck no-such", "'no-such'"),
    ("match depth=1 depth=1 --out x --stakes cash", "'cash'"),
    ("match depth=1 depth=1 --out x --workers 0", "'--workers'"),
    *((f"match depth=1 depth=1 --out x {more}", "expected") for more in (
        "--length 65", "--jacoby", "--cubeful --stakes dmp",
    )),
    ("match depth=1 depth=1 --out x --length 1 --cubeful", "--cubeful without single games"),
    ("match depth=1 external=127.0.0.1:1 --out x", "--cubeful"),
    ("match depth=1 external=127.0.0.1:1 --out x --length 3", "no program answers there"),
    ("match depth=1 external=/tmp/x --out x --length 3 --workers 2", "one, its connection"),
    # met
    ("met ''", "''"), ("met no-such.xml", "'no-such.xml'"),
    (f"met {__file__}", "away,1,2,...,N"), ("met --length 65", "'--length'"),
    # noise
    ("noise --out x --sigma 0 --depth 1", "expected a match"), ("noise --out ''", "''"),
    ("noise --out x --sigma -1", "sigma -1"), ("noise --out x --sigma 0,,1", "'0,,1'"),
    ("noise --out x --depth 2", "2"), ("noise --out x --games 3", "4 to"),
    ("noise --out x --errors alike-26", "alike-26"),
    ("noise --out x --model no-such", "'no-such'"), ("noise --out x --until-se -1", "-1"),
    # reproduce
    ("reproduce ballard --out x --seed -1", "'--seed'"),
    ("reproduce chess --out x", "'hauk'"), ("reproduce nim --out ''", "''"),
    # review
    ("review", "Missing argument"), ("review ''", "''"), (f"review {HAND} --out ''", "''"),
    ("review no-such.mat", "'no-such.mat' cannot be read: No such file"),
    ("review .", "'.' cannot be read"),
    (f"review {__file__}", "no length of the match: expected a match file (.mat"),
    (f"review {HAND} --player Carl", "player 'Carl': expected one of 'Ann', 'Bob'"),
    (f"review {HAND} --depth 2", "'2' is not"),
    (f"review {HAND} --depth 1 --model no-such", "no-such"), (f"review {HAND} --html ''", "''"),
    (f"review {HAND} --rollout-over -1", "rollout_over -1.0: expected an equity"),
    (f"review {HAND} --rollout-over 0.1 --trials 35", "35 is not in the range"),
    (f"review {HAND} --met no.csv", "table 'no.csv' cannot be read"),
    # rollout
    ("rollout", "POSITION"), ("rollout x", "'x'"),
    (f"rollout {ID} --trials 36000036", "not in the range 36 to 36000000"),
    (f"review {HAND} --rollout-over 0.1 --trials 36000036", "36 to 36000000"),
    (f"rollout {ID} --play '8/5 6/5'", "dice"), (f"rollout {OPENING_31} --play 8/1", "8/1"),
    (f"rollout {ID} --play 8/5 --dice 7", "'7'"), (f"rollout {OPENING_31} --top 0", "top"),
    (f"rollout {OPENING_31} --play ';'", "plays"), (f"rollout {ID} --stakes cash", "'cash'"),
    (f"rollout {ID} --model no-such", "no-such"),
    (f"rollout {ID} --met no-such --match 5", "no-such"),
    (f"rollout {ID} --out /dev/null/x --trials 36", "/dev/null/x"),
    (f"rollout {ID} --text --json", "--text with --json"),
    ("review no-such.mat --trials 36", "--trials without --rollout-over"),
    (f"review {HAND} --seed 4", "--seed without a level that plays games"),
    ("external x --level 3 --seed 4", "--seed without a level that plays games"),
    (f"analyze {OPENING_31} --seed 4", "--seed without a level that plays games"),
    (f"analyze {ID} --noise-seed 9", "--noise-seed without --noise or --strength"),
    (f"analyze {ID} --depth 1 --filter tiny", "--filter without a depth of 3 or more"),
    (f"rollout {ID} --filter tiny", "--filter without a depth of 3 or more: it has no effect"),
    (f"analyze {ID} --top 2", "--top without the plays of one roll: it has no effect"),
    (f"analyze {ID} --rolls --top 2", "--top without the plays of one roll"),
    (f"analyze {OPENING_31} --owners --top 2", "--top without the plays of one roll"),
    (f"analyze {OPENING_31} --stakes dmp --jacoby", "--jacoby without the cube"),
    (f"rollout {OPENING_31} --cubeless --beavers", "--beavers without the cube"),
    (f"rollout {ID} --top 3", "--top without the best plays of a roll: it has no effect"),
    (f"rollout {OPENING_31} --play 8/5,6/5 --top 2", "--top without the best plays of a roll"),
    (f"rollout {OPENING_31} --cubeless --cube-depth 3", "--cube-depth without the cube"),
    (f"analyze {OPENING_31} --met {TABLE}", "--met without a match: it has no effect"),
    (f"analyze {OPENING_31} --match 5 --cubeless --met {TABLE}", "--met without the cube"),
    (f"analyze {OPENING_31} --match 5 --met x.csv", "table 'x.csv' cannot be read"),
    (f"show {ID} --colours dark", "--colours without --svg or --png: it has no effect"),
    ("met --depth 3", "--depth without --make"),
    ("met --threads 2", "--threads without --make"),
    ("met --model large", "--model without --make"),
    # serve
    ("serve --depth 2", "--depth"), ("serve --port 70000", "--port"),
    ("serve --searches 0", "--searches"), ("serve --threads 257", "--threads"),
    ("serve --seconds 0", "--seconds"),
    # show
    ("show ''", "''"), ("show hello", "'hello'"), (f"show {ID} --svg ''", "''"),
    ("show -", "'-': expected a position, standard input is not read"),
    (f"show {ID} --png ''", "''"), (f"show {ID} --svg /dev/null/x", "/dev/null/x"),
    (f"show {ID} --dice 7", "'7'"), (f"show {ID} --dice 31 --play 8/2", "'8/2'"),
    (f"show {ID} --play 8/5", "expected a roll too, such as --dice 31"),
    (f"show {ID} --score 3-5", "the length of a match"), (f"show {ID} --cube 3", "3"),
    # train
    ("train learn no-such.toml --out x --minutes 0", "'--minutes'"),
    ("train learn no-such.toml --out x", "no-such.toml"),
    ("train learn no-such --out x", "no such file, and the shipped recipes are: expert, "),
    ("train learn '' --out x", "''"), (f"train learn {__file__} --out x", "test_main"),
    ("train learn r.toml --out x --device tpu", "'tpu'"),
    ("train learn r.toml --out x --threads 0", "'--threads'"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "words"), BAD, ids=[repr(line)[1:60] for line, _ in BAD])
def test_a_mistake_gets_one_line(line: str, words: str, tmp_path: Path) -> None:
    words_of = shlex.split(line)
    out = words_of.index("--out") + 1 if "--out x" in line else None
    arguments = [str(tmp_path / "x") if i == out else each for i, each in enumerate(words_of)]
    assert_refused(arguments, words)
    assert not (tmp_path / "x").exists()


# `gammon completion`.


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_of_a_shell(shell: str, monkeypatch: pytest.MonkeyPatch) -> None:
    named = run("completion", shell)
    assert named.exit_code == 0
    assert f"_GAMMON_COMPLETE={shell}_complete" in named.stdout
    monkeypatch.setenv("SHELL", f"/usr/bin/{shell}")
    assert run("completion").stdout == named.stdout


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash")
def test_bash_takes_its_script() -> None:
    script = run("completion", "bash").stdout
    checked = subprocess.run(["bash", "-n"], input=script, capture_output=True, text=True, check=False)
    assert (checked.returncode, checked.stderr) == (0, "")


def test_other_shells_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    assert_refused(["completion", "tcsh"], "'tcsh' is not one of 'bash', 'zsh', 'fish'")
    for shell in ("", "/bin/sh"):
        monkeypatch.setenv("SHELL", shell)
        assert_refused(["completion"], f"SHELL '{shell}': expected bash, zsh, fish")
    monkeypatch.delenv("SHELL")
    assert_refused(["completion"], "SHELL ''")


# `gammon demo`.


def test_demo() -> None:
    done = run("demo")
    assert done.exit_code == 0
    assert done.output.count("$ gammon analyze") == 3
    assert "8/5 6/5" in done.output


# `gammon info`.


def test_info_names_the_models() -> None:
    done = run("info")
    assert done.exit_code == 0
    assert "model leaf" in done.output
    assert "model probe" in done.output
    assert "  recipe:\n    hidden1: 16\n" in done.output
    for words in (
        "points a game",
        "runs/master/model.safetensors (distillation)",
        "families: 0.05 (share of games that began in random back games and similar positions)",
    ):
        assert words in done.output
    assert "start:\n" in done.output, "random weights stand for nothing"
    for script in re.findall(r"scripts/\w+\.py", done.output):
        assert (ROOT / script).exists(), script
    assert max(map(len, done.output.splitlines()[7:])) < 100
    assert set(json.loads(run("info", "--json").output)) == {
        "schema_version",
        "versions",
        "kernels",
        "models",
        "cache",
    }


def test_a_library_that_is_not_there_has_no_version(monkeypatch: pytest.MonkeyPatch) -> None:
    def version(name: str) -> str:
        if name == "torch":
            raise PackageNotFoundError(name)
        return "1.2.3"

    monkeypatch.setattr("importlib.metadata.version", version)
    assert "\ntorch    not installed\n" in run("info").output
    assert json.loads(run("info", "--json").output)["versions"]["torch"] is None
