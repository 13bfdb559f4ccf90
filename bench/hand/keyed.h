// A number for each key and CPU.
#define KEYED(type_of_key)                  \
  struct {                                  \
    __uint(type, BPF_MAP_TYPE_PERCPU_HASH); \
    __uint(max_entries, 10240);             \
    __type(key, type_of_key);               \
    __type(value, __u64);                   \
  } sums SEC(".maps");

static __always_inline int add(void* map, void* key, __u64 more) {
  __u64* value = bpf_map_lookup_elem(map, key);
  if (value) {
    *value += more;
  } else {
    bpf_map_update_elem(map, key, &more, BPF_NOEXIST);
  }
  return 0;
}
