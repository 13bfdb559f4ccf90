#!/usr/sbin/dtrace -qs
/*
 * Exercise 3, part 1: what the kernel knows of a process after it has loaded a program, and before it ends. With -c
 * or -p, of that process and its children alone.
 */

proc:::exec-success, proc:::exit
/$target == 0 || progenyof($target)/
{
	printf("%s %s[%d] of %d\n\targuments: %s\n\tdirectory: %s\n\troot: %s\n\tprogram: %s\n", probename, execname, pid,
	    ppid, curpsinfo->pr_psargs, cwd, root, d_path(&curthread->mm->exe_file->f_path));
}
