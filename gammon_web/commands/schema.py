"""`gammon schema`: the JSON Schema of all answers in JSON."""

import json
from importlib.resources import files

import click


@click.command()
def schema() -> None:
    """Print the JSON Schema of all answers in JSON.

    Answers in JSON are the output of commands with --json, the lines of "gammon analyze -", and the
    values of gammon.to_json in Python. The server's description of its API, /openapi.json, has the
    same definitions.
    """
    text = files("gammon_web").joinpath("openapi.json").read_text(encoding="utf-8")
    page = json.loads(text.replace("#/components/schemas/", "#/$defs/"))
    schemas = page["components"]["schemas"]
    answers = [
        {"$ref": f"#/$defs/{name}"}
        for name, definition in schemas.items()
        if "schema_version" in definition.get("required", ())
    ]
    dialect = "https://json-schema.org/draft/2020-12/schema"
    click.echo(json.dumps({"$schema": dialect, "anyOf": answers, "$defs": schemas}, indent=1))
