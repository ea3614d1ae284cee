"""What the server keeps is bounded: the oldest goes."""

from gammon_web.kept import Kept


def test_the_oldest_goes() -> None:
    kept = Kept(5)
    for number in range(4):
        kept[str(number)] = [number, number]
    assert list(kept) == ["2", "3"]
    assert kept.get("0") is None
    kept["2"] = [2]
    assert list(kept) == ["3", "2"]
    kept["4"] = [4, 4]
    assert list(kept) == ["3", "2", "4"], "five entries"
    kept["long"] = [0] * 9
    assert list(kept) == ["long"]
    kept["5"] = [5]
    assert list(kept) == ["5"]
