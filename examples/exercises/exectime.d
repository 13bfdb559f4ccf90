#!/usr/sbin/dtrace -qs
/*
 * Exercise 3, part 2: what a command of a shell costs, by the arguments of the program, in microseconds: fork() in
 * the shell, what the child does until it calls execve(), execve() itself, and the program. With -c
 * or -p, of that process and its children alone.
 */

syscall::fork:entry, syscall::vfork:entry, syscall::clone:entry, syscall::clone3:entry
/$target == 0 || progenyof($target)/
{
	self->fork = timestamp;
}

syscall::fork:return, syscall::vfork:return, syscall::clone:return, syscall::clone3:return
/self->fork && (int)arg0 > 0/
{
	@fork[curpsinfo->pr_psargs] = avg((timestamp - self->fork) / 1000);
	self->fork = 0;
}

proc:::start
/$target == 0 || progenyof($target)/
{
	self->born = timestamp;
}

syscall::execve:entry
/self->born/
{
	self->exec = timestamp;
}

proc:::exec-success
/self->exec/
{
	@init[curpsinfo->pr_psargs] = avg((self->exec - self->born) / 1000);
	@exec[curpsinfo->pr_psargs] = avg((timestamp - self->exec) / 1000);
	self->loaded = timestamp;
	self->exec = 0;
}

proc:::exit
/self->loaded/
{
	@own[curpsinfo->pr_psargs] = avg((timestamp - self->loaded) / 1000);
	@count[curpsinfo->pr_psargs] = count();
	self->loaded = 0;
}

END
{
	printf("%-40s %8s\n", "PARENT", "FORK");
	printa("%-40s %@8d\n", @fork);
	printf("\n%-40s %8s %8s %8s %8s\n", "PROGRAM", "STARTED", "INIT", "EXEC", "OWN");
	printa("%-40s %@8d %@8d %@8d %@8d\n", @count, @init, @exec, @own);
}
