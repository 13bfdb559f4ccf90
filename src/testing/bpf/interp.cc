// The interpreter's loop: registers, frames, arithmetic, memory, jumps.

#include "testing/bpf/interp.h"

#include <fmt/core.h>

#include <array>
#include <bit>
#include <cstring>
#include <set>
#include <utility>

#include "bpf/asm/insn.h"
#include "testing/bpf/interp_helper.h"

namespace dt::bpf {
namespace {

constexpr std::size_t kMaxFrames = 8;
constexpr std::uint32_t kStackBytes = 512;
constexpr std::uint32_t kRegs = 11;

std::uint64_t sign_extend(std::uint64_t value, std::uint32_t bytes) {
  const unsigned shift = 64 - bytes * 8;
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(value << shift) >> shift);
}

std::uint64_t extended(std::int32_t imm) { return static_cast<std::uint64_t>(std::int64_t{imm}); }

std::uint64_t byte_swapped(std::uint64_t value, std::int32_t bits) {
  return __builtin_bswap64(value) >> (64 - bits);
}

class Interpreter {
 public:
  Interpreter(const Object& object, World& world, std::uint64_t budget)
      : object_(object), world_(world), budget_(budget) {
    for (const Relocation& r : object.relocations) relocations_[r.insn] = &r;
  }

  RunResult run(std::span<std::uint8_t> context) {
    Region region;
    region.bytes.assign(context.begin(), context.end());
    const std::uint64_t context_at = world_.memory.add(std::move(region));
    push_frame();
    set(1, context_at);
    while (!ended_ && error_.empty()) step();
    if (error_.empty() && !state_.reserved.empty()) {
      error_ = "a ring record is neither submitted nor discarded";
    }
    const std::vector<std::uint8_t>& after = *world_.memory.bytes(context_at);
    std::copy(after.begin(), after.end(), context.begin());
    clean_up(context_at);
    return {std::move(error_), regs_[0], count_};
  }

 private:
  struct Frame {
    std::uint64_t stack = 0;
    std::uint32_t return_to = 0;
    std::array<std::uint64_t, kRegs> saved = {};
    std::uint32_t saved_valid = 0;
  };

  void clean_up(std::uint64_t context_at) {
    for (const Frame& frame : frames_) world_.memory.remove(frame.stack);
    for (const auto& [address, map] : state_.reserved) world_.memory.remove(address);
    for (const std::uint64_t address : state_.deleted) world_.memory.remove(address);
    world_.memory.remove(context_at);
  }

  // The first failure counts.
  void fail(const std::string& what) {
    if (!error_.empty()) return;
    const bool in_code = at_ < object_.insns.size();
    error_ =
        fmt::format("insn {}: {}{}{}", at_, in_code ? disassemble(object_.insns[at_], nullptr) : "",
                    in_code ? ": " : "", what);
  }

  void set(std::uint32_t reg, std::uint64_t value) {
    regs_[reg] = value;
    valid_ |= 1u << reg;
  }
  std::uint64_t get(std::uint32_t reg) {
    if ((valid_ & (1u << reg)) == 0) fail(fmt::format("r{} was never written", reg));
    return regs_[reg];
  }

  void push_frame() {
    Region stack;
    stack.bytes.resize(kStackBytes);
    stack.written.resize(kStackBytes, false);
    stack.is_stack = true;
    frames_.push_back({world_.memory.add(std::move(stack)), next_, regs_, valid_});
    set(10, frames_.back().stack + kStackBytes);
  }

  void step() {
    at_ = next_;
    if (at_ >= object_.insns.size()) return fail("the program runs off its end");
    if (++count_ > budget_) return fail("the program does not end");
    const bpf_insn& insn = object_.insns[at_];
    next_ = at_ + 1;
    switch (insn.code & kClassMask) {
      case BPF_ALU:
      case BPF_ALU64:
        return alu(insn);
      case BPF_JMP:
      case BPF_JMP32:
        return jump(insn);
      case BPF_LD:
        return wide(insn);
      case BPF_LDX:
        return load(insn);
      default:
        return store(insn);
    }
  }

