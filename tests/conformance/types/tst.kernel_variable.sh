#!/bin/sh
# Variables of the kernel: by their type, by their address, per CPU.
. "$(dirname "$0")/../../lib.sh"

# Linux 7.2 gives it the letter of functions.
grep -q ' [dDbBT] init_task$' /proc/kallsyms || {
	echo "skipped: this kernel does not tell where its variables are (no CONFIG_KALLSYMS_ALL)"
	exit 77
}
got=$($DTRACE -qn 'BEGIN {
	printf("%s\n", stringof(`init_task.comm));
	printf("%d\n", `init_task.pid);
	printf("%s\n", stringof((char *)&`linux_banner));
	printf("%d\n", *(unsigned int *)&`nr_cpu_ids);
	printf("%d\n", `jiffies > 0 && vmlinux`jiffies == *(unsigned long *)&`jiffies);
	printf("%d\n", `runqueues.cpu == cpu && (&`runqueues)->cpu == cpu);
	exit(0);
}') || exit 1
want="swapper/0
0
$(cat /proc/version)

$(getconf _NPROCESSORS_ONLN)
1
1"
[ "$got" = "$want" ] || { echo "wanted:"; echo "$want"; echo "got:"; echo "$got"; exit 1; }
