// See lock_code.h.

#include "provider/glibc/lock_code.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <map>

#include "machine/x86_64/system_calls.h"

namespace dt::provider {
namespace {

using Code = GlibcCode::Code;

constexpr std::size_t kMaxReached = 500;  // functions
constexpr int kMaxDepth = 5;              // of calls

// endbr64; mov $1,%esi; jmp: what pthread_mutex_unlock() is. What it jumps to is also
// what pthread_cond_wait() calls, with the same first argument.
constexpr std::uint8_t kEndbr64[] = {0xf3, 0x0f, 0x1e, 0xfa};
constexpr std::uint8_t kUnlocks[] = {0xbe, 1, 0, 0, 0, 0xe9};

// The code with which the function begins that its probes are about.
Result<const Code*> entered(GlibcCode& glibc, std::size_t index, std::uint64_t address) {
  DT_ASSIGN(const Code* code, glibc.at(address));
  if (kLockFunctions[index].call != LockCall::kMutexRelease) return code;
  std::span<const std::uint8_t> bytes = code->bytes;
  const auto begins_with = [&bytes](const auto& what) {
    return bytes.size() >= sizeof what && std::memcmp(bytes.data(), what, sizeof what) == 0;
  };
  if (begins_with(kEndbr64)) bytes = bytes.subspan(sizeof kEndbr64);
  const std::vector<std::uint64_t> jumps = glibc.jumps_out(*code);
  if (!begins_with(kUnlocks) || jumps.size() != 1) {
    return unknown_glibc(fmt::format("'{}' does the work itself", kLockFunctions[index].name));
  }
  return glibc.at(jumps[0]);
}

Status find_function(GlibcCode& glibc, std::size_t index, LockCode& out) {
  const char* const name = kLockFunctions[index].name;
  const std::vector<std::uint64_t> addresses = glibc.versions(name);
  if (addresses.empty()) return {};
  if (addresses.size() > 1) return unknown_glibc(fmt::format("there are several '{}'", name));
  DT_ASSIGN(const Code* code, entered(glibc, index, addresses[0]));
  DT_ASSIGN(out.functions[index], call_sites(glibc, code->address, name));
  return {};
}

// Breadth first, so that each function is reached by the fewest calls.
Status find_waits(GlibcCode& glibc, LockCode& out) {
  std::map<const Code*, int> depths;
  std::deque<const Code*> next;
  const auto reach = [&](std::uint64_t address, int depth) -> Status {
    DT_ASSIGN(const std::vector<const Code*> parts, glibc.with_jumps(address));
    for (const Code* part : parts) {
      if (depths.try_emplace(part, depth).second) next.push_back(part);
    }
    return {};
  };
  for (const LockFunction& one : kLockFunctions) {
    if (!one.waits) continue;
    for (const std::uint64_t address : glibc.versions(one.name)) DT_TRY(reach(address, 0));
  }
  while (!next.empty()) {
    const Code& code = *next.front();
    const int depth = depths[next.front()];
    next.pop_front();
    if (depths.size() > kMaxReached)
      return unknown_glibc("the functions of locks call too many others");
    DT_ASSIGN(const std::vector<machine::SystemCall> calls, machine::system_calls(code.bytes));
    for (const machine::SystemCall& call : calls) {
      if (!call.is_known) {
        return unknown_glibc(fmt::format("what the system call behind 0x{:x} is given is not known",
                                         code.address + call.before));
      }
      out.waits.push_back({glibc.offset_of(code) + call.before, call.keeps, call.flips});
    }
    if (depth == kMaxDepth) continue;
    for (const std::uint64_t target : glibc.calls_of(code)) DT_TRY(reach(target, depth + 1));
  }
  if (out.waits.empty())
    return unknown_glibc("no system call is found with which locks are waited for");
  return {};
}

}  // namespace

Result<LockCode> lock_code(const Image& image) {
  GlibcCode glibc(image);
  LockCode code;
  for (std::size_t i = 0; i < kLockFunctions.size(); ++i) DT_TRY(find_function(glibc, i, code));
  DT_TRY(find_waits(glibc, code));
  std::vector<std::uint64_t> places;
  for (const LockCode::Wait& one : code.waits) places.push_back(one.offset);
  DT_TRY(may_break(image, places));
  return code;
}

}  // namespace dt::provider
