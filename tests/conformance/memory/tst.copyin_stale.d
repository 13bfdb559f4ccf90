/*
 * Behind what copyin() and alloca() give are zeros, never what earlier firings were given:
 * strings end where the copied bytes end, and memory that is read beyond them is empty.
 *
 * @@options: -q -c "sh -c 'exec >/dev/null; printf abcdefghijklmnopqrstuvwxyz-abcdefghijklmnopqrstuvwxyz; printf 0123456789; printf XYZ'"
 */
syscall::write:entry
/pid == $target/
{
	printf("[%s] ", stringof(copyin(arg1, arg2)));
	printf("%d ", strlen(stringof(copyin(arg1, arg2))));
	this->p = (char *)copyin(arg1, arg2);
	printf("%d ", *(this->p + 32));
	this->a = (char *)alloca(arg2);
	printf("[%s] ", stringof(this->a));
	copyinto(arg1, arg2, this->a);
	printf("[%s]\n", stringof(this->a));
}

/* What this firing leaves in its frame, where the next one of the other probe has its memory. */
syscall::write:return
/pid == $target/
{
	this->left = strjoin("0123456789abcdef0123456789abcdef0123456789abcdef", execname);
	@left[this->left, strtok(this->left, "/")] = count();
}

END
{
	trunc(@left);
}
