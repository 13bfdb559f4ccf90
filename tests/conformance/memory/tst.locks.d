#pragma D option quiet

/* Locks of the kernel: held by whom. */
BEGIN
{
	this->m = &curthread->signal->cred_guard_mutex;
	printf("%d %d %d %d\n", mutex_owned(this->m), mutex_owner(this->m) == NULL,
	    mutex_type_adaptive(this->m), mutex_type_spin(this->m));
	this->l = &curthread->mm->mmap_lock;
	printf("%d %d %d\n", rw_read_held(this->l), rw_write_held(this->l), rw_iswriter(this->l));
	exit(0);
}
