// uprobes OBJECT PATH PID FILE: attaches a hand-written program to a process where it runs the code
// of PATH at the offsets that are the lines of FILE, by one uprobe.multi link. Prints "ready" and
// the ms that the link took, and stays until its standard input ends; then the ms until the link
// was gone.

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

constexpr auto kUprobeMulti = static_cast<bpf_attach_type>(48);

// Arguments of BPF_LINK_CREATE, in the kernel's layout: older headers lack this kind of link.
struct LinkArguments {
  std::uint32_t program = 0, target = 0, attach_type = kUprobeMulti, flags = 0;
  std::uint64_t path = 0, offsets = 0, reference_counters = 0, cookies = 0;
  std::uint32_t count = 0, multi_flags = 0, pid = 0;
};

double now_ms() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double, std::milli>(now).count();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  std::vector<std::uint64_t> offsets;
  std::FILE* const file = std::fopen(argv[4], "r");
  for (std::uint64_t one = 0; file != nullptr && std::fscanf(file, "%" SCNx64, &one) == 1;)
    offsets.push_back(one);
  bpf_object* const object = bpf_object__open(argv[1]);
  bpf_program* const program =
      object == nullptr ? nullptr : bpf_object__next_program(object, nullptr);
  if (program == nullptr || bpf_program__set_expected_attach_type(program, kUprobeMulti) != 0 ||
      bpf_object__load(object) != 0) {
    std::fprintf(stderr, "uprobes: cannot load %s\n", argv[1]);
    return 1;
  }
  LinkArguments arguments;
  arguments.program = static_cast<std::uint32_t>(bpf_program__fd(program));
  arguments.path = reinterpret_cast<std::uintptr_t>(argv[2]);
  arguments.offsets = reinterpret_cast<std::uintptr_t>(offsets.data());
  arguments.count = static_cast<std::uint32_t>(offsets.size());
  arguments.pid = static_cast<std::uint32_t>(std::atoi(argv[3]));
  const double begun = now_ms();
  const long link = ::syscall(SYS_bpf, BPF_LINK_CREATE, &arguments, sizeof arguments);
  if (link < 0) {
    std::perror("uprobes: BPF_LINK_CREATE");
    return 1;
  }
  std::printf("ready %.3f\n", now_ms() - begun);
  std::fflush(stdout);
  while (std::getchar() != EOF) {
  }
  const double ended = now_ms();
  ::close(static_cast<int>(link));
  std::printf("%.3f\n", now_ms() - ended);
  return 0;
}
