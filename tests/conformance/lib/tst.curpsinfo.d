/* Members of curpsinfo and curlwpsinfo agree with what the built-in variables say. */
#pragma D option quiet

BEGIN
{
	printf("%d %d %d\n", curpsinfo->pr_pid == pid, curpsinfo->pr_ppid == ppid, curlwpsinfo->pr_lwpid == tid);
	printf("%d %d\n", curpsinfo->pr_uid == uid, curpsinfo->pr_gid == gid);
	printf("%d %d\n", curpsinfo->pr_euid, curpsinfo->pr_egid);
	printf("%s %d\n", curpsinfo->pr_fname, curpsinfo->pr_nlwp > 0);
	printf("%d\n", curpsinfo->pr_addr == (uintptr_t)curthread->group_leader);
	printf("%d\n", curpsinfo->pr_dmodel == PR_MODEL_LP64);
	printf("%d %c\n", curlwpsinfo->pr_state == SONPROC, curlwpsinfo->pr_sname);
	printf("%s %d\n", curlwpsinfo->pr_clname, curlwpsinfo->pr_onpro == cpu);
	printf("%d\n", curcpu->cpu_id == cpu);
	printf("%d\n", curpsinfo->pr_start.tv_sec > 1000000000 &&
	    curpsinfo->pr_start.tv_sec * 1000000000 <= walltimestamp);
	printf("%d\n", curpsinfo->pr_pgid == $pgid && curpsinfo->pr_sid == $sid);
	printf("%d\n", xlate <psinfo_t *> (curthread->real_parent)->pr_pid == ppid);
	printf("%d %s\n", curpsinfo->pr_zoneid, curpsinfo == NULL ? "none" : "one");
	exit(0);
}
