"""`gammon bench`."""

from pathlib import Path

import pytest

from gammon.bench.checks import FINGERPRINT
from gammon.experiments.origin import Origin
from tests.bench.test_report import FOUND
from tests.commands.program import assert_refused, first_words, run


def test_the_command_shows_tables() -> None:
    done = run("bench", "--quick", "--positions", "2")
    assert done.exit_code == 0
    assert "successors" in done.stdout
    assert "depth 5, 2 threads" in done.stdout


def test_a_page_gets_the_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gammon.bench.run_bench", lambda settings, say: FOUND)
    page = tmp_path / "page.md"
    page.write_text(
        "# Mine\n\n<!-- made by `gammon bench`, gammon 0, x y -->\n<!-- so far -->\n"
    )
    done = run(
        "bench", "--quick", "--positions", "2", "--against", "gnubg,bgsage", "--page", str(page)
    )
    assert done.stdout.splitlines()[-1] == f"wrote {page}"
    text = page.read_text()
    (origin,) = Origin.read(text)
    assert origin.command == ("gammon bench --quick --positions 2 --against gnubg,bgsage")
    assert "### In a second" in text
    assert text.startswith("# Mine\n\n<!--")
    assert text.endswith("at most.\n\n<!-- so far -->\n")


def test_a_page_without_a_place_is_refused_before_all_work(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# Mine\n")
    assert_refused(["bench", "--page", str(page)], "expected one line")


def test_the_signature_is_one_number() -> None:
    expected = sum(stats.evaluations for stats in FINGERPRINT.values())
    assert run("bench", "--signature").stdout == f"{expected}\n"


BAD = [
    (["bench", "--threads", "0"], "'--threads'"),
    (["bench", "--positions", "501"], "expected 1 to 500"),
    (["bench", "--deep", "-1"], "expected 0 to 500"),
    (["bench", "--against", "gnubg,xg"], "'xg'"),
    (["bench", "--against", "gnubg,gnubg"], "each program once"),
    (["bench", "--against", ""], "''"),
]


@pytest.mark.parametrize(("arguments", "words"), BAD, ids=first_words)
def test_bad_input_gets_one_line(arguments: list[str], words: str) -> None:
    assert_refused(arguments, words)
