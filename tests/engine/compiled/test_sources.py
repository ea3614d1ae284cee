"""The sources behind a module: a plain expression finds what Python's own reading finds."""

from pathlib import Path

import pytest

from gammon.compiled import sources
from gammon.compiled.sources import modules_behind, source_digest
from tests.imports import MODULES, PACKAGE, imported


@pytest.mark.smoke
def test_no_import_is_missed() -> None:
    missed = {
        str(path.relative_to(PACKAGE.parent)): imported(path)
        - modules_behind(path.read_bytes())
        for path in MODULES.values()
    }
    assert len(missed) > 300
    assert {path: names for path, names in missed.items() if names} == {}


def test_few_modules_are_behind_one_that_needs_few() -> None:
    behind = modules_behind((PACKAGE / "rules" / "dice.py").read_bytes())
    assert "gammon.base.errors" in behind
    assert "gammon.search.star" not in behind


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package of three modules, of which `a` imports `b`, inside a function."""
    (tmp_path / "a.py").write_text("def f():\n    from gammon.b import (\n        x,\n    )\n")
    (tmp_path / "b.py").write_text("x = 1\n")
    (tmp_path / "c.py").write_text("y = 1\n")
    files = {f"gammon.{name}": tmp_path / f"{name}.py" for name in "abc"}
    monkeypatch.setattr(sources, "_files", lambda: files)
    return tmp_path


def forget() -> None:
    for each in (sources._read, source_digest):
        each.cache_clear()


@pytest.mark.parametrize(("edited", "same"), [("a", False), ("b", False), ("c", True)])
def test_an_edit_changes_the_digest_of_those_who_import(
    house: Path, edited: str, same: bool
) -> None:
    forget()
    before = source_digest((house / "a.py").read_bytes())
    path = house / f"{edited}.py"
    path.write_text(path.read_text() + "# edited\n")
    forget()
    assert (source_digest((house / "a.py").read_bytes()) == before) is same
    forget()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b"import gammon.b, gammon.c as other\n", {"gammon.b", "gammon.c"}),
        (b"    from gammon.a import f  # for c\n", {"gammon.a", "gammon.b"}),
        (b"from gammon import b, c\n", {"gammon.b", "gammon.c"}),
        (b"from numpy import gammon\nimport numpy\n", set()),
        (b"x = 'from gammon.a import f'\n", set()),
    ],
)
def test_the_modules_behind_a_text(house: Path, text: bytes, expected: set[str]) -> None:
    forget()
    assert modules_behind(text) == expected
    forget()
