// @[stack()] = count();
#include "common.h"

struct {
  __uint(type, BPF_MAP_TYPE_STACK_TRACE);
  __uint(max_entries, 16384);
  __uint(key_size, sizeof(__u32));
  __uint(value_size, 127 * sizeof(__u64));
} stacks SEC(".maps");

struct {
  __uint(type, BPF_MAP_TYPE_PERCPU_HASH);
  __uint(max_entries, 16384);
  __type(key, __u32);
  __type(value, __u64);
} counts SEC(".maps");

SEC("raw_tp/sys_enter")
int enter(struct bpf_raw_tracepoint_args* ctx) {
  FILTER(ctx)
  __u32 id = bpf_get_stackid(ctx, &stacks, 0);
  __u64* value = bpf_map_lookup_elem(&counts, &id);
  if (value) {
    *value += 1;
  } else {
    __u64 one = 1;
    bpf_map_update_elem(&counts, &id, &one, BPF_ANY);
  }
  return 0;
}
