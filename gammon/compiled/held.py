"""A record that kernels hand on by the place where it lies.

A kernel takes a record number by number, and so a call of one copies all of it. A kernel that
calls itself at every node of a search would copy four hundred numbers there, which never
change. It takes the place of the record instead:

    place = hold(record)            # once; it lies there until this kernel returns
    record = held(place)            # in the kernel that has got the place

An argument that is a place is annotated with `Annotated[R, kinds.Place(kind_of(R))]`.

As in `gammon.compiled.vector`, each function is its own twin: with the compiler off, its body
runs, and a place is the record itself.
"""

from typing import TypeVar

R = TypeVar("R")


def hold(record: R) -> R:
    """Return the place of a record, where it lies until the kernel that calls this returns."""
    return record


def held(place: R) -> R:
    """Return the record in a place. Nothing is read of it but what the kernel uses."""
    return place
