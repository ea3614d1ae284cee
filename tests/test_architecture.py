"""Imports only go down: no circle among files, and the packages and layers of the page."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from gammon.base.plugins import COMMANDS, FORMATS
from tests import imports
from tests.imports import MODULES, PACKAGE, PACKAGES

PAGE = Path(__file__).parents[1] / "docs" / "architecture.md"
#: The public names of a package come from its modules, and none of these imports them from it.
NAMES = {"gammon", "gammon_study"}
FILES = [path for name, path in MODULES.items() if name not in NAMES]
#: The first two blocks of the page: the packages, and the layers of the engine.
BLOCKS = [block.strip("\n").splitlines() for block in PAGE.read_text().split("```")[1:4:2]]


def package(path: Path) -> str:
    return path.relative_to(PACKAGE.parent).parts[0]


def subpackage(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


@cache
def imported(path: Path) -> frozenset[Path]:
    """The other files of the packages that a file imports, inside functions too."""
    names = imports.imported(path) - NAMES
    return frozenset(MODULES[name] for name in names) - {path}


def below(path: Path) -> set[Path]:
    """The files that a file imports, and those that these import."""
    found: set[Path] = set()
    waiting = set(imported(path))
    while waiting:
        found |= waiting
        waiting = {other for each in waiting for other in imported(each)} - found
    return found


def layers() -> dict[str, int]:
    """The layer of each subpackage of the engine: a number stands where one begins."""
    found, layer = {}, -1
    for line in BLOCKS[1]:
        layer = int(line[:3].strip() or layer)
        found |= dict.fromkeys(re.findall(r"\w+", line[3:16]), layer)
    return found


@pytest.mark.smoke
def test_no_file_imports_itself_by_way_of_others() -> None:
    circles = {str(path.relative_to(PACKAGE.parent)) for path in FILES if path in below(path)}
    assert circles == set()


@pytest.mark.smoke
def test_packages_import_those_that_the_page_names() -> None:
    """The engine imports none of the others."""
    allowed = {line.split()[0].strip("/"): set(re.findall(r"\w+", line[18:57])) for line in BLOCKS[0]}
    assert allowed.keys() == {path.name for path in PACKAGES}
    assert allowed["gammon"] == set()
    for path in FILES:
        others = {package(other) for other in imported(path)} - {package(path)}
        assert others <= allowed[package(path)], path


def test_the_page_names_files_that_are_there() -> None:
    """Paths without a package are of the engine."""
    named = set(re.findall(r"[\w/]+/\w+\.py", PAGE.read_text()))
    assert len(named) > 40
    root = PACKAGE.parent
    assert {name for name in named if not (PACKAGE / name).exists() and not (root / name).exists()} == set()


@pytest.mark.smoke
def test_imports_only_go_down() -> None:
    """A subpackage imports from lower layers alone: there is no circle among them either."""
    layer = layers()
    engine = [path for path in FILES if package(path) == "gammon"]
    assert {subpackage(path) for path in engine} == set(layer)
    higher = {
        f"{path.relative_to(PACKAGE)}: {subpackage(other)}"
        for path in engine
        for other in imported(path)
        if subpackage(other) != subpackage(path) and layer[subpackage(other)] >= layer[subpackage(path)]
    }
    assert higher == set()


def test_one_door_leads_up() -> None:
    """Answers ask there how they look; no other file of the engine names modules in texts."""
    named = {
        f"{path.relative_to(PACKAGE).as_posix()}: {node.value}"
        for path in PACKAGE.rglob("*.py")
        if path.parent != PACKAGE
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        if node.value in MODULES.keys() - {"gammon"}
    }
    groups = {f"base/plugins.py: {group}" for group in (COMMANDS, FORMATS)}
    door = {"base/showing.py: gammon.view", "base/showing.py: gammon.view.tables"}
    assert named == groups | door


def test_search_knows_nothing_of_backgammon() -> None:
    for path in (PACKAGE / "search").rglob("*.py"):
        assert {subpackage(other) for other in imported(path)} <= {"base", "compiled", "search"}


def test_only_commands_print_or_exit() -> None:
    for path in FILES:
        if path.parent.name == "commands" or path.name == "__main__.py":
            continue
        calls = {
            node.func.id if isinstance(node.func, ast.Name) else node.func.attr
            for node in ast.walk(ast.parse(path.read_text()))
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute)
        }
        if path.name != "server.py":
            assert not calls & {"print", "echo", "print_view", "exit", "input"}, path
