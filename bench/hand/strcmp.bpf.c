// copyinstr(arg0) == "/usr/share/dict/words" { @ = count(); }
#include "common.h"
#include "string.h"
#include "total.h"

#define WORD(a, b, c, d, e, f, g, h)                                                              \
  ((__u64)(a) | (__u64)(b) << 8 | (__u64)(c) << 16 | (__u64)(d) << 24 | (__u64)(e) << 32 | \
   (__u64)(f) << 40 | (__u64)(g) << 48 | (__u64)(h) << 56)

SEC("raw_tp/sys_enter")
int enter(struct bpf_raw_tracepoint_args* ctx) {
  FILTER(ctx)
  union {
    char bytes[SIZE];
    __u64 words[SIZE / 8];
  } path;
  __u32 zero = 0;
  if (copyinstr(ctx, path.bytes) != sizeof "/usr/share/dict/words") return 0;
  if (path.words[0] != WORD('/', 'u', 's', 'r', '/', 's', 'h', 'a')) return 0;
  if (path.words[1] != WORD('r', 'e', '/', 'd', 'i', 'c', 't', '/')) return 0;
  if ((path.words[2] & 0xffffffffff) != WORD('w', 'o', 'r', 'd', 's', 0, 0, 0)) return 0;
  __u64* value = bpf_map_lookup_elem(&total, &zero);
  if (value) *value += 1;
  return 0;
}
