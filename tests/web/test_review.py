"""Reviews of the API, matches that were played on the page, and reports as one file."""

import json
import re
import threading
import time
from posixpath import dirname, join, normpath
from typing import Any

import pytest

from gammon.view import to_json
from gammon_study.library.export import StudiedChoice
from gammon_study.match_files.mat import parse_mat
from gammon_study.match_files.match_file import parse_transcript
from gammon_study.match_files.transcript import ActionKind
from gammon_study.reviews.choice import Choice
from gammon_study.reviews.review import Review, review
from gammon_study.reviews.task import _ITEMS, review_unit
from gammon_web.report import page_of, report_page
from gammon_web.searches import ListCache
from gammon_web.shell import STATIC
from tests.matches import HAND, SHORT, reviewed_file
from tests.pages import inside
from tests.web.asking import API, application, ask, post

# Matches that were played on the page become match files.

GAME = {
    "score": [0, 0],
    "crawford": False,
    "actions": [
        {"player": 1, "dice": "31", "play": "8/5 6/5"},
        {"player": 0, "dice": "65", "play": "24/13"},
        {"player": 1, "do": "double"},
        {"player": 0, "do": "take"},
        {"player": 1, "dice": "11", "play": "8/7(2) 6/5(2)"},
        {"player": 0, "do": "resign", "points": 2},
    ],
    "winner": 1,
    "points": 4,
}


def test_it_is_read_back():
    asked = {"length": 7, "names": ["Ann", "gammon"], "games": [GAME], "date": "2026.11.22"}
    found = post(f"{API}/match", asked)
    assert found.headers["content-type"] == "text/plain; charset=utf-8"
    match = parse_mat(found.body.decode())
    assert match.warnings == ()
    assert match.details == (("EventDate", "2026.11.22"),)
    assert (match.players, match.length) == (("Ann", "gammon"), 7)
    game = match.games[0]
    assert (game.winner, game.points) == (1, 4)
    kinds = [action.kind for action in game.actions]
    assert kinds == [
        ActionKind.ROLL,
        ActionKind.ROLL,
        ActionKind.DOUBLE,
        ActionKind.TAKE,
        ActionKind.ROLL,
        ActionKind.RESIGN,
    ]


def test_a_game_under_way_and_names_of_many_lines():
    game = {"actions": GAME["actions"][:2]}
    found = post(f"{API}/match", {"games": [game], "names": ["A\nb\ud800", ""]})
    match = parse_mat(found.body.decode())
    assert match.players == ("A b\ufffd", "player 2")
    assert (match.length, match.games[0].winner) == (0, None)
    assert len(match.games[0].actions) == 2


def test_the_jacoby_rule_is_one_of_money():
    for length in (0, 7):
        asked = {"length": length, "games": [GAME | {"jacoby": True}]}
        assert (b"Jacoby" in post(f"{API}/match", asked).body) == (length == 0)


def test_the_crawford_game_is_one_with_a_side_1_away():
    game = {"score": [4, 0], "crawford": True, "actions": GAME["actions"][:2]}
    found = post(f"{API}/match", {"length": 5, "games": [game]})
    assert parse_mat(found.body.decode()).games[0].score.crawford


def test_a_match_without_the_cube_says_so_and_has_no_double():
    asked = {"length": 7, "games": [{"actions": GAME["actions"][:2], "cube": False}]}
    match = parse_mat(post(f"{API}/match", asked).body.decode())
    assert not match.games[0].score.live
    found = post(f"{API}/match", {"length": 7, "games": [GAME | {"cube": False}]})
    assert found.error["field"] == "games[0].actions[2]"


def changed(number, **entries):
    actions = [dict(each) for each in GAME["actions"]]
    actions[number] = actions[number] | entries
    return {"length": 7, "games": [GAME | {"actions": actions}]}


