// What every hand-written program shares. Each is what a careful author would
// write for the job with clang -O2: raw tracepoints, per-CPU maps, no wake-ups.
#include <linux/bpf.h>
#include <linux/types.h>

#include <bpf/bpf_helpers.h>

char LICENSE[] SEC("license") = "GPL";

#define SYS_GETPPID 110

// ONE is defined to 1 to trace getppid() only, to 0 for every system call.
#ifndef ONE
#define ONE 0
#endif
#define FILTER(ctx)                                    \
  if (ONE && (ctx)->args[1] != SYS_GETPPID) return 0;

struct comm {
  char text[16];
};

static __always_inline int log2_bucket(long long value) {
  if (value == 0) return 63;
  unsigned long long v = value < 0 ? -value : value;
  int n = 0;
  if (v >> 32) { n += 32; v >>= 32; }
  if (v >> 16) { n += 16; v >>= 16; }
  if (v >> 8) { n += 8; v >>= 8; }
  if (v >> 4) { n += 4; v >>= 4; }
  if (v >> 2) { n += 2; v >>= 2; }
  if (v >> 1) n += 1;
  return value < 0 ? 62 - n : 64 + n;
}
