// @ = sum(strlen(copyinstr(arg0)));
#include "common.h"
#include "string.h"
#include "total.h"

SEC("raw_tp/sys_enter")
int enter(struct bpf_raw_tracepoint_args* ctx) {
  FILTER(ctx)
  char path[SIZE];
  const long size = copyinstr(ctx, path);
  if (size <= 0) return 0;
  __u32 zero = 0;
  __u64* value = bpf_map_lookup_elem(&total, &zero);
  if (value) *value += size - 1;
  return 0;
}
