#!/bin/sh
# zonename: "global", and in a container the last component of its cgroup.
. "$TESTS/lib.sh"
tree=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
group=$tree/dtrace-zone-$$
if [ -z "$tree" ] || ! mkdir "$group" 2>"$work/why"; then
  echo "no cgroup2 that can be written: $(cat "$work/why" 2>/dev/null)"
  exit 77
fi
trap 'rmdir "$group"; rm -rf "$work"' EXIT
run sh -c "echo \$\$ >$group/cgroup.procs && exec unshare -C -p -f true"
if [ "$status" != 0 ]; then
  echo "no namespaces here: $(cat "$work/err")"
  exit 77
fi
cat >"$work/x.d" <<'D'
#pragma D option quiet
syscall::clock_nanosleep:entry
/progenyof($target)/
{
	printf("%s\n", zonename);
}
D
run "$DTRACE" -s "$work/x.d" -c "sleep 0.01"
same out "global\n\n"
run "$DTRACE" -s "$work/x.d" -c "sh -c 'echo \$\$ >$group/cgroup.procs && exec sleep 0.01'"
same out "global\n\n"
run "$DTRACE" -s "$work/x.d" -c "sh -c 'echo \$\$ >$group/cgroup.procs && exec unshare -C -p -f sleep 0.01'"
same out "dtrace-zone-$$\n\n"
run "$DTRACE" -s "$work/x.d" -c "sh -c 'echo \$\$ >$group/cgroup.procs && exec unshare -p -f sleep 0.01'"
same out "dtrace-zone-$$\n\n"
run "$DTRACE" -s "$work/x.d" -c "unshare -p -f sleep 0.01"
same out "global\n\n"
done_testing
