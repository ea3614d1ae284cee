"""Requests find their answers; parameters are read and checked, others are refused."""

import asyncio
import gzip
import json
import math
import random
import re
import string
import threading
from pathlib import Path

import pytest

from gammon.base import errors
from gammon.base.settings import Flag, Whole
from gammon.core import values
from gammon.core.estimate import EQUAL, REACH
from gammon.core.level import BLOCK, ROLLERS
from gammon.engine import bot, cube, level_rollouts, rollout_sums
from gammon.rules.board import CHECKERS, SIZE
from gammon.rules.board import OPENING as BOARD
from gammon.rules.terms import HIGHEST_CUBE
from gammon.view import SCHEMA_VERSION
from gammon_study.reviews import choice
from gammon_study.reviews.choice import ALIKE, BLUNDERS, PLAYS_ALIKE
from gammon_study.reviews.rates import RATING
from gammon_web import app as module
from gammon_web import searches, shell
from gammon_web.answers import json_bytes
from gammon_web.app import Warmth, file_response, make_app
from gammon_web.guard import Names
from gammon_web.limits import Limits
from gammon_web.parameters import Parameter
from gammon_web.query import read_dice, read_flag, read_pair, read_position, read_whole
from gammon_web.refusal import Refusal, Shape, bad, busy, refusal_of
from gammon_web.report import report_page
from gammon_web.requests import REQUESTS
from tests.pages import inside
from tests.web.asking import API, OPENING, TOLD, application, ask, asked, post
from tests.web.test_foreign import GOLDEN, REQUEST
from tests.web.test_review import GAME

# Requests find their answers; others are refused, also where there is no room.


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
        "type": "http",
        "method": "POST",
        "path": f"{API}/position",
        "query_string": b"",
        "headers": [(b"host", b"localhost")],
    }
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
    parts = [{"type": "http.request", "body": b"text", "more_body": True}, {"type": "http.disconnect"}]

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
VALUES = [None, True, 0, -1, 1e308, "", "31", [], {}, [[]], "x" * 300, OPENING, [3, 1], {"6": 5}]
ENTRIES = ["text", "points", "dice", "terms", "games", "board", "player", "length"]


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


#: The texts in other languages than English, which the page fetches if they are wanted.
LANGUAGES = {f"js/texts/{path.name}" for path in (STATIC / "js" / "texts").iterdir()} - {"js/texts/en.js"}


def test_all_scripts_are_asked_for_at_once():
    """A script that only another one names would be asked for when that is there."""
    page = ask("/").body.decode()
    named = re.findall(r'(?:href|src)="static/((?:board|js)/[^"]+)"', page)
    there = [path for folder in ("board", "js") for path in (STATIC / folder).rglob("*.*")]
    found = {path.relative_to(STATIC).as_posix() for path in there}
    assert sorted(named) == sorted(found - {"js/report.js"} - LANGUAGES)
    assert len(LANGUAGES) == 1


def test_no_two_scripts_have_one_name():
    names = [path.name for path in STATIC.rglob("*.js")]
    assert len(names) > 50
    assert sorted(names) == sorted(set(names))


def test_the_pages_numbers_are_ours():
    named = ("board/constants.js", "js/blunders.js")
    script = "".join((STATIC / name).read_text() for name in named)
    found = dict(re.findall(r"^export const (\w+) = ([^;]+);$", script, re.MULTILINE))
    assert {name: json.loads(re.sub(r",\s*\]", "]", text)) for name, text in found.items()} == {
        "CHECKERS": CHECKERS,
        "SIZE": SIZE,
        "OPENING": [*BOARD],
        "BLUNDERS": [*BLUNDERS],
        "ALIKE": ALIKE,
        "PLAYS_ALIKE": PLAYS_ALIKE,
        "FAR": choice._FAR,
        "LOST": choice._LOST,
        "RATING": RATING,
    }


def test_the_page_is_small():
    """With a server, that is: it has no engine then."""
    engine = STATIC / "engine"
    files = [each for each in STATIC.rglob("*") if each.is_file() and engine not in each.parents]
    files = [each for each in files if each.stem != "glossary"]  # a page of its own
    files = [each for each in files if each.relative_to(STATIC).as_posix() not in LANGUAGES]
    assert sum(len(gzip.compress(path.read_bytes())) for path in files) < 161_000
    assert sum(path.stat().st_size for path in files) < 465_000


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

    assert numbers("rollout_sums.js") == {
        "BLOCK": BLOCK,
        "REACH": REACH,
        "LEAST": rollout_sums.LEAST,
        "OUT": rollout_sums._OUT,
    }
    assert numbers("cube.js") == {"EQUAL": EQUAL, "ROUNDING": cube._ROUNDING, "CLOSE": cube._CLOSE}
    assert numbers("settle.js") == {"CLEAR": level_rollouts._CLEAR}
    assert numbers("turn.js") == {"GRACE": bot._GRACE}
    assert numbers("terms.js")["HIGHEST"] == HIGHEST_CUBE
    assert numbers("answers.js") == {"SCHEMA_VERSION": SCHEMA_VERSION, "UNITS": values._DIGITS}
    text = (STATIC / "engine" / "settle.js").read_text()
    levels = re.search(r"LEVELS = (\{.*?\n\});", text, re.DOTALL)[1]
    words = re.sub(r"(\w+):(?= )", r'"\1":', levels)
    for name, level in json.loads(re.sub(r",(?=\s*})", "", words)).items():
        assert level == ROLLERS[name]._asdict() | {"rounds": [*ROLLERS[name].rounds]}


