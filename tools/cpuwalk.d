#!/usr/sbin/dtrace -s
/* On which CPUs programs run: whether the load is spread over all CPUs, or one has it all. Each CPU is looked at some
   times in a second; a CPU that is idle is not counted. Source: the provider profile. */
#pragma D summary on which CPUs programs run
#pragma D flag p process process only this process
#pragma D flag P programs bool by program
#pragma D flag f frequency count=99 how often in a second each CPU is looked at
#pragma D argument duration period=365d ends after this time
#pragma D example cpuwalk 10 -- ten seconds of all programs
#pragma D example cpuwalk -P 10 -- the same, by program
#pragma D option quiet

BEGIN { printf("CPUs are sampled... Ctrl-C ends it.\n"); }

profile-$frequency
/!$process || pid == $process/
{
	@[$programs ? execname : "all programs"] = lquantize(cpu, 0, 1024, 1);
}

tick-$duration { exit(0); }
END { printa("\n  %S%@d", @); }
