#!/usr/sbin/dtrace -s
/* Where programs and the kernel spend the time of the CPUs: stacks, with the number of samples that found them. An idle
   CPU is not sampled. A stack begins with the instruction that runs, so that a function which computes has many stacks:
   with -i, samples are counted by function, where there are symbols, without callers; with -i and -j, by the innermost
   function, which may be one of Python, Ruby, Java or Node. A number behind the name of a program is an address in code
   without symbols: the program is stripped. Source: the provider profile. */
#pragma D summary where programs and the kernel spend the time of the CPUs
#pragma D flag p process process only this process
#pragma D flag L thread process only this thread
#pragma D flag F frequency count=49 samples in a second, on each CPU
#pragma D flag j names bool with the functions of programs in Python, Ruby, Java and Node
#pragma D flag U user bool only the stacks of programs
#pragma D flag K kernel bool only the stacks of the kernel
#pragma D flag i functions bool only the functions that run, without their callers
#pragma D flag f folded bool each stack on one line, for flame graphs
#pragma D argument duration period=365d ends after this time
#pragma D example profile -U -p 1234 10 -- what process 1234 computes, in ten seconds
#pragma D example profile -i -c 'make' -- the functions that compute while make runs, in it and its children
#pragma D option quiet

inline int OF_PROCESS = $process ? pid == $process : $target ? progenyof($target) : 1;
inline int WANTED = OF_PROCESS && (!$thread || tid == $thread);

BEGIN { printf("Stacks are sampled... Ctrl-C ends it.\n"); }

profile-$frequency
/WANTED/
{
	if ($functions && arg0)
		@kernels[execname, func(arg0)] = count();
	else if ($functions && $names)
		@tops[execname, jstack(1)] = count();
	else if ($functions)
		@users[execname, ufunc(arg1)] = count();
	else if ($names)
		@names[execname, pid, jstack()] = count();
	else if ($user)
		@user[execname, pid, ustack()] = count();
	else if ($kernel)
		@kernel[execname, pid, stack()] = count();
	else
		@both[execname, pid, stack(), ustack()] = count();
}

tick-$duration { exit(0); }

END
{
	if ($functions) printf("%-16s %-50s %8s\n", "COMMAND", "FUNCTION", "SAMPLES");
	printa("%-16S %-50a %@8u\n", @kernels);
	printa("%-16S %-50A %@8u\n", @users);
	printa("%S%ksamples: %@u\n\n", @tops);
	printa("%S %d%ksamples: %@u\n\n", @user);
	printa("%S %d%ksamples: %@u\n\n", @names);
	printa("%S %d%ksamples: %@u\n\n", @kernel);
	printa("%S %d%k%ksamples: %@u\n\n", @both);
}
