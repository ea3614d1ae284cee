"""Match files of eXtreme Gammon: a real one beside its text, and records that contradict it."""

import random
import sys
from copy import deepcopy
from typing import Any

import pytest

from gammon.base.errors import FormatError, MissingExtraError
from gammon.formats.notation import format_play
from gammon_study.match_files.match_file import parse_transcript, read_transcript
from gammon_study.match_files.transcript import ActionKind, GameTranscript, Transcript
from gammon_study.match_files.xg import parse_xg
from tests.matches import SAMPLE, SAMPLE_XG

Records = list[tuple[str, dict[str, Any]]]


@pytest.fixture(scope="module")
def records() -> Records:
    from gvformat.xg import read_xg

    return read_xg(SAMPLE_XG)


def plain(game: GameTranscript) -> list[tuple[Any, ...]]:
    """The actions of a game; nothing depends on the order of two dice."""
    return [(*each[:2], each.dice and {*each.dice}, *each[3:]) for each in game.actions]


def read(records: Records, monkeypatch: pytest.MonkeyPatch) -> Transcript:
    monkeypatch.setattr("gvformat.xg.read_xg", lambda data: records)
    return parse_xg(SAMPLE_XG.read_bytes())


def test_the_same_match_as_its_text() -> None:
    found, text = read_transcript(SAMPLE_XG), read_transcript(SAMPLE)
    assert (found.players, found.length, found.warnings) == (text.players, text.length, ())
    for ours, theirs in zip(found.games, text.games, strict=True):
        assert (ours.score, ours.winner, ours.points) == (
            theirs.score, theirs.winner, theirs.points,
        )  # fmt: skip
        assert plain(ours) == plain(theirs)


def test_what_the_file_says_of_it() -> None:
    match = read_transcript(SAMPLE_XG)
    assert match.stored_by == "eXtreme Gammon"
    losses = []
    for number, game in enumerate(match.games):
        for action, moment in enumerate(game.moments()):
            found = match.stored.get((number, action))
            if found is None:
                continue
            if moment.action.kind is ActionKind.ROLL and found.plays:
                equities = [play.equity for play in found.plays]
                assert equities == sorted(equities, reverse=True)
                names = {play.play: play.equity for play in found.plays}
                losses.append(equities[0] - names[format_play(moment.action.moves)])
            if found.cube is not None:
                assert 0.0 <= found.cube.probabilities[0] <= 1.0
                assert abs(found.cube.no_double) < 3.0
    assert len(losses) > 70
    assert 0.0 < sum(losses) / len(losses) < 0.05, "the players are good ones"


def test_damaged_files() -> None:
    """One line each, or as much as is legal."""
    data, chance = SAMPLE_XG.read_bytes(), random.Random(1)
    for _ in range(6):
        cut = data[: chance.randrange(len(data))]
        with pytest.raises(FormatError, match="eXtreme Gammon"):
            parse_xg(cut)
    with pytest.raises(FormatError, match="eXtreme Gammon"):
        parse_transcript(b"RGMH" + bytes(20_000))


CHANGES: list[tuple[str, dict[str, Any], str]] = [
    ("move", {"actifp": -1}, "the side that is not to act"),
    ("move", {"dice": [7, 1]}, "the roll 71"),
    ("move", {"pos_after": [0] * 26, "candidates": []}, "no legal play of"),
    ("cube", {"doubled": 1, "take": 2}, "a beaver"),
]


@pytest.mark.parametrize(("kind", "change", "words"), CHANGES)
def test_the_rest_of_a_game_is_left_out(
    records: Records,
    monkeypatch: pytest.MonkeyPatch,
    kind: str,
    change: dict[str, Any],
    words: str,
) -> None:
    changed = deepcopy(records)
    found = [
        place for place, (name, each) in enumerate(changed)
        if name == kind and each.get("actifp", each.get("actif")) == 1
    ]  # fmt: skip
    changed[found[1]][1].update(change)
    match = read(changed, monkeypatch)
    assert len(match.warnings) == 1
    assert words in match.warnings[0]
    assert "the rest of the game is left out" in match.warnings[0]
    assert len(match.games[0].actions) < len(read_transcript(SAMPLE).games[0].actions)


def test_half_a_character_in_a_name(records: Records, monkeypatch: pytest.MonkeyPatch) -> None:
    changed = deepcopy(records)
    changed[0][1]["player1"] = "Zo\ud83d"
    name = read(changed, monkeypatch).players[0]
    assert name.encode() == "Zo\ufffd".encode()


def test_a_position_that_was_set_up(records: Records, monkeypatch: pytest.MonkeyPatch) -> None:
    first = next(place for place, (kind, _) in enumerate(records) if kind == "move")
    changed = deepcopy(records[: first + 1])
    changed[first][1]["pos_before"] = [0] * 26
    with pytest.raises(FormatError, match=r"set up.*Of a position \(\.xgp\) paste the XGID"):
        read(changed, monkeypatch)
    with pytest.raises(FormatError, match=r"no end.*Of a position \(\.xgp\) paste the XGID"):
        read(changed[:first], monkeypatch)


def test_a_score_that_no_position_holds(
    records: Records, monkeypatch: pytest.MonkeyPatch
) -> None:
    for length, score, words in (
        (7, 7, "a score of 7 before a game of a match to 7"),
        (99999, 32768, "a score of 32768 for money"),
    ):
        changed = deepcopy(records)
        changed[0][1]["match_length"] = length
        next(found for kind, found in changed if kind == "header_game")["score2"] = score
        with pytest.raises(FormatError, match=words):
            read(changed, monkeypatch)


def test_numbers_that_cannot_be_are_left_out(
    records: Records, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed = deepcopy(records)
    rolls = [found for kind, found in changed if kind == "move" and found["candidates"]]
    rolls[0]["err_luck"] = 1e300
    rolls[0]["candidates"][0]["equity"] = 1e300
    whole, match = read(records, monkeypatch), read(changed, monkeypatch)
    place = next(iter(whole.stored))
    assert (match.stored[place].luck, whole.stored[place].luck is None) == (None, False)
    assert len(match.stored[place].plays) == len(whole.stored[place].plays) - 1


def test_a_resignation(records: Records, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file gives no more points than the match needs."""
    end = [place for place, (kind, _) in enumerate(records) if kind == "footer_game"][-1]
    changed = deepcopy(records)
    last = [place for place in range(end) if records[place][0] == "move"][-1]
    del changed[last]
    match = read(changed, monkeypatch)
    whole = read_transcript(SAMPLE)
    action = match.games[-1].actions[-1]
    assert action.kind is ActionKind.RESIGN
    assert action.points == whole.games[-1].points
    assert match.final_score == whole.final_score


def test_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gvformat", None)
    monkeypatch.setitem(sys.modules, "gvformat.xg", None)
    with pytest.raises(
        MissingExtraError,
        match=r"needs gammonview: in the clone of gammon, "
        r'pip install -e "\.\[xg\]"',
    ):
        read_transcript(SAMPLE_XG)
