#!/usr/sbin/dtrace -s
/* From where functions, system calls or other probes are reached: stacks, and how often. Descriptions are such as
   'syscall::write:entry', 'pid1234:libc:malloc:entry' or 'io:::start'.
   Source: the probes that the description names. */
#pragma D summary from where functions or other probes are reached
#pragma D flag p process process only in this process
#pragma D flag P processes bool separately for each process
#pragma D flag U user bool only the stacks of programs
#pragma D flag K kernel bool only the stacks of the kernel
#pragma D flag i interval period=365d the time between two reports
#pragma D flag d duration period=365d ends after this time
#pragma D flag D limit period=365d the same
#pragma D flag f folded bool each stack on one line, for flame graphs
#pragma D argument probes string=io:::start a description of probes
#pragma D example stackcount -P -K -d 10 io:::start -- why the disks are used, in ten seconds
#pragma D option quiet
#pragma D option demangle

inline string NAME = $processes ? execname : "all";
inline int NUMBER = $processes ? pid : 0;

BEGIN { printf("Stacks are counted... Ctrl-C ends it.\n"); }

$probes
/!$process || pid == $process/
{
	if ($user)
		@user[NAME, NUMBER, ustack()] = count();
	else if ($kernel)
		@kernel[NAME, NUMBER, stack()] = count();
	else
		@both[NAME, NUMBER, stack(), ustack()] = count();
}

tick-$interval { printf("\n%Y\n", walltimestamp); }

tick-$interval, END
{
	printa("%S %d%ktimes: %@u\n\n", @user);
	printa("%S %d%ktimes: %@u\n\n", @kernel);
	printa("%S %d%k%ktimes: %@u\n\n", @both);
	trunc(@user); trunc(@kernel); trunc(@both);
}

tick-$duration, tick-$limit { exit(0); }
