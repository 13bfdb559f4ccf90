#!/usr/sbin/dtrace -s
/* Privileges of root, or capabilities, that the kernel looks for, on behalf of which program, and whether it has them.
   Source: the tracepoint cap_capable, which Linux 6.12 does not have. */
#pragma D summary privileges of root that programs need
#pragma D flag p process process only those of this process
#pragma D flag x failed bool only those that were missing
#pragma D flag u unique bool each privilege of a process only once
#pragma D flag K stacks bool also the stack of the kernel
#pragma D flag U program bool also the stack of the program
#pragma D example capable -u -- which privileges does each process need? Not each time that it needs them
#pragma D example capable -x -- why is a program not allowed to do something?
#pragma D option quiet
#pragma D option switchrate=10hz

inline string LOW[int c] = c == 0 ? "CHOWN" : c == 1 ? "DAC_OVERRIDE" : c == 2 ? "DAC_READ_SEARCH" :
    c == 3 ? "FOWNER" : c == 4 ? "FSETID" : c == 5 ? "KILL" : c == 6 ? "SETGID" : c == 7 ? "SETUID" :
    c == 8 ? "SETPCAP" : c == 9 ? "LINUX_IMMUTABLE" : c == 10 ? "NET_BIND_SERVICE" : c == 11 ? "NET_BROADCAST" :
    c == 12 ? "NET_ADMIN" : c == 13 ? "NET_RAW" : c == 14 ? "IPC_LOCK" : c == 15 ? "IPC_OWNER" :
    c == 16 ? "SYS_MODULE" : c == 17 ? "SYS_RAWIO" : c == 18 ? "SYS_CHROOT" : c == 19 ? "SYS_PTRACE" :
    c == 20 ? "SYS_PACCT" : "SYS_ADMIN";
inline string HIGH[int c] = c == 22 ? "SYS_BOOT" : c == 23 ? "SYS_NICE" : c == 24 ? "SYS_RESOURCE" :
    c == 25 ? "SYS_TIME" : c == 26 ? "SYS_TTY_CONFIG" : c == 27 ? "MKNOD" : c == 28 ? "LEASE" :
    c == 29 ? "AUDIT_WRITE" : c == 30 ? "AUDIT_CONTROL" : c == 31 ? "SETFCAP" : c == 32 ? "MAC_OVERRIDE" :
    c == 33 ? "MAC_ADMIN" : c == 34 ? "SYSLOG" : c == 35 ? "WAKE_ALARM" : c == 36 ? "BLOCK_SUSPEND" :
    c == 37 ? "AUDIT_READ" : c == 38 ? "PERFMON" : c == 39 ? "BPF" : c == 40 ? "CHECKPOINT_RESTORE" : "-";

BEGIN { printf("%-20s %-6s %-8s %-16s %-3s %-20s %s\n", "TIME", "UID", "PID", "COMMAND", "CAP", "NAME", "RESULT"); }

sdt:capability::cap_capable
/(!$process || pid == $process) && (!$failed || args[4]) && (!$unique || !seen[pid, args[3]]++)/
{
	printf("%-20Y %-6d %-8d %-16S %-3d %-20s %s\n", walltimestamp, uid, pid, execname, args[3],
	    args[3] < 22 ? LOW[args[3]] : HIGH[args[3]], args[4] ? "missing" : "granted");
	if ($stacks) stack();
	if ($program) ustack();
}
