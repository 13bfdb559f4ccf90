// See lock_code.h. A function is taken to reach up to where the next one begins, by the table
// that serves to unwind stacks, which stripped files have, too.

#include "provider/lock_code.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <iterator>
#include <limits>
#include <map>
#include <set>

#include "symbol/code_starts.h"
#include "symbol/system_calls.h"

namespace dt::provider {
namespace {

using symbol::Function;
using symbol::Instruction;

constexpr std::uint64_t kMaxCode = 1 << 16;
constexpr std::size_t kMaxReached = 500;  // functions
constexpr int kMaxDepth = 5;              // of calls
constexpr std::uint8_t kCall = 0xe8;

// What comes before the end of a program, and calls much.
constexpr const char* kEnds[] = {"__assert_fail", "__libc_fatal", "__stack_chk_fail", "abort"};

// endbr64; mov $1,%esi; jmp: what pthread_mutex_unlock() is. What it jumps to is also
// what pthread_cond_wait() calls, with the same first argument.
constexpr std::uint8_t kEndbr64[] = {0xf3, 0x0f, 0x1e, 0xfa};
constexpr std::uint8_t kUnlocks[] = {0xbe, 1, 0, 0, 0, 0xe9};

Error unknown(const std::string& what) {
  return Error{fmt::format("{}, as no glibc has it that is known", what), 0, "", ""};
}

struct Code {
  std::uint64_t address = 0;
  std::vector<std::uint8_t> bytes;
  std::vector<Instruction> instructions;
};

class Reader {
 public:
  explicit Reader(const Image& image) : image_(image), starts_(symbol::code_starts(image.elf())) {
    // A program that is linked statically has no such table, but symbols of all.
    const bool has_table = !starts_.empty();
    for (const Function& one : image.functions().all()) {
      if (!has_table && !one.is_resolver) starts_.push_back(one.address);
    }
    for (const char* name : kEnds) {
      for (const Function* one : image.functions().named(name)) ends_.insert(one->address);
    }
  }

  Status function(std::size_t index, LockCode& out);
  Status waits(LockCode& out);

 private:
  Result<const Code*> at(std::uint64_t address);
  std::vector<std::uint64_t> jumps_out(const Code& code) const;
  std::vector<std::uint64_t> calls_of(const Code& code) const;
  Result<std::vector<const Code*>> with_jumps(std::uint64_t address);
  std::vector<std::uint64_t> versions(const char* name);
  Result<const Code*> entered(std::size_t index, std::uint64_t address);