  void wide(const bpf_insn& insn) {
    if (!is_wide(insn) || at_ + 1 >= object_.insns.size()) return fail("illegal instruction");
    next_ = at_ + 2;
    const std::uint64_t high = static_cast<std::uint32_t>(object_.insns[at_ + 1].imm);
    const auto relocation = relocations_.find(at_);
    if (relocation == relocations_.end()) {
      return set(insn.dst_reg, high << 32 | static_cast<std::uint32_t>(insn.imm));
    }
    const Relocation& r = *relocation->second;
    const std::uint64_t handle = world_.handle(r.map);
    if (handle == 0)
      return fail(fmt::format("there is no map {} {}", map_name(r.map.kind), r.map.index));
    if (!r.is_value) return set(insn.dst_reg, handle);
    const ModelMap& map = *world_.by_handle(handle);
    if (map.type != ModelType::kArray || map.max_entries != 1) {
      return fail("only the value of an array of one has an address");
    }
    if (r.offset >= map.value_bytes) return fail("the address is outside of the map's value");
    set(insn.dst_reg, map.values.begin()->second + r.offset);
  }

  void alu(const bpf_insn& insn) {
    const bool is_64 = (insn.code & kClassMask) == BPF_ALU64;
    const std::uint32_t op = insn.code & kOpMask;
    const bool by_reg = (insn.code & BPF_X) != 0 && op != BPF_NEG && op != BPF_END;
    std::uint64_t b = by_reg ? get(insn.src_reg) : extended(insn.imm);
    std::uint64_t a = op == BPF_MOV ? 0 : get(insn.dst_reg);
    if (op == BPF_END) {
      const std::uint64_t mask = ~std::uint64_t{0} >> (64 - insn.imm);
      const bool swaps = is_64 || (insn.code & BPF_X) != 0;  // the host is little-endian
      return set(insn.dst_reg, swaps ? byte_swapped(a, insn.imm) : a & mask);
    }
    if (!is_64) {
      a = static_cast<std::uint32_t>(a);
      b = static_cast<std::uint32_t>(b);
    }
    if (insn.off != 0 && op != BPF_MOV) return fail("signed division is not modelled");
    const std::uint64_t count = b & (is_64 ? 63 : 31);
    std::uint64_t out = 0;
    switch (op) {
      case BPF_ADD:
        out = a + b;
        break;
      case BPF_SUB:
        out = a - b;
        break;
      case BPF_MUL:
        out = a * b;
        break;
      case BPF_DIV:
        out = b == 0 ? 0 : a / b;
        break;
      case BPF_MOD:
        out = b == 0 ? a : a % b;
        break;
      case BPF_OR:
        out = a | b;
        break;
      case BPF_AND:
        out = a & b;
        break;
      case BPF_XOR:
        out = a ^ b;
        break;
      case BPF_LSH:
        out = a << count;
        break;
      case BPF_RSH:
        out = a >> count;
        break;
      case BPF_ARSH:
        out = static_cast<std::uint64_t>(static_cast<std::int64_t>(is_64 ? a : sign_extend(a, 4)) >>
                                         count);
        break;
      case BPF_NEG:
        out = 0 - a;
        break;
      case BPF_MOV:
        out = insn.off == 0 ? b : sign_extend(b, static_cast<std::uint32_t>(insn.off) / 8);
        break;
      default:
        return fail("illegal instruction");
    }
    if (insn.dst_reg >= 10) return fail("r10 is read-only");
    set(insn.dst_reg, is_64 ? out : static_cast<std::uint32_t>(out));
  }

  // Nullptr with the error set when the access is not allowed.
  std::uint8_t* access(std::uint64_t address, std::uint32_t size, bool writes) {
    std::string why;
    std::uint8_t* bytes =
        writes ? world_.memory.write(address, size, why) : world_.memory.read(address, size, why);
    if (bytes == nullptr) {
      fail(why);
      return nullptr;
    }
    for (const Frame& frame : frames_) {
      const bool is_stack = address >= frame.stack && address < frame.stack + kStackBytes;
      if (!is_stack || address % size == 0) continue;
      fail("misaligned access to the stack");
      return nullptr;
    }
    return bytes;
  }

