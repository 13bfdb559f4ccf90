#pragma once
// For tests: random programs through the Emitter. They always end, never read
// what they did not write, and keep addresses out of their results, so that any
// two ways of running one must agree.

#include <cstdint>
#include <random>
#include <vector>

#include "bpf/asm/emitter.h"
#include "bpf/asm/lir_eval_test.h"

namespace dt::bpf {

constexpr std::uint32_t kRandomContextBytes = 64;
constexpr std::uint32_t kRandomKernelBytes = 256;

struct RandomShape {
  std::uint32_t statements = 40;     // of the main program, roughly
  std::uint32_t max_registers = 24;  // values alive at once, roughly
  bool loops = true;
  bool calls = true;
  bool subprograms = true;
  // Verifiers (seen with 6.18) lose track of precision through an atomic fetch
  // from the stack, prune a path that differs and remove live code: programs
  // for the kernel have none. Fetches from map values are not affected.
  bool fetches_from_stack = true;
  // Those before 6.4 forbid a constant as such.
  bool constants_to_context = true;
};

class RandomProgram {
 public:
  RandomProgram(std::uint64_t seed, RandomShape shape) : random_(seed), shape_(shape) {}

  void emit(Emitter& e) {
    if (shape_.subprograms) {
      for (std::uint32_t i = pick(3); i > 0; --i) functions_.push_back({e.label(), pick(6)});
    }
    const Reg context = e.context();
    slots_.clear();
    for (std::uint32_t i = 0; i < 3; ++i)
      regs_.push_back(e.load(8, context, 8 * static_cast<std::int32_t>(i)));
    has_context_ = true;
    block(e, shape_.statements, 0);
    finish(e);
    has_context_ = false;
    // The last calls nothing; each calls only those after it.
    while (!functions_.empty()) {
      const Function function = functions_.front();
      functions_.erase(functions_.begin());
      regs_ = e.begin_function(function.name, function.parameters);
      slots_.clear();
      regs_.push_back(e.imm(7));
      block(e, 12, 1);
      finish(e);
    }
  }

 private:
  struct Function {
    Label name;
    std::uint32_t parameters;
  };
  struct Slot {
    StackSlot slot;
    std::uint32_t words;
    Reg address;  // may be invalid
  };

  std::uint32_t pick(std::uint32_t below) { return static_cast<std::uint32_t>(random_() % below); }
  Reg any() { return regs_[pick(static_cast<std::uint32_t>(regs_.size()))]; }
  std::int64_t number() {
    switch (pick(6)) {
      case 0:
        return static_cast<std::int64_t>(random_());
      case 1:
        return static_cast<std::int32_t>(random_());
      case 2:
        return -static_cast<std::int64_t>(pick(10));
      case 3:
        return std::int64_t{1} << pick(63);
      case 4:
        return static_cast<std::uint32_t>(random_());
      default:
        return pick(10);
    }
  }
  std::int32_t small(Alu op, std::uint32_t bits) {
    if (op == Alu::kLsh || op == Alu::kRsh || op == Alu::kArsh) {
      return static_cast<std::int32_t>(pick(bits));
    }
    const auto value = static_cast<std::int32_t>(number());
    return value == 0 && (op == Alu::kDiv || op == Alu::kMod) ? 3 : value;
  }
  void keep(Reg reg) {
    if (regs_.size() < shape_.max_registers) {
      regs_.push_back(reg);
    } else {
      regs_[pick(static_cast<std::uint32_t>(regs_.size()))] = reg;
    }
  }

  void block(Emitter& e, std::uint32_t statements, int depth) {
    const std::vector<Slot> slots = slots_;
    const std::vector<Reg> regs = regs_;
    for (std::uint32_t i = 0; i < statements; ++i) statement(e, depth);
    if (depth > 0) {
      slots_ = slots;
      regs_ = regs;
    }
  }

