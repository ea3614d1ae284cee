"""The rows of a library that are derived from the review of a match."""

import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from datetime import date
from typing import Any, NamedTuple

from gammon.formats.characters import folded
from gammon.formats.context import BOTTOM, Context
from gammon.formats.met_file import met_of_entry
from gammon.formats.position import Position
from gammon.formats.xgid import PREFIX
from gammon_study.library.library import Row, StoredMatch
from gammon_study.match_files.sgf import parse_sgf
from gammon_study.match_files.transcript import ActionKind, Transcript
from gammon_study.reviews.choice import ALIKE, Choice, ChoiceKind, unit_cost
from gammon_study.reviews.difficulty import difficulty, leanings
from gammon_study.reviews.explain import Explained, explained, game_phase
from gammon_study.reviews.review import Review, review_of
from gammon_study.reviews.totals import errors_of

#: This many first actions distinguish a match from most others of the same players.
_STEM = 4
_DAY = re.compile(r"([0-9]{4})[./-]([0-9]{1,2})[./-]([0-9]{1,2})")


def digest_of(transcript: Transcript) -> str:
    """Return the digest that identifies a match, of its players, its length and all actions.

    The file, the case of the names, and which player is on the left make no difference.
    """
    return _digest([_entries(transcript, first) for first in (0, 1)])


def stem_of(transcript: Transcript) -> str:
    """Return the digest that a match shares with its beginning, saved before the match's end.

    A beginning of fewer than four actions has another stem.
    """
    return stems_of(transcript)[-1]


def stems_of(transcript: Transcript) -> list[str]:
    """Return the stems that beginnings of a match have, the stem of the whole match last."""
    sequences = [_without_resignation(_entries(transcript, first)) for first in (0, 1)]
    most = min(len(sequences[0]), _STEM + 1)
    return [_digest([sequence[:count] for sequence in sequences]) for count in range(1, most + 1)]


def is_short(transcript: Transcript) -> bool:
    """Return whether a match has fewer actions than a stem, so that a longer version has another."""
    return len(stems_of(transcript)) <= _STEM


def begins(part: Transcript, whole: Transcript) -> bool:
    """Return whether a transcript is the beginning of another, or equal to it.

    A resignation at its end is ignored if the other continues: it stands for the rest of a game
    that could not be read.
    """
    beginning = _entries(part, 0)
    played = _without_resignation(beginning)
    sequences = [_entries(whole, first) for first in (0, 1)]
    return any(
        len(sequence) >= len(beginning) and sequence[: len(played)] == played for sequence in sequences
    )


def _without_resignation(entries: list[Any]) -> list[Any]:
    """Return the entries of a match without a final resignation, unless it is the only action."""
    return entries[:-1] if len(entries) > 2 and entries[-1][1] is ActionKind.RESIGN else entries


def _entries(transcript: Transcript, first: int) -> list[Any]:
    """Return players and length of a match, then its actions, with side `first` as side 0."""
    names = [folded(transcript.players[side]) for side in (first, 1 - first)]
    return [(*names, transcript.length)] + [
        (game, action.kind, action.side ^ first, sorted(action.dice or ()), action.moves)
        for game, game_transcript in enumerate(transcript.games)
        for action in game_transcript.actions
    ]


def _digest(sequences: list[list[Any]]) -> str:
    return hashlib.sha256(min(map(json.dumps, sequences)).encode()).hexdigest()


def day_of(transcript: Transcript) -> str | None:
    """Return the day on which a match was played, such as 2026-11-22, or None."""
    for name, value in transcript.details:
        if "date" in name.lower() and (match := _DAY.search(value)):
            year, month, day = map(int, match.groups())
            with suppress(ValueError):  # no such day
                return date(year, month, day).isoformat()
    return None


def review_of_stored(stored: StoredMatch) -> Review:
    """Return the review of a stored match, without analyzing anything.

    Raises:
        FormatError: the transcript is damaged.
        ValueError: the results do not belong to the match.
        LookupError: the results lack something.
        TypeError: a value of the results has a wrong type.
    """
    settings = stored.settings
    transcript, met = parse_sgf(stored.transcript), met_of_entry(settings["met"])
    if not settings["depth"]:  # the file's own analysis
        transcript = replace(transcript, stored_by=settings["by"])
    if not settings.get("lucky", True):
        warning = "The file lacks the luck of some rolls, which counts as 0 here."
        transcript = replace(transcript, warnings=(*transcript.warnings, warning))
    return review_of(transcript, settings["depth"], met, stored.results, settings.get("level"))


