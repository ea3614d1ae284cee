"""The package as it is installed: found from any folder, complete, typed."""

import ast
import runpy
import subprocess
import sys
import tomllib
from importlib.metadata import files, version
from pathlib import Path
from types import ModuleType

import pytest
from click.testing import CliRunner

import gammon
import gammon_study
from gammon.commands.main import main
from gammon.eval.model_file import shipped_models

#: What takes a good part of a second to import.
SLOW = {"distributed", "matplotlib", "numba", "pydantic", "rich", "safetensors", "scipy", "torch"}


def python(*arguments, cwd=None):
    return subprocess.run([sys.executable, *arguments], cwd=cwd, capture_output=True, text=True, check=False)


def test_it_is_found_from_a_folder_with_another_gammon(tmp_path):
    (tmp_path / "gammon").mkdir()  # as in the folder that holds a clone
    found = python("-c", "import gammon; print(gammon.Position.__name__)", cwd=tmp_path)
    assert (found.stdout, found.stderr) == ("Position\n", "")


@pytest.mark.parametrize("package", [gammon, gammon_study])
def test_every_public_name_is_there(package):
    for name in package.__all__:
        found = getattr(package, name)
        home = found.__name__ if isinstance(found, ModuleType) else found.__module__
        assert home.startswith(f"{package.__name__}."), name
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        package.nothing  # noqa: B018


@pytest.mark.parametrize("package", [gammon, gammon_study])
def test_type_checkers_and_python_find_the_same_names(package):
    tree = ast.parse(Path(package.__file__).read_text())
    (block,) = (
        each for each in tree.body if isinstance(each, ast.If) and ast.unparse(each.test) == "TYPE_CHECKING"
    )
    typed = {each.module: [name.name for name in each.names] for each in block.body}
    assert typed == {home: names.split() for home, names in package._HOMES.items()}
    assert sorted(name for names in typed.values() for name in names) == package.__all__


def test_the_networks_come_with_it():
    assert {path.stem for path in shipped_models()} == {"large", "leaf", "probe", "width"}


def test_an_editable_install_is_a_plain_path():
    """Type checkers follow a path; they do not run an import hook."""
    installed = [str(file) for file in files("gammon") or ()]
    assert not any("finder" in name for name in installed)


#: A host does not wait half a minute for the names of the settings.
HANDSHAKE = """
from gammon_adapters.ubgi import Ubgi
ubgi = Ubgi(lambda line: None)
ubgi.obey("ubgi")
ubgi.obey("set engine.ply 1")
"""
#: The page does not wait for the engine.
PAGE = """
from tests.web.asking import ask
for path in "/", "/health", "/api/v1/position?id=4HPwATDgc/ABMA&dice=31":
    assert ask(path).status == 200
"""


@pytest.mark.parametrize(
    ("program", "unused"),
    [
        ("import gammon", {"click", "numpy", *SLOW}),
        ("import gammon\ngammon.__version__", {"importlib.metadata", "numpy", *SLOW}),
        ("import gammon\ngammon.to_json", {"numpy"}),
        ("import gammon\ngammon.svg", SLOW),
        ("import gammon\ngammon.Position.parse('4HPwATDgc/ABMA')", SLOW),
        ("import gammon.commands.main", {"numpy", *SLOW}),
        ("import gammon\ngammon.Engine", SLOW - {"numba", "safetensors", "scipy"}),
        ("import os\nos.environ['GAMMON_KERNELS'] = 'python'\nimport gammon.rules.plays", {"numba"}),
        (
            "from gammon.commands.main import main\nmain(['met', '--length', '3'], standalone_mode=False)",
            {"numba"},
        ),
        (HANDSHAKE, {"numba"}),
        (PAGE, {"numba", "rich", "scipy"}),
    ],
)
def test_what_is_slow_to_import_waits_for_its_use(program, unused):
    program += f"\nimport sys\nprint(sorted({unused} & set(sys.modules)))"
    done = python("-c", program)
    assert (done.stdout.splitlines()[-1:], done.stderr) == (["[]"], "")


#: The rooms of the package that an analysis imports, and no others.
ROOMS = {
    "base", "commands", "compiled", "core", "engine", "eval", "formats", "games", "rules",
    "search", "view",
}  # fmt: skip
#: Modules for what an analysis does not do, once its networks are kept.
UNUSED = {
    "filelock", "gammon.eval.bearoff_build", "gammon.view.json", "gammon.view.svg",
    "matplotlib", "platformdirs", "pydantic", "pygments", "rich.markdown", "rich.progress",
    "gammon.engine.level_rollouts", "numpy.random", "safetensors", "torch",
}  # fmt: skip


