// The parts of requests, packets and sockets that the programs beside this read.
#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)
struct gendisk {
  char disk_name[32];
};
struct block_device {
  struct gendisk* bd_disk;
};
struct request_queue {
  struct gendisk* disk;
};
struct request {
  struct request_queue* q;
  unsigned int cmd_flags, __data_len;
  unsigned long deadline;
  struct block_device* part;
  void* end_io_data;
};
struct sk_buff {
  __u16 protocol, network_header, transport_header;
  unsigned char* head;
};
struct sock {
  __u16 sk_protocol;
};
#pragma clang attribute pop

struct iphdr {
  __u8 version_and_length;
  __u8 tos;
  __u16 tot_len, id, frag_off;
  __u8 ttl, protocol;
  __u16 check;
  __u32 saddr, daddr;
};
struct tcphdr {
  __u16 source, dest;
};

#define BIG_ENDIAN_16(value) __builtin_bswap16(value)

// A segment of TCP over IPv4: its IP header; false for any other packet.
static __always_inline int read_segment(struct sk_buff* skb, unsigned char** at, struct iphdr* ip) {
  if (skb->protocol != BIG_ENDIAN_16(0x0800)) return 0;
  *at = skb->head + skb->network_header;
  if (bpf_probe_read_kernel(ip, 20, *at) != 0) return 0;
  return ip->protocol == 6 && (ip->frag_off & BIG_ENDIAN_16(0x1fff)) == 0;
}
