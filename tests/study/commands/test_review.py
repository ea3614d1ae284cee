"""`gammon review`."""

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from gammon.base.files import find_file
from gammon.view import to_json
from gammon_study.match_files.match_file import read_transcript
from gammon_study.reviews.review import review
from tests.engine.commands.program import assert_refused, run
from tests.matches import HAND
from tests.tables import FLAT, written

FILE = str(HAND)


def test_tables_and_json(tmp_path: Path) -> None:
    out = str(tmp_path / "out")
    done = run("review", FILE, "--depth", "1", "--out", out)
    assert done.exit_code == 0
    assert done.stdout.startswith("Ann against Bob")
    again = run("review", FILE, "--depth", "1", "--out", out, "--json")
    assert json.loads(again.stdout) == to_json(review(HAND, depth=1))


def test_it_says_what_it_is_doing(monkeypatch: pytest.MonkeyPatch) -> None:
    """While it reads, too: a session may have 100,000 games."""
    said: list[str] = []

    @contextmanager
    def counted(total: int) -> Iterator[Callable[[float, str], None]]:
        yield lambda done, text: said.append(text)

    monkeypatch.setattr("gammon.view.progress.counted", counted)
    assert run("review", FILE, "--depth", "1").exit_code == 0
    count = len(read_transcript(FILE).games)
    assert said[:count] == ["reading the file, 0 games", "reading the file, 1 game"]
    assert said[-1] == f"{count} of {count}"


def test_one_player(tmp_path: Path) -> None:
    shown = run("review", FILE, "--depth", "1", "--player", "bo", "--worst", "99").stdout
    assert ", Bob: " in shown
    assert ", Ann: " not in shown


def test_a_table(tmp_path: Path) -> None:
    done = run("review", FILE, "--depth", "1", "--met", str(written(FLAT, tmp_path)), "--json")
    assert json.loads(done.stdout) == to_json(review(HAND, depth=1, met=FLAT))


def test_the_report(tmp_path: Path) -> None:
    html, out = tmp_path / "report.html", str(tmp_path / "out")
    options = ["--depth", "1", "--html", str(html), "--rollout-over", "0.1", "--trials", "36"]
    done = run("review", FILE, *options, "--worst", "4", "--out", out)
    assert done.exit_code == 0
    found = review(HAND, depth=1, rollout_over=0.1, trials=36)
    assert html.read_text() == found.page()
    assert "Rolled out: " in done.stdout
    assert (tmp_path / "out" / "rollouts.jsonl").exists()


@pytest.mark.parametrize(
    ("place", "reason"),
    [("/dev/full", "No space left on device"), (".", "expected the name of a file")],
)
def test_a_report_that_cannot_be_written_takes_no_answer_away(place: str, reason: str) -> None:
    done = run("review", FILE, "--depth", "1", "--html", place)
    assert (done.exit_code, done.stdout) == (1, run("review", FILE, "--depth", "1").stdout)
    assert done.stderr == f"Error: '{place}' cannot be written: {reason}\n"


def test_the_report_does_not_take_the_place_of_the_match(tmp_path: Path) -> None:
    match, link = tmp_path / "hand.mat", tmp_path / "link"
    match.write_bytes(HAND.read_bytes())
    link.symlink_to(match)
    for place in (match, link):
        words = f"--html '{place}': expected another file than FILE"
        assert_refused(["review", str(match), "--depth", "1", "--html", str(place)], words)
    assert match.read_bytes() == HAND.read_bytes()


def test_the_report_does_not_take_the_place_of_another_file_that_is_read(
    tmp_path: Path,
) -> None:
    table = written(FLAT, tmp_path)
    model = Path(shutil.copy(str(find_file("leaf", ".safetensors")), tmp_path))
    for option, path in (("--met", table), ("--model", model)):
        before = path.read_bytes()
        asked = ["review", FILE, "--depth", "1", option, str(path), "--html", str(path)]
        assert_refused(asked, f"expected another file than {option}")
        assert path.read_bytes() == before


@pytest.mark.parametrize("name", ["units.jsonl", "rollouts.jsonl", "run.json", "run.lock"])
def test_the_report_does_not_take_the_place_of_what_is_kept(tmp_path: Path, name: str) -> None:
    out = tmp_path / "out"
    run("review", FILE, "--depth", "1", "--out", str(out))
    kept = (out / "units.jsonl").read_bytes()
    asked = "review", FILE, "--depth", "1", "--out", str(out), "--html"
    words = "expected another file than those that --out keeps"
    for place in (out / name, out / ".." / "out" / name):
        assert_refused([*asked, str(place)], words)
    assert run(*asked, str(out / "report.html")).exit_code == 0
    assert run(*asked, str(tmp_path / name)).exit_code == 0
    assert (out / "units.jsonl").read_bytes() == kept


def test_json_refuses_what_tables_alone_heed(tmp_path: Path) -> None:
    asked, report = ["review", FILE, "--depth", "1", "--json"], str(tmp_path / "r.html")
    assert_refused(
        [*asked, "--worst", "3"],
        "--worst without tables (--json leaves them out): it has no effect",
    )
    words = "--player without tables or --html (--json is whole): it has no effect"
    assert_refused([*asked, "--player", "Ann"], words)
    assert run(*asked, "--player", "Ann", "--html", report).exit_code == 0
