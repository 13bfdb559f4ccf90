// io:::start { @ = sum(args[0]->b_bcount); }
#include "common.h"
#include "kernel.h"
#include "total.h"

SEC("tp_btf/block_rq_issue")
int issue(__u64* ctx) {
  struct request* rq = (struct request*)ctx[0];
  if ((rq->cmd_flags & 0xff) >= 34) return 0;  // a driver's own
  if (rq->deadline) return 0;  // given back by the driver
  __u32 zero = 0;
  __u64* value = bpf_map_lookup_elem(&total, &zero);
  if (value) *value += rq->__data_len;
  return 0;
}
