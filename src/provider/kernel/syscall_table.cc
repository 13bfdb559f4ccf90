#include "provider/kernel/syscall_table.h"

#include <algorithm>
#include <iterator>
#include <unordered_map>

namespace dt::provider {
namespace {

constexpr Syscall kNative[] = {
#define DT_SYSCALL(number, name, types, names) {number, #name, types, names},
#include "provider/kernel/syscall_x86_64.def"
#undef DT_SYSCALL
};

struct I386Syscall {
  std::uint16_t number, key;
  const char* name;
};
constexpr I386Syscall kI386[] = {
#define DT_I386_SYSCALL(number, key, name) {number, key, #name},
#include "provider/kernel/syscall_i386.def"
#undef DT_I386_SYSCALL
};

// The calls that x32 numbers 512, 513, ... by their native number.
constexpr std::uint16_t kX32Own[] = {
    13,   // rt_sigaction
    15,   // rt_sigreturn
    16,   // ioctl
    19,   // readv
    20,   // writev
    45,   // recvfrom
    46,   // sendmsg
    47,   // recvmsg
    59,   // execve
    101,  // ptrace
    127,  // rt_sigpending
    128,  // rt_sigtimedwait
    129,  // rt_sigqueueinfo
    131,  // sigaltstack
    222,  // timer_create
    244,  // mq_notify
    246,  // kexec_load
    247,  // waitid
    273,  // set_robust_list
    274,  // get_robust_list
    278,  // vmsplice
    279,  // move_pages
    295,  // preadv
    296,  // pwritev
    297,  // rt_tgsigqueueinfo
    299,  // recvmmsg
    307,  // sendmmsg
    310,  // process_vm_readv
    311,  // process_vm_writev
    54,   // setsockopt
    55,   // getsockopt
    206,  // io_setup
    209,  // io_submit
    322,  // execveat
    327,  // preadv2
    328,  // pwritev2
};
static_assert(512 + std::size(kX32Own) == kX32Numbers);

}  // namespace

const std::vector<Syscall>& native_syscalls() {
  static const std::vector<Syscall> calls(std::begin(kNative), std::end(kNative));
  return calls;
}

const std::vector<Syscall>& i386_only_syscalls() {
  static const std::vector<Syscall> calls = [] {
    std::vector<Syscall> only;
    for (const I386Syscall& call : kI386) {
      if (call.key >= kI386OnlyKey) only.push_back({call.key, call.name, nullptr, nullptr});
    }
    return only;
  }();
  return calls;
}

const Syscall* find_syscall(std::string_view name) {
  static const std::unordered_map<std::string_view, const Syscall*> by_name = [] {
    std::unordered_map<std::string_view, const Syscall*> map;
    map.reserve(native_syscalls().size() + i386_only_syscalls().size());
    for (const Syscall& call : native_syscalls()) map.emplace(call.name, &call);
    for (const Syscall& call : i386_only_syscalls()) map.emplace(call.name, &call);
    return map;
  }();
  const auto found = by_name.find(name);
  return found == by_name.end() ? nullptr : found->second;
}

const char* syscall_name(std::int64_t number) {
  const auto* const at =
      std::lower_bound(std::begin(kNative), std::end(kNative), number,
                       [](const Syscall& call, std::int64_t wanted) { return call.key < wanted; });
  return at == std::end(kNative) || at->key != number ? nullptr : at->name;
}

std::vector<std::uint16_t> key_table() {
  std::vector<std::uint16_t> table(kX32Numbers + kI386Numbers, kNosysKey);
  for (const Syscall& call : kNative) table[call.key] = static_cast<std::uint16_t>(call.key);
  for (std::size_t i = 0; i < std::size(kX32Own); ++i) table[512 + i] = kX32Own[i];
  for (const I386Syscall& call : kI386) table[kX32Numbers + call.number] = call.key;
  return table;
}

}  // namespace dt::provider
