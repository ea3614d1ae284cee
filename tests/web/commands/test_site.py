"""`gammon site` writes a page for any web server, or says what is missing."""

import gzip
import json
import re
from pathlib import Path

import pytest

from gammon.compiled import library
from tests.engine.commands.program import run
from tests.wasm import unbuilt


def test_without_the_modules_it_says_what_makes_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gammon_adapters.embed.script.MODULES", tmp_path)
    done = run("site", "--out", str(tmp_path / "new"))
    assert done.exit_code == 1
    assert len(done.stderr.splitlines()) == 1
    assert "build_library.py" in done.stderr
    assert not (tmp_path / "new").exists()


@pytest.mark.skipif(unbuilt() != "", reason=unbuilt())
def test_every_file_that_is_named_is_there(tmp_path: Path) -> None:
    done = run("site", "--out", str(tmp_path))
    assert done.exit_code == 0
    files = {
        path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()
    }
    page = (tmp_path / "index.html").read_text()
    linked = set(re.findall(r'(?:href|src|content)="((?:static/|manifest)[^"]*)"', page))
    assert linked <= files
    assert "static/engine/worker.js" in linked
    kept = json.loads(re.findall(r"FILES = (\[.*\]);", (tmp_path / "sw.js").read_text())[0])
    assert {*kept, "index.html", "sw.js"} - {"./"} == files
    assert "Copyright (C) 2011 Neil Kazaross" in (tmp_path / "NOTICE.txt").read_text()
    assert "MIT License" in (tmp_path / "LICENSE.txt").read_text()
    imported = {
        (path.parent / name).resolve().relative_to(tmp_path.resolve()).as_posix()
        for path in tmp_path.rglob("*.js")
        for name in re.findall(r'^(?:im|ex)port .*"(\.[^"]*)";$', path.read_text(), re.M)
    }
    assert "static/board/board.js" in imported
    assert imported <= files
    icon = json.loads((tmp_path / "manifest.webmanifest").read_text())["icons"][0]["src"]
    assert icon in files
    module = gzip.decompress((tmp_path / "static/engine/gammon.wasm.gz").read_bytes())
    assert module == (library.MODULES / "wasm32" / "gammon.wasm").read_bytes()


@pytest.mark.skipif(unbuilt() != "", reason=unbuilt())
def test_it_is_small(tmp_path: Path) -> None:
    run("site", "--out", str(tmp_path))
    sent = [
        len(gzip.compress(path.read_bytes()))
        for path in tmp_path.rglob("*")
        if path.is_file() and path.name != "gammon-plain.wasm.gz"
    ]
    assert sum(sent) < 3_000_000
