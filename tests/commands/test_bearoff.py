"""`gammon bearoff`."""

from tests.commands.program import assert_refused


def test_a_folder_is_no_file() -> None:
    assert_refused(["bearoff", "build", "--out", "."], "expected a file")
