// entry { self->ts = timestamp; } return /self->ts/ { @ = quantize(timestamp - self->ts); self->ts = 0; }
#include "common.h"

struct {
  __uint(type, BPF_MAP_TYPE_TASK_STORAGE);
  __uint(map_flags, BPF_F_NO_PREALLOC);
  __type(key, int);
  __type(value, __u64);
} started SEC(".maps");

struct hist {
  __u64 buckets[127];
};

struct {
  __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
  __uint(max_entries, 1);
  __type(key, __u32);
  __type(value, struct hist);
} hists SEC(".maps");

struct pt_regs {
  unsigned long r15, r14, r13, r12, bp, bx, r11, r10, r9, r8, ax, cx, dx, si, di, orig_ax;
};
struct task_struct;

SEC("raw_tp/sys_enter")
int enter(struct bpf_raw_tracepoint_args* ctx) {
  FILTER(ctx)
  struct task_struct* task = (struct task_struct*)bpf_get_current_task_btf();
  __u64* ts = bpf_task_storage_get(&started, task, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
  if (ts) *ts = bpf_ktime_get_ns();
  return 0;
}

SEC("raw_tp/sys_exit")
int leave(struct bpf_raw_tracepoint_args* ctx) {
  if (ONE) {
    const struct pt_regs* regs = (const struct pt_regs*)ctx->args[0];
    unsigned long number = 0;
    bpf_probe_read_kernel(&number, sizeof number, &regs->orig_ax);
    if (number != SYS_GETPPID) return 0;
  }
  struct task_struct* task = (struct task_struct*)bpf_get_current_task_btf();
  __u64* ts = bpf_task_storage_get(&started, task, 0, 0);
  if (!ts || !*ts) return 0;
  __u32 zero = 0;
  struct hist* hist = bpf_map_lookup_elem(&hists, &zero);
  int bucket = log2_bucket(bpf_ktime_get_ns() - *ts);
  if (hist && bucket >= 0 && bucket < 127) hist->buckets[bucket] += 1;
  *ts = 0;
  return 0;
}
