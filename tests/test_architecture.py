"""Imports only go down: no circle among files, and the floors of docs/architecture.md."""

import ast
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from tests import imports
from tests.imports import MODULES, PACKAGE

PAGE = Path(__file__).parents[1] / "docs" / "architecture.md"
#: The public names have a home each, and it imports none of them.
FILES = [path for name, path in MODULES.items() if name != "gammon"]


def floors() -> dict[str, int]:
    """The floor of each room: the page's first block has their names in columns 4 to 41, and
    a number before them where a floor begins."""
    found, floor = {}, -1
    for line in PAGE.read_text().split("```")[1].strip("\n").splitlines():
        floor = int(line[:3].strip() or floor)
        found |= dict.fromkeys(re.findall(r"\w+", line[3:42]), floor)
    return found


FLOORS = floors()


def room(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


@cache
def imported(path: Path) -> frozenset[Path]:
    """The other files of the package that a file imports, inside functions too."""
    names = imports.imported(path) - {"gammon"}
    return frozenset(MODULES[name] for name in names) - {path}


def imported_rooms(path: Path) -> set[str]:
    return {room(other) for other in imported(path)} - {room(path)}


def named_rooms(path: Path) -> set[str]:
    """The other rooms of which a file names modules in texts, to load them when needed."""
    texts = {
        node.value.partition(":")[0]
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    } - {"gammon"}
    return {room(MODULES[name]) for name in texts & MODULES.keys()} - {room(path)}


def below(path: Path) -> set[Path]:
    """The files that a file imports, and those that these import."""
    found: set[Path] = set()
    waiting = set(imported(path))
    while waiting:
        found |= waiting
        waiting = {other for each in waiting for other in imported(each)} - found
    return found


def higher_rooms(rooms_of: Callable[[Path], set[str]]) -> list[str]:
    """The files with rooms that are not below their own."""
    return [
        f"{path.relative_to(PACKAGE).as_posix()}: {other}"
        for path in FILES
        for other in sorted(rooms_of(path))
        if FLOORS[other] >= FLOORS[room(path)]
    ]


@pytest.mark.smoke
def test_no_file_imports_itself_by_way_of_others() -> None:
    circles = {str(path.relative_to(PACKAGE)) for path in FILES if path in below(path)}
    assert circles == set()


@pytest.mark.smoke
def test_imports_only_go_down() -> None:
    """A room imports from lower floors alone, so there is no circle among rooms either."""
    assert {room(path) for path in FILES} == set(FLOORS)
    assert higher_rooms(imported_rooms) == []


def test_one_door_leads_up() -> None:
    """Answers ask there how they look; no other file names modules of higher floors."""
    assert higher_rooms(named_rooms) == ["base/showing.py: shown"]


def test_few_files_lie_loose() -> None:
    assert len([path for path in FILES if path.parent == PACKAGE]) <= 12
    assert len(FLOORS) <= 27
    arrows = {(room(path), other) for path in FILES for other in imported_rooms(path)}
    assert len(arrows) <= 190


def test_search_knows_nothing_of_backgammon() -> None:
    for path in (PACKAGE / "search").rglob("*.py"):
        assert imported_rooms(path) <= {"base", "compiled"}, path


def test_only_commands_print_or_exit() -> None:
    for path in PACKAGE.rglob("*.py"):
        if room(path) in ("commands", "__main__") or path.name in ("console.py", "server.py"):
            continue
        calls = {
            node.func.id if isinstance(node.func, ast.Name) else node.func.attr
            for node in ast.walk(ast.parse(path.read_text()))
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute)
        }
        assert not calls & {"print", "echo", "print_view", "exit", "input"}, path


#: Modules that promise nothing of their own: names, and one line each.
PLAIN = {
    "__main__", "base/errors", "formats/stored", "games/nothing", "rules/state",
    "shown/console",
}  # fmt: skip


def test_each_module_is_tested_in_its_room() -> None:
    """In a file of its name, or in one of the room that imports it; `X_kernel` is part of `X`.

    A room has one file of tests until it needs two.
    """
    tests = Path(__file__).parent
    missing = set()
    for path in FILES:
        place = path.relative_to(PACKAGE).with_suffix("").as_posix().removesuffix("_kernel")
        room = (tests / place).parent
        if path.name != "__init__.py" and place not in PLAIN:
            named = room / f"test_{Path(place).name}.py"
            if not named.exists() and path not in set().union(
                *map(imported, room.glob("test_*.py"))
            ):
                missing.add(place)
    assert missing == set()
