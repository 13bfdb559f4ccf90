# What is listed, what is made when it is named, and what is refused and why.
. "$TESTS/lib.sh"
run "$DTRACE" -l -P cpc
want 0
has out 'page_faults-all-1'
has out 'context_switches-all-1'
has out 'cpu_clock-all-1000000'

run "$DTRACE" -l -n 'cpc:::page_faults-user-7' -n 'minor_faults-kernel-3'
want 0
has out 'page_faults-user-7'
has out 'minor_faults-kernel-3'

refused() {
  run "$DTRACE" -n "$1"
  want 1
  has err "$2"
}
refused cpc:::nothing-all-5000 'there is no event nothing (dtrace -l -P cpc lists them)'
refused cpc:::PAPI_tot_cyc-all-10000 "there is no event PAPI_tot_cyc (the kernel's name for it is cpu_cycles)"
refused cpc:::PAPI_fp_ops-all-10000 'there is no event PAPI_fp_ops (the kernel has no name for it: an event of the'
refused cpc:::page_faults-both-1 'the mode both is none of user, kernel and all'
refused cpc:::page_faults-all-x 'the count x is no number of events'
refused cpc:::page_faults-all-0 'the count 0 is less than 1, the least of page_faults'
refused cpc:::cpu_clock-all-1000 'the count 1000 is less than 200000, the least of cpu_clock'
refused cpc:::page_faults 'a probe of cpc is an event, a mode and a count'

# Switches from one thread to another: none but those that the scheduler's probe has. (Where others are at work in BPF's
# maps meanwhile, the kernel leaves some out.)
run "$DTRACE" -qn 'cpc:::context_switches-all-1 { @cpc = count(); } sched:::off-cpu { @sched = count(); }
  tick-1s { printa("%@d %@d\n", @cpc, @sched); exit(0); }'
want 0
awk '$1 > 0 && $1 <= $2 * 1.2 + 20 { good = 1 } END { exit !good }' "$work/out" ||
  fail "context switches: $(cat "$work/out")"
done_testing
