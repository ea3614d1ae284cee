"""Requests find their answers; others are refused, also where there is no room."""

import asyncio
import gzip
import json
import random
import re
import string
import threading
from pathlib import Path

import pytest

from gammon.core import values
from gammon.core.estimate import EQUAL, REACH
from gammon.core.level import BLOCK, ROLLERS
from gammon.engine import bot, cube, settle, tally
from gammon.rules.board import CHECKERS, SIZE
from gammon.rules.board import OPENING as BOARD
from gammon.rules.terms import HIGHEST_CUBE
from gammon.view import SCHEMA_VERSION
from gammon_study.reviews import choice
from gammon_study.reviews.choice import ALIKE, BLUNDERS, PLAYS_ALIKE
from gammon_web import app as module
from gammon_web import searches, shell
from gammon_web.app import Warmth, file_response, make_app
from gammon_web.guard import Names
from gammon_web.limits import Limits
from gammon_web.refusal import Refusal, busy
from gammon_web.report import report_page
from gammon_web.requests import REQUESTS
from tests.pages import inside
from tests.web.asking import API, OPENING, TOLD, application, ask


@pytest.mark.parametrize("path", ["/health", f"{API}/health"])
def test_health(path):
    found = ask(path)
    assert found.json["status"] == "ok"
    assert (found.json["depth"], found.json["searching"]) == (3, 0)
    assert found.headers["cache-control"] == "no-store"


def test_nothing_there():
    for path in ("/nothing", f"{API}/", f"{API}/positions", "/v1/", "//", "/\0"):
        found = ask(path)
        assert (found.status, found.error["code"]) == (404, "not_found")


def test_another_method():
    for method in ("POST", "DELETE", "OPTIONS", "FLY"):
        for path in (f"{API}/analyze", "/", "/health", "/openapi.json", "/static/js/main.js"):
            found = ask(path, method=method)
            assert (found.status, found.headers["allow"]) == (405, "GET, HEAD")
        assert ask("/static/js/no.js", method=method).status == 404
    assert ask(f"{API}/position", method="PUT").headers["allow"] == "GET, HEAD, POST"
    assert ask(f"{API}/review", method="HEAD").headers["allow"] == "POST"


