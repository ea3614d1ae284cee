"""`gammon.h`: the C interface, generated from the lists in `layout`."""

import textwrap
from collections.abc import Iterator
from pathlib import Path

import gammon
from gammon.core.estimate import N_WORK
from gammon_adapters.embed.core_state import MOST_PLAYS
from gammon_adapters.embed.layout import ANSWERS, FAULTS, JUDGED, QUESTION, Field, Struct

_WIDTH = 92
#: The header, with names between @ in place of what is generated.
_SOURCE = Path(__file__).with_name("gammon.h.in")


def _comment(text: str, indent: str = "") -> str:
    """Return a comment of C, in lines of at most 92 letters."""
    inside = f"{indent}/* ", f"{indent}   "
    return textwrap.fill(f"{text} */", _WIDTH, initial_indent=inside[0], subsequent_indent=inside[1])


def _field(kind: str, field: Field) -> str:
    sizes = "".join(f"[{size}]" for size in field.shape)
    return f"{_comment(field.doc, '    ')}\n    {kind} {field.name}{sizes};"


def _struct(struct: Struct) -> str:
    fields = [_field("int64_t", field) for field in struct.whole]
    fields += [_field("double", field) for field in struct.real]
    body = "\n".join(fields)
    return f"{_comment(struct.doc)}\ntypedef struct {{\n{body}\n}} gammon_{struct.name};\n"


def _faults() -> Iterator[str]:
    yield "/* Faults: what is wrong with a question, or why there is no answer. */"
    for number, (name, words) in enumerate(FAULTS.items(), 1):
        yield f"{_comment(words)}\n#define GAMMON_{name} (-{number})"


def header() -> str:
    """Return the text of `gammon.h`."""
    records = [*map(_struct, (QUESTION, *ANSWERS, JUDGED)), *_faults()]
    text = _SOURCE.read_text(encoding="utf-8").replace("@MOST_PLAYS@", str(MOST_PLAYS))
    text = text.replace("@VERSION@", gammon.__version__).replace("@WORK@", str(N_WORK))
    return text.replace("@RECORDS@", "\n".join(records))
