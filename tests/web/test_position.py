"""Positions of the API: board, terms, plays and steps, scores and dice."""

import json
from collections import Counter

import pytest

import gammon
from gammon.formats.position import Position
from gammon.rules.board import OPENING as BOARD
from gammon.rules.board import OPENING as SCORE_OPENING
from gammon.rules.board import Points, legal_moves
from gammon.rules.dice import ROLLS
from gammon.rules.terms import Terms
from gammon_web.position import Steps, position_json, steps_of
from gammon_web.record import roll_of_seed
from tests.boards import points_of
from tests.naive.plays import enumerate_plays
from tests.naive.splitmix import splitmix
from tests.web.asking import API, OPENING, ask, post

# Positions of the API: board, terms, plays and steps.

XGID = "XGID=-a-B--C--E---eD---d-bb---A:1:1:-1:63:4:2:0:7:10"


def test_the_opening_with_a_roll():
    found = ask(f"{API}/position", id=OPENING, dice="31").json
    assert found["points"] == list(Position.opening().points)
    assert (found["dice"], found["pips"], found["turn"]) == ("31", [167, 167], 1)
    assert found["position_id"] == OPENING
    assert found["over"] is None
    plays = gammon.legal_plays(Position.opening(), (3, 1))
    assert [each["notation"] for each in found["plays"]] == [each.notation for each in plays]


@pytest.mark.parametrize(
    "text",
    [
        OPENING,
        f"{OPENING}:cAkAAAAAAAAE",
        XGID,
        XGID.removeprefix("XGID="),
        f"GNU Backgammon  Position ID: {OPENING}",
        f"https://example.org/?xgid={XGID}&x=1",
    ],
)
def test_every_kind_of_id(text):
    found = ask(f"{API}/position", id=text).json
    wanted = Position.parse(text)
    assert found == json.loads(json.dumps(position_json(wanted)))
    assert found["xgid"] == wanted.xgid
    assert post(f"{API}/position", {"text": text}).json == found


def test_steps_lead_to_the_plays():
    found = ask(f"{API}/position", id=XGID).json
    ends = {found["ends"][str(node)] for node, after in enumerate(found["steps"]) if not after}
    assert ends == set(range(len(found["plays"])))


def test_a_position_set_up_by_hand():
    points = list(points_of({6: 2, 5: 1}, {20: 3}))
    terms = {"length": 7, "away": [3, 5], "cube": 2, "owner": -1}
    asked = {"points": points, "dice": "62", "terms": terms, "turn": -1}
    found = post(f"{API}/position", asked).json
    terms = Terms(7, (3, 5), cube=2, owner=-1)
    assert Position.parse(found["xgid"]).context.terms() == terms
    assert (found["points"], found["dice"], found["turn"]) == (points, "62", -1)
    assert found["terms"]["away"] == [3, 5]


def test_a_double_on_offer():
    asked = {"points": list(Position.opening().points), "doubled": True}
    found = post(f"{API}/position", asked).json
    assert found["doubled"]
    assert ":D:" in found["xgid"]


@pytest.mark.parametrize(
    ("fields", "taken"),
    [
        ("0:0:1:00:0:0:0:0:10", "1:-1:1:00:0:0:0:0:10"),
        ("0:0:-1:00:2:4:0:7:10", "1:1:-1:00:2:4:0:7:10"),
        ("1:1:1:00:2:4:0:7:10", "2:-1:1:00:2:4:0:7:10"),
        ("5:-1:-1:00:0:0:1:0:10", "6:1:-1:00:0:0:1:0:10"),
        ("0:0:1:00:6:4:0:7:10", None),
        ("0:0:1:00:4:6:1:7:10", None),
        ("1:-1:1:00:0:0:0:0:10", None),
        ("0:0:1:00:0:0:0:0:0", None),
        ("6:1:1:00:0:0:0:0:10", None),
        ("0:0:1:31:0:0:0:0:10", None),
        ("0:0:1:D:0:0:0:0:10", None),
    ],
)
def test_a_double_a_take_and_a_pass(fields, taken):
    board = "XGID=-b----E-C---eE---c-e----B-"
    found = ask(f"{API}/position", id=f"{board}:{fields}").json
    assert found["may_double"] is (taken is not None)
    if taken is None:
        assert found["after_double"] is None
        return
    assert found["after_take"] is found["after_pass"] is None
    assert found["after_double"] == f"{board}:{fields.replace(':00:', ':D:')}"
    offered = ask(f"{API}/position", id=found["after_double"]).json
    assert offered["may_double"] is False
    assert offered["after_take"] == f"{board}:{taken}"
    assert offered["after_pass"] == {"winner": found["turn"], "points": 1, "scored": found["terms"]["cube"]}


