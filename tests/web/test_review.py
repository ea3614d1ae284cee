"""Reviews of the API are those of the package."""

import json
import threading
import time

from gammon.view import to_json
from gammon_study.match_files.match_file import parse_transcript
from gammon_study.reviews.review import review
from gammon_study.reviews.task import _ITEMS, review_unit
from gammon_web.searches import Kept
from tests.matches import HAND, SHORT
from tests.web.asking import API, application, ask, post
from tests.web.test_record import GAME


def test_progress_and_then_the_review():
    mat = post(f"{API}/match", {"length": 7, "games": [GAME]}).body
    found = ask(f"{API}/review?depth=1", mat).events
    names = [name for name, _ in found]
    assert names[-2:] == ["review", "done"]
    assert set(names[:-2]) == {"progress"}
    assert found[-3][1] == {"done": 5, "of": 5, "depth": 1}
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
    monkeypatch.setattr("gammon_web.searches._REVIEWED", {})
    mat = SHORT.encode()
    app, _ = application(depth=5)
    for query in ("", "?depth=5"):
        found = ask(f"{API}/review{query}", mat, app=app).events
        reviews = [value for name, value in found if name == "review"]
        wanted = [to_json(review(parse_transcript(mat), depth)) for depth in (3, 5)]
        assert reviews == json.loads(json.dumps(wanted))
        assert [each["left"] for each in reviews] == [0, 0]
        assert [value["depth"] for name, value in found if name == "progress"][-1] == 5


def test_what_is_done_is_kept_where_the_time_is_over(monkeypatch):
    """The review has the rest of the quick pass, says so, and goes on from there."""
    monkeypatch.setattr("gammon_web.searches._REVIEWED", {})
    monkeypatch.setitem(_ITEMS, 5, 1)
    mat, done, limit = SHORT.encode(), [], 2  # the quick pass is one unit, the other has more

    def until(unit, stop):
        if len(done) == limit:
            stop.set()
        stop.check()
        done.append(unit)
        return review_unit(unit, stop)

    monkeypatch.setattr("gammon_study.reviews.passes.review_unit", until)
    app, _ = application(depth=5)
    first = ask(f"{API}/review?depth=5", mat, app=app).events
    quick, cut = (value for name, value in first if name == "review")
    assert first[-1][0] == "done"
    assert "failed" not in [name for name, _ in first]
    assert (quick["left"], quick["depth"], cut["depth"]) == (0, 3, 5)
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
    assert ask(f"{API}/review?depth=3", mat, app=app).events[-2][1]["left"] == 0


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
    monkeypatch.setattr(
        "gammon_web.searches.parse_transcript", lambda data, on_game: parse_transcript(data)
    )
    monkeypatch.setattr("gammon_web.searches._REVIEWED", {})
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
    kept = Kept(5)
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
