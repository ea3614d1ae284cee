"""`gammon schema`: what the answers in JSON have."""

import json
from importlib.resources import files

import click


@click.command()
def schema() -> None:
    """Print the JSON Schema of all answers in JSON.

    They are those of the commands with --json, of the lines of "gammon analyze -", and of
    gammon.to_json in Python. The server's own page of its API, /openapi.json, has the same
    definitions.
    """
    text = files("gammon_web").joinpath("openapi.json").read_text(encoding="utf-8")
    page = json.loads(text.replace("#/components/schemas/", "#/$defs/"))
    found = page["components"]["schemas"]
    answers = [
        {"$ref": f"#/$defs/{name}"}
        for name, each in found.items()
        if "schema_version" in each.get("required", ())
    ]
    dialect = "https://json-schema.org/draft/2020-12/schema"
    click.echo(json.dumps({"$schema": dialect, "anyOf": answers, "$defs": found}, indent=1))
