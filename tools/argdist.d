#!/usr/sbin/dtrace -s
/* Which values an argument of a function, system call or other probe has, and how often: arg0 is number 0. At a return,
   number 1 is the value that is returned. Source: the probes that the description names. */
#pragma D summary which values an argument of a function or other probe has
#pragma D flag p process process only in this process
#pragma D flag H histogram bool a histogram over powers of two instead of each value
#pragma D flag T top count=20 how many values
#pragma D flag i interval period=365d the time between two reports
#pragma D flag n count count how many reports
#pragma D flag d duration period=365d ends after this time
#pragma D argument probes string=syscall::read:return a description of probes
#pragma D argument number uint=1 the number of the argument, 0 to 9
#pragma D example argdist -H syscall::write:entry 2 -- how many bytes programs write at once
#pragma D example argdist -d 10 pid1234:libc:malloc:entry 0 -- how much memory process 1234 asks for
#pragma D option quiet
#pragma D option demangle
#pragma D option aggsortrev

inline int64_t VALUE = $number == 0 ? arg0 : $number == 1 ? arg1 : $number == 2 ? arg2 : $number == 3 ? arg3 :
    $number == 4 ? arg4 : $number == 5 ? arg5 : $number == 6 ? arg6 : $number == 7 ? arg7 : $number == 8 ? arg8 : arg9;

BEGIN { printf("Arguments are counted... Ctrl-C ends it.\n"); }

$probes
/!$process || pid == $process/
{
	if ($histogram)
		@each[probefunc] = quantize(VALUE);
	else
		@values[probefunc, VALUE] = count();
}

tick-$interval, END
/!$count || reports++ < $count/
{
	trunc(@values, $top);
	if (!$histogram) printf("%-32s %20s %10s\n", "FUNCTION", "VALUE", "COUNT");
	printa("%-32S %20d %@10u\n", @values);
	printa("  %S%@d\n", @each);
	trunc(@values);
	trunc(@each);
}
tick-$interval /$count && reports == $count/ { exit(0); }
tick-$duration { exit(0); }
