"""What the APIs of other programs have in common."""

import pytest

from gammon.eval.equity import Probabilities
from gammon.rules.board import OPENING
from gammon.rules.terms import Terms
from gammon_web.foreign import CHANCES, chances_json, placed
from gammon_web.refusal import Refusal

SEEN = Probabilities(0.6, 0.2, 0.01, 0.1, 0.02)


@pytest.mark.parametrize("api", CHANCES)
def test_chances_have_the_names_of_an_api(api: str) -> None:
    found = chances_json(api, SEEN)
    assert [value for name, value in found.items() if name != "lose"] == [*SEEN]
    assert found.get("lose", 0.4) == 0.4
    assert [name[0] for name in found] == sorted((name[0] for name in found), reverse=True)


def test_a_refusal_names_what_is_wrong() -> None:
    at = Terms(7, (3, 5))
    assert placed(OPENING, at, ("board", "score")).context.terms() == at
    assert placed(OPENING, None, ("board", "score")).points == OPENING
    for points, terms, field in (([0] * 26, at, "board"), (OPENING, Terms(cube=3), "score")):
        with pytest.raises(Refusal) as caught:
            placed(points, terms, ("board", "score"))
        assert caught.value.field == field
