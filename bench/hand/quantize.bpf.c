// @ = quantize(arg0);
#include "common.h"

struct pt_regs {
  unsigned long r15, r14, r13, r12, bp, bx, r11, r10, r9, r8, ax, cx, dx, si, di;
};

struct hist {
  __u64 buckets[127];
};

struct {
  __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
  __uint(max_entries, 1);
  __type(key, __u32);
  __type(value, struct hist);
} hists SEC(".maps");

SEC("raw_tp/sys_enter")
int enter(struct bpf_raw_tracepoint_args* ctx) {
  FILTER(ctx)
  __u32 zero = 0;
  long long arg0 = 0;
  const struct pt_regs* regs = (const struct pt_regs*)ctx->args[0];
  bpf_probe_read_kernel(&arg0, sizeof arg0, &regs->di);
  struct hist* hist = bpf_map_lookup_elem(&hists, &zero);
  int bucket = log2_bucket(arg0);
  if (hist && bucket >= 0 && bucket < 127) hist->buckets[bucket] += 1;
  return 0;
}
