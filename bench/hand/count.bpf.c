// @ = count();
#include "common.h"

struct {
  __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
  __uint(max_entries, 1);
  __type(key, __u32);
  __type(value, __u64);
} counts SEC(".maps");

SEC("raw_tp/sys_enter")
int enter(struct bpf_raw_tracepoint_args* ctx) {
  FILTER(ctx)
  __u32 zero = 0;
  __u64* value = bpf_map_lookup_elem(&counts, &zero);
  if (value) *value += 1;
  return 0;
}
