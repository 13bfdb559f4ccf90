// load OBJECT [FILE]: loads a hand-written program with libbpf, attaches it,
// prints "ready" and stays until its standard input ends. A ring, if it has one,
// is read every millisecond, as the consumer of dtrace does, and each record's
// process id becomes a line of FILE: a job is done when its output is written.

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <poll.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

namespace {

// As hand/trace_pid.bpf.c writes it.
int on_record(void* file, void* record, std::size_t) {
  std::uint32_t pid = 0;
  std::memcpy(&pid, static_cast<const char*>(record) + 8, sizeof pid);
  std::fprintf(static_cast<std::FILE*>(file), "%u\n", pid);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2 && argc != 3) {
    std::fprintf(stderr, "usage: load OBJECT [FILE]\n");
    return 2;
  }
  std::FILE* const file = std::fopen(argc == 3 ? argv[2] : "/dev/null", "w");
  if (file == nullptr) {
    std::fprintf(stderr, "load: cannot write %s\n", argv[2]);
    return 1;
  }
  bpf_object* object = bpf_object__open(argv[1]);
  if (object == nullptr || bpf_object__load(object) != 0) {
    std::fprintf(stderr, "load: cannot load %s\n", argv[1]);
    return 1;
  }
  std::vector<bpf_link*> links;
  bpf_program* program = nullptr;
  bpf_object__for_each_program(program, object) {
    bpf_link* link = bpf_program__attach(program);
    if (link == nullptr) {
      std::fprintf(stderr, "load: cannot attach %s\n", bpf_program__name(program));
      return 1;
    }
    links.push_back(link);
  }
  ring_buffer* ring = nullptr;
  const int ring_fd = bpf_object__find_map_fd_by_name(object, "ring");
  if (ring_fd >= 0) {
    ring = ring_buffer__new(ring_fd, on_record, file, nullptr);
  }
  std::printf("ready\n");
  std::fflush(stdout);
  for (;;) {
    pollfd input = {0, POLLIN, 0};
    const int ready = ::poll(&input, 1, ring != nullptr ? 1 : -1);
    if (ready > 0) {
      break;
    }
    if (ring != nullptr) {
      ring_buffer__consume(ring);
    }
  }
  for (bpf_link* link : links) {
    bpf_link__destroy(link);
  }
  if (ring != nullptr) {
    ring_buffer__free(ring);
  }
  bpf_object__close(object);
  std::fclose(file);
  return 0;
}
