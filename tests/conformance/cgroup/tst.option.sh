# -x cgroup: what threads of groups of one name do, and of the groups within them, and nobody else.
tree=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
if [ -z "$tree" ] && [ -z "${DT_OWN_MOUNTS:-}" ]; then
  DT_OWN_MOUNTS=1 exec unshare -m sh -c 'mount -t cgroup2 none /sys/fs/cgroup; exec sh "$0"' "$0"
fi
. "$TESTS/lib.sh"
# Two as long as those of container engines, which differ at their ends only; the second is in another tree, too.
id=0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef
one=dt-$$-$id-1.service
two=dt-$$-$id-2.service
if [ -z "$tree" ] || ! mkdir "$tree/$one" "$tree/$one/a" "$tree/$one/a/b" "$tree/$two" "$tree/$one/a/$two" 2>"$work/why"; then
  echo "no cgroup2 that can be written: $(cat "$work/why" 2>/dev/null)"
  exit 77
fi
trap 'rmdir "$tree/$one/a/$two" "$tree/$one/a/b" "$tree/$one/a" "$tree/$one" "$tree/$two"; rm -rf "$work"' EXIT

# Calls as many times in each: 1 in the first group, 2 three levels below it, 4 in the second, 8 in the
# one of its name within the first, 16 in none of them.
cat >"$work/load" <<'SH'
tree=$1 one=$2 two=$3
calls='for i in $(seq $1); do sleep 0; done'
within() { sh -c "echo \$\$ >$tree/$1/cgroup.procs && exec sh -c '$calls' sh $2"; }
within $one 1
within $one/a/b 2
within $two 4
within $one/a/$two 8
sh -c "$calls" sh 16
SH
count='proc:::exec-success /progenyof($target) && execname == "sleep"/ { @ = count(); }
       BEGIN { printf("begin "); } tick-10ms { ticks++; } END { printf("%d ", ticks > 0); printa(@); }'
for wanted in "$one 11" "$two 12" a\ 10 b\ 2; do
  set -- $wanted
  # Other groups of this machine may be called a and b, but none of theirs is of the target.
  run_undisturbed timeout 60 "$DTRACE" -qZ -x cgroup="$1" -n "$count" -c "sh $work/load $tree $one $two"
  want 0
  [ "$(tr -s ' \n' '  ' <"$work/out")" = "begin 1 $2 " ] || fail "$1: wanted $2, got $(cat "$work/out")"
  same err ""
done

# The name of a thread's own group, the number of its directory, and the thread that comes to a CPU.
run_undisturbed timeout 60 "$DTRACE" -qZ -x cgroup="$one" -n '
  proc:::exec-success /execname == "sleep"/ { @[cgroupname, cgroupid] = count(); }
  sched:::on-cpu /execname == "sleep"/ { on = 1; }
  sched:::on-cpu /strstr(execname, "dtrace") != NULL/ { wrong = 1; }
  END { printa("%s %d %@d\n", @); printf("on %d %d\n", on, wrong); }' -c "sh $work/load $tree $one $two"
has out "$one $(stat -c %i "$tree/$one") 1"
has out "b $(stat -c %i "$tree/$one/a/b") 2"
has out "$two $(stat -c %i "$tree/$one/a/$two") 8"
has out "on 1 0"
[ "$(grep -c . "$work/out")" = 4 ] || fail "$(cat "$work/out")"

# Behind a tool, whose letter x means something else.
run_undisturbed timeout 60 "$DTRACE" -Z -s "$TESTS/../tools/opensnoop.d" --cgroup="$one" -x -P no-such -c "sh -c '
  sh -c \"echo \\\$\\\$ >$tree/$one/cgroup.procs; exec cat /no-such-1 2>/dev/null\"; cat /no-such-2 2>/dev/null; true'"
want 0
has out /no-such-1
grep -q no-such-2 "$work/out" && fail "$(cat "$work/out")"
run "$DTRACE" -s "$TESTS/../tools/opensnoop.d" --cgroup
want 2
has err "opensnoop: option --cgroup needs a value"
run timeout 60 "$DTRACE" -s "$TESTS/../tools/opensnoop.d" --zone "$one"
want 1
has err "there is no zone '$one'"

# Those in which processes are. Nobody is in these now, and on some machines in no group but the root.
run timeout 60 "$DTRACE" -q -x cgroup="$two" -n 'BEGIN { exit(0); }'
want 1
has err "with -Z it may come later"
grep -q "these are: ;" "$work/err" && fail "$(cat "$work/err")"
mkfifo "$work/hold"
sh -c "echo \$\$ >$tree/$one/a/b/cgroup.procs && exec cat" <"$work/hold" >"$work/held" &
exec 3>"$work/hold"
echo up >&3
until_true 10 grep -q up "$work/held"
for name in "$one" a b; do
  run timeout 60 "$DTRACE" -q -x cgroup="$name" -n 'BEGIN { exit(0); }'
  want 0
  same err ""
done
run timeout 60 "$DTRACE" -q -x cgroup="dt-$$-$id-1.servise" -n 'BEGIN { exit(0); }'
want 1
has err "dtrace: could not enable tracing: no process is in a cgroup 'dt-$$-$id-1.servise'"
has err "did you mean '$one'?; with -Z it may come later"
run timeout 60 "$DTRACE" -q -x cgroup="$two" -n 'BEGIN { exit(0); }'
want 1
has err "no process is in a cgroup '$two'"
run timeout 60 "$DTRACE" -q -x cgroup="/$one/a" -n 'BEGIN { exit(0); }'
want 1
has err "'/$one/a' is no name of a cgroup"
has err "it is one component of a path, such as nginx.service"
exec 3>&-
wait
done_testing
