// fbt entry { self->ts = timestamp; } return /self->ts/ { @ = sum(timestamp - self->ts); self->ts = 0; }
#include "common.h"
#include "fbt.h"
#include "total.h"

struct {
  __uint(type, BPF_MAP_TYPE_TASK_STORAGE);
  __uint(map_flags, BPF_F_NO_PREALLOC);
  __type(key, int);
  __type(value, __u64);
} started SEC(".maps");
struct task_struct;

ENTRY
int enter(void* ctx) {
  struct task_struct* task = (struct task_struct*)bpf_get_current_task_btf();
  __u64* ts = bpf_task_storage_get(&started, task, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
  if (ts) *ts = bpf_ktime_get_ns();
  return 0;
}

RETURN
int leave(void* ctx) {
  struct task_struct* task = (struct task_struct*)bpf_get_current_task_btf();
  __u64* ts = bpf_task_storage_get(&started, task, 0, 0);
  if (!ts || !*ts) return 0;
  __u32 zero = 0;
  __u64* value = bpf_map_lookup_elem(&total, &zero);
  if (value) *value += bpf_ktime_get_ns() - *ts;
  *ts = 0;
  return 0;
}
