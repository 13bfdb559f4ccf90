# dwatch --cgroup: events of one control group, and of no other.
tree=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
if [ -z "$tree" ] && [ -z "${DT_OWN_MOUNTS:-}" ]; then
  DT_OWN_MOUNTS=1 exec unshare -m sh -c 'mount -t cgroup2 none /sys/fs/cgroup; exec sh "$0"' "$0"
fi
. "$TESTS/lib.sh"
export LC_ALL=C  # in which cat looks for no other files that are not there
DWATCH=$BUILD/src/dwatch/dwatch
one=dt-$$.service sleeper=
if [ -z "$tree" ] || ! mkdir "$tree/$one" "$tree/$one/below" 2>"$work/why"; then
  echo "no cgroup2 that can be written: $(cat "$work/why" 2>/dev/null)"
  exit 77
fi
trap '[ -z "$sleeper" ] || kill "$sleeper" 2>/dev/null; wait; rmdir "$tree/$one/below" "$tree/$one"; rm -rf "$work"' EXIT

# A process that is there keeps the name of the group.
sh -c "echo \$\$ >$tree/$one/cgroup.procs && exec sleep 600" &
sleeper=$!
until grep -q "$sleeper" "$tree/$one/cgroup.procs"; do sleep 0.05; done
"$DWATCH" --cgroup "$one" -k cat -N 2 -X open-failed >"$work/events" 2>"$work/said" &
dwatch=$!
await() {
  for i in $(seq 600); do
    grep -q "$2" "$1" && return
    sleep 0.1
  done
  kill -INT $dwatch 2>/dev/null
  fail "$1 has no $2: $(cat "$work/events" "$work/said")"
}
await "$work/said" Watching
cat /not-of-the-group 2>"$work/err"
within() { sh -c "echo \$\$ >$tree/$1/cgroup.procs && exec cat $2 2>/dev/null"; }
within "$one" /of-the-group
within "$one/below" /of-a-group-below-it
kill $sleeper
wait $sleeper 2>"$work/err"
wait $dwatch || fail "status $?: $(cat "$work/said")"
grep -o '/[a-z-]*:' "$work/events" >"$work/out"
same out '/of-the-group:\n/of-a-group-below-it:\n'

run "$DWATCH" -d --cgroup "$one" openat
want 0
has out "#pragma D option cgroup=$one"
run "$DWATCH" --cgroup dt-no-such-group openat
want 1
same err "dwatch: could not enable tracing: no process is in a cgroup 'dt-no-such-group'\n"
run "$DWATCH" --cgroup
want 2
has err "dwatch: --cgroup needs the name of a control group"
done_testing
