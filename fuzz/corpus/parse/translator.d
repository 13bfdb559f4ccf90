translator psinfo_t < struct task_struct *T > { pr_pid = T->pid; };
provider foo { probe bar__baz(int a, string); probe x(void) : (int, char *); };
BEGIN { trace((xlate <psinfo_t *>(curthread))->pr_pid); }
