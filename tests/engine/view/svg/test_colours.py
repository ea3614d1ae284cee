"""Colours that can be told apart, and read, without their hues."""

import pytest

from gammon.view.svg.colours import COLOURS
from tests.colours import contrast


@pytest.mark.parametrize("name", COLOURS)
def test_words_and_pieces_can_be_told_from_what_is_behind_them(name: str) -> None:
    scheme = COLOURS[name]
    assert contrast(scheme.words, scheme.ground) > 7
    assert contrast(scheme.words, scheme.bar) > 7, "numbers of borne-off checkers"
    for piece in (scheme.x, scheme.o, scheme.cube):
        assert contrast(piece.fill, piece.mark) > 7
    assert contrast(scheme.x.fill, scheme.o.fill) > 7
    for piece in (scheme.x, scheme.o):
        assert contrast(piece.fill, piece.edge) > 1.1, "of those that lie on each other"
    grounds = scheme.field, scheme.bar, *scheme.points
    for ground in grounds:
        for piece in (scheme.x, scheme.o):
            assert max(contrast(piece.fill, ground), contrast(piece.edge, ground)) > 3
    for ground in (*grounds, scheme.x.fill, scheme.o.fill):
        assert max(contrast(scheme.arrow, ground), contrast(scheme.halo, ground)) > 3


def test_print_has_no_hues() -> None:
    found = COLOURS["print"]
    flat = [*found.points, *found.x, *found.o, *found.cube]
    flat += [each for each in found if isinstance(each, str)]
    assert all(each[1:3] == each[3:5] == each[5:7] for each in flat)
