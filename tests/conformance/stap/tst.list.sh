# -l and -L list points with what they know: system calls, aliases, tracepoints, functions and marks of programs; what is
# not there is a list of nothing with status 1, and -v says what is similar.
. "$TESTS/lib.sh"
programs=$BUILD/tests/workloads
lists() {
  wanted=$1
  shift
  run "$STAP" "$@"
  want 0
  [ "$(cat "$work/out")" = "$wanted" ] || { fail "$*"; cat "$work/out"; }
}
lists begin -l begin
lists 'timer.s(1)' -L 'timer.s(1)'
lists 'syscall.close.return name:string retstr:string $return:long' -L syscall.close.return
lists 'scheduler.migrate task:long pid:long tid:long priority:long cpu_from:long cpu_to:long name:string $p:struct task_struct* $dest_cpu:int' -L scheduler.migrate
lists "process(\"$programs/family\").function(\"lookup\") \$first:struct name* \$wanted:const char*" \
  -L "process(\"$programs/family\").function(\"look*\")"
lists "process(\"$programs/family\").function(\"lookup\").return \$return:const struct name*" \
  -L "process(\"$programs/family\").function(\"lookup\").return"
lists "process(\"$programs/usdt\").provider(\"demo2\").mark(\"twice\") \$arg1:uint64_t \$arg2:uint32_t" \
  -L "process(\"$programs/usdt\").mark(\"tw*\")"
run "$STAP" -l 'scheduler.*'
want 0
has out scheduler.process_fork
# `**` is any text, also over dots.
lists ioscheduler.elv_add_request.tp -l 'io**.tp'
lists ioscheduler.elv_add_request.tp -l '**.tp'
run "$STAP" -l 'kernel.trace("sched_sw*")'
want 0
has out 'kernel.trace("sched:sched_switch")'
lacks() {
  run "$STAP" -l "$1"
  want 1
  same out ''
  same err ''
  run "$STAP" -v -l "$1"
  want 1
  has err "$2"
}
lacks syscall.opne 'probe point mismatch (similar: clone, open'
lacks scheduler.ctxswich 'probe point mismatch (similar: ctxswitch'
lacks netfilter.ipv4.forwards '(similar: netfilter.ipv4.forward)'
lacks 'kernel.trace("sched_swich")' 'no match (similar: sched_switch'
lacks 'process("ls").function("mai*")' "has no function that matches 'mai*'"
run "$STAP" -l 'syscall.'
want 1
has err 'parse error'
run "$STAP" --dump-probe-types
has out 'process(string).mark(string)'
run "$STAP" --dump-probe-aliases
has out 'vfs.read.return'
run "$STAP" --dump-functions
has out 'qs_wait:unknown (name:string)'
done_testing
