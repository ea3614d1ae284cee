"""Imports only go down: the floors of docs/architecture.md, checked."""

import ast
from pathlib import Path

import gammon

PACKAGE = Path(gammon.__file__).parent

#: The floor of each module or package of gammon.
FLOORS = {
    "errors": 0, "kernel": 0, "hashing": 0,
    "rules": 1, "search": 1,
    "formats": 2, "eval": 2,
    "games": 3,
    "play": 4, "engine": 4, "gnubg": 4, "gnubg_server": 4,
    "parallel": 5, "sample": 5, "train": 5,
    "bench": 6, "experiments": 6, "match": 6,
    "console": 6, "progress": 6, "render": 6, "report": 6, "lab": 7, "cli": 7,
}  # fmt: skip
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


def test_imports_only_go_down() -> None:
    files = [
        p for p in PACKAGE.rglob("*.py") if p.name != "__init__.py" or room(p) != "__init__"
    ]
    files = [p for p in files if p != PACKAGE / "__init__.py"]
    assert len(files) > 20
    wrong = [
        f"{path.relative_to(PACKAGE)} imports {other}"
        for path in files
        for other in imported_rooms(path)
        if FLOORS[other] > FLOORS[room(path)] or (room(path), other) in STRANGERS
    ]
    assert wrong == []


def test_search_knows_nothing_of_backgammon() -> None:
    for path in (PACKAGE / "search").rglob("*.py"):
        assert imported_rooms(path) <= {"errors", "kernel", "hashing", "search"}, path


def test_only_the_top_floor_prints_or_exits() -> None:
    for path in PACKAGE.rglob("*.py"):
        if FLOORS.get(room(path), 0) == 7 or room(path) == "gnubg_server":
            continue
        calls = {
            node.func.id
            for node in ast.walk(ast.parse(path.read_text()))
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        }
        assert not calls & {"print", "exit", "input"}, path
