# Events of perf by their names, also of one program; what TCP counts; kinds of page faults.
. "$TESTS/lib.sh"
cp "$(command -v perl)" "$work/perl" || exit 1
# 5,000 pages are touched for the first time. Sampling may leave some out.
out=$("$STAP" -e 'global of_pid, of_program, small
probe perf.sw.page_faults.sample(100) { if (pid() == target()) of_pid++ }
probe perf.sw.page_faults_min.sample(100).process(@1) { of_program++ wrong += pid() != target() }
probe perf.type(1).config(2).sample(100).process("/usr/bin/true") { other++ }
global wrong, other
probe end { printf("%d %d %d %d\n", of_pid >= 25, of_program >= 25, wrong, other) }' \
  -c "$work/perl -e '\$x = \"a\" x 20000000'" "$work/perl") || exit 1
[ "$out" = '1 1 0 0' ] || { echo "page faults: $out"; exit 1; }
out=$("$STAP" -e 'global opened probe tcpmib.* { if (pid() != target()) next; opened[name] += op }
probe end { println(opened["tcpmib.ActiveOpens"]) }' -c "perl -MIO::Socket::INET -e '
  \$s = IO::Socket::INET->new(Listen => 5, LocalAddr => \"127.0.0.1\");
  for (1..3) { \$c = IO::Socket::INET->new(PeerAddr => \"127.0.0.1\", PeerPort => \$s->sockport) or die; \$a = \$s->accept }'") || exit 1
[ "$out" = 3 ] || { echo "connections: $out"; exit 1; }
out=$("$STAP" -e 'probe vm.oom_kill { } probe begin {
  foreach_value(0) foreach_value(4) foreach_value(0x100) foreach_value(0x41) foreach_value(0x204) exit() }
function foreach_value(value) {
  println(vm_fault_contains(value, VM_FAULT_MINOR), vm_fault_contains(value, VM_FAULT_MAJOR), vm_fault_contains(value, VM_FAULT_NOPAGE),
    vm_fault_contains(value, VM_FAULT_OOM), vm_fault_contains(value, VM_FAULT_SIGBUS), vm_fault_contains(value, VM_FAULT_LOCKED),
    vm_fault_contains(value, VM_FAULT_ERROR), vm_fault_contains(value, 7))
}') || exit 1
[ "$out" = '10000000
01000000
10100000
00010010
01000100' ] || { echo "faults: $out"; exit 1; }
refuses() {
  wanted=$1
  shift
  said=$("$STAP" -e "$1" 2>&1) && { echo "accepted: $1"; exit 1; }
  case $said in
    *"$wanted"*) ;;
    *) echo "wanted: $wanted"; echo "$said"; exit 1 ;;
  esac
}
refuses "unknown perf event" 'probe perf.sw.nosuch { }'
refuses "a counter with a frequency is not built: use .sample(N)" 'probe perf.hw.cpu_cycles.hz(5) { }'
refuses "there is no such program" 'probe perf.sw.page_faults.process("/no/such") { }'
refuses "counters are not read at other probes: use .sample(N)" 'probe perf.type(1).config(2).counter("x") { }'
refuses "use kernel.trace(\"scsi:scsi_dispatch_cmd_start\")" 'probe scsi.ioentry { }'
refuses "use kernel.function(\"tty_*\")" 'probe tty.receive { }'
refuses "use dtrace(\"ip:::receive\")" 'probe ipmib.InReceives { }'
refuses "use kernel.function(\"ip_do_fragment\")" 'probe ipmib.FragOKs { }'
refuses "whose \$reason says why a packet is dropped" 'probe ipmib.InDiscards { }'
refuses "the counters of which there is one, such as ipInCksumErrs" 'probe ipmib.OutFoo { }'
refuses "use kernel.function(\"tcp_delack_timer_handler\")" 'probe linuxmib.DelayedACKs { }'
refuses "use kernel.function(\"tcp_enter_memory_pressure\")" 'probe linuxmib.TCPMemoryPressures { }'
refuses "such as tcpRetransSegs" 'probe linuxmib.* { }'
refuses "use kernel.function(\"__dev_open\")" 'probe netdev.open { }'
refuses "use signal.systgkill" 'probe signal.sys_tgkill { }'
refuses "use scheduler.migrate" 'probe scheduler.balance { }'
refuses "use tcp.receive" 'probe tcpmib.InSegs { }'
refuses "probe point mismatch (similar: gc_begin" 'probe hotspot.gc_begn { }'
refuses "hint: stap -l 'hotspot.**' lists those that there are" 'probe hotspot.gc_begn { }'
refuses "hint: install Debian's package openjdk-17-jre-headless, or name the file" 'probe process("/no/such/*/libjvm.so").mark("x") { }'
refuses "use python.function.entry and other points of python" 'probe python3.module("x").function("y") { }'
