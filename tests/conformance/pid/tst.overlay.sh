# Programs in an overlay file system, as in containers: their probes fire also when the file was replaced or deleted
# since, and are refused where the process has mapped another file than the one that stands there now. The first stack is
# whole.
. "$TESTS/lib.sh"
in_overlay() {
  run unshare -m sh -c '
    root=$1 kind=$2 program=$3 dtrace=$4
    mount -t tmpfs none "$root" && mkdir "$root/below" "$root/above" "$root/work" "$root/all" || exit 77
    cp "$program" "$root/below/calls"
    mount -t overlay overlay -o "lowerdir=$root/below,upperdir=$root/above,workdir=$root/work" "$root/all" || exit 77
    "$root/all/calls" on >/dev/null & pid=$!
    until [ "$(cat /proc/$pid/comm)" = calls ] && grep -q "r-xp.*libc" /proc/$pid/maps; do :; done
    case $kind in
      replaced) cp "$program" "$root/all/new" && mv "$root/all/new" "$root/all/calls" ;;
      deleted) rm "$root/all/calls" ;;
      touched) touch "$root/all/calls" ;;
    esac
    "$dtrace" -p $pid -qn "pid\$target:calls:fib:entry { ustack(); exit(0); } tick-20s { exit(9); }"
    status=$?
    kill $pid
    exit $status' sh "$work/root" "$1" "$BUILD/tests/workloads/calls" "$DTRACE"
}
mkdir "$work/root"
in_overlay unchanged
if [ "$status" = 77 ]; then
  echo "no overlay file system can be mounted here: $(cat "$work/err")"
  exit 77
fi
for kind in unchanged replaced deleted; do
  in_overlay $kind
  want 0
  same err ''
  has out 'calls`main+'
  has out 'calls`_start+'
done
in_overlay touched
want 1
matches err '^dtrace: attach pid:entry: process [0-9]+ executes .*/all/calls without the breakpoints of its probes$'
has err 'hint: the file was changed on an overlay file system'
done_testing
