"""Reviews of the API are those of the package."""

import json
import threading
import time

from gammon.formats.match_file import parse_transcript
from gammon.reviews.review import review
from gammon.shown import to_json
from tests.web.asking import API, application, ask, post
from tests.web.test_record import GAME


def test_progress_and_then_the_review():
    mat = post(f"{API}/match", {"length": 7, "games": [GAME]}).body
    found = ask(f"{API}/review?depth=1", mat).events
    names = [name for name, _ in found]
    assert names[-2:] == ["review", "done"]
    assert set(names[:-2]) == {"progress"}
    assert found[-3][1] == {"done": 1, "of": 1}
    wanted = to_json(review(parse_transcript(mat), 1))
    assert found[-2][1] == json.loads(json.dumps(wanted))


def test_a_level_rolls_out_what_is_close():
    mat = post(f"{API}/match", {"length": 7, "games": [GAME]}).body
    app, _ = application(depth=5)
    found = ask(f"{API}/review?level=roller&seed=3", mat, app=app).events
    wanted = to_json(review(parse_transcript(mat), level="roller", seed=3))
    assert found[-2] == ("review", json.loads(json.dumps(wanted)))
    assert found[-2][1]["level"] == "roller"


def test_what_is_no_match_file():
    found = ask(f"{API}/review", b"RGMH")
    assert (found.status, found.error["field"]) == (400, "body")
    assert ask(f"{API}/review", b"\x00\xff" * 50).status == 400


def test_a_file_that_takes_too_long_is_refused():
    mat = post(f"{API}/match", {"length": 7, "games": [GAME]}).body
    guarded, _ = application(seconds=1e-9)
    found = ask(f"{API}/review?depth=1", mat, app=guarded)
    assert (found.status, found.error["code"]) == (504, "timeout")


def test_a_review_that_takes_too_long_says_so(monkeypatch):
    mat = post(f"{API}/match", {"length": 7, "games": [GAME]}).body
    monkeypatch.setattr(
        "gammon.web.searches.parse_transcript", lambda data, on_game: parse_transcript(data)
    )
    guarded, _ = application(seconds=1e-9)
    found = ask(f"{API}/review?depth=1", mat, app=guarded).events
    assert found[-2][0] == "failed"
    assert found[-2][1]["code"] == "timeout"


def test_reading_ends_when_the_client_leaves(monkeypatch):
    ended = threading.Event()

    def parse(data, on_game):
        try:
            for number in range(100_000):
                on_game(number)
                time.sleep(0.001)
        finally:
            ended.set()

    monkeypatch.setattr("gammon.web.searches.parse_transcript", parse)
    assert ask(f"{API}/review", b"any", soon=True).status == 0
    assert ended.wait(60)  # two minutes, if nothing ended it
