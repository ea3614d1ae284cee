"""The Python of the documentation runs, its changes can be made, its links lead somewhere."""

import ast
import os
import re
import runpy
import shlex
import shutil
import subprocess
import tomllib
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

import gammon
from gammon.commands.group import every_command
from gammon.commands.main import main
from tests.imports import PACKAGES
from tests.processes import ROOT, printed

# The Python of the documentation runs, its changes can be made, its links lead somewhere.

PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("models/*.md")])

#: Writes the bits of what shipped networks say of a few positions.
SAID = """
import numpy as np
from gammon.eval.integer_network_kernel import results_of
from gammon.eval.model_file import load_model
from gammon.eval.integers import pack
from gammon.rules.board import OPENING

contact = [0, -1, 2, 0, 0, 3, 4, 0, 3, -1, 0, 0, -4, 2, 0, -1, 0, -3, 0, -4, -1, 0, 0, 0, 0, 1]
boards = np.array([OPENING, contact], np.int8)
for name in ("leaf", "probe"):
    print(results_of(boards, pack(load_model(name).weights)).tobytes().hex())
"""

#: Holds the changed numbers of a side to their changed twin.
TWIN = """
from gammon.eval.tactics import UNITS, SideNumbers, tactics_of
from gammon.rules.board import flipped
from tests.engine.eval.test_features import random_positions
from tests.naive.features import numbers_by_moves

assert SideNumbers._fields[-1] == "board"
for points in random_positions(20):
    found = tactics_of(np.array([points], np.int8)).reshape(2, -1)
    for numbers, seen in zip(found, (points, flipped(points)), strict=True):
        expected = numbers_by_moves(seen)
        shares = [expected[name] / unit for name, unit in UNITS._asdict().items()]
        assert np.allclose(numbers, shares)
"""


def name_of(page):
    return str(page.relative_to(ROOT))


def part(page, heading):
    """The text of a page of docs/ below a heading of the second order."""
    _, _, text = (ROOT / "docs" / page).read_text().partition(f"\n## {heading}\n")
    assert text, f"{page} has no part {heading}"
    return text.split("\n## ")[0]


def blocks(kind, *place):
    """The blocks of one kind in a part of a page."""
    return re.findall(rf"```{kind}\n(.*?)```", part(*place), re.DOTALL)


def change(diff, root):
    """Make a change of a page: its lines that are not new stand together in the file."""
    first, *lines = diff.splitlines()
    path = root / first.removeprefix("--- ")
    old = "".join(f"{line[1:]}\n" for line in lines if line[0] != "+")
    new = "".join(f"{line[1:]}\n" for line in lines if line[0] != "-")
    text = path.read_text()
    assert text.count(old) == 1, f"{path.name} has not these lines once:\n{old}"
    path.write_text(text.replace(old, new))


def printed_in(root, code, kernels="python"):
    """Return the lines that code prints with a package, as plain Python or compiled."""
    return printed(code, cwd=root, PYTHONPATH=str(root), GAMMON_KERNELS=kernels)


def test_adding_a_game(tmp_path):
    code = blocks("python", "extending.md", "A game")
    assert len(code) == 8
    # Compiled functions are kept on disk by the file that they come from.
    script = tmp_path / "race_to_ten.py"
    script.write_text("\n".join(code))
    found = runpy.run_path(str(script))
    assert -1 < found["twin"](0) < 1


def test_adding_an_algorithm(tmp_path, capsys):
    """In a file of one's own, of at most 80 lines of code."""
    code = blocks("python", "extending.md", "An algorithm")
    assert len(code) == 3
    assert sum(line.strip() != "" for block in code[:2] for line in block.splitlines()) <= 80
    script = tmp_path / "sampling_star1.py"
    script.write_text("\n".join(code))
    runpy.run_path(str(script))
    assert len(capsys.readouterr().out.splitlines()) == 3


def test_kernels_in_ten_minutes(tmp_path):
    text = part("changing_gammon.md", "Kernels in ten minutes")
    assert len(text.split()) <= 700
    script = tmp_path / "weighed.py"
    script.write_text("\n".join(blocks("python", "changing_gammon.md", "Kernels in ten minutes")))
    printed_in(ROOT, f"import runpy; runpy.run_path({str(script)!r})", kernels="")
    printed_in(ROOT, f"import runpy; runpy.run_path({str(script)!r})")


