// Local value tracking: what each machine register and each stack word holds.
// Values of unknown origin get numbers of their own, so that a copy is known as
// equal. Everything is forgotten where control joins; a call forgets r0-r5 and
// the stack, and so does a store through a pointer, which may be into it.

#include "bpf/asm/peephole_value.h"

#include <array>

#include "bpf/asm/allocate_live.h"

namespace dt::bpf {
namespace {

struct Held {
  enum class Kind : std::uint8_t { kUnknown, kConstant, kStack, kMap, kMapValue, kLabel };
  Kind kind = Kind::kUnknown;
  std::int64_t number = 0;  // kUnknown: identity
  MapRef map = {};
  bool operator==(const Held&) const = default;
};

class Tracker {
 public:
  explicit Tracker(std::vector<Lir>& code) : code_(code) {}

  void run() {
    const Blocks blocks(code_);
    std::vector<Lir> out;
    out.reserve(code_.size());
    for (const Block& block : blocks.all()) {
      if (!block.falls_in) forget_all();
      for (std::uint32_t i = block.begin; i < block.end; ++i) {
        Lir lir = code_[i];
        if (!improve(lir)) out.push_back(lir);
      }
    }
    code_.swap(out);
  }

 private:
  static constexpr std::size_t kMaxWords = 64;
  static constexpr std::uint32_t kRegs = 11;
  struct Word {
    std::int32_t offset = 0;  // from r10, 8 bytes
    Held value;
  };

  Held fresh() { return {Held::Kind::kUnknown, ++last_, {}}; }
  void forget_all() {
    for (Held& value : regs_) value = fresh();
    copied_from_.fill(kNoId);
    words_.clear();
  }

  static Held made(const Lir& lir) {
    switch (lir.op) {
      case LirOp::kMovImm:
        return {Held::Kind::kConstant, lir.imm, {}};
      case LirOp::kStackAddress:
        return {Held::Kind::kStack, lir.offset, {}};
      case LirOp::kMap:
        return {Held::Kind::kMap, 0, lir.map};
      case LirOp::kMapValue:
        return {Held::Kind::kMapValue, lir.imm, lir.map};
      default:
        return {Held::Kind::kLabel, lir.label, {}};
    }
  }

  // r10 is the frame pointer and holds nothing else.
  std::uint32_t holder(const Held& value) const {
    for (std::uint32_t reg = 0; reg < 10; ++reg) {
      if (regs_[reg] == value) return reg;
    }
    return kNoId;
  }

  // dst = value: drops the instruction (true), turns it into a move where that
  // pays, and notes the result.
  bool assign(Lir& lir, const Held& value, bool move_pays) {
    if (regs_[lir.dst] == value) return true;
    const std::uint32_t from = holder(value);
    if (from != kNoId && move_pays) {
      lir = {.op = LirOp::kMov, .dst = lir.dst, .src = from, .span = lir.span};
    }
    regs_[lir.dst] = value;
    return false;
  }

  Held* word(std::int32_t offset) {
    for (Word& w : words_) {
      if (w.offset == offset) return &w.value;
    }
    return nullptr;
  }
  // Also words that the store touches in part only.
  void forget_words(std::int32_t offset, std::int32_t size) {
    std::erase_if(words_,
                  [&](const Word& w) { return w.offset < offset + size && offset < w.offset + 8; });
  }
  void remember(std::int32_t offset, const Held& value) {
    if (words_.size() < kMaxWords) words_.push_back({offset, value});
  }

  // Reads of a copy become reads of the original, so that the copy may die. copied_from_ may be out
  // of date: the original may have been written since. Equal values prove that it was not.
  void read_originals(Lir& lir) const {
    const Operands ops = operands(lir);
    const auto original = [&](std::uint32_t reg) {
      if (reg >= 10 || reg == ops.write) return reg;
      const std::uint32_t from = copied_from_[reg];
      return from != kNoId && regs_[from] == regs_[reg] ? from : reg;
    };
    const bool reads_src = lir.src != kNoId && !is_remakeable(lir);
    const bool reads_dst = lir.op == LirOp::kStore || lir.op == LirOp::kStoreImm ||
                           lir.op == LirOp::kAtomic || is_branch(lir);
    if (reads_src) lir.src = original(lir.src);
    if (reads_dst) lir.dst = original(lir.dst);
  }

  // True when the instruction is not needed.
  bool improve(Lir& lir) {
    read_originals(lir);
    const std::uint32_t written = operands(lir).write;
    if (written < 10)
      copied_from_[written] = lir.op == LirOp::kMov && lir.size == 8 ? lir.src : kNoId;
    if (is_remakeable(lir)) {
      // A short constant is one instruction, as a move is: a move would only make it depend on the
      // other register.
      const bool is_long = lir.op == LirOp::kMovImm ? !fits_s32(lir.imm) : true;
      return assign(lir, made(lir), is_long);
    }
    if (lir.op == LirOp::kMov && lir.size == 8) return assign(lir, regs_[lir.src], false);
    if (lir.op == LirOp::kLoad && lir.src == kFrame && lir.size == 8) {
      Held* known = word(lir.offset);
      if (known != nullptr) {
        const bool is_constant = known->kind == Held::Kind::kConstant && fits_s32(known->number);
        if (is_constant) {
          lir = {.op = LirOp::kMovImm, .dst = lir.dst, .imm = known->number, .span = lir.span};
        }
        return assign(lir, *known, !is_constant);
      }
      regs_[lir.dst] = fresh();
      remember(lir.offset, regs_[lir.dst]);
      return false;
    }
    if (lir.op == LirOp::kStore || lir.op == LirOp::kStoreImm || lir.op == LirOp::kAtomic) {
      if (lir.dst == kFrame) {
        forget_words(lir.offset, lir.size);
        if (lir.op == LirOp::kStore && lir.size == 8) remember(lir.offset, regs_[lir.src]);
        if (lir.op == LirOp::kStoreImm && lir.size == 8) {
          remember(lir.offset, {Held::Kind::kConstant, lir.imm, {}});
        }
      } else {
        words_.clear();
      }
    }
    if (is_call(lir)) {
      for (std::uint32_t reg = 0; reg <= 5; ++reg) regs_[reg] = fresh();
      words_.clear();
    }
    const std::uint32_t write = operands(lir).write;
    if (write != kNoId) regs_[write] = fresh();
    return false;
  }

  std::vector<Lir>& code_;
  std::array<Held, kRegs> regs_;
  std::array<std::uint32_t, kRegs> copied_from_ = {};  // what a move wrote last; may be stale
  std::vector<Word> words_;
  std::int64_t last_ = 0;
};

}  // namespace

void reuse_values(std::vector<Lir>& code) { Tracker(code).run(); }

}  // namespace dt::bpf