def test_an_analysis_imports_what_it_needs():
    program = (
        "import sys\n"
        "from gammon.commands.main import main\n"
        "words = 'analyze', '4HPwATDgc/ABMA', '--dice', '31', '--depth', '3'\n"
        "main(words, standalone_mode=False)\n"
        "print(*sys.modules, file=sys.stderr)"
    )
    python("-c", program)  # the first one may have to pack the networks
    modules = python("-c", program).stderr.split()
    ours = [name.split(".")[1] for name in modules if name.startswith("gammon.")]
    assert {*ours} == ROOMS
    assert not UNUSED & {*modules}
    commands = [name for name in modules if name.startswith("gammon.commands.")]
    assert {*commands} == {
        f"gammon.commands.{name}" for name in ("analyze", "group", "main", "options", "process", "shared")
    }


#: The base install has none of these.
EXTRA = ("distributed", "matplotlib", "numba", "pydantic", "scipy", "torch")
SAMPLE = str(Path(__file__).parent / "golden" / "matches" / "sample.xg")
BASE = (
    ("info",),
    ("info", "--json"),
    ("analyze", "4HPwATDgc/ABMA", "--dice", "31", "--depth", "3"),
    ("match", "depth=1", "depth=1", "--games", "4", "--out", "m"),
    ("met",),
    ("show", "4HPwATDgc/ABMA", "--png", "board.png"),
    ("review", SAMPLE, "--depth", "1"),
    ("study", "add", SAMPLE, "--depth", "1", "--library", "own.db"),
    ("study", "export", "errors.apkg", "--library", "own.db"),
    ("site", "--out", "board"),
    ("embed", "--javascript", "--out", "engine"),
)


@pytest.mark.smoke
def test_the_base_install_suffices(tmp_path):
    """Where no extra can be imported, all that players use."""
    program = (
        "import sys\n"
        "import click\n"
        "click.ParamType.__class_getitem__ = None  # as before click 8.4\n"
        f"sys.modules |= dict.fromkeys({EXTRA})\n"
        "import gammon_lab.bench  # to run it takes half a minute\n"
        "from gammon.commands.main import main\n"
        f"for arguments in {BASE}:\n"
        "    main(arguments, standalone_mode=False)\n"
    )
    done = python("-c", program, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    written = "board.png", "errors.apkg", "board/index.html", "engine/gammon.wasm"
    assert all((tmp_path / name).exists() for name in written)


@pytest.mark.parametrize(
    ("line", "library", "words"),
    [
        ("train learn leaf --out x", "torch", "gammon train needs torch: {}[train]"),
        (
            "match depth=1 depth=1 --out m --scheduler tcp://127.0.0.1:1",
            "distributed",
            "a Dask scheduler needs distributed: {}[cluster]",
        ),
        ("reproduce tictactoe --quick --out r", "matplotlib", "gammon reproduce needs matplotlib: {}[plots]"),
        (
            "noise --games 4 --sigma 0.1 --depth 3 --out n",
            "matplotlib",
            "gammon noise needs matplotlib: {}[plots]",
        ),
    ],
)
def test_a_missing_extra_gets_one_line(tmp_path, monkeypatch, line, library, words):
    monkeypatch.chdir(tmp_path)
    for name in {library, *(n for n in sys.modules if n.startswith(f"{library}."))}:
        monkeypatch.setitem(sys.modules, name, None)
    for name in [n for n in sys.modules if n.startswith(("gammon_lab.train.", "gammon_web."))]:
        monkeypatch.delitem(sys.modules, name)
    done = CliRunner().invoke(main, line.split())
    told = words.format('in the clone of gammon, pip install -e ".') + '"'
    assert (done.exit_code, done.stderr) == (1, f"Error: {told}\n")
    begun = {path.name for path in tmp_path.iterdir()}
    assert not begun & {"n", "r"}, "that plots are missing is said before work begins"


def test_it_runs_as_a_module():
    done = python("-m", "gammon", "--version")
    assert done.stdout.split()[-1] == gammon.__version__
    assert done.stdout.startswith("python -m gammon")


def test_the_citation_names_this_version():
    lines = (Path(__file__).parent.parent / "CITATION.cff").read_text().splitlines()
    assert f"version: {gammon.__version__}" in lines


def test_the_version_is_said_in_one_place():
    """The build reads it from the package, and what is installed has the same."""
    table = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text())
    assert table["project"]["dynamic"] == ["version"]
    assert table["tool"]["hatch"]["version"]["path"] == "gammon/__init__.py"
    assert version("gammon") == gammon.__version__


def test_each_fault_that_can_be_planted_has_its_line():
    """A change moved two of them, and nobody noticed until they were planted."""
    root = Path(gammon.__file__).parents[1]
    for name, fault in runpy.run_path(str(root / "scripts" / "plant_faults.py"))["FAULTS"].items():
        assert (root / fault.file).read_text(encoding="utf-8").count(fault.right) == 1, name
        assert all((root / "tests" / file).exists() for file in fault.tests.split()), name
