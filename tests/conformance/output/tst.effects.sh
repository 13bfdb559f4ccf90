# setopt(), freopen(), ftruncate() and system() act in the order of the records.
. "$TESTS/lib.sh"
run "$DTRACE" -w -q -n 'BEGIN { printf("one\n"); system("echo two %s", "three"); printf("four\n"); exit(0); }'
want 0
same out 'one\ntwo three\nfour\n\n'
run "$DTRACE" -w -n 'BEGIN { exit(0); }'
has err 'dtrace: allowing destructive actions'

run "$DTRACE" -w -q -n "BEGIN { printf(\"a\\n\"); freopen(\"$work/%s\", \"x\"); printf(\"b\\n\"); freopen(\"\"); printf(\"c\\n\");
  freopen(\"$work/x\"); printf(\"d\\n\"); ftruncate(); printf(\"e\\n\"); freopen(\"\"); exit(0); }"
want 0
same out 'a\nc\n\n'
same x 'e\n'

run "$DTRACE" -n 'BEGIN { trace(1); setopt("quiet"); } BEGIN { trace(2); exit(0); }'
want 0
matches out ':BEGIN +12$'

run "$DTRACE" -q -n 'BEGIN { setopt("quiet", "um, no"); setopt("wombats"); setopt("bufsize", "1m"); printf("on\n"); exit(0); }'
want 0
same out 'on\n\n'
same err 'dtrace: error on enabled probe ID 1 (ID 1: dtrace:::BEGIN): couldn'"'"'t set option "quiet" to "um, no": Invalid value for specified option
dtrace: error on enabled probe ID 1 (ID 1: dtrace:::BEGIN): couldn'"'"'t set option "wombats" to "1": Invalid option name
dtrace: error on enabled probe ID 1 (ID 1: dtrace:::BEGIN): couldn'"'"'t set option "bufsize" to "1m": Operation illegal when tracing is active
'

run "$DTRACE" -w -q -n 'BEGIN { freopen("/nonexistent/x"); printf("on\n"); exit(0); }'
want 0
same out 'on\n\n'
has err "dtrace: error on enabled probe ID 1 (ID 1: dtrace:::BEGIN): failed to open '/nonexistent/x': No such file or directory"

# system() does not hold the end up: two interrupts kill what it runs.
run "$DTRACE" -q -n 'BEGIN { system("true"); }'
want 1
first err '^dtrace: could not enable tracing: Destructive actions not allowed$'
# Files are written with the rights of the tracer.
for action in "freopen(\"$work/y\")" 'freopen("")' 'ftruncate()'; do
  run "$DTRACE" -q -n "BEGIN { $action; exit(0); }"
  want 1
  first err '^dtrace: could not enable tracing: Destructive actions not allowed$'
done
[ ! -e "$work/y" ] || fail "freopen() has made a file"
done_testing
