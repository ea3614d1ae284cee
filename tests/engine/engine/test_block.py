"""The trials of a rollout as units: what comes back from JSON, and what is no result."""

import json

import numpy as np

from gammon.engine.block import Starts, is_block, play_batch, play_block, play_games, scale_of
from gammon.engine.scale import Scale
from gammon.formats.met_file import read_met
from gammon.formats.position import Position
from gammon.games.backgammon import filter_named
from gammon.rules.board import OPENING
from gammon.rules.terms import Terms, parse_stakes
from gammon.search import Filter
from tests.engine.core.games import plan, setting

FIRST_ROW = Position.parse("XGID=--CDBbC-B-----a----bdA-cc-:0:0:1:00:0:0:1:0:10").points

UNIT = {
    "model": "leaf", "network": "", "probe": "", "seed": 1, "depth": 1, "cube_depth": 1,
    "truncate": 0, "filter": "", "exact": True, "stakes": None, "terms": list(Terms()),
    "met": None, "after": False, "candidates": [0, 1], "first": 36,
    "starts": [{"points": list(FIRST_ROW), "doubled": doubled} for doubled in (False, True)],
}  # fmt: skip


def test_a_unit_has_the_trials_of_its_candidates():
    both = play_block(UNIT)
    assert is_block(UNIT, both)
    assert [len(each["values"]) for each in both] == [36, 36]
    (taken,) = play_block(UNIT | {"candidates": [1]})
    assert taken == both[1]
    game, leaf, probe = setting(Terms())
    begin = Starts(np.array([FIRST_ROW], np.int8), np.array([-1]), np.array([2.0]))
    found = play_games(game, leaf, probe, plan(exact=True), begin, 36, 36, Filter())
    assert taken["values"] == found.values[0].tolist()


def test_what_is_no_block():
    good = play_block(UNIT)
    for bad in (None, [], good[:1], [good[0], {}], [good[0], good[1] | {"values": [1.0]}]):
        assert not is_block(UNIT, bad)
    assert not is_block(UNIT, [good[0], good[1] | {"plain": ["1"] * 36}])


def test_terms_come_back_from_a_file():
    terms = Terms(7, (2, 4), cube=2, owner=1)
    unit = json.loads(json.dumps(UNIT | {"terms": list(terms)}))
    assert scale_of(unit).terms == terms
    assert scale_of(unit | {"stakes": "gammon-go"}).terms == parse_stakes("gammon-go")


def test_the_margin_of_a_filter_is_one_of_equities(monkeypatch):
    given = []
    monkeypatch.setattr(
        "gammon.engine.block.play_games", lambda *more: given.append(more[7]) or ()
    )
    worth = Scale.at(Terms(7, (3, 4)), read_met())
    play_batch(worth, None, None, plan(depth=3), "tiny", [(OPENING, False)], 0)
    assert given == [filter_named("tiny", worth.unit)]
