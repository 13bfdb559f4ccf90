// @[pid, execname] = sum(1);
#include "common.h"

struct key {
  __u32 pid;
  struct comm comm;
};

struct {
  __uint(type, BPF_MAP_TYPE_PERCPU_HASH);
  __uint(max_entries, 10240);
  __type(key, struct key);
  __type(value, __u64);
} sums SEC(".maps");

SEC("raw_tp/sys_enter")
int enter(struct bpf_raw_tracepoint_args* ctx) {
  FILTER(ctx)
  struct key key = {};
  __u64 one = 1;
  key.pid = bpf_get_current_pid_tgid() >> 32;
  bpf_get_current_comm(key.comm.text, sizeof key.comm.text);
  __u64* value = bpf_map_lookup_elem(&sums, &key);
  if (value) {
    *value += 1;
  } else {
    bpf_map_update_elem(&sums, &key, &one, BPF_NOEXIST);
  }
  return 0;
}