@pytest.mark.parametrize(
    ("body", "field", "code"),
    [
        ({}, "games", "invalid_request"),
        ({"games": [7]}, "games[0]", "invalid_request"),
        ({"games": [{}]}, "actions", "invalid_request"),
        ({"games": [], "length": 65}, "length", "invalid_request"),
        ({"games": [], "names": ["a"]}, "names", "invalid_request"),
        ({"games": [], "date": 7}, "date", "invalid_request"),
        ({"games": [], "date": '2026.11.22"]\n'}, "date", "invalid_request"),
        ({"games": [GAME | {"score": [7, 0]}], "length": 7}, "games[0].s", "invalid_request"),
        ({"games": [GAME | {"score": [1, -1]}]}, "games[0].score", "invalid_request"),
        ({"games": [GAME | {"cube": "no"}]}, "games[0].cube", "invalid_request"),
        ({"games": [GAME | {"jacoby": 1}]}, "games[0].jacoby", "invalid_request"),
        ({"games": [GAME | {"crawford": None}]}, "games[0].crawford", "invalid_request"),
        ({"games": [GAME | {"crawford": True}]}, "games[0].crawford", "invalid_request"),
        (
            {"games": [GAME | {"crawford": True, "score": [4, 4]}], "length": 5},
            "games[0].crawford",
            "invalid_request",
        ),
        (changed(0, player=2), "games[0].actions[0]", "invalid_request"),
        (changed(0, dice="33"), "games[0].actions[0]", "invalid_play"),
        (changed(0, dice=33), "games[0].actions[0].dice", "invalid_request"),
        (changed(0, play="8/2"), "games[0].actions[0]", "invalid_play"),
        (changed(1, player=1), "games[0].actions[1]", "invalid_request"),
        (changed(2, player=0), "games[0].actions[2]", "invalid_play"),
        (changed(2, do="fly"), "games[0].actions[2]", "invalid_request"),
        (changed(5, points=4), "games[0].actions[5].points", "invalid_request"),
    ],
)
def test_what_is_wrong_is_named(body, field, code):
    found = post(f"{API}/match", body)
    assert (found.status, found.error["code"]) == (400, code)
    assert found.error["field"].startswith(field)


def test_the_score_of_a_game_has_its_limits():
    for length, most in ((7, 6), (0, 10_000)):
        found = post(f"{API}/match", {"length": length, "games": [GAME | {"score": [1, -1]}]})
        assert f"expected two numbers from 0 to {most}" in found.error["message"]


def test_what_the_page_sends_steers_nothing():
    names = ["a\0b\x1b[31mc\u2028d\u202ee", "\ud800"]
    found = post(f"{API}/match", {"games": [{"actions": GAME["actions"][:1]}], "names": names})
    assert "ab[31mc de : 0" in found.body.decode()
    assert all(line.isprintable() for line in found.body.decode().splitlines())


def test_a_long_play_is_refused_at_once():
    found = post(f"{API}/match", changed(0, play="8/5 " * 16_000))
    assert (found.status, found.error["code"]) == (400, "invalid_play")
    assert "expected a play of at most 200" in found.error["message"]


def test_a_match_that_takes_too_long_is_refused():
    guarded, _ = application(seconds=1e-9)
    found = post(f"{API}/match", {"length": 7, "games": [GAME]}, app=guarded)
    assert (found.status, found.error["code"]) == (504, "timeout")


# Reviews of the API are those of the package.


def test_progress_and_then_the_review():
    mat = post(f"{API}/match", {"length": 7, "games": [GAME]}).body
    found = ask(f"{API}/review?depth=1", mat).events
    names = [name for name, _ in found]
    assert names[-2:] == ["review", "done"]
    assert set(names[:-2]) == {"progress"}
    assert found[-3][1] == {"done": 5, "total": 5, "depth": 1}
    wanted = to_json(review(parse_transcript(mat), 1))
    assert found[-2][1] == json.loads(json.dumps(wanted))


