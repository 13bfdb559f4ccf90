// Nothing, where io (0) and tcp (1) have programs.
#include "common.h"

#if ONE
SEC("tp_btf/inet_sock_set_state")
#else
SEC("tp_btf/block_rq_issue")
#endif
int nothing(__u64* ctx) { return 0; }
