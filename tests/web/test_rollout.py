"""Rollouts of the API are those of the package."""

import json

import gammon
from gammon.view import to_json
from tests.web.asking import API, OPENING, ask


def timeless(found):
    found = json.loads(json.dumps(found))
    del found["seconds"], found["settings"]["max_seconds"]
    return found


def test_the_last_progress_is_the_result():
    asked = {"id": OPENING, "dice": "31", "trials": 36, "seed": 3, "truncate": 2}
    found = ask(f"{API}/rollout/stream", **asked, play=["8/5 6/5", "24/20"]).events
    assert [name for name, _ in found[-2:]] == ["progress", "done"]
    position = gammon.Position.parse(OPENING)
    wanted = gammon.rollout(
        position, (3, 1), ["8/5 6/5", "24/20"], trials=36, seed=3, truncate=2
    )
    assert timeless(found[-2][1]) == timeless(to_json(wanted))


def test_what_is_out_of_range():
    for name, value in (("trials", 37), ("trials", 0), ("top", 21), ("seed", -1)):
        found = ask(f"{API}/rollout/stream", **{"id": OPENING, "dice": "31", name: value})
        assert (found.status, found.error["field"]) == (400, name)
