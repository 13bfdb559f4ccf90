#!/usr/sbin/dtrace -s
/* Where programs and the kernel spend the time of the CPUs: stacks, with the number of samples that found them. An idle
   CPU is not sampled. Source: the provider profile. */
#pragma D summary where programs and the kernel spend the time of the CPUs
#pragma D flag p process int only this process
#pragma D flag F frequency int=49 samples in a second, on each CPU
#pragma D flag U user bool only the stacks of programs
#pragma D flag K kernel bool only the stacks of the kernel
#pragma D argument duration time=365d ends after this time
#pragma D example profile -U -p 1234 10 -- what process 1234 computes, in ten seconds
#pragma D option quiet

BEGIN { printf("Stacks are sampled until Ctrl-C.\n"); }

profile-$frequency
/!$process || pid == $process/
{
	if ($user)
		@user[execname, pid, ustack()] = count();
	else if ($kernel)
		@kernel[execname, pid, stack()] = count();
	else
		@both[execname, pid, stack(), ustack()] = count();
}

tick-$duration { exit(0); }

END
{
	printa("%S %d%k%@u samples\n\n", @user);
	printa("%S %d%k%@u samples\n\n", @kernel);
	printa("%S %d%k%k%@u samples\n\n", @both);
}
