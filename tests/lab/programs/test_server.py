"""The half of a peer that runs in another program's Python, here in our own."""

import io
import json

import pytest

from gammon_lab.programs import server


class Program:
    """Answers sums; a sum of zero is an error."""

    def add(self, *numbers: int) -> int:
        assert sum(numbers), "a sum of zero"
        return sum(numbers)


def replies_to(*requests: object) -> list[dict[str, object]]:
    lines, replies = [json.dumps(each) for each in requests], io.StringIO()
    server.serve(Program(), lines, replies)
    return [json.loads(line) for line in replies.getvalue().splitlines()]


def test_each_item_has_an_answer() -> None:
    found = replies_to(
        {"op": "add", "items": [[1], [2, 3], [4]]}, {"op": "add", "items": [[5, 5]]}
    )
    assert [each["result"] for each in found] == [1, 5, 4, 10]
    assert all(set(each) == {"result", "cpu_seconds"} for each in found)


@pytest.mark.parametrize(
    ("request_", "error"),
    [
        ({"op": "add", "items": [[1, -1], [2]]}, "AssertionError: a sum of zero"),
        ({"op": "add", "items": [["x"], [2]]}, "TypeError"),
        ({"op": "no_such", "items": [[1], [2]]}, "AttributeError"),
    ],
)
def test_an_error_is_the_last_answer_to_a_request(request_: object, error: str) -> None:
    first, second = replies_to(request_, {"op": "add", "items": [[5]]})
    assert str(first["error"]).startswith(error)
    assert second["result"] == 5