  const Image& image_;
  std::vector<std::uint64_t> starts_;
  std::set<std::uint64_t> ends_;
  std::map<std::uint64_t, Code> codes_;  // by where they begin
};

// The function that holds the address.
Result<const Code*> Reader::at(std::uint64_t address) {
  const auto after = std::upper_bound(starts_.begin(), starts_.end(), address);
  if (after == starts_.begin() || after == starts_.end()) {
    return unknown(fmt::format("nothing says what function the code at 0x{:x} is", address));
  }
  Code& code = codes_[*std::prev(after)];
  if (!code.bytes.empty()) return static_cast<const Code*>(&code);
  code.address = *std::prev(after);
  code.bytes.resize(std::min(*after - code.address, kMaxCode));
  const auto offset = image_.elf().offset_of(code.address);
  if (!offset || !image_.elf().read(*offset, code.bytes.data(), code.bytes.size())) {
    return unknown(fmt::format("the code at 0x{:x} cannot be read", code.address));
  }
  DT_ASSIGN(code.instructions,
            symbol::decode_to(code.bytes, std::numeric_limits<std::uint32_t>::max()));
  return static_cast<const Code*>(&code);
}

std::vector<std::uint64_t> Reader::jumps_out(const Code& code) const {
  std::vector<std::uint64_t> targets;
  for (const Instruction& one : code.instructions) {
    const bool jumps =
        one.flow == Instruction::Flow::kJump || one.flow == Instruction::Flow::kBranch;
    if (!jumps || one.target == std::numeric_limits<std::int64_t>::min()) continue;
    const bool is_out =
        one.target < 0 || one.target >= static_cast<std::int64_t>(code.bytes.size());
    if (is_out) targets.push_back(code.address + static_cast<std::uint64_t>(one.target));
  }
  return targets;
}

std::vector<std::uint64_t> Reader::calls_of(const Code& code) const {
  std::vector<std::uint64_t> targets;
  for (const Instruction& one : code.instructions) {
    std::int32_t distance = 0;
    if (one.length != 1 + sizeof distance || code.bytes[one.offset] != kCall) continue;
    std::memcpy(&distance, &code.bytes[one.offset + 1], sizeof distance);
    targets.push_back(code.address + one.offset + one.length +
                      static_cast<std::uint64_t>(std::int64_t{distance}));
  }
  std::erase_if(targets, [this](std::uint64_t one) { return ends_.contains(one); });
  return targets;
}

// The function, and all that it goes on in.
Result<std::vector<const Code*>> Reader::with_jumps(std::uint64_t address) {
  DT_ASSIGN(const Code* first, at(address));
  std::vector<const Code*> all = {first};
  for (std::size_t i = 0; i < all.size() && all.size() < kMaxReached; ++i) {
    for (const std::uint64_t target : jumps_out(*all[i])) {
      DT_ASSIGN(const Code* next, at(target));
      if (std::find(all.begin(), all.end(), next) == all.end()) all.push_back(next);
    }
  }
  return all;
}

// Where functions of this name begin, but for those that only call another of them: what
// programs were linked with long ago.
std::vector<std::uint64_t> Reader::versions(const char* name) {
  std::set<std::uint64_t> all;
  for (const Function* one : image_.functions().named(name)) all.insert(one->address);
  std::vector<std::uint64_t> own;
  for (const std::uint64_t address : all) {
    const Result<const Code*> code = at(address);
    std::vector<std::uint64_t> targets;
    if (code.ok()) {
      targets = calls_of(**code);
      for (const std::uint64_t jump : jumps_out(**code)) targets.push_back(jump);
    }
    const bool is_older = std::any_of(targets.begin(), targets.end(), [&](std::uint64_t target) {
      return target != address && all.contains(target);
    });
    if (!is_older) own.push_back(address);
  }
  return own;
}

// The code with which the function begins that its probes are about.
Result<const Code*> Reader::entered(std::size_t index, std::uint64_t address) {
  DT_ASSIGN(const Code* code, at(address));
  if (kLockFunctions[index].call != LockCall::kMutexRelease) return code;
  std::span<const std::uint8_t> bytes = code->bytes;
  const auto begins_with = [&bytes](const auto& what) {
    return bytes.size() >= sizeof what && std::memcmp(bytes.data(), what, sizeof what) == 0;
  };
  if (begins_with(kEndbr64)) bytes = bytes.subspan(sizeof kEndbr64);
  const std::vector<std::uint64_t> jumps = jumps_out(*code);
  if (!begins_with(kUnlocks) || jumps.size() != 1) {
    return unknown(fmt::format("'{}' does the work itself", kLockFunctions[index].name));
  }
  return at(jumps[0]);
}

Status Reader::function(std::size_t index, LockCode& out) {
  const char* const name = kLockFunctions[index].name;
  const std::vector<std::uint64_t> addresses = versions(name);
  if (addresses.empty()) return {};
  if (addresses.size() > 1) return unknown(fmt::format("there are several '{}'", name));
  DT_ASSIGN(const Code* code, entered(index, addresses[0]));
  const auto site = symbol::entry_site(code->bytes);
  if (!site) return unknown(fmt::format("no breakpoint may stand where '{}' begins", name));
  LockCode::OfFunction& function = out.functions[index];
  function.entry = *image_.elf().offset_of(code->address) + *site;
  DT_ASSIGN(const std::vector<const Code*> parts, with_jumps(code->address));
  for (const Code* part : parts) {
    const std::uint64_t offset = *image_.elf().offset_of(part->address);
    for (const Instruction& one : part->instructions) {
      if (one.flow == Instruction::Flow::kReturn) function.returns.push_back(offset + one.offset);
    }
  }
  if (function.returns.empty()) return unknown(fmt::format("'{}' never returns", name));
  return {};
}

// Breadth first, so that each function is reached by the fewest calls.
Status Reader::waits(LockCode& out) {
  std::map<const Code*, int> depths;
  std::deque<const Code*> next;
  const auto reach = [&](std::uint64_t address, int depth) -> Status {
    DT_ASSIGN(const std::vector<const Code*> parts, with_jumps(address));
    for (const Code* part : parts) {
      if (depths.try_emplace(part, depth).second) next.push_back(part);
    }
    return {};
  };
  for (const LockFunction& one : kLockFunctions) {
    if (!one.waits) continue;
    for (const std::uint64_t address : versions(one.name)) DT_TRY(reach(address, 0));
  }
  while (!next.empty()) {
    const Code& code = *next.front();
    const int depth = depths[next.front()];
    next.pop_front();
    if (depths.size() > kMaxReached) return unknown("the functions of locks call too many others");
    DT_ASSIGN(const std::vector<symbol::SystemCall> calls, symbol::system_calls(code.bytes));
    for (const symbol::SystemCall& call : calls) {
      if (!call.is_told) {
        return unknown(fmt::format("what the system call behind 0x{:x} is given cannot be told",
                                   code.address + call.before));
      }
      const std::uint64_t offset = *image_.elf().offset_of(code.address) + call.before;
      out.waits.push_back({offset, call.keeps, call.flips});
    }
    if (depth == kMaxDepth) continue;
    for (const std::uint64_t target : calls_of(code)) DT_TRY(reach(target, depth + 1));
  }
  if (out.waits.empty()) return unknown("no system call is found with which locks are waited for");
  return {};
}

}  // namespace

bool is_glibc(const Image& image) {
  const symbol::Functions& functions = image.functions();
  const auto has = [&functions](const char* name) { return !functions.named(name).empty(); };
  return has("pthread_mutex_lock") && (has("gnu_get_libc_version") || has("__lll_lock_wait"));
}

Result<LockCode> lock_code(const Image& image) {
  Reader reader(image);
  LockCode code;
  for (std::size_t i = 0; i < kLockFunctions.size(); ++i) DT_TRY(reader.function(i, code));
  DT_TRY(reader.waits(code));
  return code;
}

}  // namespace dt::provider
