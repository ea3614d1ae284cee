"""The names of parameters and entries: what is misspelt is refused, with what was meant."""

import pytest

from gammon_web.refusal import Refusal
from gammon_web.requests import REQUESTS
from tests.web.asking import API, OPENING, ask, post
from tests.web.test_bgweb import GOLDEN
from tests.web.test_nodots import REQUEST
from tests.web.test_record import GAME


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
        (f"{API}/analyze?id={OPENING}&dice=31&dept=1", "'dept' is not a parameter here: did "
         "you mean depth?"),
        (f"{API}/rollout/stream?id={OPENING}&trial=36", "did you mean trials?"),
        (f"{API}/position?id={OPENING}&depth=3", "'depth' is not a parameter here: expected"),
        (f"{API}/analyze?id={OPENING}&dice=31&depth=1&depth=3", "depth comes 2 times: expected "
         "it once"),
        ("/move?die1=3&die2=1&p24=2&P19=-5", "did you mean p19?"),
        ("/v1/health?x=1", "'x' is not a parameter here: expected none"),
    ],
)  # fmt: skip
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
        ("match", {"games": [{"actions": [{"player": 0, "dice": "31", "plays": ""}]}]}, "plays",
         "play"),
    ],
)  # fmt: skip
def test_entries_of_bodies(path, body, name, meant):
    found = post(f"{API}/{path}", body)
    assert (found.status, found.error["field"]) == (400, name)
    assert found.error["message"] == f"{name!r} is not an entry here: did you mean {meant}?"


def test_clients_of_other_engines_may_say_more():
    more = {"gameId": "abc", "nested": {"x": [1]}}
    assert post("/v1/double?depth=1", REQUEST | more).status == 200
    assert post(f"{API}/getmoves?depth=1", GOLDEN | more).status == 200
