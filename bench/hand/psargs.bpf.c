// @[curpsinfo->pr_psargs] = count(), with a strsize of 256.
#include "common.h"
#include "task.h"

struct key {
  char text[256];
};

struct {
  __uint(type, BPF_MAP_TYPE_PERCPU_HASH);
  __uint(max_entries, 10240);
  __type(key, struct key);
  __type(value, __u64);
} counts SEC(".maps");

SEC("raw_tp/sys_enter")
int enter(struct bpf_raw_tracepoint_args* ctx) {
  FILTER(ctx)
  struct task_struct* task = (struct task_struct*)bpf_get_current_task_btf();
  struct mm_struct* mm = task->mm;
  if (!mm) return 0;
  struct key key = {};
  __u64 one = 1;
  __u64 from = mm->arg_start, length = mm->arg_end - from - 1;
  if (length > sizeof key.text - 1) length = sizeof key.text - 1;
  if (bpf_probe_read_user(key.text, length, (const void*)from)) return 0;
#pragma clang loop unroll(disable)
  for (__u32 i = 0; i < sizeof key.text - 1 && i < length; i++) {
    if (!key.text[i]) key.text[i] = ' ';
  }
  __u64* value = bpf_map_lookup_elem(&counts, &key);
  if (value) {
    *value += 1;
  } else {
    bpf_map_update_elem(&counts, &key, &one, BPF_NOEXIST);
  }
  return 0;
}