def test_a_level_rolls_out_what_is_close():
    mat = post(f"{API}/match", {"length": 7, "games": [GAME]}).body
    app, _ = application(depth=5)
    found = ask(f"{API}/review?level=roller&seed=3", mat, app=app).events
    wanted = to_json(review(parse_transcript(mat), level="roller", seed=3))
    assert found[-2] == ("review", json.loads(json.dumps(wanted)))
    assert found[-2][1]["level"] == "roller"


def test_a_deeper_review_comes_after_a_quick_one(monkeypatch):
    monkeypatch.setattr("gammon_web.searches.REVIEWED", {})
    mat = SHORT.encode()
    app, _ = application(depth=5)
    for query in ("", "?depth=5"):
        found = ask(f"{API}/review{query}", mat, app=app).events
        reviews = [value for name, value in found if name == "review"]
        wanted = [to_json(review(parse_transcript(mat), depth)) for depth in (3, 5)]
        assert reviews == json.loads(json.dumps(wanted))
        assert [each["unfinished"] for each in reviews] == [0, 0]
        assert [value["depth"] for name, value in found if name == "progress"][-1] == 5


def test_what_is_done_is_kept_where_the_time_is_over(monkeypatch):
    """The review has the rest of the quick pass, says so, and goes on from there."""
    monkeypatch.setattr("gammon_web.searches.REVIEWED", {})
    monkeypatch.setitem(_ITEMS, 5, 1)
    mat, done, limit = SHORT.encode(), [], 2  # the quick pass is one unit, the other has more

    def until(unit, stop=None):
        if stop is not None:
            if len(done) == limit:
                stop.set()
            stop.check()
            done.append(unit)
        return review_unit(unit, stop)

    monkeypatch.setattr("gammon_study.reviews.review.review_unit", until)
    app, _ = application(depth=5)
    first = ask(f"{API}/review?depth=5", mat, app=app).events
    quick, cut = (value for name, value in first if name == "review")
    assert first[-1][0] == "done"
    assert "failed" not in [name for name, _ in first]
    assert (quick["unfinished"], quick["depth"], cut["depth"]) == (0, 3, 5)
    assert {choice["depth"] for choice in cut["choices"]} == {3, 5}
    assert len(cut["choices"]) == len(quick["choices"])
    assert any("goes on from there; gammon serve --seconds" in note for note in cut["notes"])
    limit = 10_000
    last = ask(f"{API}/review?depth=5", mat, app=app).events[-2][1]
    assert last == json.loads(json.dumps(to_json(review(parse_transcript(mat), 5))))
    keys = [json.dumps(unit) for unit in done]
    assert len(keys) == len(set(keys)), "nothing is done twice"


def test_no_clock_ends_a_review_unless_one_is_set():
    mat = HAND.read_bytes()
    app, _ = application(seconds=0.05, depth=3)
    assert ask(f"{API}/review?depth=3", mat, app=app).events[-2][1]["unfinished"] == 0


def test_what_is_no_match_file():
    found = ask(f"{API}/review", b"RGMH")
    assert (found.status, found.error["field"]) == (400, "body")
    assert ask(f"{API}/review", b"\x00\xff" * 50).status == 400


def test_a_file_that_takes_too_long_is_refused():
    mat = post(f"{API}/match", {"length": 7, "games": [GAME]}).body
    guarded, _ = application(seconds=1e-9)
    found = ask(f"{API}/review?depth=1", mat, app=guarded)
    assert (found.status, found.error["code"]) == (504, "timeout")
    assert "gammon serve --seconds" in found.error["message"]


def test_a_review_that_takes_too_long_says_so(monkeypatch):
    mat = post(f"{API}/match", {"length": 7, "games": [GAME]}).body
    monkeypatch.setattr("gammon_web.searches.parse_transcript", lambda data, on_game: parse_transcript(data))
    monkeypatch.setattr("gammon_web.searches.REVIEWED", {})
    guarded, _ = application(seconds=1e-9, review_seconds=1e-8)
    found = ask(f"{API}/review?depth=1", mat, app=guarded).events
    assert found[-2][0] == "failed"
    assert found[-2][1] == {
        "code": "timeout",
        "message": "1e-08 s are over: `gammon serve --seconds 2e-09` gives twice as many",
    }


