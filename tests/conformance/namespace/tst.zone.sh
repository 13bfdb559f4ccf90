# -x zone: what threads of one container do, and nobody else.
. "$TESTS/lib.sh"
tree=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
# As long as those that container engines make, and two that differ at their ends only.
id=0123456789abcdef0123456789abcdef0123456789abcdef0123456789abc
one=dt-$$-$id-1.scope
two=dt-$$-$id-2.scope
if [ -z "$tree" ] || ! mkdir "$tree/$one" "$tree/$two" "$tree/$one/inner" 2>"$work/why"; then
  echo "no cgroup2 that can be written: $(cat "$work/why" 2>/dev/null)"
  exit 77
fi
trap 'rmdir "$tree/$one/inner" "$tree/$one" "$tree/$two"; rm -rf "$work"' EXIT
if ! unshare -C -p -f true 2>"$work/why"; then
  echo "no namespaces here: $(cat "$work/why")"
  exit 77
fi

# Calls as many times in each: 1 in the first container, 2 in a part of it, 4 in the second, 8
# outside and 16 in a cgroup that is no container.
cat >"$work/load" <<'SH'
tree=$1 one=$2 two=$3
calls='for i in $(seq $1); do sleep 0; done'
unshared="exec unshare -C -p -f sh -c '$calls' sh"
sh -c "echo \$\$ >$tree/$one/cgroup.procs && $unshared 1"
sh -c "echo \$\$ >$tree/$one/cgroup.procs && exec unshare -C -p -f sh -c 'echo 0 >$tree/$one/inner/cgroup.procs && $calls' sh 2"
sh -c "echo \$\$ >$tree/$two/cgroup.procs && exec unshare -p -f sh -c '$calls' sh 4"
sh -c "$calls" sh 8
sh -c "echo \$\$ >$tree/$one/cgroup.procs && exec sh -c '$calls' sh 16"
SH
count='proc:::exec-success /progenyof($target) && execname == "sleep"/ { @ = count(); }
       BEGIN { printf("begin "); } tick-10ms { ticks++; } END { printf("%d ", ticks > 0); printa(@); }'
for wanted in "$one 3" "$two 4" "global 24"; do
  set -- $wanted
  run_undisturbed timeout 60 "$DTRACE" -qZ -x zone="$1" -n "$count" -c "sh $work/load $tree $one $two"
  want 0
  [ "$(tr -s ' \n' '  ' <"$work/out")" = "begin 1 $2 " ] || fail "$1: wanted $2, got $(cat "$work/out")"
  same err ""
done

# The zone is that of the thread that comes to a CPU, not of the one before it.
run_undisturbed timeout 60 "$DTRACE" -qZ -x zone="$two" -n '
  sched:::on-cpu { @[zonename] = count(); } sched:::on-cpu /execname == "sleep"/ { seen = 1; }
  END { printa("%s\n", @); printf("%d\n", seen); }' -c "sh $work/load $tree $one $two"
[ "$(tr -s "\n" " " <"$work/out")" = "$two 1 " ] || fail "$(cat "$work/out")"

# Those that there are, in a cgroup namespace below their own root too.
mkfifo "$work/hold"
sh -c "echo \$\$ >$tree/$one/cgroup.procs && exec unshare -C -p -f sh -c 'echo 0 >$tree/$one/inner/cgroup.procs && exec cat'" \
  <"$work/hold" >"$work/held" &
exec 3>"$work/hold"
echo up >&3
until_true 10 grep -q up "$work/held"
run timeout 60 "$DTRACE" -q -x zone="$one" -n 'BEGIN { exit(0); }'
want 0
same err ""
run timeout 60 "$DTRACE" -q -x zone="dt-$$-$id-1.scoop" -n 'BEGIN { exit(0); }'
want 1
has err "dtrace: could not enable tracing: there is no zone 'dt-$$-$id-1.scoop'"
has err "did you mean '$one'?; with -Z it may come later"
run timeout 60 "$DTRACE" -q -x zone=nowhere -n 'BEGIN { exit(0); }'
want 1
has err "these are:"
has err " global"
exec 3>&-
wait
done_testing
