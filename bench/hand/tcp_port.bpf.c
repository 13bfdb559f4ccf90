// tcp:::send { @[args[4]->tcp_dport] = count(); }
#include "common.h"
#include "kernel.h"
#include "keyed.h"

KEYED(__u32)

SEC("tp_btf/net_dev_queue")
int queue(__u64* ctx) {
  unsigned char* at;
  struct iphdr ip;
  struct tcphdr tcp;
  if (!read_segment((struct sk_buff*)ctx[0], &at, &ip)) return 0;
  if (bpf_probe_read_kernel(&tcp, 4, at + (ip.version_and_length & 15) * 4) != 0) return 0;
  __u32 key = BIG_ENDIAN_16(tcp.dest);
  return add(&sums, &key, 1);
}
