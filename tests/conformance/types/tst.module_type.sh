#!/bin/sh
# The types of a module of the kernel: named by it, and by their tag alone.
. "$(dirname "$0")/../../lib.sh"

[ -e /sys/kernel/btf/9p ] || {
	echo "skipped: the module 9p is not loaded here, or this kernel has no BTF of modules"
	exit 77
}
got=$($DTRACE -qn 'BEGIN {
	printf("%d %d %d\n", sizeof(struct 9p`v9fs_session_info) > 64,
	    sizeof(struct v9fs_session_info) == sizeof(struct 9p`v9fs_session_info),
	    offsetof(struct v9fs_inode, netfs) >= 0);
	exit(0);
}') || exit 1
[ "$got" = "1 1 1" ] || { echo "got: $got"; exit 1; }