  void statement(Emitter& e, int depth) {
    switch (pick(22)) {
      case 20:
        return walk_slot(e, depth);
      case 21:
        return forget_slot();
      case 0:
        return keep(e.imm(number()));
      case 1: {
        const Reg copy = e.reg();
        e.mov(copy, any());
        return keep(copy);
      }
      case 2:
        return e.mov(any(), any());
      case 3:
        return pick(2) == 0 ? e.mov32(any(), any()) : e.mov_imm(any(), number());
      case 4:
      case 5:
        return e.alu(Alu(pick(11)), any(), any());
      case 6: {
        const Alu op = Alu(pick(11));
        return e.alu_imm(op, any(), small(op, 64));
      }
      case 7: {
        const Alu op = Alu(pick(11));
        return pick(2) == 0 ? e.alu32(op, any(), any()) : e.alu32_imm(op, any(), small(op, 32));
      }
      case 8:
        return unary(e);
      case 9:
        return new_slot(e);
      case 10:
      case 11:
      case 12:
        return use_slot(e);
      case 13:
        return use_context(e);
      case 14:
        return branch(e, depth);
      case 15:
        return depth < 3 && shape_.loops && pick(2) == 0 ? loop(e, depth) : branch(e, depth);
      case 16:
      case 17:
        return shape_.calls ? call(e) : unary(e);
      case 18:
        return functions_.empty() ? unary(e) : call_function(e);
      default: {
        const Reg sum = e.reg();
        e.mov(sum, any());
        e.alu(Alu::kAdd, sum, any());
        return keep(sum);
      }
    }
  }

  void unary(Emitter& e) {
    static constexpr std::uint32_t kBytes[] = {1, 2, 4, 8};
    switch (pick(4)) {
      case 0:
        return e.neg(any());
      case 1:
        return e.sign_extend(any(), kBytes[pick(4)]);
      case 2:
        return e.zero_extend(any(), kBytes[pick(4)]);
      default:
        return e.byte_swap(any(), kBytes[1 + pick(3)]);
    }
  }

  void new_slot(Emitter& e) {
    std::uint32_t words = 0;
    for (const Slot& slot : slots_) words += slot.words;
    if (words > 12) return;
    Slot slot{e.stack(8), 1 + pick(3), {}};
    slot.slot = e.stack(slot.words * 8);
    const Reg address = e.stack_address(slot.slot);
    for (std::uint32_t w = 0; w < slot.words; ++w) {
      const auto at = static_cast<std::int32_t>(w * 8);
      if (pick(2) == 0) {
        e.store(8, address, at, any());
      } else {
        e.store_imm(8, address, at, static_cast<std::int32_t>(number()));
      }
    }
    if (pick(2) == 0) slot.address = address;
    slots_.push_back(slot);
  }

  void use_slot(Emitter& e) {
    if (slots_.empty()) return new_slot(e);
    const Slot& slot = slots_[pick(static_cast<std::uint32_t>(slots_.size()))];
    Reg address = slot.address.valid() ? slot.address : e.stack_address(slot.slot);
    std::int32_t at = static_cast<std::int32_t>(pick(slot.words) * 8);
    if (pick(3) == 0) {
      const Reg moved = e.reg();
      e.mov(moved, address);
      e.alu_imm(Alu::kAdd, moved, at);
      if (pick(2) == 0) {  // three writes: too many for an address to be folded
        e.alu_imm(Alu::kAdd, moved, 8);
        e.alu_imm(Alu::kSub, moved, 8);
      }
      address = moved;
      at = 0;
    }
    static constexpr std::uint32_t kBytes[] = {1, 2, 4, 8};
    const std::uint32_t bytes = kBytes[pick(4)];
    switch (pick(6)) {
      case 0:
        return keep(e.load(bytes, address, at));
      case 1:
        return e.load_to(any(), 8, address, at);
      case 2:
        return e.store(bytes, address, at, any());
      case 3:
        return e.store_imm(bytes, address, at, static_cast<std::int32_t>(number()));
      case 4:
        if (!shape_.calls) return e.store(8, address, at, any());
        e.call_void(kEvalReadKernel,
                    {address, e.imm(8), e.imm(std::int64_t(kEvalKernelAddress) + pick(200))});
        return;
      default: {
        static constexpr Atomic kKinds[] = {Atomic::kAdd, Atomic::kFetchAdd, Atomic::kOr,
                                            Atomic::kXchg, Atomic::kCmpxchg};
        Atomic kind = kKinds[pick(5)];
        if (fetches(kind) && !shape_.fetches_from_stack) kind = Atomic::kAdd;
        const std::uint32_t size = pick(2) == 0 || kind == Atomic::kOr ? 8 : 4;
        return e.atomic(kind, size, address, at, any(), kind == Atomic::kCmpxchg ? any() : Reg{});
      }
    }
  }

