/* @@stderr: hint: a thread of the kernel is a 'struct task_struct' */
BEGIN { x = ((kthread_t *)curthread)->t_did; }
