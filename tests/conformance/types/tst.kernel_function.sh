#!/bin/sh
# `function is the address that kallsyms gives, with and without its module.
. "$(dirname "$0")/../../lib.sh"

want=$(awk '$3 == "vfs_read" && NF == 3 { print $1 }' /proc/kallsyms)
got=$($DTRACE -qn 'BEGIN {
	printf("%x %x %x %d\n", (uint64_t)`vfs_read, (uint64_t)&`vfs_read, (uint64_t)vmlinux`vfs_read,
	    `vfs_read == &vmlinux`vfs_read);
	exit(0);
}') || exit 1
[ "$got" = "$want $want $want 1" ] || { echo "wanted $want, got: $got"; exit 1; }

# Its type is known, so that it can be called by no one, but compared and printed.
name=$($DTRACE -qn 'BEGIN { printf("%a\n", (uint64_t)`vfs_read); exit(0); }') || exit 1
[ "$name" = 'vmlinux`vfs_read' ] || { echo "its name is $name"; exit 1; }
