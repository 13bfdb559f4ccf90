// @[execname] = count();
#include "common.h"

struct {
  __uint(type, BPF_MAP_TYPE_PERCPU_HASH);
  __uint(max_entries, 10240);
  __type(key, struct comm);
  __type(value, __u64);
} counts SEC(".maps");

SEC("raw_tp/sys_enter")
int enter(struct bpf_raw_tracepoint_args* ctx) {
  FILTER(ctx)
  struct comm key = {};
  __u64 one = 1;
  bpf_get_current_comm(key.text, sizeof key.text);
  __u64* value = bpf_map_lookup_elem(&counts, &key);
  if (value) {
    *value += 1;
  } else {
    bpf_map_update_elem(&counts, &key, &one, BPF_NOEXIST);
  }
  return 0;
}
