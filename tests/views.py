"""Lines of -x oformat=views, held to docs/views.schema.json, and what they say in all."""
import collections
import json
import pathlib

SCHEMA = json.loads((pathlib.Path(__file__).resolve().parent.parent / "docs/views.schema.json").read_text())
try:
    import jsonschema
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
except ImportError:  # in a guest
    VALIDATOR = None


def parse(text):
    """The lines; each is as the schema says, the first is the plan and the last the end."""
    lines = [json.loads(line) for line in text.splitlines()]
    for line in lines:
        flaws = [] if VALIDATOR is None else list(VALIDATOR.iter_errors(line))
        assert not flaws, (line, [flaw.message for flaw in flaws])
    assert lines[0]["type"] == "plan" and lines[-1]["type"] == "end", (lines[:1], lines[-1:])
    assert [line["type"] for line in lines].count("drops") > 0
    return lines


class Views:
    """What lines say: keys by their values, and sums of columns."""

    def __init__(self, text):
        self.lines = parse(text)
        self.plan = self.lines[0]
        self.frames, self.stacks, self.keys, self.buckets = {}, {}, {}, {}
        self.columns = collections.defaultdict(list)
        self.rows, self.records, self.spans, self.span_totals = {}, [], [], {}
        for line in self.lines:
            take = getattr(self, "take_" + line["type"], None)
            if take:
                take(line)

    def take_frames(self, line):
        assert line["first"] == len(self.frames), line
        for i, frame in enumerate(line["frames"]):
            self.frames[line["first"] + i] = tuple(frame)

    def take_stack(self, line):
        self.stacks[line["id"]] = [self.frames[frame] for frame in line["frames"]]

    def take_key(self, line):
        assert (line["aggregation"], line["id"]) not in self.keys, line
        self.keys[line["aggregation"], line["id"]] = line

    def take_buckets(self, line):
        for bucket, low, high in line["buckets"]:
            self.buckets[line["aggregation"], bucket] = (int(low), int(high))

    def values(self, line):
        """By the values of keys: a number, or counts by the bounds of buckets."""
        out = {}
        for key, value in line["rows"]:
            name = tuple(self.keys[line["aggregation"], key]["values"])
            if isinstance(value, list):
                pairs = zip(value[::2], value[1::2])
                out[name] = {self.buckets[line["aggregation"], bucket]: int(count) for bucket, count in pairs}
            else:
                out[name] = int(value)
        return out

    def take_column(self, line):
        self.columns[line["aggregation"]].append((int(line["time"]), self.values(line)))

    def take_rows(self, line):
        self.rows[line["aggregation"]] = self.values(line)

    def take_record(self, line):
        self.records.append(line)

    def take_span(self, line):
        self.spans.append(line)

    def take_spans(self, line):
        self.span_totals[line["view"]] = line

    def kinds(self):
        return [view["kind"] for view in self.plan["views"]]

    def index(self, name):
        return [one["name"] for one in self.plan["aggregations"]].index(name)

    def total(self, name):
        """Sums of an aggregation's columns, as values() has them."""
        out = {}
        for _, column in self.columns[self.index(name)]:
            for key, value in column.items():
                if isinstance(value, dict):
                    at = out.setdefault(key, collections.Counter())
                    for bucket, count in value.items():
                        at[bucket] += count
                else:
                    out[key] = out.get(key, 0) + value
        return out
