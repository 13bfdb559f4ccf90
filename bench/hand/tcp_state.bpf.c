// tcp:::state-change { @[args[3]->tcps_state] = count(); }
#include "common.h"
#include "kernel.h"
#include "keyed.h"

KEYED(__u32)

SEC("tp_btf/inet_sock_set_state")
int state(__u64* ctx) {
  struct sock* sk = (struct sock*)ctx[0];
  if (sk->sk_protocol != 6) return 0;
  __u32 key = (__u32)ctx[2];
  return add(&sums, &key, 1);
}
