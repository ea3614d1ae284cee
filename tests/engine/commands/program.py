"""The program as a person and as a program run it."""

from click.testing import CliRunner, Result

from gammon.commands.main import main

OPENING = "4HPwATDgc/ABMA"
OPENING_31 = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"


def run(*arguments: str, stdin: str | bytes | None = None) -> Result:
    """Run the program in this process."""
    return CliRunner().invoke(main, arguments, input=stdin)


def assert_refused(arguments: list[str], words: str) -> None:
    """Check that the program ends with one line that has these words, and nothing else."""
    done = run(*arguments)
    assert done.exit_code in (1, 2)
    assert words in done.stderr
    assert done.stderr.count("Error:") == 1
    if done.exit_code == 1:
        assert done.stderr.count("\n") == 1
    assert done.stdout == ""


def first_words(arguments: object) -> str:
    """Return the name of a test by its arguments."""
    return " ".join(arguments)[:60] if isinstance(arguments, list) else ""