#: The parts of a page whose changes are made: an option and its like, and a feature.
OPTION = "changing_gammon.md", "An option, a field or a figure"
FEATURE = "changing_gammon.md", "A feature of the network"


def followed(place, root):
    """A copy of the package in which a part of a page has been followed."""
    for folder in (*(path.name for path in PACKAGES), "models", "scripts", "tests"):
        left_out = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / folder, root / folder, ignore=left_out)
    for diff in blocks("diff", *place):
        change(diff, root)
    return root


@pytest.fixture(scope="module")
def with_feature(tmp_path_factory):
    return followed(FEATURE, tmp_path_factory.mktemp("with_feature"))


def test_adding_an_option(tmp_path):
    """And a field, a figure and an option of the search, each in few files."""
    _, *sections = part(*OPTION).split("\n### ")
    files = [set(re.findall(r"^--- (\S+)$", each, re.M)) for each in sections]
    assert [len(each) for each in files] == [2, 2, 3, 2]
    code = blocks("python", *OPTION)
    assert len(code) == 5
    printed_in(followed(OPTION, tmp_path), "\n".join(code), kernels="")


def test_adding_a_feature(with_feature):
    pytest.importorskip("torch")
    code = blocks("python", *FEATURE)
    assert len(code) == 2
    printed_in(with_feature, "\n".join([*code, TWIN]))


def test_models_from_before_a_feature_give_the_same_values_to_the_last_bit(with_feature):
    before = printed_in(ROOT, SAID)
    assert len(before.split()) == 2
    assert printed_in(with_feature, SAID) == before


#: What is brought by pip beside gammon.
OTHERS = {"bgsage", "open_spiel", "pettingzoo"}
#: The program, then gammon in a clone with its extras, or another package. Only the error about
#: a missing extra names gammon, where a wheel of it is installed already.
INSTALL = re.compile(
    r"""([\w./\\]*)pip install (?:(?:-e "\.|"gammon(?=\[{name}))\[([\w,{}-]+)\]"|-e \.(?=;| )|(\w+))"""
)
#: What can be run once gammon is on PyPI; the sentence says so.
RELEASED = "From the first release on, `uvx gammon` will run it"

SHIPPED = [*PAGES, *ROOT.glob("gammon/**/*.py"), *ROOT.glob("gammon/**/*.js")]


def test_gammon_is_installed_in_one_way():
    """By pip in a clone; nothing says that an index has it. In pages pip is that of .venv."""
    table = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = {*table["optional-dependencies"], "{name}"}
    for path in SHIPPED:
        text = path.read_text()
        found = INSTALL.findall(text)
        assert len(found) == text.count("pip install"), f"{path} installs in another way"
        later = RELEASED in text
        for program, names, other in found:
            known = OTHERS | ({"gammon"} if later else set())
            assert other in known or set(names.split(",")) <= {*extras, ""}, path
            if not other and path.suffix == ".md":
                assert program in (".venv/bin/", ".venv\\Scripts\\"), path
        assert later or not re.search(r"(pipx|uv tool) install|gammon\\?\[[a-z]", text), path
    assert sum(page.read_text().count("pip install -e") for page in PAGES) > 5


def test_the_first_command_of_the_readme_brings_the_board():
    """For each system, with what serve needs; what nobody has tried is said to be so."""
    first = (ROOT / "README.md").read_text().split("\n```")[0]
    lines = [line for line in first.splitlines() if "pip install" in line]
    lines = [line for line in lines if line.startswith("    ")]
    assert [line.split()[0] for line in lines] == ["python3", "py"]
    assert all("install -e ." in line and line.endswith("gammon demo") for line in lines)
    assert "macOS, Windows and other Linux (ARM64, musl) are untried" in first
    assert "it is not on PyPI yet" in first
    assert "`gammon play`" in first


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text()):
        if not target.startswith("http"):
            assert (page.parent / target).exists(), target


