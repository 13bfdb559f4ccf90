// See thread_code.h.
//
// Where a thread's life begins and ends is within glibc's start_thread(), between instructions: the
// routine that the program gave is called there, and behind the call its result is stored. No
// symbol is at these places, and they move with every build. So they are recognised by what the
// instructions do, in the code of the library that is mapped; a build in which they look different
// has no such probes, and PthreadCode::why_no_thread keeps the reason.
//
// An instruction is taken apart by hand, as only a few forms matter:
//
//   [fs prefix 64] [REX 4x] opcode ModRM [SIB] [displacement]
//   ModRM: mod (2 bits) | reg (3) | rm (3); a REX bit extends reg and rm to 16 registers

#include "provider/glibc/thread_code.h"

#include <algorithm>
#include <cstring>

namespace dt::provider {
namespace {

using Code = GlibcCode::Code;
using machine::Instruction;

constexpr std::uint8_t kFs = 0x64, kRexWide = 8, kRexReg = 4, kRexBase = 1;
constexpr int kMostSteps = 8;  // from the return of the start routine to where that is kept
constexpr std::size_t kMostBetween = 4;  // instructions, a routine and its argument
constexpr std::uint8_t kLoad = 0x8b, kStore = 0x89, kIndirect = 0xff, kCallOf = 2, kRdi = 7;

std::uint8_t byte_at(const Code& code, std::size_t offset) {
  return offset < code.bytes.size() ? code.bytes[offset] : 0;
}

std::int32_t word_at(const Code& code, std::size_t offset) {
  std::int32_t word = 0;
  if (offset + sizeof word <= code.bytes.size())
    std::memcpy(&word, &code.bytes[offset], sizeof word);
  return word;
}

// An instruction of one byte of opcode with an operand in memory. mod 0, rm 5 means an address
// relative to the next instruction; rm 4 means that a SIB byte follows, and SIB 0x25 with mod 0 an
// absolute displacement: with the fs prefix, an offset in the thread's structure.
struct Access {
  bool is_thread = false;  // relative to fs
  std::uint8_t rex = 0, opcode = 0, reg = 0;
  std::uint8_t mod = 0, base = 0;
  bool is_relative = false, is_absolute = false;  // to the instruction; without a base
  std::int32_t displacement = 0;                  // where it has one of four bytes
};

Access access_of(const Code& code, const Instruction& one) {
  Access access;
  std::size_t at = one.offset;
  if (byte_at(code, at) == kFs) {
    access.is_thread = true;
    ++at;
  }
  if ((byte_at(code, at) & 0xf0) == 0x40) access.rex = byte_at(code, at++);
  access.opcode = byte_at(code, at++);
  const std::uint8_t modrm = byte_at(code, at++);
  access.mod = modrm >> 6;
  access.reg = static_cast<std::uint8_t>((modrm >> 3 & 7) + ((access.rex & kRexReg) != 0 ? 8 : 0));
  access.base = static_cast<std::uint8_t>((modrm & 7) + ((access.rex & kRexBase) != 0 ? 8 : 0));
  access.is_relative = access.mod == 0 && (modrm & 7) == 5;
  if (access.mod != 3 && (modrm & 7) == 4) {
    access.is_absolute = access.mod == 0 && byte_at(code, at) == 0x25;
    ++at;
  }
  if (access.mod == 2 || access.is_relative || access.is_absolute) {
    access.displacement = word_at(code, at);
  }
  return access;
}

// Whether it is the opcode with that register and a member of a structure.
bool is_of_member(const Access& access, std::uint8_t opcode, std::uint8_t reg) {
  const bool is_member = access.mod == 2 || (access.is_thread && access.is_absolute);
  return is_member && access.opcode == opcode && access.reg == reg && access.displacement > 0;
}

// What a thread begins with: its routine and the argument are members of its structure, one
// behind the other.
//
//   mov N+8(...),%rdi    or    mov N(...),%rax and mov N+8(...),%rdi, in either order;
//   call *N(...)               later, on several ways, call *%rax
struct Routine {
  std::int32_t at = 0;
  std::optional<std::uint8_t> reg;  // that has its address before the calls
};
std::optional<Routine> routine_in(const Code& code) {
  for (std::size_t i = 0; i < code.instructions.size(); ++i) {
    const Access argument = access_of(code, code.instructions[i]);
    if (!is_of_member(argument, kLoad, kRdi) || (argument.rex & kRexWide) == 0) continue;
    const std::size_t first = i < kMostBetween ? 0 : i - kMostBetween;
    for (std::size_t k = first; k < code.instructions.size() && k <= i + kMostBetween; ++k) {
      const Access routine = access_of(code, code.instructions[k]);
      if (std::int64_t{routine.displacement} + 8 != argument.displacement) continue;
      if (is_of_member(routine, kIndirect, kCallOf)) return Routine{routine.displacement, {}};
      if (is_of_member(routine, kLoad, routine.reg) && (routine.rex & kRexWide) != 0) {
        return Routine{routine.displacement, routine.reg};
      }
    }
  }
  return std::nullopt;
}

bool calls(const Code& code, const Instruction& one, const Routine& routine) {
  const Access call = access_of(code, one);
  if (!routine.reg)
    return is_of_member(call, kIndirect, kCallOf) && call.displacement == routine.at;
  return call.opcode == kIndirect && call.mod == 3 && (call.reg & 7) == kCallOf &&
         call.base == *routine.reg;
}

std::optional<std::size_t> index_at(const Code& code, std::int64_t offset) {
  const auto found = std::lower_bound(
      code.instructions.begin(), code.instructions.end(), offset,
      [](const Instruction& one, std::int64_t wanted) { return one.offset < wanted; });
  if (found == code.instructions.end() || found->offset != offset) return std::nullopt;
  return static_cast<std::size_t>(found - code.instructions.begin());
}

// The index behind the instruction that keeps what the start routine has returned, and where.
struct Kept {
  std::size_t behind = 0;
  std::int32_t at = 0;
};
std::optional<Kept> kept_behind(const Code& code, std::size_t call) {
  std::size_t index = call + 1;
  for (int step = 0; step < kMostSteps && index < code.instructions.size(); ++step) {
    const Instruction& one = code.instructions[index];
    const Access access = access_of(code, one);
    const bool is_last = index + 1 == code.instructions.size();
    if (!is_last && is_of_member(access, kStore, 0) && (access.rex & kRexWide) != 0) {
      return Kept{index + 1, access.displacement};
    }
    if (one.flow == Instruction::Flow::kNext) {
      ++index;
      continue;
    }
    const auto target = one.flow == Instruction::Flow::kJump ? index_at(code, one.target)
                                                             : std::optional<std::size_t>();
    if (!target) return std::nullopt;
    index = *target;
  }
  return std::nullopt;
}

bool is_branched_to(const Code& code, std::uint32_t offset) {
  return std::any_of(code.instructions.begin(), code.instructions.end(), [&](const auto& one) {
    return one.flow == Instruction::Flow::kBranch && one.target == offset;
  });
}

}  // namespace

std::optional<ThreadBody> thread_body(const Code& code) {
  const std::optional<Routine> routine = routine_in(code);
  if (!routine) return std::nullopt;
  ThreadBody body;
  body.routine_at = static_cast<std::uint32_t>(routine->at);
  for (std::size_t i = 0; i < code.instructions.size(); ++i) {
    if (!calls(code, code.instructions[i], *routine)) continue;
    const auto kept = kept_behind(code, i);
    if (!kept) continue;
    const std::uint32_t end = code.instructions[kept->behind].offset;
    const auto value_at = static_cast<std::uint32_t>(kept->at);
    const bool is_first = body.calls.empty();
    if (!is_first && (body.end != end || body.value_at != value_at)) return std::nullopt;
    body.calls.push_back(code.instructions[i].offset);
    body.end = end;
    body.value_at = value_at;
  }
  if (body.calls.empty() || !is_branched_to(code, body.end)) return std::nullopt;
  return body;
}

// pthread_exit() unwinds to a setjmp() in start_thread(). `call setjmp; test %eax,%eax; jne
// TARGET`: the target is where a thread goes on that has called it. With -fcf-protection an endbr64
// is behind the call, because longjmp() returns there by an indirect jump.
std::optional<std::uint32_t> after_longjmp(const Code& code,
                                           const std::set<std::uint64_t>& setjmps) {
  constexpr std::uint32_t kEndbr64 = 0xfa1e0ff3, kTestEax = 0xc085;
  const std::vector<Instruction>& all = code.instructions;
  const auto begins_with = [&](std::size_t index, std::uint32_t what, std::uint32_t mask) {
    return (static_cast<std::uint32_t>(word_at(code, all[index].offset)) & mask) == what;
  };
  for (std::size_t i = 0; i + 3 < all.size(); ++i) {
    const std::int64_t distance = word_at(code, all[i].offset + 1);
    const std::uint64_t called =
        code.address + all[i].offset + all[i].length + static_cast<std::uint64_t>(distance);
    if (byte_at(code, all[i].offset) != 0xe8 || !setjmps.contains(called)) continue;
    const std::size_t test = begins_with(i + 1, kEndbr64, 0xffffffff) ? i + 2 : i + 1;
    const Instruction& branch = all[test + 1];
    const bool is_jne = begins_with(test + 1, 0x75, 0xff) || begins_with(test + 1, 0x850f, 0xffff);
    if (!begins_with(test, kTestEax, 0xffff) || !is_jne || !index_at(code, branch.target)) continue;
    return static_cast<std::uint32_t>(branch.target);
  }
  return std::nullopt;
}

// `errno` is a variable of each thread: an access reads its offset from the GOT (initial-exec), or
// has it as a constant (local-exec), and adds it to fs.
std::optional<ErrorNumber> error_number_of(const Code& code) {
  for (std::size_t i = 0; i + 1 < code.instructions.size(); ++i) {
    const Instruction& one = code.instructions[i];
    const Access from = access_of(code, one), to = access_of(code, code.instructions[i + 1]);
    const bool stores = to.opcode == 0x89 || (to.opcode == 0xc7 && to.reg == 0);
    if (!to.is_thread || to.mod != 0 || to.is_absolute || to.is_relative || !stores ||
        (to.rex & kRexWide) != 0 || one.length != 7 || from.is_thread ||
        (from.rex & kRexWide) == 0) {
      continue;
    }
    if (from.opcode == 0x8b && from.is_relative && from.reg == to.base) {
      return ErrorNumber{code.address + one.offset + one.length +
                             static_cast<std::uint64_t>(std::int64_t{from.displacement}),
                         0};
    }
    if (from.opcode == 0xc7 && from.mod == 3 && from.base == to.base) {
      return ErrorNumber{std::nullopt, word_at(code, one.offset + 3)};
    }
  }
  return std::nullopt;
}

}  // namespace dt::provider
