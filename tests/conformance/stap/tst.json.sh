# A program reads metrics of a script as JSON: json_data, its macros, and what metadata.json says.
# @@timeout: 60
. "$TESTS/lib.sh"
[ -c /dev/fuse ] || { echo "no /dev/fuse"; exit 77; }
files="/var/tmp/systemtap-$(id -un)/json_$$"
run "$STAP" -m json_$$ -e 'global reads, none
probe begin {
  println(json_set_prefix("demo") + json_add_numeric_metric("total", "All \"of\" it", "count"))
  json_add_string_metric("who", "")
  json_add_array("disks", "each disk") json_add_array("nothing", "")
  json_add_array_numeric_metric("disks", "reads", "how often", "count")
  json_add_array_string_metric("disks", "state", "")
  try { json_add_numeric_metric("who", "", "") } catch (message) { println(message) }
  try { json_add_array_string_metric("who", "x", "") } catch (message) { println(message) }
  reads["sda"] = 5 reads["s\"b"] = -9223372036854775807
  if (0) none["x"] = 1
  system("cat '"$files"'/metadata.json; echo; echo ---; cat '"$files"'/data.json; echo ---; cat '"$files"'/data.json")
  exit()
}
probe json_data {
  @json_output_data_start
  @json_output_numeric_value("total", 123 + reads["sda"])
  @json_output_string_value("who", "a\"b\\c\n\001é")
  foreach (d in reads+) {
    @json_output_array_numeric_value("disks", d, "reads", reads[d])
    @json_output_array_string_value("disks", d, "state", d . "!")
  }
  foreach (d in none) @json_output_array_numeric_value("nothing", d, "x", none[d])
  @json_output_data_end
}'
want 0
python3 - "$work/out" <<'EOF' || fail "the files"
import json
import sys
first, *rest = open(sys.argv[1]).read().split("\n", 3)
assert first == "0", first
assert "'who' already" in rest[0] and "array of JSON with the name 'who'" in rest[1], rest[:2]
metadata, data, again = rest[2].split("---\n")
assert data == again, again
data, metadata = json.loads(data), json.loads(metadata)
assert data == {"total": 128, "who": 'a"b\\c\n\x01é', "disks": [{"__id": "sda", "reads": 5, "state": "sda!"},
                {"__id": 's"b', "reads": -9223372036854775807, "state": 's"b!'}]} or \
       data["disks"][::-1] == [{"__id": "sda", "reads": 5, "state": "sda!"}, {"__id": 's"b', "reads": -9223372036854775807, "state": 's"b!'}], data
assert metadata["prefix"] == "demo"
total, who, disks, nothing = metadata["metrics"]
assert total == {"name": "total", "type": "integer", "pointer": "/total", "description": 'All "of" it', "units": "count"}, total
assert who == {"name": "who", "type": "string", "pointer": "/who"}, who
assert disks["index"] == "/__id" and disks["type"] == "array" and disks["pointer"] == "/disks", disks
assert [one["name"] for one in disks["metrics"]] == ["reads", "state"] and disks["metrics"][0]["pointer"] == "/reads", disks
assert nothing["metrics"] == [], nothing
EOF
# There may be many metrics, and many elements.
run "$STAP" -m many_$$ -e 'probe begin {
  for (i = 0; i < 100; i++) json_add_numeric_metric(sprintf("m%d", i), "", "")
  json_add_array("all", "") json_add_array_numeric_metric("all", "n", "", "") json_add_array_numeric_metric("all", "square", "", "")
  system("cat '"${files%/*}/many_$$"'/data.json") exit()
}
probe json_data {
  @json_output_data_start
  for (i = 0; i < 500; i++) {
    @json_output_array_numeric_value("all", sprint(i), "n", i)
    @json_output_array_numeric_value("all", sprint(i), "square", i * i)
  }
  @json_output_data_end
}'
want 0
python3 - "$work/out" <<'EOF' || fail "many elements"
import json
import sys
elements = json.load(open(sys.argv[1]))["all"]
assert {one["__id"]: (one["n"], one["square"]) for one in elements} == {str(i): (i, i * i) for i in range(500)}, elements
EOF
# More than a string can have is an error, and no broken file.
run "$STAP" -D MAXERRORS=5 -m json_$$ -e 'probe begin { system("cat '"$files"'/data.json >/dev/null 2>&1; echo status $?") exit() }
probe json_data { much = "x" for (i = 0; i < 9; i++) much .= much @json_output_data_start @json_output_string_value("long", much) @json_output_data_end }'
has out 'status 1'
has err 'a text is too long for JSON'
run "$STAP" -L json_data
want 0
run "$STAP" -e 'probe json_data { @json_output_numeric_value("x") }'
want 1
has err "too few parameters for macro '@json_output_numeric_value'"
# The point alone, without a function or a macro.
run "$STAP" -p2 -e 'probe json_data { }'
want 0
done_testing
