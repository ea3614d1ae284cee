"""NIM against what is expected, and where that is from."""

from tests.lab.experiments.figures import differences


def test_nim(reproduce):
    read = reproduce("nim")
    assert max(map(abs, differences(read("nim-random")))) < 1e-12
    assert {r["p_w1"]: r["source"].split(":")[0] for r in read("nim-random")} == {
        "1/2": "printed", "1/4": "formula", "2/3": "formula",
    }  # fmt: skip
    assert [list(row.values())[:3] for row in read("nim-misere")] == [
        ["(1, 2, 2)", "win", "win"], ["(1, 3, 5, 7)", "loss", "loss"],
    ]  # fmt: skip
    assert [row["source"].split(":")[0] for row in read("nim-misere")] == ["printed", "program"]
