"""`gammon.js`: the interface in JavaScript, with the one list of the numbers that it has."""

import json
from pathlib import Path

from gammon.core.desk import MOST_PLAYS
from gammon.core.layout import ANSWERS, QUESTION, Field

__all__ = ["script"]

_SOURCE = Path(__file__).with_name("gammon.js")


def _fields(fields: tuple[Field, ...]) -> list[tuple[str, int]]:
    return [(field.name, field.size) for field in fields]


def script() -> str:
    """Return the text of `gammon.js`, which a program in JavaScript imports."""
    answers = {
        each.name: {"whole": _fields(each.whole), "real": _fields(each.real)}
        for each in ANSWERS
    }
    return (
        f"{_SOURCE.read_text(encoding='utf-8')}\n"
        f"const MOST_PLAYS = {MOST_PLAYS};\n"
        f"const QUESTION = {json.dumps(_fields(QUESTION.whole))};\n"
        f"const ANSWERS = {json.dumps(answers)};\n"
    )
