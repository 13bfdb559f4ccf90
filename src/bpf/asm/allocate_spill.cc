// Spilling. A register that found no machine register is cut into segments: in
// straight-line code without a call a value is loaded once and used from a
// short register; a definition is stored at once. A segment that finds no
// register either is cut again, into one register per instruction; those
// always find one. Constants and addresses are made again instead of loaded.

#include "bpf/asm/allocate.h"
#include "bpf/asm/allocate_live.h"
#include "support/check.h"

namespace dt::bpf {

void Spiller::find_homes(LirCode& code, const std::vector<std::uint32_t>& spilled) {
  homes_.resize(code.regs);
  cached_.assign(code.regs, {});
  is_spilled_.assign(code.regs, false);
  for (const std::uint32_t reg : spilled) is_spilled_[reg] = true;

  // Finds the definition of each spilled register that has just one. A register with two
  // definitions has no single value that could be made again.
  std::vector<std::uint32_t> definitions(code.regs, 0);
  for (const Lir& lir : code.code) {
    const std::uint32_t write = operands(lir).write;
    if (!is_virtual(write) || !is_spilled_[write] || homes_[write].is_segment) continue;
    ++definitions[write];
    homes_[write].is_remade = definitions[write] == 1 && is_remakeable(lir);
    if (homes_[write].is_remade) homes_[write].value = lir;
  }
  for (const std::uint32_t reg : spilled) {
    Home& home = homes_[reg];
    DT_CHECK(!home.is_final, "v{} cannot be spilled", reg);
    if (home.is_remade || home.slot != kNoId) continue;
    code.slots.push_back(8);
    home.slot = static_cast<std::uint32_t>(code.slots.size() - 1);
  }
}

// A part of spilled `from`, with the same home.
std::uint32_t Spiller::fresh(LirCode& code, std::uint32_t from) {
  const std::uint32_t reg = code.regs++;
  Home home = homes_[from];
  home.is_final = home.is_segment;
  home.is_segment = true;
  homes_.push_back(home);
  is_spilled_.push_back(false);
  cached_.push_back({});
  return reg;
}

// to = the value of spilled `reg`.
Lir Spiller::fetch(std::uint32_t reg, std::uint32_t to) const {
  const Home& home = homes_[reg];
  Lir lir;
  if (home.is_remade) {
    lir = home.value;
  } else {
    lir.op = LirOp::kLoad;
    lir.src = kFrame;
    lir.label = home.slot;
  }
  lir.dst = to;
  lir.span = span_;
  return lir;
}

// A register that holds spilled `reg` now.
std::uint32_t Spiller::read(LirCode& code, std::uint32_t reg) {
  Cached& cached = cached_[reg];
  if (cached.reg != kNoId && cached.epoch == epoch_) return cached.reg;
  const std::uint32_t part = fresh(code, reg);
  out_.push_back(fetch(reg, part));
  cached_[reg] = {part, epoch_};
  return part;
}

// Moves between a spilled register and its home, to it from what can be stored
// directly, or from it to a register that can be loaded directly. True when the
// move is done.
bool Spiller::rewrite_move(const Lir& lir) {
  const auto spilled = [this](std::uint32_t reg) { return is_virtual(reg) && is_spilled_[reg]; };
  const bool home_load = lir.op == LirOp::kLoad && lir.src == kFrame && spilled(lir.dst) &&
                         homes_[lir.dst].slot == lir.label;
  const bool home_store = lir.op == LirOp::kStore && lir.dst == kFrame && spilled(lir.src) &&
                          homes_[lir.src].slot == lir.label;
  const std::uint32_t write = operands(lir).write;
  const bool remade = is_remakeable(lir) && spilled(write) && homes_[write].is_remade;
  if ((home_load || home_store) && homes_[home_load ? lir.dst : lir.src].is_segment) return true;
  if (remade) return true;
  const bool whole = lir.op == LirOp::kMov && lir.size == 8;
  // Verifiers before 6.8 forget constants that are stored as such, but for 0.
  const bool zero = lir.op == LirOp::kMovImm && lir.imm == 0;
  const bool to_memory =
      spilled(write) && !homes_[write].is_remade && ((whole && !spilled(lir.src)) || zero);
  if (to_memory) {
    Lir store;
    store.op = whole ? LirOp::kStore : LirOp::kStoreImm;
    store.dst = kFrame;
    store.src = lir.src;
    store.imm = lir.imm;
    store.label = homes_[write].slot;
    store.span = lir.span;
    out_.push_back(store);
    cached_[write].reg = kNoId;
    return true;
  }
  if (lir.op != LirOp::kMov || lir.size != 8 || !spilled(lir.src)) return false;
  const Cached& cached = cached_[lir.src];
  if (spilled(lir.dst) || (cached.reg != kNoId && cached.epoch == epoch_)) return false;
  out_.push_back(fetch(lir.src, lir.dst));
  return true;
}

void Spiller::rewrite_one(LirCode& code, Lir lir) {
  const Operands ops = operands(lir);
  const auto spilled = [this](std::uint32_t reg) { return is_virtual(reg) && is_spilled_[reg]; };
  // Parts of one instruction's width do not outlive it.
  const auto forget_if_final = [this](std::uint32_t reg) {
    if (homes_[cached_[reg].reg].is_final) cached_[reg].reg = kNoId;
  };
  std::uint32_t from[2] = {lir.dst, lir.src};
  std::uint32_t to[2] = {lir.dst, lir.src};
  for (std::uint32_t r = 0; r < ops.read_count; ++r) {
    const std::uint32_t reg = ops.reads[r];
    if (!spilled(reg)) continue;
    const std::uint32_t part = read(code, reg);
    for (std::size_t k = 0; k < 2; ++k) {
      if (from[k] == reg) to[k] = part;
    }
  }
  const bool writes = spilled(ops.write);
  std::uint32_t part = kNoId;
  if (writes) {
    bool is_read = false;
    for (std::uint32_t r = 0; r < ops.read_count; ++r) is_read |= ops.reads[r] == ops.write;
    if (is_read) {
      part = cached_[ops.write].reg;
    } else {
      part = fresh(code, ops.write);
      to[0] = part;  // what writes without reading writes dst
      cached_[ops.write] = {part, epoch_};
    }
  }
  lir.dst = to[0];
  lir.src = to[1];
  out_.push_back(lir);
  if (writes) {
    Lir store;
    store.op = LirOp::kStore;
    store.dst = kFrame;
    store.src = part;
    store.label = homes_[ops.write].slot;
    store.span = lir.span;
    out_.push_back(store);
    forget_if_final(ops.write);
  }
  for (std::uint32_t r = 0; r < ops.read_count; ++r) {
    if (spilled(ops.reads[r]) && cached_[ops.reads[r]].reg != kNoId) {
      forget_if_final(ops.reads[r]);
    }
  }
}

void Spiller::rewrite(LirCode& code, const std::vector<std::uint32_t>& spilled) {
  find_homes(code, spilled);
  const Blocks blocks(code.code);
  out_.clear();
  out_.reserve(code.code.size() + code.code.size() / 8);
  std::size_t next_block = 0;
  for (std::uint32_t i = 0; i < code.code.size(); ++i) {
    if (next_block < blocks.all().size() && blocks.all()[next_block].begin == i) {
      if (!blocks.all()[next_block].falls_in) ++epoch_;
      ++next_block;
    }
    const Lir& lir = code.code[i];
    span_ = lir.span;
    if (!rewrite_move(lir)) rewrite_one(code, lir);
    if (is_call(lir)) ++epoch_;
  }
  code.code.swap(out_);
}

}  // namespace dt::bpf
