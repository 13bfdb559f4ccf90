// multi FILE: attaches a program that does nothing to the functions whose addresses are the lines of FILE, by one
// kprobe.multi link and nothing else, and prints the ns until the link was there and those until it was gone.
#define _GNU_SOURCE
#include <linux/bpf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { kMost = 1 << 17, kTraceKprobeMulti = 42 };

static uint64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

// Arguments of BPF_LINK_CREATE, in the kernel's layout: older headers lack this kind of link.
struct link_arguments {
  uint32_t program, target, attach_type, flags;
  uint32_t multi_flags, count;
  uint64_t symbols, addresses, cookies;
};

int main(int argc, char **argv) {
  static uint64_t addresses[kMost];
  FILE *const file = argc == 2 ? fopen(argv[1], "r") : NULL;
  if (file == NULL) return 2;
  uint32_t count = 0;
  while (count < kMost && fscanf(file, "%lx", &addresses[count]) == 1) count++;
  struct bpf_insn nothing[] = {{.code = BPF_ALU64 | BPF_MOV | BPF_K}, {.code = BPF_JMP | BPF_EXIT}};
  union bpf_attr load;
  memset(&load, 0, sizeof load);
  load.prog_type = BPF_PROG_TYPE_KPROBE;
  load.insns = (uint64_t)(uintptr_t)nothing;
  load.insn_cnt = 2;
  load.license = (uint64_t)(uintptr_t) "GPL";
  load.expected_attach_type = kTraceKprobeMulti;
  const long program = syscall(SYS_bpf, BPF_PROG_LOAD, &load, sizeof load);
  if (program < 0) return perror("BPF_PROG_LOAD"), 1;
  struct link_arguments arguments = {.program = (uint32_t)program, .attach_type = kTraceKprobeMulti, .count = count,
                                     .addresses = (uint64_t)(uintptr_t)addresses};
  const uint64_t begun = now();
  const long link = syscall(SYS_bpf, BPF_LINK_CREATE, &arguments, sizeof arguments);
  const uint64_t attached = now();
  if (link < 0) return perror("BPF_LINK_CREATE"), 1;
  close((int)link);
  printf("%lu %lu %u\n", attached - begun, now() - attached, count);
  return 0;
}