# Parameters and bodies, read and checked.


def refused(call, *arguments):
    with pytest.raises(Refusal) as caught:
        call(*arguments)
    assert caught.value.status == 400
    return caught.value.field


def test_texts():
    found = asked("a=1&b=&a=2&c=x%20y")
    assert (found.text("a"), found.text("b"), found.text("z")) == ("2", None, None)
    assert (found.texts("a"), found.texts("b")) == (["1", "2"], [])
    assert found.text("c") == "x y"


def test_whole_numbers():
    def number(name):
        return Parameter(name, Whole(-9, 9), usual=5)

    found = asked("a=7&b=-3&c=08&d=")
    assert [found.value(number(name)) for name in "abcde"] == [7, -3, 8, 5, 5]
    for text in ("10", "٣", "9" * 5000, "-", " 3"):
        assert refused(asked(f"a={text}").value, number("a")) == "a"


def test_flags():
    def flag(name):
        return Parameter(name, Flag(), usual=False)

    found = asked("a&b=1&c=TRUE&d=0&e=no")
    given = [found.value(flag(name)) for name in "abcdef"]
    assert given == [True, True, True, False, False, False]
    assert refused(asked("a=2").value, flag("a")) == "a"


def test_depths():
    assert asked("depth=3").depth == 3
    assert asked(depth=5).depth == 5
    assert asked(depth=5, most=3).depth == 3
    assert refused(asked, "depth=9") == "depth"


def test_one_parameter_says_how_well_to_play():
    assert asked("depth=&level=roller").level == "roller"
    for text in ("depth=3&level=roller", "depth=1&strength=10", "level=5&strength=10"):
        assert refused(asked, text) is None


def test_more_parameters_than_anybody_needs():
    assert refused(asked, "&".join(["a=1"] * 101)) is None


def test_dice():
    assert (read_dice(None), read_dice(""), read_dice("3-1")) == (None, None, (3, 1))
    for value in ("7", "70", 31, [3, 1], "3" * 5000):
        assert refused(read_dice, value) == "dice"


def test_positions():
    assert asked(f"id={OPENING}&dice=31").position().dice == (3, 1)
    assert asked(f"id={OPENING}").position().dice is None
    assert refused(asked("").position) == "id"
    for value in (None, 7, "x", "a" * 20_001, "XGID=" + ":" * 9):
        assert refused(read_position, value, "text") == "text"


def test_bodies():
    assert asked(body=b'{"a": 1}').json() == {"a": 1}
    assert asked(body='{"a": "é"}'.encode("utf-16")).json() == {"a": "é"}
    for body in (b"", b"[]", b"{", b"\xff\xfe\xff", b'{"a":' * 100_000, b"9" * 5000, b"null"):
        assert refused(asked(body=body).json) is None
    assert refused(asked(body=b'{"won": [1], "won": [2]}').json) == "won"


@pytest.mark.parametrize(("value", "shown"), [(None, "null"), (True, "true"), ([1], "[1]")])
def test_what_is_wrong_in_a_body_is_quoted_as_json_has_it(value: object, shown: str) -> None:
    with pytest.raises(Refusal) as caught:
        read_whole({"points": value}, "points", 1, 1, 3, "games[0].")
    wanted = "expected a whole number from 1 to 3"
    assert caught.value.message == f"games[0].points {shown}: {wanted}"
    assert caught.value.field == "games[0].points"


def test_a_flag_that_is_none_is_quoted_as_json_has_it() -> None:
    with pytest.raises(Refusal, match=r"^cubeful null: expected true or false$"):
        read_flag({"cubeful": None}, "cubeful")


@pytest.mark.parametrize("value", [None, "31", [3], [3, 1, 1], [3, 7], [True, 1], [3, 1.0]])
def test_a_pair_that_is_something_else(value: object) -> None:
    assert read_pair({}, "dice", [3, 1], 1, 6) == (3, 1)
    with pytest.raises(Refusal, match=r"^dice .*: expected two numbers from 1 to 6$"):
        read_pair({"dice": value}, "dice", [3, 1], 1, 6)
    with pytest.raises(Refusal, match=r"^score -1: expected two numbers$"):
        read_pair({"score": -1}, "score", [0, 0], 0)


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("cube=3", "cube"),
        ("cube=1&owner=roller", "owner"),
        ("match=5&cube=2", "cube"),
        ("match=5&jacoby=1", "jacoby"),
        ("match=5&crawford=1", "crawford"),
        ("score=1-2", "score"),
        ("match=5&score=9-9", "score"),
    ],
)
def test_the_setting_that_is_wrong_is_named(query: str, field: str) -> None:
    """The error says which one, whatever the words of its message."""
    assert refused(asked(f"id={OPENING}&{query}").question) == field


