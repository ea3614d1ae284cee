"""NIM against the published figures."""

from tests.experiments.figures import differences


def test_nim(reproduce):
    read = reproduce("nim")
    assert max(map(abs, differences(read("nim-random")))) < 1e-12
    assert {r["heaps"]: (r["published"], r["ours"]) for r in read("nim-misere")} == {
        "(1, 2, 2)": ("win", "win"), "(1, 3, 5, 7)": ("loss", "loss"),
    }  # fmt: skip
