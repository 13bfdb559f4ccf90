# Processes that start when tracing goes on: none of their firings is missing, and each is named after its process.
# @@timeout: 180
. "$TESTS/lib.sh"
brood=$(cd "$BUILD/tests/workloads" && pwd)/brood
cp "$brood" "$work/brood" || { fail "no workload"; done_testing; }
export PATH="$work:$PATH"
# Nobody runs it yet: with -Z, PATH tells where it is.
run "$DTRACE" -n 'pid*:brood:work:entry' -xerrtags
want 1
first err '\[D_PDESC_ZERO\].* does not match any probes$'
has err "hint: no process has mapped 'brood'; -Z traces $work/brood once it is mapped"
# Every process of two that start one after another, and their children: as often as they say themselves.
run_undisturbed "$DTRACE" -q -Z -x aggsortkey -c "sh -c 'brood 5 30; brood 3 70 | cat; exec brood 0 9'" -n '
pid*:brood:work:entry { @e[probeprov] = count(); @p[pid] = count(); }
pid*:brood:work:return { @r[probeprov] = count(); }
brood*:brood::call { @u[probeprov] = count(); @a[args[1] == pid, probename, probefunc] = count(); }
END { printa("entry %s %@d\n", @e); printa("return %s %@d\n", @r); printa("usdt %s %@d\n", @u);
      printa("pid %d %@d\n", @p); printa("args %d %s %s %@d\n", @a); }'
want 0
grep -E '^[0-9]+ [0-9]+$' "$work/out" | sort >"$work/truth"
[ "$(wc -l <"$work/truth")" = 11 ] || fail "11 processes call"
for what in entry:pid return:pid usdt:brood; do
  sed -n "s/^${what%:*} ${what#*:}\([0-9]* [0-9]*\)\$/\1/p" "$work/out" | sort | cmp -s - "$work/truth" ||
    { fail "$what"; cat "$work/out" "$work/err" "$work/truth"; }
done
sed -n 's/^pid //p' "$work/out" | sort | cmp -s - "$work/truth" || fail "by pid"
has out 'args 1 call work 469'
# The name in records, as a string in the kernel, and in what is kept.
run_undisturbed "$DTRACE" -q -Z -c 'brood 2 3' -n '
pid*:brood:work:entry { self->name = probeprov; n[probeprov]++; }
pid*:brood:work:return /probeprov == self->name && strlen(probeprov) > 3/ {
  printf("%s=%s=%s pid%d %d\n", probeprov, self->name, strjoin(probeprov, ""), pid, n[probeprov]); trace(probeprov); printf("\n"); }'
want 0
grep -E '^[0-9]+ 3$' "$work/out" | while read -r pid n; do
  for i in 1 2 3; do has out "pid$pid=pid$pid=pid$pid pid$pid $i"; done
  [ "$(grep -c "^ *pid$pid *\$" "$work/out")" = 3 ] || fail "trace(probeprov) of $pid"
done
[ "$(grep -c = "$work/out")" = 9 ] || { fail 'nine calls'; cat "$work/out" "$work/err"; }
# A process that is named has its own probe, too: each clause once.
run_undisturbed "$DTRACE" -q -c 'brood 0 7' -n '
pid$target:brood:work:entry { @one[probeprov] = count(); }
pid*:brood:work:entry /pid == $target/ { @all[probeprov] = count(); }
pid?*:brood::entry, pid[1-9]*:brood:work:entry /probefunc == "work" && pid == $target/ { @more[probeprov] = count(); }
END { printa("one %@d\n", @one); printa("all %@d\n", @all); printa("more %@d\n", @more); }'
want 0
has out 'one 7'
has out 'all 7'
has out 'more 14'
# dtrace itself is left out, and a list is of those that there are.
run "$DTRACE" -q -n 'pid*:libc:malloc:entry { @[execname == "dtrace" && pid == $pid] = count(); n++; } tick-200ms /n && i++ > 2/ { exit(0); }' -c 'sh -c "while :; do ls / >/dev/null; done"'
want 0
grep -qE '^ +1 +[0-9]+$' "$work/out" && fail "dtrace traces itself"
matches out '^ +0 +[1-9]'
sleep 60 &
sleeper=$!
until_true 10 grep -q libc.so.6 "/proc/$sleeper/maps"
run "$DTRACE" -l -n 'pid*:libc:malloc:entry'
want 0
matches out " pid$sleeper +libc.so.6 +malloc entry"
grep -q 'pid\*' "$work/out" && fail "a process of all in the list"
kill $sleeper
run "$DTRACE" -q -n 'pid*:libc:mallok:entry'
want 1
has err "no 'libc' of a process has a function 'mallok'"
has err "did you mean 'malloc'?"
done_testing
