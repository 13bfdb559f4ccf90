# Functions of the kernel, and the aliases that are made of them, where the kernel lets its functions be traced.
# @@timeout: 180
. "$TESTS/lib.sh"
"$DTRACE" -l -n fbt::vfs_write:entry >"$work/list" 2>"$work/why" || { head -n 2 "$work/why" | tail -n 1; exit 77; }
writes="$BUILD/tests/workloads/writes"
run_undisturbed "$STAP" -e 'global n, asked, named, done, failed
probe vfs.write { if (pid() == target()) { n++ asked += bytes_to_write if (devname != "" && ino > 0) named++ } }
probe vfs.write.return { if (pid() == target()) { done += bytes_written if (error) failed++ } }
probe kernel.function("vfs_write").call { if (pid() == target()) calls++ }
probe kprobe.function("vfs_write") { if (pid() == target() && $arg3 > 0) calls++ }
global calls
probe end { printf("%d %d %d %d\n", n == named, calls, n, asked >= done) }' -c "$writes 200"
want 0
matches out '^1 [0-9]+ [0-9]+ 1$'
set -- $(cat "$work/out")
[ "$3" -ge 200 ] && [ "$2" -ge $((2 * $3 - 4)) ] || { fail "calls"; cat "$work/out"; }
# Each fault of a page ends, most of them without an error.
run_undisturbed "$STAP" -e 'global faults, good
probe vm.pagefault.return {
  if (pid() != target()) next
  faults++
  if (vm_fault_contains(fault_type, VM_FAULT_MINOR) || vm_fault_contains(fault_type, VM_FAULT_MAJOR)) good++
}
probe end { printf("%d %d\n", faults > 10, good > faults / 2) }' -c true
want 0
matches out '^1 1$'
# Each variable of each alias that is made of a function can be recorded.
lib=$(dirname "$TESTS")/lib/stap
script=
for file in "$lib"/*.stp; do
  for point in $(sed -n 's/^probe \([a-z_.]*\) = kernel.function.*/\1/p' "$file"); do
    names=$(sed -n "/^probe $point = /,/}/p" "$file" | sed "s/^probe $point = //" | sed -n 's/^[^=]*[ {]\([a-z_]*\) = .*/\1/p')
    script="$script probe $point {"
    for name in $names; do script="$script println($name)"; done
    script="$script }"
  done
done
run "$STAP" -p3 -e "$script"
want 0
# The source file of a function is not known, and its name is enough.
run "$STAP" -l 'kernel.function("vfs_write@fs/read_write.c")'
want 0
has out vfs_write
# What is not there has had that name, or its event a point of its own.
run "$STAP" -e 'probe kernel.function("do_sync_read") { }'
want 1
has err "hint: this kernel has no function 'do_sync_read'; vfs.read is the same event"
# A member of a variable of the library, where $file is an argument of the function too.
run_undisturbed "$STAP" -e 'probe vfs.write { if (pid() == target()) println($file == file, " ", __file_filename(file) == filename) }' -c "$writes 1"
want 0
[ "$(sort -u "$work/out")" = "1 1" ] || { fail "of vfs.write"; cat "$work/out"; }
done_testing
