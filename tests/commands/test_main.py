"""The program as a whole: its start, its help, and one line for each of many mistakes."""

import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from gammon.commands.main import main
from tests.commands.program import assert_refused

HOME = "t20PAADbtg8AAA"
ID = "4HPwATDgc/ABMA"


def loaded(*arguments: str) -> set[str]:
    """The modules that a run of the program imports."""
    code = (
        "import sys\n"
        "before = set(sys.modules)\n"
        "from gammon.commands.main import main\n"
        "try: main(sys.argv[1:])\n"
        "finally: print(*set(sys.modules) - before, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True
    )
    assert done.stdout
    return set(done.stderr.split())


def test_help_imports_no_command() -> None:
    """Of gammon it imports these alone, and of other packages click."""
    modules = loaded("--help")
    assert {name for name in modules if name.startswith("gammon")} == {
        "gammon", "gammon.base", "gammon.base.errors", "gammon.commands",
        "gammon.commands.group", "gammon.commands.main", "gammon.commands.process",
    }  # fmt: skip
    others = {name.split(".")[0] for name in modules} - sys.stdlib_module_names
    assert others == {"click", "gammon"}


@pytest.mark.parametrize("name", sorted(main.commands))
def test_help_of_a_command_imports_nothing_slow(name: str) -> None:
    modules = loaded(name, "--help")
    assert f"gammon.commands.{name}" in modules
    assert not modules & {"concurrent.futures", "numba", "numpy", "rich"}


def commands(group: click.Group = main, path: str = "") -> Iterator[tuple[str, click.Command]]:
    """The names and the commands of the program, those of its groups too."""
    for name, command in group.commands.items():
        yield f"{path}{name}", command
        if isinstance(command, click.Group):
            yield from commands(command, f"{path}{name} ")


def helped(*arguments: str) -> str:
    """A page of help at 80 columns."""
    done = CliRunner().invoke(main, [*arguments, "--help"], terminal_width=80)
    assert done.exit_code == 0
    return done.stdout


def test_the_list_of_commands_has_the_line_of_each_command() -> None:
    lines = helped().split("Commands:\n")[1].splitlines()
    listed = [line.split(maxsplit=1) for line in lines]
    found = [[name, each.get_short_help_str(200)] for name, each in main.commands.items()]
    assert listed == sorted(found)


def test_every_command_has_a_line_of_help_that_is_not_cut() -> None:
    assert {*main.commands} == {
        "analyze", "bearoff", "bench", "completion", "demo", "external", "grade", "info",
        "match", "met", "noise", "reproduce", "review", "rollout", "schema", "serve", "show",
        "train", "ubgi",
    }  # fmt: skip
    for page in (helped(), helped("bearoff")):
        listed = page.split("Commands:\n")[1].splitlines()
        assert all(len(line.split()) > 2 and not line.endswith("...") for line in listed)


@pytest.mark.parametrize("name", [name for name, _ in commands()])
def test_every_option_says_in_words_what_it_is(name: str) -> None:
    command = dict(commands())[name]
    for option in command.params:
        if isinstance(option, click.Option):
            assert len(option.help or "") > 20, option.name
            assert (option.help or "")[-1] in ".]", option.name
    page = helped(*name.split())
    assert max(map(len, page.splitlines())) <= 80
    assert "RANGE" not in page
    assert "TEXT" not in page


