"""Players that are asked for a play."""

import json

import numpy as np

from gammon.eval.model_file import network_id
from gammon.match.player import mind_of, parse_player
from gammon.rules.board import OPENING
from gammon.rules.terms import CUBELESS
from gammon_lab.experiments.asked import answer_of, ask, question


def test_an_answer_is_the_players_play():
    for name in ("depth=1", "depth=3,model=large"):
        for outcome in (0, 5, 17):
            unit = json.loads(json.dumps(question(name, OPENING, outcome)))
            answer = answer_of(json.loads(json.dumps(ask(unit))))
            board, mind = np.array([OPENING], np.int8), mind_of(parse_player(name))
            played = mind.plays(board, [outcome], [CUBELESS], [0])
            assert answer.after == tuple(played[0].tolist())
            assert answer.seconds >= 0.0


def test_a_question_names_the_network_of_ours_alone():
    assert question("depth=1", OPENING, 3)["network"] == network_id("leaf")
    assert question("depth=1,model=large", OPENING, 3)["network"] == network_id("large")
    assert question("gnubg=2", OPENING, 3)["network"] is None
