# Every line of structured output is JSON of the schema: speculations, and what a command prints goes elsewhere.
. "$TESTS/lib.sh"
run "$DTRACE" -x oformat=jsonl -n 'BEGIN { s = speculation(); } BEGIN { speculate(s); printf("kept"); } BEGIN { commit(s); }
BEGIN { s = speculation(); } BEGIN { speculate(s); printf("thrown away"); } BEGIN { discard(s); } END { exit(0); }' -c 'echo of the command'
want 0
python3 - "$work/out" <<'P' || fail 'a line is not as the schema says'
import os, sys
sys.path.insert(0, os.environ["TESTS"])
import jsonl
lines = jsonl.parse(open(sys.argv[1]).read())
actions = [action["action"] for line in lines if line["type"] == "record" for action in line["actions"]]
if actions != ["printf", "speculate", "exit"]:
    sys.exit(f"{actions}")
P
has err 'of the command'
# In a file, its lines are alone.
run "$DTRACE" -x oformat=jsonl -o "$work/lines" -qn 'BEGIN { trace(1); }' -c 'echo of the command'
want 0
same out 'of the command\n'
done_testing
