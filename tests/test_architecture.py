"""Imports only go down: the floors of docs/architecture.md, checked."""

import ast
import re
from pathlib import Path

import pytest

import gammon

PACKAGE = Path(gammon.__file__).parent

PAGE = Path(__file__).parents[1] / "docs" / "architecture.md"


def floors() -> dict[str, int]:
    """The floor of each module or package: the page's first block has their names in columns
    4 to 41, and a number before them where a floor begins."""
    found, floor = {}, -1
    for line in PAGE.read_text().split("```")[1].strip("\n").splitlines():
        floor = int(line[:3].strip() or floor)
        found |= dict.fromkeys(re.findall(r"\w+", line[3:42]), floor)
    return found


FLOORS = floors()
#: Packages of one floor that may not know of each other.
STRANGERS = {("rules", "search"), ("search", "rules"), ("formats", "eval"), ("eval", "formats")}


def room(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported_rooms(path: Path) -> set[str]:
    rooms = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if (
            isinstance(node, ast.ImportFrom)
            and node.module
            and node.module.startswith("gammon")
        ):
            parts = node.module.split(".")
            rooms |= {parts[1]} if len(parts) > 1 else {alias.name for alias in node.names}
        elif isinstance(node, ast.Import):
            names = [alias.name.split(".") for alias in node.names]
            rooms |= {name[1] for name in names if name[0] == "gammon" and len(name) > 1}
    return rooms


@pytest.mark.smoke
def test_imports_only_go_down() -> None:
    files = [
        p for p in PACKAGE.rglob("*.py") if p.name != "__init__.py" or room(p) != "__init__"
    ]
    files = [p for p in files if p != PACKAGE / "__init__.py"]
    assert {room(path) for path in files} == set(FLOORS)
    wrong = [
        f"{path.relative_to(PACKAGE)} imports {other}"
        for path in files
        for other in imported_rooms(path)
        if FLOORS[other] > FLOORS[room(path)] or (room(path), other) in STRANGERS
    ]
    assert wrong == []


def test_search_knows_nothing_of_backgammon() -> None:
    below = {"aligned", "atomic", "errors", "kernel", "records", "hashing", "search"}
    for path in (PACKAGE / "search").rglob("*.py"):
        assert imported_rooms(path) <= below, path


def test_only_the_top_floor_prints_or_exits() -> None:
    for path in PACKAGE.rglob("*.py"):
        if FLOORS.get(room(path), 0) == max(FLOORS.values()) or path.name in (
            "console.py",
            "server.py",
        ):
            continue
        calls = {
            node.func.id if isinstance(node.func, ast.Name) else node.func.attr
            for node in ast.walk(ast.parse(path.read_text()))
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute)
        }
        assert not calls & {"print", "echo", "print_view", "exit", "input"}, path


#: Modules that promise nothing of their own: names, and one line each.
PLAIN = {
    "__main__", "errors", "formats/stored", "games/nothing", "rules/state", "views/console",
}  # fmt: skip


def test_tests_mirror_the_package() -> None:
    """Each module has a test file of its name; `X_kernel` is tested by that of `X`."""
    tests = Path(__file__).parent
    missing = set()
    for path in PACKAGE.rglob("*.py"):
        name = path.relative_to(PACKAGE).with_suffix("").as_posix().removesuffix("_kernel")
        test = tests / Path(name).parent / f"test_{Path(name).name}.py"
        if path.name != "__init__.py" and name not in PLAIN and not test.exists():
            missing.add(name)
    assert missing == set()
