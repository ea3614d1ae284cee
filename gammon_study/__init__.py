"""Match files, reviews, a library of matches, and drills.

    import gammon_study

    match = gammon_study.read_transcript("match.mat")
    print(gammon_study.review(match))

The names below are loaded when they are first used.
"""

from typing import TYPE_CHECKING

from gammon.base.plugins import imported_when_used

if TYPE_CHECKING:
    from gammon_study.match_files.match_file import read_transcript, write_transcript
    from gammon_study.match_files.transcript import Transcript
    from gammon_study.reviews.review import Review, review

__all__ = ["Review", "Transcript", "read_transcript", "review", "write_transcript"]

#: The same names, by their modules. A test compares both.
_HOMES = {
    "gammon_study.match_files.match_file": "read_transcript write_transcript",
    "gammon_study.match_files.transcript": "Transcript",
    "gammon_study.reviews.review": "Review review",
}

if not TYPE_CHECKING:  # type checkers would take every name for one of these
    __getattr__ = imported_when_used(__name__, _HOMES)


def __dir__() -> list[str]:
    return sorted(__all__)
