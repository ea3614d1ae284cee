"""The header has every number of a question and an answer, in its order, with its meaning."""

import re

from gammon_adapters.embed.header import header
from gammon_adapters.embed.layout import ANSWERS, FAULTS, JUDGED, QUESTION, slots, width


def test_each_structure_has_the_fields_of_its_rows() -> None:
    text = header()
    found = dict(re.findall(r"typedef struct \{\n(.*?)\n\} gammon_(\w+);", text, re.DOTALL)[::-1])
    assert {*found.values()} == {each.name for each in (QUESTION, *ANSWERS, JUDGED)}
    bodies = {name: body for body, name in found.items()}
    for struct in (QUESTION, *ANSWERS, JUDGED):
        fields = re.findall(r"(int64_t|double) (\w+)([\[\d\]]*);", bodies[struct.name])
        wanted = [
            (kind, each.name, "".join(f"[{size}]" for size in each.shape))
            for kind, part in (("int64_t", struct.whole), ("double", struct.real))
            for each in part
        ]
        assert fields == wanted


def test_each_fault_has_its_number() -> None:
    found = re.findall(r"#define GAMMON_(\w+) \(-(\d+)\)", header())
    assert found == [(name, str(k)) for k, name in enumerate(FAULTS, 1)]


def test_fields_follow_each_other() -> None:
    places = slots(QUESTION.whole)
    assert places["points"] == 0
    assert places["dice"] == 26
    assert width(QUESTION.whole) == 26 + 2 + 1 + 1 + 2 + 6 + 9
    assert max(map(len, header().splitlines())) <= 96
