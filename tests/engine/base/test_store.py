"""Results in a file: damage is noticed, whatever it is."""

import json
import zlib
from pathlib import Path
from typing import Any

import pytest

from gammon.base.errors import GammonError
from gammon.base.parallel import run_units
from gammon.base.store import Store, Unit, are_numbers, key_of
from tests.damage import damages
from tests.numbers import NOT_NUMBERS
from tests.processes import printed

UNITS: list[Unit] = [{"number": n, "seed": 7} for n in range(6)]
EXPECTED = [{"third": n / 3} for n in range(6)]


def third(unit: Unit) -> dict[str, float]:
    return {"third": unit["number"] / 3}


def stored(path: Path) -> dict[str, Any]:
    return Store(path, UNITS, lambda unit, result: True).results


def test_a_line_is_json_with_a_checksum(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "units.jsonl"
    Store(path, UNITS, lambda unit, result: True).add(UNITS[1], {"third": 1 / 3})
    (line,) = path.read_text().splitlines()
    body = '{"unit": {"number": 1, "seed": 7}, "result": {"third": 0.3333333333333333}}'
    assert json.loads(line) == {"crc32": f"{zlib.crc32(body.encode()):08x}"} | json.loads(body)
    assert stored(path) == {key_of(UNITS[1]): {"third": 1 / 3}}


@pytest.mark.smoke
def test_flipped_bits_and_cuts_are_noticed(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "units.jsonl"
    run_units(third, UNITS, path)
    whole = path.read_bytes()
    for damaged in damages(whole, 60):
        path.write_bytes(damaged.data)
        caplog.clear()
        assert run_units(third, UNITS, path) == EXPECTED
        place = damaged.place
        between = place == 0 or b"\n" in whole[place - 1 : place + 1]
        assert ("damaged" in caplog.text) == (damaged.flipped or not between)
        caplog.clear()
        assert run_units(third, UNITS, path) == EXPECTED
        assert caplog.text == "", "the file is mended"


@pytest.mark.parametrize(
    "line",
    [
        b"", b"\xff\xfe", b"null", b"[]", b'{"unit": {"number": 0, "seed": 7}, "result": 5}',
        b'{"crc32": "00000000", "unit": {"number": 0, "seed": 7}, "result": 5}',
        b"[" * 100_000, b"1" * 5000,
    ],
    ids=lambda line: repr(line[:20]),
)  # fmt: skip
def test_odd_lines_are_damaged(
    line: bytes, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "units.jsonl"
    path.write_bytes(line + b"\n")
    assert stored(path) == {}
    assert "1 damaged line is left out" in caplog.text
    assert path.read_bytes() == b""


@pytest.mark.parametrize(
    "rest",
    [
        b'"result": 5}', b'"unit": 5}', b'"unit": ' + b"[" * 100_000 + b"}", b"}",
        b'"unit": {"number": 0, "seed": 7}, "result": ' + b"9" * 5000 + b"}",
    ],
    ids=lambda rest: repr(rest[:20]),
)  # fmt: skip
def test_odd_lines_with_a_right_checksum_are_damaged(rest: bytes, tmp_path: Path) -> None:
    path = tmp_path / "units.jsonl"
    path.write_bytes(b'{"crc32": "%08x", %b\n' % (zlib.crc32(b"{" + rest), rest))
    assert stored(path) == {}


def test_a_result_that_does_not_fit_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "units.jsonl"
    run_units(lambda unit: {}, UNITS, path)
    found = run_units(third, UNITS, path, fits=lambda unit, result: "third" in result)
    assert found == EXPECTED


def test_lines_of_other_units_stay(tmp_path: Path) -> None:
    path = tmp_path / "units.jsonl"
    run_units(third, UNITS, path)
    assert run_units(third, UNITS[:2], path) == EXPECTED[:2]
    path.write_bytes(path.read_bytes()[:-5])
    run_units(third, UNITS[:2], path)
    assert len(stored(path)) == 5


LIMITED = """
import resource, sys
from pathlib import Path
from gammon.base.errors import GammonError
from tests.engine.base.test_store import UNITS, run_units, third
resource.setrlimit(resource.RLIMIT_FSIZE, (250, 250))
try:
    run_units(third, UNITS, Path(sys.argv[1]))
except GammonError as error:
    print(error)
"""


def test_a_full_disk_is_one_line_and_the_run_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "units.jsonl"
    said = printed(LIMITED, str(path))
    assert said == f"{str(path)!r} cannot be written: File too large"
    assert path.stat().st_size <= 250
    kept = stored(path)
    assert 0 < len(kept) < len(UNITS)
    asked: list[Unit] = []

    def counted(unit: Unit) -> dict[str, float]:
        asked.append(unit)
        return third(unit)

    assert run_units(counted, UNITS, path) == EXPECTED
    assert len(asked) == len(UNITS) - len(kept)


def test_an_unwritable_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for path in (tmp_path / "file" / "units.jsonl", tmp_path):
        with pytest.raises(GammonError, match="cannot be written"):
            stored(path)


@pytest.mark.parametrize("result", NOT_NUMBERS, ids=lambda result: str(result)[:20])
def test_what_a_file_says_may_be_no_numbers(result):
    assert are_numbers([1, 2.5, -3], 3)
    assert not are_numbers(result, 3)
    assert are_numbers([[1, 2.5, -3]] * 2, 2, 3)
    assert not are_numbers([[1, 2.5, -3], result], 2, 3)
