// bpf_objects: counts the BPF programs and maps in the kernel whose names begin
// with "dt_" and that no process has open, and the links that no process has open:
// what must be gone when dtrace is gone. The maps within a map that is open are open, too.
#include <dirent.h>
#include <linux/bpf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static long bpf(int cmd, union bpf_attr* attr) { return syscall(SYS_bpf, cmd, attr, sizeof *attr); }

enum { kMap, kProgram, kLink, kKinds };

static unsigned held[kKinds][1 << 16];
static unsigned held_count[kKinds];

static void read_ids(const char* path) {
  FILE* const file = fopen(path, "re");
  if (file == 0) return;
  char line[256];
  static const char* const kIds[kKinds] = {"map_id:", "prog_id:", "link_id:"};
  while (fgets(line, sizeof line, file) != 0) {
    for (int kind = 0; kind < kKinds; ++kind) {
      if (strncmp(line, kIds[kind], strlen(kIds[kind])) != 0) continue;
      unsigned* const n = &held_count[kind];
      if (*n < 1 << 16) held[kind][(*n)++] = (unsigned)strtoul(strchr(line, ':') + 1, 0, 10);
    }
  }
  fclose(file);
}

// What processes have open; processes come and go meanwhile.
static void find_held(void) {
  DIR* const all = opendir("/proc");
  if (all == 0) return;
  for (struct dirent* process; (process = readdir(all)) != 0;) {
    char path[600];
    if (process->d_name[0] < '0' || process->d_name[0] > '9') continue;
    snprintf(path, sizeof path, "/proc/%s/fdinfo", process->d_name);
    DIR* const files = opendir(path);
    if (files == 0) continue;
    for (struct dirent* file; (file = readdir(files)) != 0;) {
      if (file->d_name[0] == '.') continue;
      snprintf(path, sizeof path, "/proc/%s/fdinfo/%s", process->d_name, file->d_name);
      read_ids(path);
    }
    closedir(files);
  }
  closedir(all);
}

static int is_held(int kind, unsigned id) {
  for (unsigned i = 0; i < held_count[kind]; ++i) {
    if (held[kind][i] == id) return 1;
  }
  return 0;
}

// The maps within a map, of which user space reads the ids.
static void find_inner(unsigned id) {
  union bpf_attr attr;
  memset(&attr, 0, sizeof attr);
  attr.map_id = id;
  const int fd = (int)bpf(BPF_MAP_GET_FD_BY_ID, &attr);
  if (fd < 0) return;
  struct bpf_map_info info;
  memset(&info, 0, sizeof info);
  memset(&attr, 0, sizeof attr);
  attr.info.bpf_fd = (unsigned)fd;
  attr.info.info_len = sizeof info;
  attr.info.info = (unsigned long)&info;
  if (bpf(BPF_OBJ_GET_INFO_BY_FD, &attr) == 0 && info.type == BPF_MAP_TYPE_ARRAY_OF_MAPS) {
    for (unsigned key = 0, inner = 0; key < info.max_entries; ++key) {
      memset(&attr, 0, sizeof attr);
      attr.map_fd = (unsigned)fd;
      attr.key = (unsigned long)&key;
      attr.value = (unsigned long)&inner;
      unsigned* const n = &held_count[kMap];
      if (bpf(BPF_MAP_LOOKUP_ELEM, &attr) == 0 && *n < 1 << 16) held[kMap][(*n)++] = inner;
    }
  }
  close(fd);
}

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
      if (strncmp(name, "dt_", 3) == 0 && !is_held(is_program, id)) ++found;
    }
    close(fd);
  }
}

static int count_links(void) {
  int found = 0;
  union bpf_attr attr;
  memset(&attr, 0, sizeof attr);
  while (bpf(BPF_LINK_GET_NEXT_ID, &attr) == 0) {
    found += !is_held(kLink, attr.next_id);
    const unsigned id = attr.next_id;
    memset(&attr, 0, sizeof attr);
    attr.start_id = id;
  }
  return found;
}

int main(void) {
  find_held();
  for (unsigned i = 0, open = held_count[kMap]; i < open; ++i) find_inner(held[kMap][i]);
  printf("%d programs, %d maps, %d links\n", count(BPF_PROG_GET_NEXT_ID, BPF_PROG_GET_FD_BY_ID, 1),
         count(BPF_MAP_GET_NEXT_ID, BPF_MAP_GET_FD_BY_ID, 0), count_links());
  return 0;
}
