"""The entries of matches, reviews and a library in JSON; see `gammon.view.entries`."""

from typing import Any

from gammon.eval.equity import Probabilities
from gammon.formats.notation import format_play
from gammon.view.entries import ENTRIES, Entries, encoded
from gammon_study.library.errors import FoundErrors
from gammon_study.library.stats import Statistics
from gammon_study.match_files.transcript import Action, ActionKind, Transcript
from gammon_study.reviews.review import Review

__all__ = ["TRANSCRIPT", "encoded", "entries_of"]


def _chances(found: Any) -> Probabilities:
    return Probabilities(*found.probabilities)


def _played(action: Action) -> str | None:
    """Return the play of a roll; None: the action is no roll."""
    return format_play(action.moves) if action.kind is ActionKind.ROLL else None


ENTRIES |= {
    "ErrorSums": (
        "choices", "counted", "active", "wrong", "error", "cost", "marks", "pr", "rate",
    ),
    "Group": (
        "name", "matches", "pr", "pr_class", "choices=sums.choices",
        "counted=sums.counted", "active=sums.active", "wrong=sums.wrong", "error=sums.error",
        "cost=sums.cost", "bad", "luck", "won", "of", "plays", "doubles", "takes",
    ),
    "Part": ("pr", "counted", "wrong", "bad", "error"),
    "Totals": (
        "pr=all.pr", "pr_class=all.pr_class", "snowie_rate=snowie", "rating", "all", "plays",
        "cube", "doubles", "takes", "kinds", "luck", "luck_worth",
    ),
    "ReviewedPlayer": ("name", "*totals", "result", "luck_adjusted_result"),
    "ReviewedGame": (
        "score=game.score.points", "crawford=game.score.crawford", "jacoby=game.score.jacoby",
        "winner=game.winner", "points=game.points", "players",
    ),
    "GameTranscript": (
        "score=score.points", "crawford=score.crawford", "jacoby=score.jacoby", "winner",
        "points", "actions",
    ),
    "Action": ("kind", "side", "dice", ("play", _played), "points"),
    "ReviewedChoice": ("*choice", "stored", "worth", "why", "themes"),
    "StudiedChoice": ("*choice", "stored", "why", "themes", "names", "where"),
    "StoredPlay": ("play", "equity", "level", ("probabilities", _chances)),
    "StoredCube": ("no_double", "double_take", "level", ("probabilities", _chances)),
}  # fmt: skip

TRANSCRIPT: Entries = ("players", "length", "games", "details", "warnings", "stored_by")


_TABLES: dict[type, Entries] = {
    Transcript: TRANSCRIPT, Statistics: Statistics._fields,
    FoundErrors: ("errors", "count=number", "lost"),
}  # fmt: skip


def entries_of(kind: type) -> Entries | None:
    """Return the entries of a type of answers; None: it has none."""
    if kind is Review:
        from gammon_study.view.review_json import REVIEW

        return REVIEW
    return _TABLES.get(kind)