# The names of parameters and entries: what is misspelt is refused, with what was meant.


@pytest.mark.parametrize(("method", "path"), REQUESTS)
def test_every_request_refuses_what_it_does_not_know(method, path):
    known = REQUESTS[method, path].known()
    for name in ("nonsense", "", "id\n", "\x1b"):
        with pytest.raises(Refusal) as caught:
            known.check_parameters({name: ["1"]})
        assert caught.value.status == 400
    target = f"{path}?nonsense=1"
    found = ask(target) if method == "GET" else post(target, {})
    assert (found.status, found.json["error"]["field"]) == (400, "nonsense")
    for name, parameter in known.parameters.items():
        known.check_parameters({name: ["1"]})
        if parameter.kind is None or not parameter.kind.repeated:
            with pytest.raises(Refusal, match="comes 2 times: expected it once"):
                known.check_parameters({name: ["1", "3"]})


@pytest.mark.parametrize(
    ("target", "words"),
    [
        (f"{API}/analyze?id={OPENING}&dice=31&dept=1", "'dept' is not a parameter here: did you mean depth?"),
        (f"{API}/rollout/stream?id={OPENING}&trial=36", "did you mean trials?"),
        (f"{API}/position?id={OPENING}&depth=3", "'depth' is not a parameter here: expected"),
        (f"{API}/analyze?id={OPENING}&dice=31&depth=1&depth=3", "depth comes 2 times: expected it once"),
        ("/move?die1=3&die2=1&p24=2&P19=-5", "did you mean p19?"),
        ("/v1/health?x=1", "'x' is not a parameter here: expected none"),
    ],
)
def test_the_nearest_name_is_told(target, words):
    found = ask(target)
    assert found.status == 400
    assert words in found.json["error"]["message"]


@pytest.mark.parametrize(
    ("path", "body", "name", "meant"),
    [
        ("position", {"text": OPENING, "dise": "31"}, "dise", "dice"),
        ("match", {"lenght": 5, "games": []}, "lenght", "length"),
        ("match", {"games": [GAME | {"scores": [0, 0]}]}, "scores", "score"),
        ("match", {"games": [{"actions": [{"player": 0, "dice": "31", "plays": ""}]}]}, "plays", "play"),
    ],
)
def test_entries_of_bodies(path, body, name, meant):
    found = post(f"{API}/{path}", body)
    assert (found.status, found.error["field"]) == (400, name)
    assert found.error["message"] == f"{name!r} is not an entry here: did you mean {meant}?"


def test_clients_of_other_engines_may_say_more():
    more = {"gameId": "abc", "nested": {"x": [1]}}
    assert post("/v1/double?depth=1", REQUEST | more).status == 200
    assert post(f"{API}/getmoves?depth=1", GOLDEN | more).status == 200


# Refusals: every error is one JSON object.


@pytest.mark.parametrize(
    ("error", "status", "code", "field"),
    [
        (errors.FormatError("x"), 400, "invalid_request", None),
        (errors.SettingError("x"), 400, "invalid_request", None),
        (errors.IllegalPositionError("x"), 400, "invalid_position", None),
        (errors.IllegalPlayError("x"), 400, "invalid_play", "play"),
        (errors.AmbiguousPlayError("x"), 400, "invalid_play", "play"),
        (errors.ModelError("x"), 500, "internal", None),
        (errors.GammonError("x"), 500, "internal", None),
        (ZeroDivisionError("x"), 500, "internal", None),
        (busy(), 503, "busy", None),
        (bad("x", "y"), 400, "invalid_request", "y"),
    ],
)
def test_every_error_has_its_status_and_code(error, status, code, field):
    found = refusal_of(error)
    assert (found.status, found.code, found.field) == (status, code, field)


def test_what_nobody_expected_is_not_told():
    assert "secret" not in str(refusal_of(ZeroDivisionError("secret")).json())
    assert "secret" not in str(refusal_of(errors.ModelError("secret")).json())


def test_shapes():
    found = Refusal(400, "invalid_position", "m", "id")
    assert found.json() == {"error": {"code": "invalid_position", "message": "m", "field": "id"}}
    found.shape = Shape.MESSAGE
    assert found.json()["message"] == found.json()["error"]["message"] == "m"
    found.shape = Shape.NODOTS
    assert found.json()["error"]["code"] == "invalid_position_id"
    found.code = "too_large"
    assert found.json()["error"]["code"] == "invalid_request"
    assert bad("m").json() == {"error": {"code": "invalid_request", "message": "m"}}


def test_what_is_encoded_is_read_back():
    value = {"a": [1, 2.5, None, True], "é\n": {"3": "x"}}
    assert json.loads(json_bytes(value)) == value
    assert json_bytes(value).isascii()
    assert b"\n" not in json_bytes(value)


def test_infinite_numbers_are_null():
    value = {"a": [math.inf, -math.inf, 1.0], "b": (math.nan, {"c": math.inf})}
    assert json.loads(json_bytes(value)) == {"a": [None, None, 1.0], "b": [None, {"c": None}]}