def test_the_site_has_every_page_once():
    """Each page is on the list of pages, as docs/conf.py reads it."""
    tree = ast.parse((ROOT / "docs" / "conf.py").read_text())
    wanted = ("LIST = ", "def listed(")
    tree.body = [node for node in tree.body if ast.unparse(node).startswith(wanted)]
    conf = {"os": os, "re": re, "Path": Path, "TOP": ROOT}
    exec(compile(tree, "conf.py", "exec"), conf)  # without Sphinx, which conf.py imports
    found = [page for pages in conf["listed"](conf["LIST"]).values() for page in pages]
    assert sorted(["README", conf["LIST"], *found]) == sorted(name_of(page)[:-3] for page in PAGES)


def test_the_loggers_are_those_of_the_page():
    """And each of them only warns."""
    logging = part("python.md", "What stays as it is").split("### Logging")[1]
    told = set(re.findall(r"`(gammon\.[\w.]+)`", logging))
    found, levels = set(), set()
    for path in ROOT.glob("gammon/**/*.py"):
        code = path.read_text()
        if "getLogger(__name__)" in code:
            found.add(".".join(path.relative_to(ROOT).with_suffix("").parts))
            levels |= set(re.findall(r"_LOG\.(\w+)", code))
    assert (told, levels) == (found, {"warning"})


def test_the_site_has_every_public_name():
    """Once: as a class, a function or a module."""
    page = (ROOT / "docs" / "api.md").read_text()
    listed = re.findall(r"^\.\. auto(?:class|function|module):: gammon\.(\w+)$", page, re.M)
    assert sorted(listed) == sorted(gammon.__all__)


def test_the_page_has_the_help_and_the_glossary_of_the_handbook():
    """`python scripts/write_glossary.py` writes it; no link leads to a page that is not there."""
    written = runpy.run_path(str(ROOT / "scripts" / "write_glossary.py"))
    text = written["page"]()
    assert written["PAGE"].read_text() == text
    heads = re.findall(r"^## (.*)$", (ROOT / "docs" / "glossary.md").read_text(), re.M)
    assert re.findall(r"<h2 .*>(.*)</h2>", text) == [heads[0], "The page", *heads[1:]]
    ids = re.findall(r' id="([^"]*)"', text)
    assert len(set(ids)) == len(ids)
    # The words of the page lead to entries that are there.
    script = (written["PAGE"].parent / "js" / "texts" / "en.js").read_text()
    words = re.search(r"^    words: \{\n(.*?)^    \},", script, re.MULTILINE | re.DOTALL)
    assert words is not None
    named = re.findall(r'^      "?([a-z-]+)"?:', words[1], re.MULTILINE)
    assert len(named) > 15
    assert set(named) <= set(ids)
    assert "<a " not in text
    shown = (written["PAGE"].parent / "index.html").read_text()
    assert 'href="static/glossary.html"' in shown


# The output that the README shows is what its command prints.

