// The parts of the kernel's structures that the programs beside this follow.
// libbpf finds each member's place in the running kernel.
#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)
struct upid {
  int nr;
};
struct pid {
  struct upid numbers[1];
};
struct fdtable {
  unsigned int max_fds;
};
struct files_struct {
  struct fdtable* fdt;
};
struct mm_struct {
  int map_count;
  unsigned long arg_start, arg_end;
};
struct signal_struct {
  struct pid* pids[4];
};
struct task_struct {
  unsigned in_execve : 1;
  int pid, tgid;
  struct task_struct *real_parent, *group_leader;
  struct mm_struct* mm;
  struct signal_struct* signal;
  struct files_struct* files;
  char comm[16];
};
#pragma clang attribute pop