@pytest.mark.parametrize("fields", ["6:1:1:D:0:0:0:0:10", "0:0:1:D:4:6:1:7:10", "1:-1:1:D:0:0:0:0:10"])
def test_a_double_that_nobody_may_take(fields):
    found = ask(f"{API}/position", id=f"XGID=-b----E-C---eE---c-e----B-:{fields}").json
    assert found["doubled"]
    assert found["after_take"] is found["after_pass"] is None


@pytest.mark.parametrize(
    ("own", "their", "jacoby", "over"),
    [
        ({}, {20: 3}, False, {"winner": 1, "points": 1}),
        ({}, {20: 15}, False, {"winner": 1, "points": 2}),
        ({}, {3: 15}, False, {"winner": 1, "points": 3}),
        ({}, {3: 15}, True, {"winner": 1, "points": 1}),
        ({6: 15}, {}, False, {"winner": -1, "points": 2}),
    ],
)
def test_the_end_of_a_game(own, their, jacoby, over):
    points = [own.get(at, -their.get(at, 0)) for at in range(26)]
    asked = {"points": points, "terms": {"jacoby": jacoby}, "dice": "31"}
    found = post(f"{API}/position", asked).json
    assert found["over"] == over | {"scored": over["points"]}
    asked["terms"] = {"cube": 4, "owner": 1}  # a turned cube, with which gammons count
    turned = post(f"{API}/position", asked).json["over"]
    assert turned["scored"] == 4 * turned["points"] >= 4 * over["points"]
    assert found["plays"] is found["steps"] is found["ends"] is None


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"text": 7}, "text"),
        ({"text": "nonsense"}, "text"),
        ({}, "points"),
        ({"points": [1]}, "points"),
        ({"points": [True] * 26}, "points"),
        ({"points": [0] * 25 + [-1]}, "points"),
        ({"text": OPENING, "dice": 31}, "dice"),
        ({"text": OPENING, "dice": "70"}, "dice"),
        ({"points": list(Position.opening().points), "terms": []}, "terms"),
        ({"points": list(Position.opening().points), "terms": {"size": 1}}, "terms"),
        ({"points": list(Position.opening().points), "terms": {"cube": 3}}, "terms"),
        ({"points": list(Position.opening().points), "terms": {"away": "x"}}, "terms"),
        ({"points": list(Position.opening().points), "turn": 0}, "turn"),
        ({"points": list(Position.opening().points), "turn": True}, "turn"),
        ({"points": list(Position.opening().points), "doubled": 1}, "doubled"),
        ({"points": list(Position.opening().points), "doubled": "yes"}, "doubled"),
        ({"points": list(Position.opening().points), "doubled": True, "dice": "31"}, "dice"),
        ({"text": OPENING, "turn": -1}, "turn"),
        ({"text": OPENING, "points": []}, "points"),
        ({"text": OPENING, "doubled": True}, "doubled"),
    ],
)
def test_what_is_wrong_is_named(body, field):
    found = post(f"{API}/position", body)
    assert (found.status, found.error["field"]) == (400, field)


def test_refusals_have_the_words_of_json():
    points = list(Position.opening().points)
    for body, words in (
        (None, "the body is null: expected"),
        ({"points": None}, "points null: expected"),
        ({"points": [True, None]}, "points [true, null]: expected"),
        ({"points": points, "terms": {"jacoby": 1}}, "jacoby 1: expected true or false"),
    ):
        assert post(f"{API}/position", body).error["message"].startswith(words)


def test_terms_that_no_engine_plays():
    text = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:99:10"
    found = ask(f"{API}/position", id=text)
    assert (found.status, found.error["code"]) == (400, "invalid_position")


def sequences(points: Points, dice: list[int]) -> set[tuple[tuple[int, int, int], ...]]:
    """All ways to play these dice in this order, as far as they go: the obvious way."""
    if not dice:
        return {()}
    found = {
        ((move.source, move.target, dice[0]), *rest)
        for move, after in legal_moves(points, dice[0])
        for rest in sequences(after, dice[1:])
    }
    return found or {()}


def by_the_rules(points: Points, dice: tuple[int, int]) -> set[tuple[tuple[int, int, int], ...]]:
    """All full plays as steps, by the words of the rules."""
    high, low = dice
    orders = [[high] * 4] if high == low else [[high, low], [low, high]]
    ways = set().union(*(sequences(points, order) for order in orders))
    # A die that cannot be played first may be played second.
    ways |= set().union(*(sequences(points, [die]) for die in set(dice)))
    most = max(map(len, ways))
    ways = {way for way in ways if len(way) == most}
    if most == 1 and high != low and any(way[0][2] == high for way in ways):
        ways = {way for way in ways if way[0][2] == high}
    return ways