def test_the_headers_of_a_stream_alone(monkeypatch):
    """HEAD is refused as GET is, and begins no work."""
    monkeypatch.setattr(module, "_run_stage", lambda *stage: 1 // 0)
    for path in ("rollout/stream", "analyze/stream"):
        target = f"{API}/{path}?id={OPENING}&dice=31&depth=1"
        found = ask(target, method="HEAD")
        assert (found.status, found.body) == (200, b"")
        assert found.headers["content-type"] == "text/event-stream; charset=utf-8"
        assert found.headers["cache-control"] == "no-store"
        assert ask(f"{target}&top=0", method="HEAD").status == 400


def test_a_prefix():
    app, _ = make_app(Limits(), Names(), "/bot/wildbg")
    board = "p24=2&p19=-5&p17=-3&p13=5&p12=-5&p8=3&p6=5&p1=-2"
    assert ask(f"/bot/wildbg/eval?{board}&depth=1", app=app).status == 200
    assert ask("/bot/wildbg/", app=app).headers["content-type"] == "text/html; charset=utf-8"
    found = ask("/bot/wildbg", app=app)
    assert (found.status, found.headers["location"]) == (307, "/bot/wildbg/")
    for path in ("/", "/eval", "/bot/wildbgs/", "/bot"):
        assert ask(path, app=app).error["code"] == "not_found"


def test_a_body_that_is_too_long():
    app, _ = make_app(Limits(body=100), Names())
    found = ask(f"{API}/position", b" " * 101, app=app)
    assert (found.status, found.error["code"]) == (413, "too_large")


def posted(guarded, receive):
    """The answer of the server to a request whose body is received so."""
    sent = []

    async def send(message):
        sent.append(message)

    scope = {
        "type": "http", "method": "POST", "path": f"{API}/position", "query_string": b"",
        "headers": [(b"host", b"localhost")],
    }  # fmt: skip
    asyncio.run(guarded(scope, receive, send))
    return sent


def test_a_body_that_does_not_come(monkeypatch):
    monkeypatch.setattr(module, "SECONDS_TO_SEND", 0.01)
    guarded, _ = make_app(Limits(), Names())

    async def receive():
        await asyncio.sleep(3600)

    sent = posted(guarded, receive)
    assert sent[0]["status"] == 408
    assert json.loads(sent[1]["body"])["error"]["code"] == "timeout"


def test_a_client_that_leaves_within_its_body():
    told = []
    guarded, _ = make_app(Limits(), Names(), tell=told.append)
    parts = [
        {"type": "http.request", "body": b"text", "more_body": True},
        {"type": "http.disconnect"},
    ]

    async def receive():
        return parts.pop(0)

    sent = posted(guarded, receive)
    assert told == sent == []


def test_no_room(monkeypatch):
    guarded, app = make_app(Limits(), Names())
    monkeypatch.setattr(app._quick, "room", 0)
    monkeypatch.setattr(app._long, "room", 0)
    for path in ("turn", "analyze", "analyze/stream", "rollout/stream"):
        found = ask(f"{API}/{path}?id={OPENING}&depth=1", app=guarded)
        assert (found.status, found.error["code"]) == (503, "busy")
        assert int(found.headers["retry-after"]) >= 1


def test_room_runs_out_during_a_stream(monkeypatch):
    guarded, app = make_app(Limits(), Names())
    checks = iter([True, False])

    def check_room():
        if not next(checks):
            raise busy()

    monkeypatch.setattr(app._long, "check_room", check_room)
    found = ask(f"{API}/analyze/stream?id={OPENING}&dice=31&depth=5", app=guarded)
    assert [name for name, _ in found.events] == ["answer", "answer", "failed", "done"]
    assert found.events[2][1]["code"] == "busy"


def test_an_error_of_ours_in_a_stream(monkeypatch):
    told = []
    guarded, _ = make_app(Limits(), Names(), tell=told.append)
    monkeypatch.setattr(searches, "to_json", lambda *values: 1 // 0)
    found = ask(f"{API}/analyze/stream?id={OPENING}&dice=31&depth=1", app=guarded)
    assert [name for name, _ in found.events] == ["failed", "done"]
    assert found.events[0][1]["code"] == "internal"
    assert len(told) == 1
    assert told[0].startswith("ZeroDivisionError: ")


def test_the_end_of_the_server_is_told():
    guarded, app = make_app(Limits(), Names())
    app.close()
    assert ask(f"{API}/position?id={OPENING}", app=guarded).status == 503


PATHS = [*{path: 0 for _, path in REQUESTS}, "/", "/static/x.js", "/openapi.json"]
NAMES = ["id", "dice", "depth", "top", "play", "seed", "count", "points", "die1", "x_away"]
WORDS = [
    OPENING, "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10", "31", "66", "", "8/5 6/5",
    "-1", "9" * 30, "é", "\ud800", "\0", "%", "1e9", "None", "true", "::::", "=" * 200,
]  # fmt: skip
VALUES = [
    None, True, 0, -1, 1e308, "", "31", [], {}, [[]], "x" * 300, OPENING, [3, 1], {"6": 5},
]  # fmt: skip
ENTRIES = ["text", "points", "dice", "stakes", "games", "board", "player", "length"]


def noise(rng: random.Random) -> tuple[str, bytes | None]:
    """A request that means little, and its body."""
    path = rng.choice(PATHS) + rng.choice(["", "", "", "/", "x", "/..", "%00"])
    words = [
        rng.choice(WORDS) if rng.random() < 0.7 else "".join(rng.choices(string.printable, k=8))
        for _ in range(3)
    ]
    pairs = [f"{rng.choice(NAMES)}={word.replace('&', '')}" for word in words]
    query = "&".join(pairs).encode("utf-8", "replace").decode()
    body = None
    if rng.random() < 0.5:
        value = {name: rng.choice(VALUES) for name in rng.sample(ENTRIES, 3)}
        body = json.dumps(value).encode()
        if rng.random() < 0.3:
            body = body[: rng.randrange(len(body))] + rng.randbytes(3)
    return f"{path}?{query}", body


def test_noise_gets_one_error():
    """A longer one is `scripts/try_server.py fuzz`."""
    rng, statuses = random.Random(1), set()
    guarded, _ = application(depth=1, seconds=0.5)
    for _ in range(2000):
        target, body = noise(rng)
        found = ask(target, body, app=guarded)
        statuses.add(found.status)
        if found.status >= 400:
            assert found.error, target
            assert found.status in (400, 404, 405), (target, body)
    assert {200, 400, 404, 405} <= statuses
    assert TOLD == []


def test_it_says_when_the_engine_is_ready():
    warmth = Warmth(Limits())
    assert not warmth.warm
    warmth.begin()
    for thread in threading.enumerate():
        if thread.name == "gammon-warm-up":
            assert thread.daemon
            thread.join(300)
    assert warmth.warm


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
        "CHECKERS": CHECKERS, "SIZE": SIZE, "OPENING": [*BOARD], "BLUNDERS": [*BLUNDERS],
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
    }  # fmt: skip
    assert numbers("cube.js") == {
        "EQUAL": EQUAL, "ROUNDING": cube._ROUNDING, "CLOSE": cube._CLOSE,
    }  # fmt: skip
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
