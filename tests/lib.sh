# Functions for tst.*.sh. $DTRACE is the command under test, $TESTS this directory.
set -u
work=$(mktemp -d)
# A test that has failed says so, also one that ends without done_testing.
trap 'ended=$?; rm -rf "$work"; [ "$ended" != 0 ] || exit "$bad"' EXIT
bad=0

fail() {
  echo "FAILED: $*"
  bad=1
}

# run WORDS...: runs, and keeps $status, $work/out and $work/err.
run() {
  "$@" >"$work/out" 2>"$work/err" </dev/null
  status=$?
}

# copy_of NAME: a workload that no other test runs, for probes that fire in every process of a program.
copy_of() {
  cp "$BUILD/tests/workloads/$1" "$work/$1" && echo "$work/$1"
}

# again WHY: whether a part of the test that something outside of it has disturbed may run again,
# which is for tests/disturbed.txt to say. tests/run counts how often.
again() {
  [ "$(grep -c '' "${DT_AGAIN_LOG:-/dev/null}")" -lt "${DT_AGAIN:-0}" ] && echo "$*" >>"$DT_AGAIN_LOG"
}

# run_undisturbed WORDS...: as run, again when firings were dropped. Where a program interrupts itself
# on a CPU, the kernel drops the inner firing; a test that wants each of its own sees one too few then.
run_undisturbed() {
  run "$@"
  while drops=$(grep -E '^dtrace: [0-9]+ drops? on CPU' "$work/err") && again $drops; do
    run "$@"
  done
}

# want STATUS: of the last run.
want() {
  [ "$status" = "$1" ] || { fail "exit status $status, wanted $1"; cat "$work/out" "$work/err"; }
}

# same FILE TEXT: the whole of the file (printf escapes in TEXT).
same() {
  printf "$2" >"$work/wanted"
  cmp -s "$work/wanted" "$work/$1" || { fail "$1 is not what was wanted"; diff "$work/wanted" "$work/$1"; }
}

# has FILE TEXT: a fixed string somewhere, which may have several lines.
has() {
  case $(cat "$work/$1"; echo .) in
    *"$2"*) ;;
    *) fail "no '$2' in $1"; cat "$work/$1" ;;
  esac
}

# matches FILE REGEX
matches() {
  grep -qE -- "$2" "$work/$1" || { fail "nothing in $1 matches $2"; cat "$work/$1"; }
}

# first FILE REGEX: the first line.
first() {
  head -n 1 "$work/$1" | grep -qE -- "$2" || { fail "the first line of $1 does not match $2"; cat "$work/$1"; }
}

# until_true SECONDS COMMAND...: waits for a condition with a bound, for so long on a quiet machine, and six times as long
# beside busy neighbours.
until_true() {
  local_end=$(($(date +%s) + 6 * $1)); shift
  while ! "$@"; do
    [ "$(date +%s)" -lt "$local_end" ] || { fail "never true: $*"; return 1; }
    sleep 0.05
  done
}

# until_runs PID TEXT: `command &` is the shell, with its environment and files, until it executes the command. Waits until
# TEXT is in the command line and libc is mapped.
until_runs() {
  until_true 10 sh -c "tr '\\0' ' ' </proc/$1/cmdline | grep -qF '$2' && grep -q libc.so /proc/$1/maps"
}

done_testing() { exit "$bad"; }
