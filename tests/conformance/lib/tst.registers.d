/* @@options: -q -c "cat /dev/null"
 * @@host
 * Registers under their names of 32 bits, and those that only the thread's
 * structure has: a program of 64 bits has no segments but a place for its thread.
 */
syscall::getppid:entry,
syscall::openat:entry
/pid == $target/
{
	printf("%d %d\n", uregs[R_EDI] == uregs[R_RDI], uregs[R_EIP] == uregs[R_PC]);
	printf("%d %d %d %d\n", uregs[R_DS], uregs[R_ES], uregs[R_FS], uregs[R_GS]);
	printf("%d %d\n", uregs[R_FSBASE] != 0, uregs[R_FSBASE] == curthread->thread.fsbase);
	printf("%d %d\n", uregs[R_TRAPNO] == curthread->thread.trap_nr, uregs[R_ERR] == curthread->thread.error_code);
	exit(0);
}
