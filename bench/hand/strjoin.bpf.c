// @[strjoin("file ", basename(copyinstr(arg0)))] = count();
#include "common.h"
#include "string.h"

struct {
  __uint(type, BPF_MAP_TYPE_PERCPU_HASH);
  __uint(max_entries, 10240);
  __type(key, struct text);
  __type(value, __u64);
} counts SEC(".maps");

struct {
  __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
  __uint(max_entries, 1);
  __type(key, __u32);
  __type(value, char[2 * SIZE]);
} paths SEC(".maps");

SEC("raw_tp/sys_enter")
int enter(struct bpf_raw_tracepoint_args* ctx) {
  FILTER(ctx)
  __u32 zero = 0;
  char* path = bpf_map_lookup_elem(&paths, &zero);
  if (!path) return 0;
  const long size = copyinstr(ctx, path);
  if (size <= 0 || size > SIZE) return 0;
  struct text key = {"file "};
  __u64 one = 1;
  __u32 start = size;
#pragma clang loop unroll(disable)
  while (start > 0 && start <= SIZE && path[start - 1] != '/') start--;
  bpf_probe_read_kernel_str(key.bytes + 5, SIZE - 5, path + (start & (SIZE - 1)));
  __u64* value = bpf_map_lookup_elem(&counts, &key);
  if (value) {
    *value += 1;
  } else {
    bpf_map_update_elem(&counts, &key, &one, BPF_NOEXIST);
  }
  return 0;
}