def test_reading_ends_when_the_client_leaves(monkeypatch):
    ended = threading.Event()

    def parse(data, on_game):
        try:
            for number in range(100_000):
                on_game(number)
                time.sleep(0.001)
        finally:
            ended.set()

    monkeypatch.setattr("gammon_web.searches.parse_transcript", parse)
    assert ask(f"{API}/review", b"any", soon=True).status == 0
    assert ended.wait(60)  # two minutes, if nothing ended it


def test_the_oldest_goes() -> None:
    kept = ListCache(5)
    for number in range(4):
        kept[str(number)] = [number, number]
    assert list(kept) == ["2", "3"]
    assert kept.get("0") is None
    kept["2"] = [2]
    assert list(kept) == ["3", "2"]
    kept["4"] = [4, 4]
    assert list(kept) == ["3", "2", "4"], "five entries"
    kept["long"] = [0] * 9
    assert list(kept) == ["long"]
    kept["5"] = [5]
    assert list(kept) == ["5"]


# The page as one file: what is inside, and that nothing else is.

EVIL = '</script><script>alert(1)</script><!-- "\\'


@pytest.fixture(scope="module")
def hand() -> Review:
    return reviewed_file(HAND)


def test_a_review_is_inside(hand: Review) -> None:
    found = inside(page_of(hand, 1))
    assert found.pop("player") == 1
    assert found == json.loads(json.dumps(to_json(hand)))


def studied(choice: Choice, **changes: Any) -> StudiedChoice:
    known = StudiedChoice(choice, "Wins less.", ("prime",), ("Ann", "Bob"), "Ann against Bob, game 2")
    return known._replace(**changes)


def test_errors_are_inside(hand: Review) -> None:
    worst = hand.worst(most=2)
    found = inside(page_of([studied(each) for each in worst]))
    assert found["title"] == "2 errors"
    for one, choice in zip(found["choices"], worst, strict=True):
        assert (one["xgid"], one["best"]) == (choice.xgid, choice.best)
        assert one["plays"] == json.loads(json.dumps([p._asdict() for p in choice.plays]))
        assert (one["explanation"], one["themes"], one["names"]) == ("Wins less.", ["prime"], ["Ann", "Bob"])
    assert inside(page_of([studied(worst[0])]))["title"] == "1 error"


def test_texts_of_strangers_are_texts(hand: Review) -> None:
    page = page_of([studied(hand.choices[0], names=(EVIL, EVIL), explanation=EVIL)])
    assert inside(page)["choices"][0]["explanation"] == EVIL
    assert page.count("<script") == page.count("</script>") == 2


#: Words that load something: `@import` of a style sheet, not that of a type in a comment.
LOADED = r'https?:|\bsrc="static|href="static|@import (?!\{)|url\((?!data:)'


def test_it_needs_nothing_else() -> None:
    page = report_page()
    head = page.partition("<body>")[0].replace("http://www.w3.org/2000/svg", "")
    assert not re.search(LOADED, head)
    assert re.findall(r'(?:src|href)="(?!data:)([^"]*)"', page) == ["./"]
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)
    assert policy is not None
    assert "unsafe" not in policy[1]
    assert policy[1].startswith("default-src 'none'; script-src 'sha256-")


def test_it_has_its_modules_behind_those_that_they_need() -> None:
    page = report_page()
    made = re.findall(r'^modules\["([^"]+)"\] = ', page, re.MULTILINE)
    assert made[-1] == "js/report.js"
    assert {"js/review.js", "js/decisions.js", "board/gammon-board.js"} <= set(made)
    assert not {"js/play.js", "js/analyze.js", "engine/worker.js"} & set(made)
    assert len(made) == len(set(made))
    for at, name in enumerate(made):
        text = (STATIC / name).read_text()
        for other in re.findall(r'^(?:im|ex)port .*"(\.[^"]+)";$', text, re.MULTILINE):
            assert made.index(normpath(join(dirname(name), other))) < at
