/* Members of curpsinfo and curlwpsinfo agree with what the built-in variables say. */
#pragma D option quiet

BEGIN
{
	printf("%d %d %d\n", curpsinfo->pr_pid == pid, curpsinfo->pr_ppid == ppid, curlwpsinfo->pr_lwpid == tid);
}

BEGIN
{
	printf("%d %d\n", curpsinfo->pr_uid == uid, curpsinfo->pr_gid == gid);
}

BEGIN
{
	printf("%d %d\n", curpsinfo->pr_euid, curpsinfo->pr_egid);
}

BEGIN
{
	printf("%s %d\n", curpsinfo->pr_fname, curpsinfo->pr_nlwp > 0);
}

BEGIN
{
	printf("%d\n", curpsinfo->pr_addr == (uintptr_t)curthread->group_leader);
}

BEGIN
{
	printf("%d\n", curpsinfo->pr_dmodel == PR_MODEL_LP64);
}

BEGIN
{
	printf("%d %c\n", curlwpsinfo->pr_state == SONPROC, curlwpsinfo->pr_sname);
}

BEGIN
{
	printf("%s %d\n", curlwpsinfo->pr_clname, curlwpsinfo->pr_onpro == cpu);
}

BEGIN
{
	printf("%d\n", curcpu->cpu_id == cpu);
}

BEGIN
{
	printf("%d\n", curpsinfo->pr_start.tv_sec > 1000000000 &&
	    curpsinfo->pr_start.tv_sec * 1000000000 <= walltimestamp);
}

BEGIN
{
	printf("%d\n", curpsinfo->pr_pgid == $pgid && curpsinfo->pr_sid == $sid);
}

BEGIN
{
	printf("%d\n", xlate <psinfo_t *> (curthread->real_parent)->pr_pid == ppid);
}

BEGIN
{
	printf("%d %s\n", curpsinfo->pr_zoneid, curpsinfo == NULL ? "none" : "one");
}

BEGIN
{
	exit(0);
}
