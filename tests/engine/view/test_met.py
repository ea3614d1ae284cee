"""A match equity table as text of any width, and as JSON."""

import json

import pytest

from gammon.formats.met_file import read_met
from gammon.view import to_json
from gammon.view.met import met_view
from tests.engine.view.text import text_of

MET = read_met()


@pytest.mark.parametrize(
    ("width", "length", "columns"),
    [(60, 15, 9), (60, 9, 9), (120, 15, 15), (200, 25, 25), (200, 30, 30)],
)
def test_text(width: int, length: int, columns: int) -> None:
    lines = [line.rstrip() for line in text_of(met_view(MET, length), width)]
    assert lines[0] == "Kazaross-XG2: the chance to win a match, in per cent"
    at = next(i for i, line in enumerate(lines) if line.split()[:1] == ["away"])
    assert lines[at].split() == ["away", *map(str, range(1, columns + 1))]
    rows = [line.split() for line in lines[at + 1 : at + length + 2]]
    assert [row[0] for row in rows] == [*map(str, range(1, length + 1)), "post"]
    assert {len(row) for row in rows} == {columns + 1}
    assert rows[1][1:4] == ["32.26", "50.00", "59.95"]
    assert rows[-1][1:4] == ["50.00", "48.80", "32.26"]
    text = " ".join(" ".join(lines).split())
    assert ("too narrow for more columns: 10, 11" in text) == (columns < length)
    assert ("Beyond 25 points the table is extended" in text) == (length > 25)
    assert "\u2026" not in text
    assert max(map(len, lines)) <= width


def test_json() -> None:
    found = json.loads(json.dumps(to_json(MET)))
    assert (found["name"], found["length"]) == ("Kazaross-XG2", 25)
    assert len(found["main"]) == len(found["main"][63]) == len(found["post_crawford"]) == 64
    assert found["main"][0][1] == 0.67736
    assert found["post_crawford"][1] == 0.48803
