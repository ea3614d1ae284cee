"""The requests of docs/server.md get the answers that it shows."""

import re
import shlex
from pathlib import Path

import pytest

from gammon_web.requests import REQUESTS
from tests.web.asking import API, application, ask

PAGE = (Path(__file__).parents[2] / "docs" / "server.md").read_text()
BASE = "http://127.0.0.1:8765"
SHOWN = re.findall(r"^\$ curl (.*)\n(.*)$", PAGE, re.MULTILINE)


@pytest.mark.parametrize(("request_line", "answer"), SHOWN)
def test_examples(request_line, answer):
    words = shlex.split(request_line)
    body = words[words.index("-d") + 1].encode() if "-d" in words else None
    target = next(word for word in words if word.startswith(BASE)).removeprefix(BASE)
    found = ask(target, body, app=application(depth=5)[0]).body.decode()
    begin, dots, _ = answer.partition("...")
    assert found.startswith(begin)
    assert dots or found.splitlines()[0] == answer


def test_the_steps_that_it_explains():
    target = f"{API}/position?id=XGID=-B--------------------b---:0:0:1:21:0:0:0:0:10"
    found = ask(target).body.decode()
    steps = re.search(r"Its `steps` are `(.*?)` and its `ends` `(.*?)`", PAGE)
    assert f'"steps":{steps[1]},"ends":{steps[2]}' in found


def test_every_request_is_told():
    told = set(re.findall(r"`(?:(GET|POST) )?(/[\w/]+)[?`]", PAGE))
    paths = {path for _, path in told} | {f"{API}{path}" for _, path in told}
    assert {path for _, path in REQUESTS} <= paths