README = (Path(__file__).parent.parent / "README.md").read_text()
SHOWN = re.findall(r"^```\n\$ gammon ([^\n]*)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def test_there_are_outputs() -> None:
    assert len(SHOWN) == 1


@pytest.mark.parametrize(("command", "shown"), SHOWN)
def test_an_output_is_that_of_its_command(command: str, shown: str) -> None:
    result = CliRunner().invoke(main, shlex.split(command))
    assert result.exit_code == 0
    # Three points stand for lines that are left out.
    parts = shown.lstrip().split("...\n")
    pattern = "(?s:.*)".join(map(re.escape, parts))
    assert re.fullmatch(pattern, result.output.lstrip())


# Lists in docstrings of classes; ruff reads those of functions (D417, DOC102).

PACKAGE = Path(__file__).parents[1] / "gammon"


def taken(node: ast.ClassDef) -> list[str]:
    """The names that a call may give, in order: of `__init__`, or fields."""
    for part in node.body:
        if isinstance(part, ast.FunctionDef) and part.name == "__init__":
            given = part.args
            every = [*given.args[1:], given.vararg, *given.kwonlyargs, given.kwarg]
            return [argument.arg for argument in every if argument]
    return [ast.unparse(each.target) for each in node.body if isinstance(each, ast.AnnAssign)]


def test_arguments_are_those_that_there_are() -> None:
    found = 0
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            text = isinstance(node, ast.ClassDef) and ast.get_docstring(node)
            if text and (block := re.search(r"^Args:\n((?: .*\n|\n)*)", f"{text}\n", re.M)):
                heads = re.findall(r"^ {4}\**(\w[\w, *]*):(?:\s|$)", block[1], re.M)
                listed = [name for head in heads for name in re.split(r", \**", head)]
                found += 1
                assert listed == taken(node), f"{path.name}, {node.name}"
    assert found > 30


# The man pages: one for each command, with all that its help tells.

MAN_PAGES_PAGES: dict[str, str] = runpy.run_path(str(ROOT / "scripts" / "write_man_pages.py"))["man_pages"]()
COMMANDS: dict[str, click.Command] = {
    f"{path.replace(' ', '-')}.1": command for path, command in every_command(main, "gammon")
}


def read(page: str) -> str:
    """The text of a page as a reader sees it, on one line: fonts and escapes undone."""
    text = re.sub(r"\\f[BIP]|\\&", "", page)
    for escape, character in (("\\-", "-"), ("\\(aq", "'"), ("\\(ti", "~"), ("\\(ha", "^")):
        text = text.replace(escape, character)
    return " ".join(text.replace("\\e", "\\").split())


def test_each_command_has_one() -> None:
    assert set(MAN_PAGES_PAGES) == set(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_it_tells_all_options_and_words_of_the_help(name: str) -> None:
    seen = read(MAN_PAGES_PAGES[name])
    command = COMMANDS[name]
    for parameter in command.params:
        for option in parameter.opts if isinstance(parameter, click.Option) else ():
            assert f".TP {option}" in seen or f", {option}" in seen
    for paragraph in (command.help or "").replace("`", "").split("\n\n"):
        assert " ".join(paragraph.replace("\b", "").split()) in seen


def test_the_positions_in_help_texts_can_be_read() -> None:
    asked = re.compile(r"^ *gammon (?:analyze|bearoff|rollout|show|study note) (.*)$", re.MULTILINE)
    examples = [shlex.split(line) for each in COMMANDS.values() for line in asked.findall(each.help or "")]
    read_ones = [gammon.Position.parse(words[0]) for words in examples if words[0] != "-"]
    assert len(read_ones) > 8


@pytest.mark.parametrize("name", COMMANDS)
def test_no_line_is_taken_for_a_request_or_wider_than_a_terminal(name: str) -> None:
    known = {".TH", ".SH", ".PP", ".TP", ".nf", ".fi", ".nh", ".ad"}
    lines = MAN_PAGES_PAGES[name].splitlines()
    assert {line.split()[0] for line in lines if line.startswith((".", "'"))} <= known
    for kept in re.findall(r"^\.nf\n(.*?)^\.fi$", MAN_PAGES_PAGES[name], re.DOTALL | re.MULTILINE):
        assert all(len(read(line)) + 7 <= 80 for line in kept.splitlines())


@pytest.mark.skipif(shutil.which("groff") is None, reason="no groff")
def test_groff_takes_them_without_a_warning(tmp_path: Path) -> None:
    for name, text in MAN_PAGES_PAGES.items():
        (tmp_path / name).write_text(text)
    done = subprocess.run(
        ["groff", "-ww", "-man", "-T", "utf8", *sorted(MAN_PAGES_PAGES)],
        cwd=tmp_path,
        check=False,
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "GAMMON-ANALYZE(1)" in done.stdout


def test_they_are_written_with_what_a_build_brings(tmp_path: Path) -> None:
    """To build a wheel, pip installs what the hook asks for alone; the kernels are imported, too."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    brought = {re.split(r"\W", line)[0] for line in project["dependencies"]}
    asked = set(re.findall(r'"(\w+)>=', (ROOT / "hatch_build.py").read_text()))
    assert {"click", "numpy"} <= asked <= brought
    program = (
        f"import sys; sys.modules.update(dict.fromkeys({sorted(brought - asked)}))\n"
        f"sys.path.insert(0, {str(ROOT / 'scripts')!r})\n"
        "from pathlib import Path\n"
        "import build_library, write_man_pages\n"
        "build_library._run_plainly()\n"
        f"print(len(write_man_pages.write_man_pages(Path({str(tmp_path)!r}))), len(build_library.roots()))"
    )
    pages, kernels = map(int, printed(program).split())
    assert pages > 10
    assert kernels > 100