  void load(const bpf_insn& insn) {
    const std::uint8_t mode = insn.code & kModeMask;
    if (mode != BPF_MEM && mode != kModeMemSx) return fail("illegal instruction");
    const std::uint32_t size = access_bytes(insn);
    const std::uint64_t base = get(insn.src_reg), address = base + extended(insn.off);
    if (!error_.empty()) return;
    std::uint64_t value = 0;
    // Pointers with kernel types are read directly; what is not there reads as 0.
    if (world_.by_handle(address) != nullptr) return fail("a map is not memory");
    if (address >> 63 != 0 || cast_.contains(base)) {
      value = kernel_word(address, size);
    } else {
      const std::uint8_t* bytes = access(address, size, false);
      if (bytes == nullptr) return;
      std::memcpy(&value, bytes, size);
    }
    set(insn.dst_reg, mode == BPF_MEM ? value : sign_extend(value, size));
  }

  std::uint64_t kernel_word(std::uint64_t address, std::uint32_t size) const {
    const auto after = world_.kernel_memory.upper_bound(address);
    if (after == world_.kernel_memory.begin()) return 0;
    const auto& [start, bytes] = *std::prev(after);
    if (address - start + size > bytes.size()) return 0;
    std::uint64_t value = 0;
    std::memcpy(&value, bytes.data() + (address - start), size);
    return value;
  }

  void store(const bpf_insn& insn) {
    const std::uint8_t mode = insn.code & kModeMask;
    if (mode == BPF_ATOMIC) return atomic(insn);
    if (mode != BPF_MEM) return fail("illegal instruction");
    const bool by_reg = (insn.code & kClassMask) == BPF_STX;
    const std::uint64_t value = by_reg ? get(insn.src_reg) : extended(insn.imm);
    const std::uint64_t address = get(insn.dst_reg) + extended(insn.off);
    if (!error_.empty()) return;
    const std::uint32_t size = access_bytes(insn);
    std::uint8_t* bytes = access(address, size, true);
    if (bytes != nullptr) std::memcpy(bytes, &value, size);
  }

  void atomic(const bpf_insn& insn) {
    const std::uint32_t size = access_bytes(insn);
    const std::uint64_t address = get(insn.dst_reg) + extended(insn.off);
    std::uint64_t operand = get(insn.src_reg), expected = 0;
    if (insn.imm == BPF_CMPXCHG) expected = get(0);
    if (!error_.empty()) return;
    if (size < 4 || address % size != 0) return fail("misaligned atomic operation");
    if (access(address, size, false) == nullptr) return;
    std::uint8_t* bytes = access(address, size, true);
    if (bytes == nullptr) return;
    std::uint64_t old = 0;
    std::memcpy(&old, bytes, size);
    if (size == 4) {
      operand = static_cast<std::uint32_t>(operand);
      expected = static_cast<std::uint32_t>(expected);
    }
    std::uint64_t out = 0;
    switch (insn.imm & ~BPF_FETCH) {
      case BPF_ADD:
        out = old + operand;
        break;
      case BPF_OR:
        out = old | operand;
        break;
      case BPF_AND:
        out = old & operand;
        break;
      case BPF_XOR:
        out = old ^ operand;
        break;
      case BPF_XCHG & ~BPF_FETCH:
        out = operand;
        break;
      case BPF_CMPXCHG & ~BPF_FETCH:
        out = old == expected ? operand : old;
        break;
      default:
        return fail("illegal instruction");
    }
    std::memcpy(bytes, &out, size);
    if (insn.imm == BPF_CMPXCHG) {
      set(0, old);
    } else if ((insn.imm & BPF_FETCH) != 0) {
      set(insn.src_reg, old);
    }
  }

