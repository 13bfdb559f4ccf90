// @[curpsinfo->pr_fname] = sum(curpsinfo->pr_pid + curpsinfo->pr_ppid + maps of the address space);
#include "common.h"
#include "task.h"

struct {
  __uint(type, BPF_MAP_TYPE_PERCPU_HASH);
  __uint(max_entries, 10240);
  __type(key, struct comm);
  __type(value, __u64);
} sums SEC(".maps");

SEC("raw_tp/sys_enter")
int enter(struct bpf_raw_tracepoint_args* ctx) {
  FILTER(ctx)
  struct task_struct* task = (struct task_struct*)bpf_get_current_task_btf();
  struct task_struct *parent = task->real_parent, *leader = task->group_leader;
  struct mm_struct* mm = task->mm;
  if (!parent || !leader || !mm) return 0;
  struct comm key = {};
  bpf_probe_read_kernel_str(key.text, sizeof key.text, leader->comm);
  __u64 sum = task->tgid + parent->tgid + mm->map_count;
  __u64* value = bpf_map_lookup_elem(&sums, &key);
  if (value) {
    *value += sum;
  } else {
    bpf_map_update_elem(&sums, &key, &sum, BPF_NOEXIST);
  }
  return 0;
}
