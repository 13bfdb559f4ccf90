# With -x follow, the probes of the process of -c fire in its children and theirs, also when they execute another
# program, each named after its process; and in nobody else.
# @@timeout: 180
. "$TESTS/lib.sh"
brood=$(cd "$BUILD/tests/workloads" && pwd)/brood
cp "$brood" "$work/brood" && cp "$brood" "$work/other" || { fail "no workload"; done_testing; }
export PATH="$work:$PATH"
probes='
pid$target:brood:work:entry { @e[probeprov] = count(); @k[pid == $target] = count(); }
pid$target:brood:work:return { @r[probeprov] = count(); }
brood$target:brood::call { @u[probeprov] = count(); }
END { printa("entry %s %@d\n", @e); printa("return %s %@d\n", @r); printa("usdt %s %@d\n", @u); printa("target %d %@d\n", @k); }'
# check PROCESSES: what each of them says is what has fired.
check() {
  want 0
  grep -E '^[0-9]+ [0-9]+$' "$work/out" | sort >"$work/truth"
  [ "$(wc -l <"$work/truth")" = "$1" ] || fail "$1 processes call"
  for what in entry:pid return:pid usdt:brood; do
    sed -n "s/^${what%:*} ${what#*:}\([0-9]* [0-9]*\)\$/\1/p" "$work/out" | sort | cmp -s - "$work/truth" ||
      { fail "$what"; cat "$work/out" "$work/err"; }
  done
}
# Somebody else runs the same program all the time.
sh -c 'i=0; while [ $i -lt 2000 ]; do brood 1 5 >/dev/null; i=$((i + 1)); done' &
stranger=$!
run_undisturbed "$DTRACE" -q -x follow -c 'brood 12 50' -n "$probes"
check 13
has out 'target 1 50'
has out 'target 0 600'
# Without it, the parent alone.
run_undisturbed "$DTRACE" -q -c 'brood 3 20' -n "$probes"
want 0
has out 'target 1 20'
grep -q '^target 0' "$work/out" && fail 'children without -x follow'
# Pipelines of a shell, grandchildren, and one whose parent has gone.
run_undisturbed "$DTRACE" -q -x follow -Z -c "sh -c 'brood 2 7 | cat; (brood 1 9 | cat) & brood 1 1 brood 3 4; wait; exec brood 1 11'" -n "$probes"
check 12
# Another program: its own file is named, and libraries that both have mapped go on.
run_undisturbed "$DTRACE" -q -x follow -Z -c 'brood 2 3 other 1 6' -n '
pid$target:brood:work:entry { @[probemod] = count(); }
pid$target:other:work:entry { @[probemod] = count(); @p[probeprov] = count(); }
pid$target:libc:snprintf:entry { @s[execname] = count(); }'
want 0
matches out '^  brood +3$'
matches out '^  other +24$'
[ "$(grep -cE '^  pid[0-9]+ +6$' "$work/out")" = 4 ] || fail 'four others'
matches out '^  brood +1$'
matches out '^  other +4$'
# A process that is there already, with what it forks from now on.
kill $stranger
wait $stranger 2>/dev/null
cat >"$work/waits" <<'E2'
while [ ! -e "$1/go" ]; do sleep 0.05; done
brood 2 5 >"$1/theirs"
E2
sh "$work/waits" "$work" &
pid=$!
until_runs $pid "$work/waits"
run "$DTRACE" -q -Z -x follow -p $pid -n 'BEGIN { system("touch '"$work"'/go"); } pid$target:brood:work:entry { @ = count(); }' -w
want 0
matches out '^ +15$'
done_testing
