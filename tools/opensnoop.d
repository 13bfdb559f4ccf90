#!/usr/sbin/dtrace -s
/* Files as they are opened, and by which process; where one could not be opened, FD is -1 and ERR says why.
   Source: the system calls open(), creat(), openat() and openat2(). */
#pragma D summary files as they are opened, and by which process
#pragma D flag p process process only those of this process
#pragma D flag t thread process only those of this thread
#pragma D flag u user user=-1 only those of this user
#pragma D flag n name string only those of programs whose name contains this
#pragma D flag P path string only those whose path contains this, as it is given or as the open file has it
#pragma D flag x failed bool only those that could not be opened
#pragma D flag f flags string only those with one of: O_WRONLY O_RDWR O_CREAT O_EXCL O_TRUNC O_APPEND O_TMPFILE
#pragma D flag F full bool the directory before a path that is relative
#pragma D flag e extended bool also the flags of the call, O_... in hexadecimal
#pragma D flag T timestamps bool also the time of day
#pragma D flag U users bool also the user
#pragma D flag d duration period=365d ends after this time
#pragma D example opensnoop -x -n sshd -- what sshd looks for and does not find
#pragma D example opensnoop -P /etc/ssl -- who reads certificates and keys
#pragma D example opensnoop -T -d 10 -- ten seconds of all files, with the time of day
#pragma D option quiet
#pragma D option strsize=1024
#pragma D option bufsize=16m
#pragma D option switchrate=10hz
/* Bits of the flag, and above them how long its word is with a character behind it. */
inline uint64_t FLAG[string word, uint64_t bits] = strstr(strjoin("|", strjoin($flags, "|")),
    strjoin("|", strjoin(word, "|"))) == NULL ? 0 : bits | (strlen(word) + 1) << 32;
BEGIN /$flags != ""/ {
	this->all = FLAG["O_WRONLY", O_WRONLY] + FLAG["O_RDWR", O_RDWR] + FLAG["O_CREAT", O_CREAT] + FLAG["O_EXCL", O_EXCL] +
	    FLAG["O_TRUNC", O_TRUNC] + FLAG["O_APPEND", O_APPEND] + FLAG["O_TMPFILE", 020000000]; mask = (uint32_t)this->all;
	if (strlen($flags) + 1 != this->all >> 32) { printf("-f: not all are flags: %S; there are ", $flags);
		printf("O_WRONLY O_RDWR O_CREAT O_EXCL O_TRUNC O_APPEND O_TMPFILE, joined by |\n"); exit(2); }
}
BEGIN {
	if ($timestamps) printf("%-20s ", "TIME"); if ($users) printf("%-6s ", "UID");
	printf("%-8s %-16s %4s %4s ", "PID", "COMMAND", "FD", "ERR"); if ($extended) printf("%-8s ", "FLAGS");
	printf("%s\n", "PATH");
}
syscall::open:entry { self->path = arg0; self->flags = arg1; self->in = -100; }	/* AT_FDCWD */
syscall::creat:entry { self->path = arg0; self->flags = O_CREAT | O_WRONLY | O_TRUNC; self->in = -100; }
syscall::openat:entry { self->path = arg1; self->flags = arg2; self->in = (int)arg0; }
syscall::openat2:entry { self->path = arg1; self->how = arg2; self->in = (int)arg0; }
inline string ASKED = strjoin(strjoin(self->in == -100 ? cwd : fds[self->in].fi_pathname, "/"), copyinstr(self->path));
/* Memory is read when the call ends: it is certainly there then. The file that a path leads to has its own in fds[]. */
syscall::openat2:return /self->how/ { self->flags = *(uint64_t *)copyin(self->how, 8); self->how = 0; }
syscall::open:return, syscall::creat:return, syscall::openat:return, syscall::openat2:return
/self->path && (!$process || pid == $process) && (!$thread || tid == $thread) && ($user < 0 || uid == $user) &&
    ($name == "" || strstr(execname, $name) != NULL) && (!$failed || errno) &&
    ($flags == "" || self->flags & mask) && ($path == "" || strstr(copyinstr(self->path), $path) != NULL ||
    (!errno && strstr(fds[arg1].fi_pathname, $path) != NULL) ||
    (errno && *(char *)copyin(self->path, 1) != '/' && strstr(cleanpath(ASKED), $path) != NULL))/
{
	if ($timestamps) printf("%-20Y ", walltimestamp);
	if ($users) printf("%-6d ", uid);
	printf("%-8d %-16S %4d %4d ", pid, execname, errno ? -1 : (int)arg1, errno);
	if ($extended) printf("%08x ", self->flags);
	if ($full) printf("%S\n", *(char *)copyin(self->path, 1) == '/' ? copyinstr(self->path) : ASKED);
	else printf("%S\n", copyinstr(self->path));
}
syscall::open:return, syscall::creat:return, syscall::openat:return, syscall::openat2:return { self->path = 0; }
tick-$duration { exit(0); }
