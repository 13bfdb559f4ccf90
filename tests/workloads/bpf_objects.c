// bpf_objects: counts the BPF programs and maps in the kernel whose names begin
// with "dt_", and all links: what must be gone when dtrace is gone.
#include <linux/bpf.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static long bpf(int cmd, union bpf_attr* attr) { return syscall(SYS_bpf, cmd, attr, sizeof *attr); }

static int count(int next, int open, int is_program) {
  int found = 0;
  unsigned id = 0;
  for (;;) {
    union bpf_attr attr;
    memset(&attr, 0, sizeof attr);
    attr.start_id = id;
    if (bpf(next, &attr) != 0) return found;
    id = attr.next_id;
    memset(&attr, 0, sizeof attr);
    attr.prog_id = id;
    const int fd = (int)bpf(open, &attr);
    if (fd < 0) continue;
    union {
      struct bpf_prog_info program;
      struct bpf_map_info map;
    } info;
    memset(&info, 0, sizeof info);
    memset(&attr, 0, sizeof attr);
    attr.info.bpf_fd = (unsigned)fd;
    attr.info.info_len = is_program ? sizeof info.program : sizeof info.map;
    attr.info.info = (unsigned long)&info;
    if (bpf(BPF_OBJ_GET_INFO_BY_FD, &attr) == 0) {
      const char* name = is_program ? info.program.name : info.map.name;
      if (strncmp(name, "dt_", 3) == 0) ++found;
    }
    close(fd);
  }
}

static int count_links(void) {
  int found = 0;
  union bpf_attr attr;
  memset(&attr, 0, sizeof attr);
  while (bpf(BPF_LINK_GET_NEXT_ID, &attr) == 0) {
    ++found;
    const unsigned id = attr.next_id;
    memset(&attr, 0, sizeof attr);
    attr.start_id = id;
  }
  return found;
}

int main(void) {
  printf("%d programs, %d maps, %d links\n", count(BPF_PROG_GET_NEXT_ID, BPF_PROG_GET_FD_BY_ID, 1),
         count(BPF_MAP_GET_NEXT_ID, BPF_MAP_GET_FD_BY_ID, 0), count_links());
  return 0;
}
