"""Reviews of the API are those of the package."""

import json

from gammon.formats.match_file import parse_transcript
from gammon.reviews.review import review
from gammon.views.answer import to_json
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


def test_what_is_no_match_file():
    found = ask(f"{API}/review", b"RGMH")
    assert (found.status, found.error["field"]) == (400, "body")
    assert ask(f"{API}/review", b"\x00\xff" * 50).status == 400


def test_a_review_that_takes_too_long_says_so():
    mat = post(f"{API}/match", {"length": 7, "games": [GAME]}).body
    guarded, _ = application(seconds=1e-9)
    found = ask(f"{API}/review?depth=1", mat, app=guarded).events
    assert found[-2][0] == "failed"
    assert found[-2][1]["code"] == "timeout"
