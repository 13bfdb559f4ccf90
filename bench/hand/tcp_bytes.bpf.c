// tcp:::send { @[args[2]->ip_saddr] = sum(args[2]->ip_plength); }
#include "common.h"
#include "kernel.h"
#include "keyed.h"

KEYED(__u32)

SEC("tp_btf/net_dev_queue")
int queue(__u64* ctx) {
  unsigned char* at;
  struct iphdr ip;
  if (!read_segment((struct sk_buff*)ctx[0], &at, &ip)) return 0;
  __u32 key = ip.saddr;
  return add(&sums, &key, BIG_ENDIAN_16(ip.tot_len) - (ip.version_and_length & 15) * 4);
}