  // A loop whose pointer walks over a slot, as over a string.
  void walk_slot(Emitter& e, int depth) {
    if (slots_.empty() || depth >= 3 || !shape_.loops) return new_slot(e);
    const Slot slot = slots_[pick(static_cast<std::uint32_t>(slots_.size()))];
    const Reg at = e.reg(), count = e.imm(slot.words);
    e.mov(at, e.stack_address(slot.slot));
    const Label top = e.label();
    e.bind(top);
    const Reg word = e.load(8, at, 0);
    e.alu(Alu::kAdd, any(), word);
    block(e, pick(4), depth + 1);
    e.store(8, at, 0, any());
    e.alu_imm(Alu::kAdd, at, 8);
    e.alu_imm(Alu::kSub, count, 1);
    e.jump_if_imm(Cond::kNe, count, 0, top);
  }

  void forget_slot() {
    if (!slots_.empty())
      slots_.erase(slots_.begin() + pick(static_cast<std::uint32_t>(slots_.size())));
  }

  void use_context(Emitter& e) {
    if (!has_context_) return;
    const auto at = static_cast<std::int32_t>(pick(kRandomContextBytes / 8) * 8);
    if (pick(2) == 0) return keep(e.load(8, e.context(), at));
    if (shape_.constants_to_context) return e.store(8, e.context(), at, any());
    const Reg value = e.load(8, e.context(), at);
    e.alu(Alu::kXor, value, any());
    e.store(8, e.context(), at, value);
  }

  void condition(Emitter& e, Label to) {
    if (pick(2) == 0) return e.jump_if(Cond(pick(11)), any(), any(), to);
    e.jump_if_imm(Cond(pick(11)), any(), static_cast<std::int32_t>(number()), to);
  }

  void branch(Emitter& e, int depth) {
    if (depth >= 4) return unary(e);
    const Label otherwise = e.label(), after = e.label();
    condition(e, otherwise);
    block(e, pick(6), depth + 1);
    if (pick(2) == 0) e.jump(after);
    e.bind(otherwise);
    block(e, pick(6), depth + 1);
    e.bind(after);
  }

  void loop(Emitter& e, int depth) {
    const Reg count = e.imm(1 + pick(4));
    const Label top = e.label(), out = e.label();
    e.bind(top);
    block(e, 1 + pick(16), depth + 1);
    if (pick(3) == 0) condition(e, out);
    e.alu_imm(Alu::kSub, count, 1);
    e.jump_if_imm(Cond::kNe, count, 0, top);
    e.bind(out);
  }

  void call(Emitter& e) {
    static constexpr std::int32_t kHelpers[] = {kEvalCpu, kEvalPid, kEvalClock};
    keep(e.call(kHelpers[pick(3)], {}));
  }

  void call_function(Emitter& e) {
    const Function& f = functions_[pick(static_cast<std::uint32_t>(functions_.size()))];
    Reg a[5];
    for (Reg& reg : a) reg = any();
    switch (f.parameters) {
      case 0:
        return keep(e.call_subprogram(f.name, {}));
      case 1:
        return keep(e.call_subprogram(f.name, {a[0]}));
      case 2:
        return keep(e.call_subprogram(f.name, {a[0], a[1]}));
      case 3:
        return keep(e.call_subprogram(f.name, {a[0], a[1], a[2]}));
      case 4:
        return keep(e.call_subprogram(f.name, {a[0], a[1], a[2], a[3]}));
      default:
        return keep(e.call_subprogram(f.name, {a[0], a[1], a[2], a[3], a[4]}));
    }
  }

  // Everything that is alive goes into the result.
  void finish(Emitter& e) {
    const Reg sum = e.imm(1);
    const auto mix = [&](Reg value) {
      e.alu_imm(Alu::kMul, sum, 31);
      e.alu(Alu::kAdd, sum, value);
    };
    for (const Reg reg : regs_) mix(reg);
    for (const Slot& slot : slots_) {
      const Reg address = e.stack_address(slot.slot);
      for (std::uint32_t w = 0; w < slot.words; ++w) {
        mix(e.load(8, address, static_cast<std::int32_t>(w * 8)));
      }
    }
    e.ret(sum);
  }

  std::mt19937_64 random_;
  RandomShape shape_;
  std::vector<Reg> regs_;
  std::vector<Slot> slots_;
  std::vector<Function> functions_;
  bool has_context_ = false;
};

}  // namespace dt::bpf
