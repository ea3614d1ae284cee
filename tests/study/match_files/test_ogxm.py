"""Match files in OGXM, as gammonview writes them, beside the files that it made them of."""

import random
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import gvformat
import pytest

from gammon.base.errors import FormatError
from gammon_study.match_files.mat import format_mat
from gammon_study.match_files.match_file import parse_transcript, read_transcript
from gammon_study.match_files.ogxm import MOST, _match, parse_ogxm
from gammon_study.match_files.transcript import ActionKind, Remark, Transcript
from gammon_study.reviews.imported import depth_of
from tests.matches import MATCH5, SAMPLE_XG, random_match

#: Equities and chances in files have four decimals.
ROUNDED = 1.1e-4
WRITERS = pytest.mark.parametrize("write", [gvformat.write_gvab, gvformat.write_gvab_v1])
Write = Callable[[dict[str, Any]], bytes]


def document() -> dict[str, Any]:
    return gvformat.convert_xg(SAMPLE_XG.read_bytes())


def with_sorted_dice(match: Transcript) -> list[Any]:
    """Return the games of a match, the larger number of each roll first, as OGXM has no order."""
    return [
        replace(
            game,
            actions=tuple(
                action._replace(dice=(max(action.dice), min(action.dice))) if action.dice else action
                for action in game.actions
            ),
        )
        for game in match.games
    ]


@WRITERS
def test_a_real_match_and_its_analysis(write: Write) -> None:
    """The analysis equals the one of the .xg to four decimals. Version 1 lacks the play of a forced roll."""
    match, original = parse_transcript(write(document())), read_transcript(SAMPLE_XG)
    assert with_sorted_dice(match) == with_sorted_dice(original)
    assert (match.players, match.length, match.warnings) == (original.players, original.length, ())
    assert (match.details, match.stored_by) == (original.details, original.stored_by)
    assert match.stored.keys() == original.stored.keys()
    plays = cubes = 0
    for action, expected in original.stored.items():
        stored = match.stored[action]
        if not stored.plays and len(expected.plays) == 1:
            continue
        assert stored.luck == (expected.luck and pytest.approx(expected.luck, abs=ROUNDED))
        assert [play.level for play in stored.plays] == [play.level for play in expected.plays]
        for play, twin in zip(stored.plays, expected.plays, strict=True):
            assert play.play == twin.play
            assert play.equity == pytest.approx(twin.equity, abs=ROUNDED)
            assert play.probabilities == pytest.approx(twin.probabilities, abs=ROUNDED)
        plays += len(stored.plays)
        assert (stored.cube is None) == (expected.cube is None)
        if stored.cube and expected.cube:
            assert stored.cube[:2] == pytest.approx(expected.cube[:2], abs=ROUNDED)
            assert stored.cube.level == expected.cube.level
            game, number = action
            if original.games[game].actions[number].kind in (ActionKind.ROLL, ActionKind.DOUBLE):
                assert stored.cube.probabilities == pytest.approx(expected.cube.probabilities, abs=ROUNDED)
            # Of takes and passes gammonview has the chances after the double.
            cubes += 1
    assert (plays, cubes) == ((625, 75) if write is gvformat.write_gvab else (624, 75))


@WRITERS
def test_matches_that_gammonview_converted(tmp_path: Path, write: Write) -> None:
    matches = {
        "match5": read_transcript(MATCH5),
        **{f"random-{length}": random_match(length, seed=length) for length in (1, 3, 7)},
    }
    for name, match in matches.items():
        path = tmp_path / f"{name}.mat"
        path.write_text(format_mat(match))
        copy = parse_transcript(write(gvformat.convert_mat(path)))
        assert with_sorted_dice(copy) == with_sorted_dice(match), name
        crawford = [number for number, game in enumerate(match.games, 1) if game.score.crawford]
        warned = [f"game {number} is read as the Crawford game" for number in crawford]
        assert list(copy.warnings) in (warned, []), "version 1 marks the game itself"


def test_a_match_without_the_crawford_rule() -> None:
    """A double at one point away shows that the rule was not in force."""
    written = document()
    written["match_length"], written["crawford"] = 2, False
    third = deepcopy(written["games"][0])
    del third["plies"][4:]
    written["games"][1]["winner"], written["games"][2:] = 0, [third]
    first, second, later = _match(written, lambda number: None).games
    assert later.score.points == (1, 1)
    assert not later.score.crawford, "it is the second game at one point away"
    assert max(second.score.points) == 1
    assert not first.score.crawford
    assert not second.score.crawford


def test_annotations_stay_with_their_actions() -> None:
    written = document()
    ply = written["games"][0]["plies"][1]
    ply["annotations"] = [{"value": "too greedy\nreally"}, {"value": "x", "key": "x-other"}]
    match = parse_transcript(gvformat.write_gvab(written))
    assert match.remarks == {(0, 1): Remark("too greedy\nreally")}


def test_the_level_of_other_programs() -> None:
    written = document()
    written["analysis_info"]["model_id"] = "gv-bgsage/3"
    match = parse_transcript(gvformat.write_gvab(written))
    assert match.stored_by == "bgsage"
    (level,) = {play.level for play in match.stored[0, 1].plays[:1]}
    assert (level, depth_of("bgsage", level)) == ("2-ply", 3)


def test_set_up_positions_and_other_games_are_refused() -> None:
    written = document()
    written["games"][0]["plies"].insert(0, {
        "color": 1, "action_id": 31, "set_position": [0, *[0] * 5, -2, 2, *[0] * 18],
    })  # fmt: skip
    match = parse_transcript(gvformat.write_gvab(written))
    assert not match.games[0].actions
    assert match.warnings[0].startswith("game 1, action 1: a position that was set up;")
    with pytest.raises(FormatError, match="another game than backgammon: variant 'nackgammon'"):
        _match(document() | {"variant": "nackgammon"}, lambda number: None)


def test_what_is_no_file() -> None:
    data = gvformat.write_gvab(document())
    for damaged in (data[:100], data[:-1], data[:-9] + bytes(9), b"OGXM", b"OGXM" + bytes(60)):
        with pytest.raises(FormatError, match=r"^an OGXM file that cannot be read: "):
            parse_ogxm(damaged)
    with pytest.raises(FormatError, match="more than 4,000,000 bytes"):
        parse_ogxm(data + bytes(MOST))


@pytest.mark.parametrize("times", [100, pytest.param(10_000, marks=pytest.mark.nightly)])
def test_documents_with_other_values(times: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file has a checksum, so values are changed behind it: all are refused, or within the rules."""
    original, rng = gvformat.read_gvab(gvformat.write_gvab(document())), random.Random(5)
    del original["games"][1:], original["games"][0]["plies"][8:]
    others = [None, -1, 0, 1, 2, 3, 25, 31, 1e9, float("nan"), "", "x", [], {}, True, 10**30]
    refused = 0
    for _ in range(times):
        damaged: Any = deepcopy(original)
        place = damaged
        while True:
            keys = list(place) if isinstance(place, dict) else range(len(place))
            key = rng.choice(keys)
            if not isinstance(place[key], (dict, list)) or not place[key] or rng.random() < 0.1:
                break
            place = place[key]
        place[key] = rng.choice(others)
        monkeypatch.setattr(gvformat, "read_gvab", lambda data, document=damaged: document)
        try:
            parse_ogxm(b"OGXM").check()
        except FormatError:
            refused += 1
    assert 0 < refused < times
