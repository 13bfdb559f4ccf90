#!/bin/sh
# @@host
# What is mapped where a program has run is known when the program has gone, though the script records an address alone.
out=$("$STAP" -c 'sh -c "for i in 1 2 3 4 5 6 7 8; do /usr/bin/true; done"' -e 'global faults
probe vm.pagefault { if (execname() == "true" && target_set_pid(pid())) faults[pid(), umodname(address)]++ }
probe end {
  foreach ([id, name] in faults) if (name == "true" || isinstr(name, "libc.so")) printf("%d %s\n", id, name)
}') || exit 1
lines=$(printf '%s\n' "$out" | sort -u | grep -c .)
[ "$lines" = 16 ] || { echo "$lines files of 8 processes, and not 16:"; echo "$out"; exit 1; }
