// @ = sum(curthread->real_parent->tgid + curthread->mm->map_count + curthread->in_execve +
//     curthread->signal->pids[1]->numbers[0].nr + curthread->files->fdt->max_fds);
//
// By plain loads: the verifier knows the types of what they lead to.
#include "common.h"
#include "task.h"
#include "total.h"

#include <bpf/bpf_core_read.h>

SEC("raw_tp/sys_enter")
int enter(struct bpf_raw_tracepoint_args* ctx) {
  FILTER(ctx)
  struct task_struct* task = (struct task_struct*)bpf_get_current_task_btf();
  struct task_struct* parent = task->real_parent;
  struct mm_struct* mm = task->mm;
  struct pid* pid = task->signal->pids[1];
  if (!parent || !mm || !pid) return 0;
  __u32 zero = 0;
  __u64* value = bpf_map_lookup_elem(&total, &zero);
  if (value) {
    *value += parent->tgid + mm->map_count + BPF_CORE_READ_BITFIELD(task, in_execve) +
              pid->numbers[0].nr + task->files->fdt->max_fds;
  }
  return 0;
}
