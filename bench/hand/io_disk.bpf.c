// io:::start { @[args[1]->dev_statname] = count(); }
#include "common.h"
#include "kernel.h"
#include "keyed.h"

struct disk {
  char name[32];
};
KEYED(struct disk)

SEC("tp_btf/block_rq_issue")
int issue(__u64* ctx) {
  struct request* rq = (struct request*)ctx[0];
  if ((rq->cmd_flags & 0xff) >= 34) return 0;
  if (rq->deadline) return 0;  // given back by the driver
  struct disk key = {};
  struct gendisk* disk = rq->part ? rq->part->bd_disk : rq->q->disk;
  bpf_probe_read_kernel_str(key.name, sizeof key.name, disk->disk_name);
  return add(&sums, &key, 1);
}
