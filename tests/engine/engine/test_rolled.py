"""The answer of a rollout: one line to a programmer, a table to people."""

import gammon

CUBE = gammon.Position.parse("XGID=--CDBbC-B-----a----bdA-cc-:0:0:1:00:0:0:0:0:10")


def test_reprs_are_one_line():
    found = gammon.rollout(CUBE, trials=36)
    assert repr(found) == f"<Rollout of 36 trials: {found.cube.verdict}>"
    first = found.candidates[0]
    assert (
        repr(first) == f"<RolledCandidate No double: {first.equity:+.4f} ± {first.error:.4f}>"
    )
    found = gammon.rollout(CUBE, (3, 1), top=1, trials=36)
    assert repr(found).startswith(f"<Rollout of 36 trials: {found.candidates[0].name}: ")


def test_the_equity_is_that_of_the_right_decision():
    found = gammon.rollout(CUBE, trials=36)
    assert found.equity == found.cube.equity
    found = gammon.rollout(CUBE, (3, 1), top=2, trials=36)
    assert found.equity == max(each.equity for each in found.candidates)
