"""The file of the bearoff tables against damage."""

import numpy as np
import pytest

from gammon.errors import GammonError
from gammon.eval import bearoff_file
from tests.eval.bearoff_tables import tables


def test_a_damaged_file_is_noticed(tmp_path, monkeypatch):
    path = bearoff_file.build_file(tmp_path / "deep" / "bearoff.npy")
    off, one, two = tables()
    flat = bearoff_file.load_file(path)
    assert isinstance(flat, np.memmap)
    assert np.array_equal(flat, np.concatenate([table.ravel() for table in (off, one, two)]))
    del flat
    with path.open("r+b") as file:
        file.seek(5_000_000)
        file.write(b"\x00\x01")
    with pytest.raises(GammonError, match="damaged"):
        bearoff_file.load_file(path)
    monkeypatch.setattr(bearoff_file, "default_path", lambda: path)
    bearoff_file.tables.cache_clear()
    assert np.array_equal(bearoff_file.tables()[-two.size :], two.ravel())
    bearoff_file.tables.cache_clear()
    with pytest.raises(GammonError, match="cannot be read"):
        bearoff_file.load_file(tmp_path / "none.npy")
