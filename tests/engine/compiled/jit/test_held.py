"""Places of records, under the compiler."""

from llvmlite import ir
from numba.core import types
from numba.core.datamodel import default_manager

from gammon.compiled import kinds
from gammon.compiled.jit.held import Place
from gammon.compiled.jit.types import numba_type
from gammon.compiled.records import kind_of
from gammon.search.problem import Problem


def numbers(argument) -> int:
    """How many numbers a call passes for an argument."""
    return sum(map(numbers, argument)) if isinstance(argument, tuple | list) else 1


def test_a_call_passes_a_place_as_one_number() -> None:
    problem = kind_of(Problem)
    record, place = numba_type(problem), numba_type(kinds.Place(problem))
    assert place == Place(record) != Place(types.int64)
    assert numbers(default_manager[record].get_argument_type()) > 80
    passed = default_manager[place].get_argument_type()
    assert isinstance(passed, ir.PointerType)
    assert passed.pointee == default_manager[record].get_value_type()
