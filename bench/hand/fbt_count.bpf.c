// fbt entry { @ = count(); }
#include "common.h"
#include "fbt.h"
#include "total.h"

ENTRY
int enter(void* ctx) {
  __u32 zero = 0;
  __u64* value = bpf_map_lookup_elem(&total, &zero);
  if (value) *value += 1;
  return 0;
}
