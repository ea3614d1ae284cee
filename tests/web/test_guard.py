"""Nobody else's page can use the server."""

import asyncio

import pytest

from gammon_web.app import make_app
from gammon_web.guard import Guard, Names
from gammon_web.limits import Limits
from tests.web.asking import API, HOST, OPENING, ask

POSITION = f"{API}/position?id={OPENING}"
OPEN, _ = make_app(Limits(), Names(origins=("https://board.example",)))


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "127.0.0.1:1", "localhost:8765", "LOCALHOST", "[::1]:8765"]
)
def test_its_own_names(host):
    assert ask(POSITION, headers={"host": host}).status == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example", "evil.example:8765", "127.0.0.1.evil.example", "10.0.0.1", "",
        "localhost@evil.example", "evil.example#localhost", "[::1", "localhost.", "a b",
        "::1", "0.0.0.0",
    ],
)  # fmt: skip
def test_a_foreign_host_is_refused(host):
    found = ask(POSITION, headers={"host": host})
    assert (found.status, found.error["code"]) == (403, "forbidden_host")


@pytest.mark.parametrize("scheme", ["http", "https", "HTTP"])
def test_the_absolute_form_of_a_request(scheme):
    for authority in ("localhost:9765", "127.0.0.1", "[::1]:8765"):
        assert ask(f"{scheme}://{authority}{POSITION}").json == ask(POSITION).json
        for end in ("", "/"):
            found = ask(f"{scheme}://{authority}{end}")
            assert found.headers["content-type"] == "text/html; charset=utf-8"
    for authority in ("evil.example", "localhost@evil.example", ""):
        found = ask(f"{scheme}://{authority}{POSITION}")
        assert (found.status, found.error["code"]) == (403, "forbidden_host")
    foreign = {"host": "evil.example"}
    assert ask(f"{scheme}://localhost{POSITION}", headers=foreign).status == 403
    assert ask(f"ftp://localhost{POSITION}").status == 404
    prefixed, _ = make_app(Limits(), Names(), "/bot")
    assert ask(f"{scheme}://localhost/bot/health", app=prefixed).status == 200


def test_names_that_were_given():
    app, _ = make_app(Limits(), Names(hosts=("Board.Example",)))
    assert ask(POSITION, app=app, headers={"host": "board.example:443"}).status == 200
    app, _ = make_app(Limits(), Names(any_address=True))
    assert ask(POSITION, app=app, headers={"host": "10.0.0.1:8765"}).status == 200
    assert ask(POSITION, app=app, headers={"host": "evil.example"}).status == 403
    app, _ = make_app(Limits(), Names(origins=("*",)))
    assert ask(POSITION, app=app, headers={"origin": "https://evil.example"}).status == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"}, {"origin": "null"}, {"origin": ""},
        {"origin": "http://localhost:3000"}, {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site", "sec-fetch-mode": "no-cors"},
        {"origin": "http://127.0.0.1"}, {"origin": "http://127.0.0.1:87650"},
    ],
)  # fmt: skip
@pytest.mark.parametrize("target", [POSITION, "/", "/health", "/nothing"])
def test_a_foreign_origin_is_refused(target, headers):
    found = ask(target, headers=headers)
    assert (found.status, found.error["code"]) == (403, "forbidden_origin")
    assert "access-control-allow-origin" not in found.headers


def test_its_own_pages_and_links_from_elsewhere():
    own = {"origin": f"http://{HOST}", "sec-fetch-site": "same-origin"}
    assert ask(POSITION, headers=own).status == 200
    link = {
        "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate",
        "sec-fetch-dest": "document",
    }  # fmt: skip
    assert ask("/", headers=link).status == 200
    assert ask(f"{API}/position", b"{}", headers=link).status == 403


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
@pytest.mark.parametrize("target", ["iframe", "frame", "embed", "object", "document", ""])
def test_a_page_from_elsewhere_starts_no_work_by_a_frame_or_a_link(site, target):
    visit = {
        "sec-fetch-site": site, "sec-fetch-mode": "navigate", "sec-fetch-dest": target,
    }  # fmt: skip
    rollout = f"{API}/rollout/stream?id={OPENING}&dice=31&depth=1&trials=36"
    for path in (rollout, f"{API}/analyze?id={OPENING}", "/move?die1=1", "/v1/health"):
        found = ask(path, headers=visit)
        assert (found.status, found.error["code"]) == (403, "forbidden_origin")
    page = 200 if target == "document" else 403
    assert ask("/", headers=visit).status == page
    prefixed, _ = make_app(Limits(), Names(), "/bot")
    assert ask("/bot/", app=prefixed, headers=visit).status == page
    assert ask(f"/bot{API}/dice", app=prefixed, headers=visit).status == 403


def test_an_origin_that_may_ask():
    ours = {"origin": "https://board.example", "sec-fetch-site": "cross-site"}
    found = ask(POSITION, app=OPEN, headers=ours)
    assert found.status == 200
    assert found.headers["access-control-allow-origin"] == "https://board.example"
    assert found.headers["vary"] == "Origin"
    assert "cross-origin-resource-policy" not in found.headers
    other = ask(POSITION, app=OPEN, headers={"origin": "https://evil.example"})
    assert other.status == 403
    assert "access-control-allow-origin" not in other.headers
    assert ask("/nothing", app=OPEN, headers=ours).headers["access-control-allow-origin"]


def test_a_browser_asks_before():
    asks = {
        "origin": "https://board.example", "access-control-request-method": "POST",
        "access-control-request-private-network": "true",
    }  # fmt: skip
    found = ask(f"{API}/position", method="OPTIONS", app=OPEN, headers=asks)
    assert (found.status, found.body) == (204, b"")
    assert found.headers["access-control-allow-origin"] == "https://board.example"
    assert found.headers["access-control-allow-methods"] == "GET, POST"
    assert found.headers["access-control-allow-private-network"] == "true"
    assert ask(f"{API}/position", method="OPTIONS", headers=asks).status == 403


def test_what_every_answer_says():
    for target in ("/", POSITION, "/nothing"):
        found = ask(target)
        policy = found.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert found.headers["x-content-type-options"] == "nosniff"
        assert found.headers["cross-origin-resource-policy"] == "same-origin"
        assert "server" not in found.headers


def test_an_error_of_ours_is_one_line_and_no_traceback():
    told = []

    async def broken(scope, receive, send):
        raise ZeroDivisionError("two\nlines")

    found = ask("/x", app=Guard(broken, Names(), told.append))
    assert (found.status, found.error["code"]) == (500, "internal")
    assert "lines" not in found.body.decode()
    assert told == ["ZeroDivisionError: two\\nlines"]


def test_what_is_no_request_of_http_is_left_alone():
    async def nothing():
        raise AssertionError

    asyncio.run(Guard(nothing, Names())({"type": "lifespan"}, nothing, nothing))
