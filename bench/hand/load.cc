// load OBJECT: loads a hand-written program with libbpf, attaches it, prints
// "ready" and stays until its standard input ends. A ring, if it has one, is
// read every millisecond, as the consumer of dtrace does.

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <poll.h>
#include <unistd.h>

#include <cstdio>
#include <vector>

namespace {

int on_record(void*, void*, std::size_t) { return 0; }

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: load OBJECT\n");
    return 2;
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
    ring = ring_buffer__new(ring_fd, on_record, nullptr, nullptr);
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
  return 0;
}
