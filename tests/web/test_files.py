"""The files of the page, and none beside them."""

import gzip
import json
import re
from pathlib import Path

import pytest

from gammon.core import values
from gammon.core.estimate import EQUAL, REACH, ROUNDING
from gammon.core.level import BLOCK, ROLLERS
from gammon.engine import bot, cube, settle, tally
from gammon.rules.board import CHECKERS, OPENING, SIZE
from gammon.rules.terms import HIGHEST_CUBE
from gammon.view import SCHEMA_VERSION
from gammon_study.reviews import choice
from gammon_study.reviews.choice import ALIKE, BLUNDERS, PLAYS_ALIKE
from gammon_web import shell
from gammon_web.files import file_response
from gammon_web.refusal import Refusal
from gammon_web.report import report_page
from tests.pages import inside
from tests.web.asking import ask

STATIC = Path(shell.__file__).with_name("static")


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "static" / "parts").mkdir(parents=True)
    (tmp_path / "secret.js").write_text("no")
    (tmp_path / "static" / "parts" / "board.js").write_text("export {};\n")
    (tmp_path / "static" / "notes.py").write_text("no")
    (tmp_path / "static" / ".hidden.js").write_text("no")
    return tmp_path / "static"


def test_a_script_is_one_to_every_browser(folder):
    found = file_response("parts/board.js", folder=folder)
    assert found.headers["content-type"] == "text/javascript; charset=utf-8"
    assert found.body == b"export {};\n"


def test_what_a_browser_has_is_not_sent_again(folder):
    tag = file_response("parts/board.js", folder=folder).headers["etag"]
    again = file_response("parts/board.js", f'"other", {tag}', folder)
    assert (again.status_code, again.body) == (304, b"")
    (folder / "parts" / "board.js").write_text("changed")
    assert file_response("parts/board.js", tag, folder).status_code == 200


def test_texts_are_packed_for_those_who_read_that(folder):
    plain = file_response("parts/board.js", folder=folder)
    packed = file_response("parts/board.js", folder=folder, encodings="br, gzip")
    assert packed.headers["content-encoding"] == "gzip"
    assert gzip.decompress(packed.body) == plain.body
    assert packed.headers["etag"] != plain.headers["etag"]
    again = file_response("parts/board.js", packed.headers["etag"], folder, "gzip")
    assert again.status_code == 304
    for unwanted in ("gzip;q=0", "br, gzip; q=0.0, *", "identity"):
        again = file_response("parts/board.js", folder=folder, encodings=unwanted)
        assert again.body == plain.body, unwanted
    for wanted in ("gzip;q=0.5", "gzip;q=1, br;q=0"):
        again = file_response("parts/board.js", folder=folder, encodings=wanted)
        assert again.body == packed.body, wanted


def test_all_scripts_are_asked_for_at_once():
    """A script that only another one names would be asked for when that is there."""
    page = ask("/").body.decode()
    named = re.findall(r'(?:href|src)="static/((?:board|js)/[^"]+)"', page)
    there = [path for folder in ("board", "js") for path in (STATIC / folder).iterdir()]
    found = {path.relative_to(STATIC).as_posix() for path in there}
    assert sorted(named) == sorted(found - {"js/report.js"})


def test_no_two_scripts_have_one_name():
    names = [path.name for path in STATIC.rglob("*.js")]
    assert len(names) > 50
    assert sorted(names) == sorted(set(names))


def test_the_pages_numbers_are_ours():
    named = ("board/constants.js", "js/blunders.js")
    script = "".join((STATIC / name).read_text() for name in named)
    found = dict(re.findall(r"^export const (\w+) = ([^;]+);$", script, re.MULTILINE))
    assert {name: json.loads(re.sub(r",\s*\]", "]", text)) for name, text in found.items()} == {
        "CHECKERS": CHECKERS, "SIZE": SIZE, "OPENING": [*OPENING], "BLUNDERS": [*BLUNDERS],
        "ALIKE": ALIKE, "PLAYS_ALIKE": PLAYS_ALIKE, "FAR": choice._FAR, "LOST": choice._LOST,
    }  # fmt: skip


def test_the_page_is_small():
    """With a server, that is: it has no engine then."""
    engine = STATIC / "engine"
    files = [
        each for each in STATIC.rglob("*") if each.is_file() and engine not in each.parents
    ]
    assert sum(len(gzip.compress(path.read_bytes())) for path in files) < 112_000
    assert sum(path.stat().st_size for path in files) < 310_000


@pytest.mark.parametrize(
    "name",
    [
        "../secret.js", "parts/../../secret.js", "notes.py", ".hidden.js", "parts", "", "/",
        "nothing.js", "parts//board.js", "./parts/board.js", "parts/board.js\n", "C:board.js",
        "parts\\board.js", "parts/board.js\0.js", f"{5000 * 'a'}.js",
    ],
)  # fmt: skip
def test_nothing_else(folder, name):
    with pytest.raises(Refusal) as caught:
        file_response(name, folder=folder)
    assert caught.value.status == 404


def test_the_page_is_served():
    found = ask("/")
    assert found.headers["content-type"] == "text/html; charset=utf-8"
    tag = found.headers["etag"]
    assert ask("/", headers={"if-none-match": tag}).status == 304
    assert ask("/static/index.html").body == found.body
    assert ask("/static/../app.py").status == 404


def test_a_report_is_served_without_anything_inside():
    found = ask("/report.html")
    assert (found.status, found.body.decode()) == (200, report_page())
    assert inside(found.body.decode()) is None


def test_the_page_without_a_server_has_the_numbers_of_the_engine():
    def numbers(name: str) -> dict[str, float]:
        text = (STATIC / "engine" / name).read_text()
        found = re.findall(r"^(?:export )?const ([A-Z_]+) = ([-\d.e]+);", text, re.MULTILINE)
        return {each: float(value) for each, value in found}

    assert numbers("tally.js") == {
        "BLOCK": BLOCK, "REACH": REACH, "LEAST": tally.LEAST, "OUT": tally._OUT,
        "EQUAL": EQUAL, "ROUNDING": ROUNDING,
    }  # fmt: skip
    assert numbers("cube.js") == {"ROUNDING": cube._ROUNDING, "CLOSE": cube._CLOSE}
    assert numbers("settle.js") == {"CLEAR": settle._CLEAR}
    assert numbers("turn.js") == {"GRACE": bot._GRACE}
    assert numbers("stakes.js")["HIGHEST"] == HIGHEST_CUBE
    assert numbers("answers.js") == {"SCHEMA_VERSION": SCHEMA_VERSION, "UNITS": values._DIGITS}
    text = (STATIC / "engine" / "settle.js").read_text()
    levels = re.search(r"LEVELS = (\{.*?\n\});", text, re.DOTALL)[1]
    words = re.sub(r"(\w+):(?= )", r'"\1":', levels.replace("roller:", '"roller":'))
    for name, level in json.loads(re.sub(r",(?=\s*})", "", words)).items():
        wanted = ROLLERS[name]._asdict() | {"rounds": [*ROLLERS[name].rounds]}
        assert (wanted.pop("plies"), wanted.pop("move_filter")) == (1, "")
        assert level == wanted