def tables_of(review: Review, lucky: bool = True) -> dict[str, list[Row]]:
    """Return the rows of a review by table, without the number of the match.

    Args:
        review: the review.
        lucky: whether the luck of the rolls is known.
    """
    groups: dict[tuple[int, str, str], list[_Judged]] = defaultdict(list)
    leans: dict[tuple[int, str], list[tuple[float, ...]]] = defaultdict(list)
    for side in (0, 1):
        groups[(side, "all", "all")] = []  # a side may have no decision
    errors: list[Row] = []
    remarks: dict[tuple[int, int], Row] = {}
    for choice in review.choices:
        position = Position.parse(choice.xgid)
        explanation, phase = explained(choice, position), game_phase(position.points)
        hard = difficulty(choice)
        judged = _Judged(choice, hard, hard * unit_cost(position.context.terms(), review.met))
        for name, lean in leanings(choice, position).items():
            leans[(choice.player, name)].append((1, *lean, choice.error, hard))
        about = "plays" if choice.kind is ChoiceKind.PLAY else "cube"
        parts = [("all", "all"), ("all", about), ("kind", choice.kind.value), ("phase", phase)]
        for part in (*parts, *(("theme", theme) for theme in explanation.themes)):
            groups[(choice.player, *part)].append(judged)
        if choice.error >= ALIKE:
            errors.append(_error(choice, position, explanation, phase))
        place = choice.game, choice.action
        if remark := review.transcript.remarks.get(place):  # of a roll without a double, its play has it
            remarks[place] = _remark(choice, position, explanation, remark.words)
    return {
        "side": [_side(review, side, lucky) for side in (0, 1)],
        "sums": [
            {"part": part, "name": name, "side": side, **_sums(judged)}
            for (side, part, name), judged in groups.items()
        ],
        "bias": [
            {"side": side, "name": name, **dict(zip(_LEANS, map(sum, zip(*rows, strict=True)), strict=True))}
            for (side, name), rows in leans.items()
        ],
        "error": errors,
        "remark": list(remarks.values()),
    }


def _side(review: Review, side: int, lucky: bool) -> Row:
    totals, match = review.totals(side), review.transcript
    ended = max(match.final_score) >= match.length
    return {
        "side": side,
        "name": match.players[side],
        "opponent": match.players[1 - side],
        "rolls": totals.rolls,
        "result": review.result(side) if ended else None,
        "luck": totals.luck if lucky else None,
        "worth": totals.luck_value if lucky else None,
    }


#: The columns of the table `bias` that are sums over decisions.
_LEANS = "counted", "lean", "expected_lean", "error", "difficulty"


class _Judged(NamedTuple):
    """A decision, its difficulty, and the difficulty as a cost, as `Choice.cost`."""

    choice: Choice
    difficulty: float
    expected: float


def _sums(judged: list[_Judged]) -> Row:
    sums = errors_of(decision.choice for decision in judged)
    return {
        "choices": sums.choices,
        "counted": sums.counted,
        "active": sums.active,
        "wrong": sums.wrong,
        "error": sums.error,
        "cost": sums.cost,
        "bad": sum(sums.marks[1:]),
        "difficulty": sum(decision.difficulty for decision in judged),
        "expected": sum(decision.expected for decision in judged),
    }


def _error(choice: Choice, position: Position, explanation: Explained, phase: str) -> Row:
    context = position.context
    own, their = context.terms().away
    if context.to_decide:
        own, their = their, own
    return {
        "side": choice.player, "game": choice.game, "action": choice.action,
        "kind": choice.kind.value, "phase": phase, "themes": between_commas(explanation.themes),
        "xgid": choice.xgid, "board": board_of(position), "own": own,
        "their": their, "made": choice.made, "best": choice.best, "error": choice.error,
        "cost": choice.cost, "why": explanation.text, "level": choice.level,
    }  # fmt: skip


def _remark(choice: Choice, position: Position, explanation: Explained, words: str) -> Row:
    return {
        "side": choice.player, "game": choice.game, "action": choice.action, "xgid": choice.xgid,
        "board": board_of(position), "themes": between_commas(explanation.themes), "text": words,
    }  # fmt: skip


def board_of(position: Position) -> str:
    """Return the board of a position as in an XGID whose lower player is on roll."""
    plain = Position(position.points, Context(on_roll=BOTTOM)).xgid
    return plain.removeprefix(PREFIX)[:26]


def between_commas(words: Iterable[str]) -> str:
    """Return words as one text in which each stands between commas."""
    return f",{','.join(words)},"
