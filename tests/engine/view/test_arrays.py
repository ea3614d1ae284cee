"""Arrays of values as JSON."""

import json

import pytest

import gammon
from tests.engine.commands.program import OPENING

ENGINE = gammon.Engine(depth=1)
POSITION = gammon.Position.parse(OPENING)


def test_arrays_are_lists():
    rows = [POSITION.points] * 2
    worth = gammon.to_json(ENGINE.evaluate_many(rows))
    assert worth["equities"] == [pytest.approx(ENGINE.evaluate(POSITION).equity)] * 2
    assert [len(chances) for chances in worth["chances"]] == [5, 5]
    found = gammon.to_json(ENGINE.values_of_plays(rows, [(3, 1), (6, 5)]))
    analysis = ENGINE.analyze(POSITION, (3, 1))
    first = slice(*found["offsets"][:2])
    assert len(found["rows"][first]) == len(analysis.candidates)
    assert found["rows"][0] == list(analysis.candidates[0].play.points)
    assert set(found["exact"]) == {True}
    assert json.loads(json.dumps(found)) == found
