"""The word "exact" stands only where it is true."""

import gammon
from gammon.formats.position import Position

MATCH = Position.parse("XGID=-b--BbC-B--aC---cb-dA--aB-:0:0:1:00:2:1:0:5:10")


def test_bounded_search_is_not_called_exact() -> None:
    for depth, word in ((3, "exact"), (5, "bounded")):
        engine = gammon.Engine(depth=depth, algorithm="bounded")
        plays, cube = str(engine.analyze(MATCH, (5, 3), top=2)), str(engine.cube(MATCH))
        for text in (plays, cube):
            assert f", {word} to depth {depth} " in text
            assert f" {word} " in text.split("At stake")[1]
        assert "exact" not in plays or depth == 3
    (passed,) = [line for line in cube.splitlines() if "Double, pass" in line]
    assert " exact " in passed, "the value of a pass follows from the rules"
    offered = str(engine.cube(Position.parse("XGID=-b--BbC-B--aC---cb-dA--aB-:0:0:1:D:2:1:0:5:10")))
    (take,) = [line for line in offered.splitlines() if line.strip().startswith("Take")]
    (passed,) = [line for line in offered.splitlines() if line.strip().startswith("Pass")]
    assert " bounded " in take
    assert " exact " in passed