def walked(steps: Steps, node: int = 0) -> set[tuple[tuple[int, int, int], ...]]:
    if not steps.nodes[node]:
        return {()}
    return {(step[:3], *rest) for step in steps.nodes[node] for rest in walked(steps, step.node)}


#: With 65 either die can be played but not both; on the second board nothing can.
RARE = [points_of({12: 1}, {1: 2, 20: 1}), points_of({25: 1}, dict.fromkeys(range(19, 25), 2))]


@pytest.mark.parametrize("dice", ROLLS)
def test_all_ways_of_the_rules_and_no_other(played, dice):
    for points in [BOARD, *RARE, *played(300, seed=6)[::10]]:
        steps = steps_of(points, dice)
        assert steps == steps_of(points, dice[::-1])
        assert walked(steps) == by_the_rules(points, dice), (points, dice)
        assert set(steps.ends.values()) == set(enumerate_plays(points, dice)), (points, dice)
        assert set(steps.ends) == {node for node, after in enumerate(steps.nodes) if not after}


# The score of a match: the server adds it up, and says how the next game begins.


def scored(length: int, *won: int, **more: object):
    found = post(f"{API}/score", {"length": length, "won": [*won], **more})
    assert found.status == 200
    return found.json


def test_the_crawford_game_is_played_once_and_points_beyond_the_length_do_not_count():
    found = [scored(5, *(4, -2, -8)[:games]) for games in range(4)]
    assert [each["score"] for each in found] == [[0, 0], [4, 0], [4, 2], [4, 5]]
    assert [each["crawford"] for each in found] == [False, True, False, False]
    for each in found[:3]:
        position = Position.parse(each["opening"])
        context = position.context
        assert (position.points, position.dice, context.on_roll) == (SCORE_OPENING, None, 1)
        assert (context.length, [*context.scores]) == (5, each["score"])
        assert (context.crawford, context.cube_log2) == (each["crawford"], 0)
    assert found[3]["opening"] is None


def test_both_sides_may_come_to_their_last_point_after_the_crawford_game():
    assert [scored(3, *won)["crawford"] for won in ([2], [2, -2], [1, -2])] == [1, 0, 1]


def test_a_match_to_one_point_has_no_crawford_game():
    assert not scored(1)["crawford"]
    assert scored(1, -1) == {"score": [0, 1], "crawford": False, "opening": None}


def test_money_has_no_end_and_its_rules_stay():
    found = scored(0, -192, 2, jacoby=True)
    assert (found["score"], found["crawford"]) == ([2, 192], False)
    assert found["opening"].endswith(":0:0:1:00:0:0:1:0:10")
    assert scored(5, jacoby=True)["opening"].endswith(":0:0:1:00:0:0:0:5:10")
    assert scored(5, cube=False)["opening"].endswith(":0:0:1:00:0:0:0:5:0")


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"length": 5}, "won null: expected a list"),
        ({"length": 5, "won": [0]}, "won[0] 0: expected the points of a game"),
        ({"length": 5, "won": [1.5]}, "won[0] 1.5: expected the points of a game"),
        ({"length": 5, "won": [3, 2, 1]}, "won[2]: the match is over before"),
        ({"length": 65, "won": []}, "length 65"),
        ({"length": 5, "won": [], "cube": 1}, "cube 1: expected true or false"),
        ({"length": 5, "wno": []}, "did you mean won?"),
    ],
)
def test_what_is_wrong_is_refused(asked, words):
    found = post(f"{API}/score", asked)
    assert found.status == 400
    assert words in found.error["message"]


# Dice of a seed: the same for the same numbers, fair, and in order.


def test_a_roll_is_a_function_of_its_seed_and_number():
    for seed in (0, 1, 2**53 - 1):
        for number in (0, 1, 77, 2**53 - 1):
            face = splitmix(splitmix(seed) ^ number) % 36
            assert roll_of_seed(seed, number) == (face // 6 + 1, face % 6 + 1)


def test_all_36_are_as_likely():
    counts = Counter(roll_of_seed(3, number) for number in range(3600))
    assert len(counts) == 36
    assert sum((n - 100) ** 2 / 100 for n in counts.values()) < 66.6  # chi square, 1 of 1000


def test_parts_of_a_sequence_fit():
    whole = ask(f"{API}/dice", seed=7, count=20).json
    assert (whole["seed"], whole["begin"]) == (7, 0)
    assert whole["dice"][5:9] == ask(f"{API}/dice", seed=7, begin=5, count=4).json["dice"]
    assert ask(f"{API}/dice", seed=8, count=20).json["dice"] != whole["dice"]


def test_what_is_out_of_range():
    for name, value in (("seed", -1), ("seed", 2**53), ("count", 0), ("count", 1001)):
        assert ask(f"{API}/dice", **{name: value}).error["field"] == name
