# @@host
# A description that matches nothing, and what was meant by it.
. "$TESTS/lib.sh"

# hint DESCRIPTION HINT
hint() {
  run "$DTRACE" -e -n "$1 { trace(1); }"
  want 1
  has err "hint: $2"
}
hint_of() {
  run "$DTRACE" -e -n "$1"
  want 1
  has err "hint: $2"
}
meant() {
  hint "$1" "did you mean '$2'?"
}

# A field is missing.
meant tcp::receive tcp:::receive
meant tcp:receive tcp:::receive
meant sched::on-cpu sched:::on-cpu
meant proc::create proc:::create
meant syscall::read syscall::read:entry
meant syscall:read syscall::read:entry
meant syscall:::read syscall::read:entry
meant vminfo:as_fault vminfo:::as_fault
# Names of other tracers.
meant sched:sched_switch sdt:sched::sched_switch
meant sched:::sched_switch sdt:sched::sched_switch
meant syscall::open:enter syscall::open:entry
meant syscall::open:exit syscall::open:return
meant profile:hz:99 profile:::profile-99
meant profile:ms:10 profile:::profile-10ms
meant begin :::BEGIN
meant end :::END
meant dtrace:::begin dtrace:::BEGIN
meant SYSCALL::read:entry syscall::read:entry
hint 'tracepoint:sched:sched_switch' 'in D, this is sdt:sched::sched_switch'
for words in 'kprobe:vfs_*=fbt::vfs_' 'tracepoint:*=tracepoints are sdt:::NAME' 't:sched:sched_switch=in D, this is sdt:sched::sched_switch'; do
  run "$DTRACE" -l "${words%%=*}"
  want 1
  has err "${words#*=}"
done
# What stands behind dtrace without an option is a word to look for, or a program.
run "$DTRACE" strace ls
want 1
has err "hint: dtrace --tools strace lists tools and questions with this word; a program stands behind -n"
run "$DTRACE" opensnoop -x
want 2
has err 'hint: opensnoop is a tool: dtrace -s opensnoop'
run "$DTRACE" 'syscall:::entry'
want 1
has err "hint: a program stands behind -n: dtrace -n 'syscall:::entry'"
# Variables of other languages.
run "$DTRACE" -e -n 'syscall::read:entry { $x = arg0; }'
want 1
has err 'hint: a variable of the clause is this->x: '
for loop in 'unroll(3) { trace(1); }' 'repeat(3) { trace(1); }'; do
  run "$DTRACE" -e -n "BEGIN { $loop }"
  want 1
  has err 'hint: D has no loops'
done
# Providers of other systems.
run "$DTRACE" -e -n 'nfsv3:::op-read-start { }'
want 1
has err "there is no provider 'nfsv3' here: tracepoints of the NFS server are sdt:nfsd:::"
for words in nfsv4:::op-null:NFS 'nfsv*:::op-null:NFS' zfs::::OpenZFS fc:::link-up:SCSI iscsi::::iSCSI srp::::SCSI; do
  run "$DTRACE" -e -n "${words%:*} { }"
  want 1
  has err "there is no provider '${words%%:*}' here: "
  has err "${words##*:}"
done
run "$DTRACE" -e -n 'hotspot*:::gc-begin { }'
want 1
has err "no process has the provider 'hotspot*': a JVM has these probes if it was built with --enable-dtrace"
run "$DTRACE" -e -n "hotspot$$:::gc-begin { }"
want 1
has err "hint: a JVM has these probes if it was built with --enable-dtrace"
run "$DTRACE" -e -n 'BEGIN { trace(curthread->t_procp); }'
want 1
has err 'hint: group_leader is the first thread of the process'
# Where the provider knows why, probes of others are no answer.
run "$DTRACE" -e -n 'mib:::tcpInSegs { }'
want 1
has err 'use tcp:::receive'
if grep -q 'did you mean' "$work/err"; then
  fail "another provider's probe is proposed"
fi
# A misspelt one still has the names that are near.
hint syscall::opennat:entry "did you mean 'syscall::openat:entry'"
hint ':::switch' 'did you mean '
# Providers that Linux does not have, or that programs have no more.
noted() {
  run "$DTRACE" -e -n "$1 { trace(1); }"
  want 1
  has err "note: $2"
}
noted mach_trap:::entry "there is no provider 'mach_trap' here: system calls are syscall:::"
noted 'mysql*:::query-start' "no process has the provider 'mysql*': MySQL has these probes if it was built with -DENABLE_DTRACE, which ended with 8.0"
noted 'node*:::gc-start' "no process has the provider 'node*': Node.js has no probes since version 13"

# Modules and functions of other kernels.
for description in io:genunix::start tcp:kernel::send tcp:ip:tcp_output:send proc::proc_exit:exit proc:unix:cfork:create \
  io::bdev_strategy:start sched:unix:: lockstat:genunix::; do
  run "$DTRACE" -e -n "$description { }"
  want 0
done
run "$DTRACE" -e -n 'io:genunix::strat { }'
want 1
run "$DTRACE" -e -n 'syscall:genunix:read:entry { }'
want 1

# Words behind -l are descriptions, or are looked for (tst.list_word.sh).
run "$DTRACE" -l 'tcp:::send' BEGIN
want 0
[ "$(grep -c '' "$work/out")" -eq 3 ] || { fail "two probes were wanted"; cat "$work/out"; }
run "$DTRACE" -l :::syscall
want 1
first err '^dtrace: failed to match :::syscall: No probe matches description$'
has err "did you mean 'syscall:::'?"
printf 'syscall::$1:entry { }\n' >"$work/x.d"
run "$DTRACE" -l -s "$work/x.d" read
want 0
[ "$(grep -c '' "$work/out")" -eq 2 ] || { fail "one probe was wanted"; cat "$work/out"; }
# SystemTap's language.
for script in 'kernel.function("vfs_read") { }' 'process("ls").begin { }' 'timer.s(1) { }' 'probe begin { exit() }' 'global n; probe begin { n = 1 }'; do
  hint_of "$script" "this is SystemTap's language: stap -e '...'"
done
# A text without quotes.
hint_of 'BEGIN /execname == cat/ { }' 'a text stands in quotes: "cat"'
hint_of 'syscall::: /probefunc!=read/ { }' 'a text stands in quotes: "read"'
# Names of other tracers, where probes are listed.
for words in syscall.open=syscall::open:entry sys_enter_openat=syscall::openat:entry; do
  for option in -l -ln; do
    run "$DTRACE" "$option" "${words%%=*}"
    want 1
    has err "hint: in D, this is ${words#*=}"
  done
done
# A counter that the kernel cannot count: the reason names what to use, and no name that is similar.
run "$DTRACE" -e -n 'mib:::tcpOutDataBytes { }'
want 1
has err 'use tcp:::send'
! grep -q 'did you mean' "$work/err" || fail 'another counter is meant'
done_testing
