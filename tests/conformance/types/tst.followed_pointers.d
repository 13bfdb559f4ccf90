/* Members of structures that lead from the current thread. */
#pragma D option quiet

/* A chain, a value that is used again, and one that is compared. */
BEGIN
{
	this->leader = curthread->group_leader;
	printf("%d %d %d\n", this->leader->tgid == pid,
	    curthread->group_leader->pid == pid,
	    curthread->signal->pids[1]->numbers[0].nr == pid);
	printf("%d %d\n", curthread->mm != NULL, curthread->mm->mm_users.counter > 0);
	printf("%s\n", curthread->mm->exe_file->f_path.dentry->d_name.name ==
	    NULL ? "nothing" : stringof(curthread->mm->exe_file->f_path.dentry->d_name.name));
}

/* As numbers: masked, subtracted, kept. */
BEGIN
{
	kept = curthread->mm;
	printf("%d %d %d\n", (int)((uintptr_t)curthread->mm & 7),
	    (int)((uintptr_t)curthread->mm - (uintptr_t)kept),
	    (int)((uintptr_t)curthread & 7));
	printf("%d\n", kept->map_count == curthread->mm->map_count);
}

/* A member that is 0, and what lies in user memory. */
BEGIN
{
	printf("%d %d\n", curthread->exit_state, curthread->signal->group_exit_code);
	printf("%d\n", *curthread->clear_child_tid == tid);
}

/* A null pointer at the end of a chain is a fault at the member's place. */
BEGIN
{
	printf("%d\n", curthread->pi_blocked_on->tree.prio);
	printf("not reached\n");
}

ERROR
{
	printf("%d %d\n", arg4 == 1, arg5 < 4096);
	exit(0);
}
