"""The reproduction of Hauk, Buro and Schaeffer, in its small version."""

from pathlib import Path


def test_quick_run(reproduce, tmp_path: Path) -> None:
    read = reproduce("hauk")
    rows = {row["algorithm"]: row for row in read("hauk-savings")}
    assert float(rows["expectimax"]["leaves_percent"]) == 100
    assert float(rows["star2"]["leaves_percent"]) < float(rows["star1"]["leaves_percent"]) < 100
    times = {row["algorithm"]: row for row in read("hauk-times")}
    assert [times[name]["seconds_printed"] for name in rows] == ["1.1", "1.1", "1.0"]
    assert [times[name]["time_percent_printed"] for name in rows] == ["", "100", "91"]
    assert float(times["star2"]["time_percent_ours"]) == float(rows["star2"]["time_percent"])
    assert (tmp_path / "hauk-leaves.svg").exists()
    page = (tmp_path / "report.md").read_text()
    assert "Probe efficiency" in page
    reproduce("hauk")
    assert (tmp_path / "report.md").read_text() == page, "the second run reads what is there"
