# Members that lead to the memory of the process, to mounts, and what is the
# same everywhere.
. "$TESTS/lib.sh"

cat >"$work/args.d" <<'D'
#pragma D option quiet
syscall::clock_nanosleep:entry
/pid == $target/
{
	this->argv = (userland uint64_t *)curpsinfo->pr_argv;
	this->envp = (userland uint64_t *)curpsinfo->pr_envp;
	printf("%d %s %s %d %s %d\n", curpsinfo->pr_argc, copyinstr(this->argv[0]),
	    copyinstr(this->argv[1]), this->argv[2], copyinstr(this->envp[0]), this->envp[1]);
	printf("%d %d\n", curlwpsinfo->pr_syscall, uregs[R_RAX] == -38);
}
D
run env -i WORD=something "$DTRACE" -s "$work/args.d" -c '/bin/sleep 0.01'
want 0
same out '2 /bin/sleep 0.01 0 WORD=something 0\n230 1\n\n'

cat >"$work/mounts.d" <<'D'
#pragma D option quiet
syscall::read:entry
/pid == $target && fds[arg0].fi_fs != "ext4" && fds[arg0].fi_fs != "overlay"/
{
	printf("%s %s %s %s\n", fds[arg0].fi_fs, fds[arg0].fi_mount, fds[-1].fi_mount, fds[arg0].fi_dirname);
}
D
run "$DTRACE" -s "$work/mounts.d" -c 'cat /proc/self/stat'
want 0
has out 'proc /proc <none> /proc'
echo text | "$DTRACE" -s "$work/mounts.d" -c cat >"$work/out" 2>"$work/err"
has out 'pipefs <unknown> <none> <unknown>'

run "$DTRACE" -qn 'BEGIN {
  printf("CPU %d %d %d %s %d", curcpu->cpu_chip, curcpu->cpu_lgrp, curcpu->cpu_info.pi_state == P_ONLINE,
      curcpu->cpu_info.pi_processor_type, curcpu->cpu_info.pi_clock);
  printf(" %d %d %d %d", chip, lgrp, curlwpsinfo->pr_lgrp, curlwpsinfo->pr_wchan);
  printf(" %d\n", curlwpsinfo->pr_stype == SOBJ_NONE);
  printf("%d %d %d\n", xlate <psinfo_t *> (curthread->real_parent)->pr_argc,
      xlate <psinfo_t *> (curthread->real_parent)->pr_envp,
      xlate <lwpsinfo_t *> (curthread->real_parent)->pr_syscall);
  exit(0);
}'
want 0
same out 'CPU -1 -1 1 x86_64 0 -1 -1 -1 0 1\n0 0 0\n\n'
done_testing
