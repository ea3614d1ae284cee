"""The record of a match: the rows of a library that follow from its review."""

import hashlib
import json
import re
from collections import defaultdict
from contextlib import suppress
from datetime import date
from typing import Any

from gammon.formats.characters import folded
from gammon.formats.context import BOTTOM, Context
from gammon.formats.met_file import met_of_entry
from gammon.formats.position import Position
from gammon.formats.xgid import PREFIX
from gammon_study.library.library import Kept, Row
from gammon_study.match_files.sgf import parse_sgf
from gammon_study.match_files.transcript import ActionKind, Transcript
from gammon_study.reviews.choice import ALIKE, Choice, ChoiceKind
from gammon_study.reviews.explain import Explained, explained
from gammon_study.reviews.review import Review, review_of
from gammon_study.reviews.themes import game_phase
from gammon_study.reviews.totals import errors_of

#: So many of its first actions tell a match from most others of the same players.
_STEM = 4
_DAY = re.compile(r"([0-9]{4})[./-]([0-9]{1,2})[./-]([0-9]{1,2})")


def digest_of(transcript: Transcript) -> str:
    """Return what a match is known by: its players, its length and all actions.

    Neither the file matters, nor the case of the names, nor who stands on the left.
    """
    return _digest([_told(transcript, first) for first in (0, 1)])


def stem_of(transcript: Transcript) -> str:
    """Return what a match shares with a file that was saved before its end.

    Such a file has a stem of its own if it was saved before the fourth action.
    """
    return stems_of(transcript)[-1]


def stems_of(transcript: Transcript) -> list[str]:
    """Return the stems of all beginnings of a match that have one, its own last."""
    told = [_without_resignation(_told(transcript, first)) for first in (0, 1)]
    most = min(len(told[0]), _STEM + 1)
    return [_digest([each[:count] for each in told]) for count in range(1, most + 1)]


def is_short(transcript: Transcript) -> bool:
    """Tell whether a match has fewer actions than a stem: one that goes on has another stem."""
    return len(stems_of(transcript)) <= _STEM


def begins(part: Transcript, whole: Transcript) -> bool:
    """Tell whether a transcript is the beginning of another, or all of it.

    A resignation at its end does not count where the other goes on: it stands for the rest of a
    game that could not be read.
    """
    one = _told(part, 0)
    played = _without_resignation(one)
    others = [_told(whole, first) for first in (0, 1)]
    return any(len(other) >= len(one) and other[: len(played)] == played for other in others)


def _without_resignation(told: list[Any]) -> list[Any]:
    """Return what is told of a match without a resignation that ends it, unless it is all."""
    return told[:-1] if len(told) > 2 and told[-1][1] is ActionKind.RESIGN else told


def _told(transcript: Transcript, first: int) -> list[Any]:
    """Return players and length of a match, then its actions, with one side as the first."""
    names = [folded(transcript.players[side]) for side in (first, 1 - first)]
    return [(*names, transcript.length)] + [
        (game, action.kind, action.side ^ first, sorted(action.dice or ()), action.moves)
        for game, each in enumerate(transcript.games)
        for action in each.actions
    ]


def _digest(told: list[list[Any]]) -> str:
    return hashlib.sha256(min(map(json.dumps, told)).encode()).hexdigest()


def day_of(transcript: Transcript) -> str | None:
    """Return the day on which a match was played, such as 2026-11-22, or None."""
    for name, value in transcript.details:
        if "date" in name.lower() and (found := _DAY.search(value)):
            year, month, day = map(int, found.groups())
            with suppress(ValueError):  # no such day
                return date(year, month, day).isoformat()
    return None


def review_kept(kept: Kept) -> Review:
    """Return the review that is kept; nothing is analyzed.

    Raises:
        FormatError: it is damaged.
        ValueError: the results are not those of the match.
        LookupError: they lack something.
        TypeError: they are something else.
    """
    settings = kept.settings
    transcript, met = parse_sgf(kept.transcript), met_of_entry(settings["met"])
    return review_of(transcript, settings["depth"], met, kept.results, settings.get("level"))


def tables_of(review: Review, lucky: bool = True) -> dict[str, list[Row]]:
    """Return the rows of a review, by their tables and without the number of the match.

    Args:
        review: the review.
        lucky: whether it has the luck of rolls.
    """
    groups: dict[tuple[int, str, str], list[Choice]] = defaultdict(list)
    for side in (0, 1):
        groups[(side, "all", "all")] = []  # a side may have decided nothing
    errors: list[Row] = []
    for choice in review.choices:
        position = Position.parse(choice.xgid)
        said, phase = explained(choice, position), game_phase(position.points)
        about = "plays" if choice.kind is ChoiceKind.PLAY else "cube"
        parts = [("all", "all"), ("all", about), ("kind", choice.kind.value), ("phase", phase)]
        for part in (*parts, *(("theme", theme) for theme in said.themes)):
            groups[(choice.player, *part)].append(choice)
        if choice.error >= ALIKE:
            errors.append(_error(choice, position, said, phase))
    return {
        "side": [_side(review, side, lucky) for side in (0, 1)],
        "sums": [
            {"part": part, "name": name, "side": side, **_sums(choices)}
            for (side, part, name), choices in groups.items()
        ],
        "error": errors,
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
        "worth": totals.luck_worth if lucky else None,
    }


def _sums(choices: list[Choice]) -> Row:
    sums = errors_of(choices)
    return {
        "choices": sums.choices,
        "counted": sums.counted,
        "active": sums.active,
        "wrong": sums.wrong,
        "error": sums.error,
        "cost": sums.cost,
        "bad": sum(sums.marks[1:]),
    }


def _error(choice: Choice, position: Position, said: Explained, phase: str) -> Row:
    context = position.context
    own, their = context.terms().away
    if context.to_decide:
        own, their = their, own
    plain = Position(position.points, Context(on_roll=BOTTOM)).xgid
    return {
        "side": choice.player, "game": choice.game, "action": choice.action,
        "kind": choice.kind.value, "phase": phase, "themes": f",{','.join(said.themes)},",
        "xgid": choice.xgid, "board": plain.removeprefix(PREFIX)[:26], "own": own,
        "their": their, "made": choice.made, "best": choice.best, "error": choice.error,
        "cost": choice.cost, "why": said.why,
    }  # fmt: skip