def test_every_experiment_has_its_line() -> None:
    (argument,) = (each for each in main.commands["reproduce"].params if each.name == "name")
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
    # analyze
    ("analyze ''", "''"), ("analyze ' '", "''"), (f"analyze {ID} {ID} {ID}", ""),
    ("analyze 4HPwATDgc/ABM", ""), ("analyze 4HPwATDgc/ABMAA", ""), ("analyze XGID=", ""),
    ("analyze XGID=::::::::::", ""), ("analyze 'XGID=\x00'", ""),
    (f"analyze XGID={'-' * 26}:0:0:1:31:0:0:0:0:10", ""), (f"analyze {'x' * 10000}", ""),
    ("analyze XGID=-b----E-C---eE---c-e----B-:0:0:1:99:0:0:0:0:10", "99"),
    ("analyze XGID=-b----E-C---eE---c-e----B-:0:0:7:31:0:0:0:0:10", ""),
    ("analyze XGID=-b----E-C---eE---c-e----B-:x:0:1:31:0:0:0:0:10", ""),
    ("analyze XGID=-p----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10", ""),
    ("analyze AAAAAAAAAAAAAA", ""), ("analyze //////////////", ""), (f"analyze {ID}:cIkF", ""),
    (f"analyze {ID} --dice ''", "''"), (f"analyze {ID} --dice ' '", "' '"),
    (f"analyze {ID} --dice 7", "'7'"), (f"analyze {ID} --dice 07", "'07'"),
    (f"analyze {ID} --dice 311", "'311'"), (f"analyze {ID} --dice 3.1", "'3.1'"),
    (f"analyze {ID} --dice -1", "-1"), (f"analyze {ID} --dice six-one", "'six-one'"),
    (f"analyze {ID} --dice '3\n7'", "7"), (f"analyze {ID} --dice \u0663\u0661", "dice"),
    (f"analyze {ID} --dice ab", "'ab'"), (f"analyze {ID} --top -3", "-3"),
    (f"analyze {ID} --noise -0.1", "-0.1"), (f"analyze {ID} --noise nan", "nan"),
    (f"analyze {ID} --noise inf", "inf"), (f"analyze {ID} --noise 1e999", "inf"),
    (f"analyze {ID} --noise-seed {2**64}", "1844"), (f"analyze {ID} --model ''", "''"),
    (f"analyze {ID} --model .", "'.'"), (f"analyze {ID} --model /dev/null", "/dev/null"),
    (f"analyze {ID} --model LEAF", "'LEAF'"), (f"analyze {ID} --model {__file__}", "test_main"),
    (f"analyze {ID} --max-seconds 0", "0"), (f"analyze {ID} --max-seconds -1", "-1"),
    (f"analyze {ID} --max-seconds nan", "nan"), (f"analyze {ID} --stakes ''", "''"),
    (f"analyze {ID} --stakes Money", "'Money'"), (f"analyze {ID} --stakes 1", "'1'"),
    (f"analyze {ID} --stakes 1,2,3,-1,-2", ""), (f"analyze {ID} --stakes 1,2,3,-1,-2,x", ""),
    (f"analyze {ID} --stakes 1,2,3,-1,-2,-3,-4", ""), (f"analyze {ID} --stakes ,,,,,", ""),
    (f"analyze {ID} --stakes 0,0,0,0,0,0", ""), (f"analyze {ID} --stakes -1,2,3,1,-2,-3", ""),
    (f"analyze {ID} --stakes nan,2,3,-1,-2,-3", ""),
    (f"analyze {ID} --stakes inf,2,3,-1,-2,-3", ""),
    (f"analyze {ID} --threads 1025", "--threads"), ("analyze - --workers 0", "'--workers'"),
    # bearoff
    ("bearoff ''", "''"), ("bearoff hello", "'hello'"), (f"bearoff {ID}", "home"),
    (f"bearoff {HOME} {HOME}", ""), ("bearoff build --out ''", "''"),
    ("bearoff build --out .", "expected a file"),
    ("bearoff build --out /dev/null/x", "/dev/null/x"), ("bearoff AAAAAAAAAAAAAA", ""),
    # bench
    ("bench --threads 0", "'--threads'"), ("bench --positions 501", "expected 1 to 500"),
    ("bench --deep -1", "expected 0 to 500"), ("bench --against gnubg,xg", "'xg'"),
    ("bench --against gnubg,gnubg", "each program once"), ("bench --against ''", "''"),
    ("bench --positions 0", "0"), ("bench --positions -1", "-1"), ("bench --deep 501", "501"),
    ("bench --model ''", "''"), ("bench --model no-such", "'no-such'"),
    # completion
    ("completion tcsh", "'tcsh'"),
    # external
    ("external :1234", "':1234'"), ("external host:", "'host:'"), ("external ''", "''"),
    ("external 127.0.0.1:99999", "'127.0.0.1:99999'"),
    ("external /dev/null", "cannot listen there"), ("external --model no-such", "'no-such'"),
    ("external --max-seconds 0", "0"), ("external --depth 2", "'2'"),
    # grade
    ("grade depth=1 --seed -1", "'--seed'"),
    ("grade ''", "''"), ("grade depth", "'depth'"), ("grade depth=2", "2"),
    ("grade depth=1,depth=1", "depth"), ("grade depth=1 colour=red", "'colour=red'"),
    ("grade depth=x", "'x'"), ("grade noise=-1", "-1"), ("grade noise=nan", "nan"),
    ("grade gnubg=5", "gnubg"), ("grade gnubg=-1", "gnubg"), ("grade gnubg=0,depth=1", "alone"),
    ("grade bgsage=0", "from 1 to 4"), ("grade bgsage=1,noise=0.1", "alone"),
    ("grade external=127.0.0.1:1", "--cubeful"), ("grade model=", "model"),
    ("grade model=no-such", "'no-such'"), ("grade filter=wide", "wide"),
    ("grade algorithm=star9", "'star9'"), ("grade =", "'='"), ("grade ,", "','"),
    # match
    ("match depth=1 depth=1 --out ''", "''"), ("match depth=1 '' --out x", "''"),
    ("match depth=1 depth=1 --out /dev/null/x --games 4", "/dev/null/x"),
    ("match depth=1 depth=1 --out x --games 0", "0"),
    ("match depth=1 depth=1 --out x --games 3", "3"),
    ("match depth=1 depth=1 --out x --games -4", "-4"),
    ("match depth=1 depth=1 --out x --games 1000000000000", "1000000000000"),
    ("match depth=1 depth=1 --out x --until-se 0", "0"),
    ("match depth=1 depth=1 --out x --until-se nan", "nan"),
    ("match depth=1 depth=1 --out x --luck ''", "''"),
    ("match depth=1 depth=1 --out x --workers 0", "'--workers'"),
    ("match depth=1 gnubg=0 --out x --stakes dmp", "money"),
    ("match bgsage=1 depth=1 --out x --stakes dmp", "money"),
    ("match depth=1 external=127.0.0.1:1 --out x", "--cubeful"),
    ("match depth=1 external=127.0.0.1:1 --out x --length 3", "no program answers there"),
    ("match depth=1 external=/tmp/x --out x --length 3 --workers 2", "one, its connection"),
    ("match depth=1 external=1: --out x --cubeful", "expected HOST:PORT"),
    ("match depth=1 external=1:1,depth=3 --out x --cubeful", "alone"),
    # met
    ("met ''", "''"), ("met no-such.xml", "'no-such.xml'"), ("met .", "Is a directory"),
    (f"met {__file__}", "away,1,2,...,N"), ("met /dev/zero", "not a file"),
    ("met --length 65", "'--length'"),
    # noise
    ("noise --out x --sigma 0 --depth 1", "expected a match"),
    ("noise --out x --sigma x", "'x'"), ("noise --out x --sigma -1", "-1"),
    ("noise --out x --depth 2", "2"), ("noise --out x --games 3", "3"),
    ("noise --out x --errors alike-26", "alike-26"), ("noise --out x --errors x", "x"),
    ("noise --out ''", "''"), ("noise --out x --sigma ''", "''"),
    ("noise --out x --sigma nan", "nan"), ("noise --out x --sigma 0,,1", "'0,,1'"),
    ("noise --out x --depth 1.5", "'1.5'"), ("noise --out x --depth ''", "''"),
    ("noise --out x --games 99999999999", "99999999999"),
    ("noise --out x --model no-such", "'no-such'"), ("noise --out x --until-se -1", "-1"),
    # reproduce
    ("reproduce ballard --out x --seed -1", "'--seed'"),
    ("reproduce chess --out x", "'hauk'"), ("reproduce nim --out ''", "''"),
    # show
    ("show ''", "''"), ("show hello", "'hello'"), ("show -", "'-'"),
    (f"show {ID} --svg ''", "''"), (f"show {ID} --png ''", "''"),
    (f"show {ID} --svg /dev/null/x", "/dev/null/x"), (f"show {ID} --dice 7", "'7'"),
    (f"show {ID} --play 8/5", "--dice 31"), (f"show {ID} --dice 31 --play 8/2", "'8/2'"),
    (f"show {ID} --score 3-5", "match too"), (f"show {ID} --cube 3", "3"),
    # train
    ("train no-such.toml --out x --minutes 0", "'--minutes'"),
    ("train no-such.toml --out x", "no-such.toml"),
    ("train no-such --out x", "no such file, and the shipped recipes are: anew-leaf, "),
    ("train '' --out x", "''"), ("train . --out x", ""), ("train /dev/null --out x", ""),
    (f"train {__file__} --out x", "test_main"), ("train r.toml --out x --device tpu", "'tpu'"),
    ("train r.toml --out x --threads 0", "'--threads'"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "words"), BAD, ids=[repr(line)[1:60] for line, _ in BAD])
def test_a_mistake_gets_one_line(line: str, words: str, tmp_path: Path) -> None:
    words_of = shlex.split(line)
    out = words_of.index("--out") + 1 if "--out x" in line else None
    arguments = [str(tmp_path / "x") if i == out else each for i, each in enumerate(words_of)]
    assert_refused(arguments, words)
    assert not (tmp_path / "x").exists()
