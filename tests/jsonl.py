"""Lines of -x oformat=jsonl, held to docs/jsonl.schema.json."""
import json
import pathlib

SCHEMA = json.loads((pathlib.Path(__file__).resolve().parent.parent / "docs/jsonl.schema.json").read_text())
TYPES = {"object": dict, "array": list, "string": str, "integer": int}
KNOWN = {"$schema", "title", "$defs", "$ref", "oneOf", "type", "const", "enum", "minimum", "required", "properties",
         "additionalProperties", "items"}


def flaw(value, schema=SCHEMA, place="line"):
    """What is wrong with a value; None when nothing is. Knows the part of JSON Schema that ours uses."""
    assert schema.keys() <= KNOWN, schema.keys() - KNOWN
    if "$ref" in schema:
        return flaw(value, SCHEMA["$defs"][schema["$ref"].rpartition("/")[2]], place)
    if "oneOf" in schema:
        flaws = [flaw(value, one, place) for one in schema["oneOf"]]
        return None if flaws.count(None) == 1 else f"{place} is none of them: {flaws}"
    if "const" in schema and value != schema["const"]:
        return f"{place} is {value!r}, not {schema['const']!r}"
    if "enum" in schema and value not in schema["enum"]:
        return f"{place} is {value!r}"
    if "type" in schema and (not isinstance(value, TYPES[schema["type"]]) or isinstance(value, bool)):
        return f"{place} is {value!r}, no {schema['type']}"
    if "minimum" in schema and value < schema["minimum"]:
        return f"{place} is {value}"
    if isinstance(value, dict):
        properties = schema.get("properties", {})
        missing = set(schema.get("required", [])) - value.keys()
        extra = value.keys() - properties.keys() if schema.get("additionalProperties") is False else set()
        if missing or extra:
            return f"{place}: missing {missing}, extra {extra}"
        flaws = (flaw(value[name], one, f"{place}.{name}") for name, one in properties.items() if name in value)
        return next(filter(None, flaws), None)
    if isinstance(value, list) and "items" in schema:
        flaws = (flaw(one, schema["items"], f"{place}[{i}]") for i, one in enumerate(value))
        return next(filter(None, flaws), None)
    return None


try:
    import jsonschema
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    OTHER = jsonschema.Draft202012Validator(SCHEMA)
except ImportError:  # in a guest: flaw() alone
    OTHER = None


def parse(text):
    """The lines of an output, each of which must be as the schema says."""
    lines = [json.loads(line) for line in text.splitlines()]
    for line in lines:
        found = flaw(line)
        if OTHER is not None and OTHER.is_valid(line) == bool(found):
            raise AssertionError(f"flaw() and jsonschema do not agree on {line}: {found}")
        assert found is None, (found, line)
    return lines
