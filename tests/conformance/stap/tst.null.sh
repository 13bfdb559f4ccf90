# A pointer on the way to a member may be NULL, as that of kernel threads to their memory: the firing counts, the
# handler may ask before, and who does not gets an error that can be caught.
out=$("$STAP" -e 'global asked, had_none, caught, read, ended
  probe kernel.trace("sched_switch") {
    if ($next->mm && $next->mm->map_count) asked++; else had_none++
    try { if ($next->mm->map_count > 0) read++ } catch (message) { caught++ }
    if (asked > 50 && had_none > 5) ended = 1
  }
  probe timer.ms(50) { if (ended) exit() }
  probe end { printf("%d %d\n", asked == read, had_none == caught) }' 2>"${TMPDIR:-/tmp}/null.$$")
said=$(cat "${TMPDIR:-/tmp}/null.$$")
rm -f "${TMPDIR:-/tmp}/null.$$"
[ "$out" = "1 1" ] && [ -z "$said" ] || { echo "$out $said"; exit 1; }
