#include "provider/mechanism/kprobe.h"

#include <linux/bpf.h>
#include <pthread.h>

#include <algorithm>
#include <atomic>

#include "bpf/layout/word_load.h"
#include "machine/x86_64/calls.h"

namespace dt::provider {
namespace {

// So many threads close links. Removing a breakpoint waits several times until no
// program runs that may have seen it; some of these waits exclude each other, and
// others do not.
constexpr std::size_t kClosers = 8, kFewLinks = 4;

struct Closing {
  std::vector<Fd>& links;
  std::atomic<std::size_t> next = 0;

  void run() {
    for (std::size_t at = next++; at < links.size(); at = next++) links[at] = Fd();
  }
};

void* run_closer(void* closing) {
  static_cast<Closing*>(closing)->run();
  return nullptr;
}

}  // namespace

bool RegistersPrologue::prepare(const Needs& needs) {
  needs_key_ = needs.key;
  return false;
}

bpf::Reg RegistersPrologue::enter(bpf::Emitter& emitter, bpf::Reg context, bpf::Label leave) {
  if (!needs_key_) return {};
  const bpf::Reg key = emitter.call(BPF_FUNC_get_attach_cookie, {context});
  if (keys_ > 0) {
    emitter.jump_if_imm(bpf::Cond::kGe, key, static_cast<std::int32_t>(keys_), leave);
  }
  return key;
}

// The calling convention: six arguments in registers, the others on the stack above the return
// address.
bpf::Reg RegistersPrologue::argument(bpf::Emitter& emitter, bpf::Reg context,
                                     std::uint32_t number) {
  if (is_return_)
    return number == 1 ? emitter.load(8, context, machine::kFunctionResult) : emitter.imm(0);
  if (number < machine::kFunctionArguments.size()) {
    return emitter.load(8, context, machine::kFunctionArguments.at(number));
  }
  return bpf::fetch_word(emitter, emitter.stack(8), emitter.load(8, context, machine::kSavedSp),
                         machine::stack_argument(number), 8);
}

bpf::Reg RegistersPrologue::error_number(bpf::Emitter& emitter, bpf::Reg) { return emitter.imm(0); }

bpf::Reg InstructionPrologue::argument(bpf::Emitter& emitter, bpf::Reg, std::uint32_t) {
  return emitter.imm(0);
}

// The breakpoint is one byte, and the kernel says the address behind it, also where
// it has made a jump or a call of the breakpoint.
bpf::Reg InstructionPrologue::kernel_register(bpf::Emitter& emitter, bpf::Reg context,
                                              std::uint32_t number) {
  const auto at = static_cast<std::int32_t>(number) * machine::kSavedWordBytes;
  const bpf::Reg value = emitter.load(8, context, at);
  if (at == machine::kSavedIp) emitter.alu_imm(bpf::Alu::kSub, value, 1);
  return value;
}

FunctionLinks::~FunctionLinks() {
  Closing closing = {links_};
  std::vector<pthread_t> threads;
  if (links_.size() > kFewLinks) {
    const std::size_t wanted = std::min(kClosers, links_.size()) - 1;
    for (pthread_t thread; threads.size() < wanted; threads.push_back(thread)) {
      if (pthread_create(&thread, nullptr, run_closer, &closing) != 0) break;
    }
  }
  closing.run();
  for (const pthread_t thread : threads) pthread_join(thread, nullptr);
}

std::uint64_t FunctionLinks::lost() {
  std::uint64_t missed = 0;
  if (!counts_misses_) return missed;
  for (const Fd& link : links_) {
    const Result<std::uint64_t> count = kernel_.missed_by_link(link);
    if (count.ok()) missed += *count;
  }
  return missed;
}

}  // namespace dt::provider
