"""What the APIs of other programs have in common."""

import pytest

from gammon.eval.equity import Probabilities
from gammon.rules.board import OPENING
from gammon.rules.terms import Terms
from gammon.web.foreign import CHANCES, chances_json, placed, read_pair
from gammon.web.refusal import Refusal

SEEN = Probabilities(0.6, 0.2, 0.01, 0.1, 0.02)


@pytest.mark.parametrize("api", CHANCES)
def test_chances_have_the_names_of_an_api(api: str) -> None:
    found = chances_json(api, SEEN)
    assert [value for name, value in found.items() if name != "lose"] == [*SEEN]
    assert found.get("lose", 0.4) == 0.4
    assert [name[0] for name in found] == sorted((name[0] for name in found), reverse=True)


@pytest.mark.parametrize("value", [None, "31", [3], [3, 1, 1], [3, 7], [True, 1], [3, 1.0]])
def test_a_pair_that_is_something_else(value: object) -> None:
    assert read_pair({}, "dice", [3, 1], 1, 6) == (3, 1)
    with pytest.raises(Refusal, match=r"^dice .*: expected two numbers from 1 to 6$"):
        read_pair({"dice": value}, "dice", [3, 1], 1, 6)
    with pytest.raises(Refusal, match=r"^score -1: expected two numbers$"):
        read_pair({"score": -1}, "score", [0, 0], 0)


def test_a_refusal_names_what_is_wrong() -> None:
    at = Terms(7, (3, 5))
    assert placed(OPENING, at, ("board", "score")).context.terms() == at
    assert placed(OPENING, None, ("board", "score")).points == OPENING
    for points, terms, field in (([0] * 26, at, "board"), (OPENING, Terms(cube=3), "score")):
        with pytest.raises(Refusal) as caught:
            placed(points, terms, ("board", "score"))
        assert caught.value.field == field
