// trace(pid);
#include "common.h"

struct record {
  __u32 id;
  __u16 cpu;
  __u16 kind;
  __u32 pid;
  __u32 pad;
};

struct {
  __uint(type, BPF_MAP_TYPE_RINGBUF);
  __uint(max_entries, 8 << 20);
} ring SEC(".maps");

SEC("raw_tp/sys_enter")
int enter(struct bpf_raw_tracepoint_args* ctx) {
  FILTER(ctx)
  struct record* record = bpf_ringbuf_reserve(&ring, sizeof *record, 0);
  if (!record) return 0;
  record->id = 1;
  record->cpu = bpf_get_smp_processor_id();
  record->kind = 1;
  record->pid = bpf_get_current_pid_tgid() >> 32;
  bpf_ringbuf_submit(record, BPF_RB_NO_WAKEUP);
  return 0;
}
