# What cannot be probed is named, with what is wrong and what is near.
# @@timeout: 120
# @@host
. "$TESTS/lib.sh"
calls=$BUILD/tests/workloads/calls
"$calls" wait >/dev/null &
pid=$!
until_true 10 grep -q workloads/calls /proc/$pid/maps && until_true 10 grep -q libc.so.6 /proc/$pid/maps
refused() { # DESCRIPTION TAG TEXT [HINT]
  run "$DTRACE" -xerrtags -n "$1"
  want 1
  first err "^dtrace: invalid probe specifier $(echo "$1" | sed 's/[*]/[*]/g'): \[$2\] $3\$"
  [ -z "${4-}" ] || has err "hint: $4"
}
refused pid:a.out:main:entry D_PDESC_ZERO 'probe description pid:a.out:main:entry does not match any probes' 'write pid1234'
refused pid12x:a.out:main:entry D_PDESC_ZERO 'probe description pid12x:a.out:main:entry does not match any probes' 'write pid1234'
has err "note: provider 'pid12x' does not name a process"
refused plockstat12x:::mutex-acquire D_PDESC_ZERO 'probe description plockstat12x:::mutex-acquire does not match any probes' 'write plockstat1234'
refused pid99999999999:a.out:main:entry D_PROC_BADPID "provider 'pid99999999999' does not name a process"
refused pid0:a.out:main:entry D_PROC_BADPID "provider 'pid0' does not name a process"
refused pid4194999:a.out:main:entry D_PROC_GRAB 'failed to grab process 4194999: No such process'
refused pid2:::entry D_PROC_GRAB 'failed to grab process 2: it has no program of its own'
refused pid$pid:libx:malloc:entry D_PROC_LIB "process $pid has not mapped an object 'libx'" 'it has mapped calls, libc.so.6'
refused pid$pid:libc.so.7:malloc:entry D_PROC_LIB "process $pid has not mapped an object 'libc.so.7'" "did you mean 'libc.so.6'?"
# What the C library is called elsewhere, and what is a library of its own there.
for other in libSystem.B.dylib libsystem_malloc.dylib libthread.so.1 libpthread.so.0 libthr.so.3 libc.so.1; do
  refused pid$pid:$other:malloc:entry D_PROC_LIB "process $pid has not mapped an object '$other'" "did you mean 'libc.so.6'?"
done
refused pid$pid:libc:mallok:entry D_PROC_FUNC "libc.so.6 of process $pid has no function 'mallok'" "did you mean 'malloc'?"
refused pid$pid::no_such_thing_at_all:entry D_PROC_FUNC "no object of process $pid has no function 'no_such_thing_at_all'"
refused pid$pid:libc:malloc:entri D_PROC_NAME "'entri' is no probe of a function; there are entry, return and offsets in hexadecimal" "did you mean 'entry'?"
refused pid$pid:libc:time:entry D_PROC_CREATEFAIL "'time' chooses a function when the program starts \(an IFUNC\), and its object does not tell which"
refused pid$pid:a.out:no_end:return D_PROC_CREATEFAIL "'no_end' holds something other than code: .*"
refused pid$pid:a.out:without_size:entry D_PROC_CREATEFAIL "the symbol table does not say how large 'without_size' is"
for lie in inside beside; do
  refused pid$pid:a.out:$lie:entry D_PROC_CREATEFAIL "the symbol table has '$lie' at 0x[0-9a-f]+, where it cannot be shown that an instruction begins"
  refused pid$pid:a.out:$lie:return D_PROC_CREATEFAIL "the symbol table has '$lie' at 0x[0-9a-f]+, where .*"
done
# The others of a pattern are there.
run "$DTRACE" -l -n "pid$pid:a.out:[bitw]*:entry"
want 0
has out two_returns
grep -qE 'inside|beside|without_size' "$work/out" && fail "what cannot be probed is listed"
refused pid$pid:libc:abort:return D_PROC_CREATEFAIL "'abort' has no instruction that returns"
refused pid$pid:a.out:two_returns:6 D_PROC_ALIGN "offset 0x6 of 'two_returns' is inside of the instruction at 0x5"
refused pid$pid:a.out:two_returns:11 D_PROC_OFF "offset 0x11 is outside of 'two_returns', which has 0x11 bytes"
refused pid$pid:a.out:patched:0 D_PROC_CREATEFAIL "no breakpoint may stand on the instruction at offset 0x0 of 'patched'"
refused pid$pid:a.out:swapped:entry D_PROC_CREATEFAIL "no breakpoint may stand on the first instruction of 'swapped'"
refused pid$pid:a.out:no_end:0 D_PROC_CREATEFAIL "'no_end' holds something other than code: .*"
refused pid$pid:a.out:-:10 D_PROC_OFF "address 0x10 of process $pid is not in the code of a.out"
refused pid$pid:a.out:-:entry D_PROC_NAME "the function '-' has addresses only" 'write a number in hexadecimal'
refused pid$pid::: D_PROC_CREATEFAIL 'the description has more than [0-9]+ probes' 'name fewer functions'
refused "pid$pid:libc:malloc:zz*" D_PDESC_ZERO "probe description pid$pid:libc:malloc:zz\* does not match any probes"
refused "pid$pid:libc:zz*:entry" D_PDESC_ZERO "probe description pid$pid:libc:zz\*:entry does not match any probes"
# A program without names has none that a pattern could have.
strip -o "$work/nameless" "$calls"
"$work/nameless" wait >/dev/null &
nameless=$!
until_true 10 grep -q nameless /proc/$nameless/maps
for function in '' 'ma*' main; do
  run "$DTRACE" -n "pid$nameless:a.out:$function:entry"
  want 1
  has err 'hint: nameless is stripped: only functions that it exports have names here; a debug package or DEBUGINFOD_URLS has the others'
done
# -Z lets them pass; a process that has ended and is still waited for is none.
run "$DTRACE" -Z -n "pid$pid:libx:malloc:entry { } BEGIN { exit(0); }"
want 0
python3 -c 'import subprocess, sys, time
child = subprocess.Popen(["true"])
print(child.pid, flush=True)
time.sleep(60)' >"$work/zombie" &
parent=$!
until_true 10 sh -c "grep -q zombie /proc/\$(cat $work/zombie)/status 2>/dev/null"
refused pid$(cat "$work/zombie"):::entry D_PROC_GRAB "failed to grab process $(cat "$work/zombie"): No such process"
# Those of another user.
cp "$DTRACE" "$work/dtrace" && chmod 755 "$work" "$work/dtrace"
run setpriv --reuid 65534 --regid 65534 --clear-groups "$work/dtrace" -xerrtags -n pid$pid:a.out:main:entry
want 1
first err "\[D_PROC_GRAB\] failed to grab process $pid: Permission denied\$"
kill $parent $pid $nameless
done_testing
