#!/usr/sbin/dtrace -s
/* Page faults of programs: how many, by program or by the stack that touches the memory. Most are first uses of
   memory; a few wait for a disk. Source: the tracepoint page_fault_user. */
#pragma D summary page faults of programs, by program or stack
#pragma D flag p process process only in this process
#pragma D flag n name string only in programs whose name contains this
#pragma D flag s stacks bool by stack
#pragma D flag T top count=20 how many rows
#pragma D argument duration period=365d ends after this time
#pragma D example pagefaults -s -p 1234 10s -- which code of process 1234 uses new memory
#pragma D option quiet

BEGIN { printf("Page faults are counted... Ctrl-C ends it.\n"); }

sdt:exceptions::page_fault_user
/(!$process || pid == $process) && ($name == "" || strstr(execname, $name) != NULL)/
{
	if ($stacks) @stacks[execname, ustack()] = count();
	else @programs[pid, execname] = count();
}

tick-$duration { exit(0); }
END
{
	trunc(@stacks, $top);
	trunc(@programs, $top);
	printa("%S%k%@u\n\n", @stacks);
	printa("%-8d %-16S %@10u\n", @programs);
}
