"""`gammon embed` writes what programs in C need, or says why not."""

from pathlib import Path

import pytest

from gammon.compiled.kernel import no_library
from gammon.compiled.library import library
from gammon_adapters.embed.header import header
from tests.engine.commands.program import run

compiled = pytest.mark.skipif(no_library() != "", reason="the library is not used")


@compiled
def test_the_files(tmp_path: Path) -> None:
    done = run("embed", "--out", str(tmp_path / "new"), "--model", "probe")
    assert done.exit_code == 0
    names = ["gammon.h", "gammon.engine", library().path.name, "NOTICE.txt", "LICENSE.txt"]
    assert [Path(line.split()[-1]).name for line in done.stdout.splitlines()] == names
    assert {path.name for path in (tmp_path / "new").iterdir()} == set(names)
    assert (tmp_path / "new" / "gammon.h").read_text() == header()
    assert (tmp_path / "new" / names[2]).read_bytes() == library().path.read_bytes()


def test_the_terms_go_with_the_engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gammon_adapters.embed.script.script_files", lambda model: {})
    assert run("embed", "--javascript", "--out", str(tmp_path)).exit_code == 0
    assert {path.name for path in tmp_path.iterdir()} == {"README.md", "NOTICE.txt", "LICENSE.txt"}
    licence = Path(__file__).parents[3] / "LICENSE"
    assert (tmp_path / "LICENSE.txt").read_text() == licence.read_text()


@compiled
def test_what_cannot_be_written_gets_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = run("embed", "--out", str(tmp_path / "file" / "below"))
    assert done.exit_code == 1
    assert len(done.stderr.splitlines()) == 1
    assert "cannot be written" in done.stderr
