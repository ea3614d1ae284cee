"""The content security policies allow what the page needs, and no more."""

from gammon_web.shell import LOCAL, SERVED


def directives(policy: str) -> dict[str, set[str]]:
    found = [each.split() for each in policy.split("; ")]
    assert len({name for name, *_ in found}) == len(found)
    return {name: set(sources) for name, *sources in found}


def test_the_page_without_a_server_may_compile_the_module() -> None:
    served, local = directives(SERVED), directives(LOCAL)
    assert local["script-src"] - served["script-src"] == {"'wasm-unsafe-eval'"}
    changed = {name for name in local if local[name] != served.get(name)}
    assert changed == {"script-src", "worker-src"}
    assert set(served) - set(local) == {"frame-ancestors"}


def test_nothing_is_loaded_from_elsewhere() -> None:
    allowed = {"'none'", "'self'", "'wasm-unsafe-eval'", "data:", "blob:"}
    for policy in (SERVED, LOCAL):
        assert set().union(*directives(policy).values()) <= allowed