  void jump(const bpf_insn& insn) {
    const std::uint32_t op = insn.code & kOpMask;
    const bool is_narrow = (insn.code & kClassMask) == BPF_JMP32;
    if (op == BPF_CALL) return call(insn);
    if (op == BPF_EXIT) return leave();
    if (op == BPF_JA) {
      const std::int32_t far = is_narrow ? insn.imm : insn.off;
      next_ = next_ + static_cast<std::uint32_t>(far);
      return;
    }
    std::uint64_t a = get(insn.dst_reg);
    std::uint64_t b = (insn.code & BPF_X) != 0 ? get(insn.src_reg) : extended(insn.imm);
    std::int64_t sa = static_cast<std::int64_t>(a), sb = static_cast<std::int64_t>(b);
    if (is_narrow) {
      a = static_cast<std::uint32_t>(a);
      b = static_cast<std::uint32_t>(b);
      sa = static_cast<std::int32_t>(a);
      sb = static_cast<std::int32_t>(b);
    }
    bool taken = false;
    switch (op) {
      case BPF_JEQ:
        taken = a == b;
        break;
      case BPF_JNE:
        taken = a != b;
        break;
      case BPF_JGT:
        taken = a > b;
        break;
      case BPF_JGE:
        taken = a >= b;
        break;
      case BPF_JLT:
        taken = a < b;
        break;
      case BPF_JLE:
        taken = a <= b;
        break;
      case BPF_JSGT:
        taken = sa > sb;
        break;
      case BPF_JSGE:
        taken = sa >= sb;
        break;
      case BPF_JSLT:
        taken = sa < sb;
        break;
      case BPF_JSLE:
        taken = sa <= sb;
        break;
      case BPF_JSET:
        taken = (a & b) != 0;
        break;
      default:
        return fail("illegal instruction");
    }
    if (taken) next_ = next_ + static_cast<std::uint32_t>(std::int32_t{insn.off});
  }

  void call(const bpf_insn& insn) {
    constexpr std::uint32_t kArguments = 0x3e;
    if (insn.src_reg == BPF_PSEUDO_CALL) {
      if (frames_.size() >= kMaxFrames) return fail("calls are nested too deeply");
      push_frame();
      frames_.back().return_to = next_;
      valid_ &= kArguments | 1u << 10;
      next_ = next_ + static_cast<std::uint32_t>(insn.imm);
      return;
    }
    if (insn.src_reg == BPF_PSEUDO_KFUNC_CALL) {  // ours give their first argument back
      world_.kernel_calls.push_back(static_cast<std::uint32_t>(insn.imm));
      if ((valid_ & 6u) == 6u) cast_.insert(get(1));
      end_call(valid_ & 2u ? get(1) : 0);
      return;
    }
    HelperCall helper{.world = world_,
                      .state = state_,
                      .number = insn.imm,
                      .args = regs_.data() + 1,
                      .result = 0,
                      .error = {}};
    call_helper(helper);
    if (!helper.error.empty()) return fail(helper.error);
    end_call(helper.result);
  }

  void end_call(std::uint64_t result) {
    constexpr std::uint32_t kClobbered = 0x3f;
    valid_ &= ~kClobbered;
    for (std::uint32_t reg = 1; reg <= 5; ++reg) regs_[reg] = 0xdead0000dead0000 + reg;
    set(0, result);
  }

  void leave() {
    const std::uint64_t result = get(0);
    if (!error_.empty()) return;
    if (frames_.size() == 1) {
      ended_ = true;
      return;
    }
    const Frame frame = frames_.back();
    frames_.pop_back();
    world_.memory.remove(frame.stack);
    regs_ = frame.saved;
    valid_ = frame.saved_valid & ~0x3fu;
    next_ = frame.return_to;
    set(0, result);
  }

  const Object& object_;
  World& world_;
  std::uint64_t budget_;
  std::map<std::uint32_t, const Relocation*> relocations_;  // by instruction
  RunState state_;
  std::array<std::uint64_t, kRegs> regs_ = {};
  std::uint32_t valid_ = 0;  // bit n: r(n) was written
  std::vector<Frame> frames_;
  std::set<std::uint64_t> cast_;  // what functions of the kernel made pointers of
  std::uint32_t at_ = 0, next_ = 0;
  std::uint64_t count_ = 0;
  bool ended_ = false;
  std::string error_;
};

}  // namespace

RunResult run(const Object& object, World& world, std::span<std::uint8_t> context,
              std::uint64_t budget) {
  return Interpreter(object, world, budget).run(context);
}

}  // namespace dt::bpf
