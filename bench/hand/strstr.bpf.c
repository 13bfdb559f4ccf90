// strstr(copyinstr(arg0), "words") != NULL { @ = count(); }
#include "common.h"
#include "string.h"
#include "total.h"

SEC("raw_tp/sys_enter")
int enter(struct bpf_raw_tracepoint_args* ctx) {
  FILTER(ctx)
  char path[SIZE];
  const long size = copyinstr(ctx, path);
  __u32 zero = 0;
#pragma clang loop unroll(disable)
  for (int i = 0; i + 5 < SIZE && i + 5 < size; i++) {
    if (path[i] == 'w' && path[i + 1] == 'o' && path[i + 2] == 'r' && path[i + 3] == 'd' && path[i + 4] == 's') {
      __u64* value = bpf_map_lookup_elem(&total, &zero);
      if (value) *value += 1;
      break;
    }
  }
  return 0;
}
