/* Comparisons, translated members, elements and subroutines in one clause: not too much for any verifier. */
#pragma D option quiet

struct pair { int a; long b[8]; char c[16]; };
struct pair pairs;

BEGIN
{
	this->i = pid & 7;
	pairs.b[this->i] = pid;
	pairs.c[this->i + 1] = 7;
	printf("%d %d %d %d %d %d %d\n", curpsinfo->pr_nlwp > 0, curpsinfo->pr_pid == pid, curpsinfo->pr_ppid == ppid,
	    curpsinfo->pr_pgid > 0, curpsinfo->pr_sid >= 0, curpsinfo->pr_uid == uid, curpsinfo->pr_euid != uid + 1);
	printf("%d %d %d %d %d\n", curpsinfo->pr_gid == gid, curpsinfo->pr_egid < 0, curpsinfo->pr_addr != 0,
	    curpsinfo->pr_dmodel == 2, curpsinfo->pr_taskid <= 0);
	printf("%d %d %s\n", curpsinfo->pr_fname == execname, curpsinfo->pr_psargs == "", dirname(execname));
	printf("%s %s\n", toupper(strjoin("dtrace", "/x")), cleanpath(strjoin(cwd, "/../a")) != "" ? "y" : "n");
	printf("%d %d %d\n", index("dtrace", execname), rindex(execname, "nowhere"), strtoll("12") > 11);
	printf("%d %d %d %s\n", pairs.b[this->i] == pid, pairs.c[this->i + 1], curlwpsinfo->pr_lwpid == tid,
	    strtok(strjoin("first", "/x"), "/"));
	@[lltostr(pairs.b[this->i] != 0)] = quantize(pairs.c[this->i + 1]);
	exit(0);
}
